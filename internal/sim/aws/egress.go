// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

// egressGateway is an egress-only internet gateway.
type egressGateway struct {
	std
	VPC string
}

var egressGateways = &kind[*egressGateway]{
	resource: "egress-only-internet-gateway", prefix: "eigw-", noun: "eigw ID",
	notFound: "InvalidGatewayID.NotFound", malformed: "InvalidEgressOnlyInternetGatewayId.Malformed",
	of: func(c *Cloud) *table[*egressGateway] { return &c.egress }, ids: "EgressOnlyInternetGatewayId", set: "egressOnlyInternetGatewaySet",
	ghosts: true, show: showEgress,
}

func showEgress(c *call, g *egressGateway) object {
	return object{
		{"egressOnlyInternetGatewayId", g.ID}, {"attachmentSet", []object{{{"vpcId", g.VPC}, {"state", "attached"}}}}, {"tagSet", c.tagsOf(g.self())},
	}
}

var egressOperations = operations{
	"ec2 DescribeEgressOnlyInternetGateways": {"EgressOnlyInternetGatewayId Filter MaxResults NextToken", egressGateways.describe},
	"ec2 CreateEgressOnlyInternetGateway":    {"VpcId ClientToken TagSpecification", createEgress},
	"ec2 DeleteEgressOnlyInternetGateway":    {"EgressOnlyInternetGatewayId", deleteEgress},
}

func createEgress(c *call) (object, error) {
	v, err := vpcs.own(c, "VpcId")
	if err != nil {
		return nil, err
	}
	answer := func(g *egressGateway) (object, error) {
		return object{{"clientToken", some(c.str("ClientToken"))}, {"egressOnlyInternetGateway", showEgress(c, g)}}, nil
	}
	id, err := c.once()
	if err != nil {
		return nil, err
	}
	if g, ok := c.cloud.egress.get(id); ok {
		return answer(g)
	}
	if err := c.within("L-45FE3B85", len(egressGateways.mine(c)),
		"EgressOnlyInternetGatewayLimitExceeded", "The maximum number of egress-only internet gateways has been reached."); err != nil {
		return nil, err
	}
	s, err := egressGateways.begin(c)
	if err != nil {
		return nil, err
	}
	g := &egressGateway{s, v.ID}
	c.cloud.egress.add(g)
	c.remember(g.ID)
	return answer(g)
}

func deleteEgress(c *call) (object, error) {
	g, err := egressGateways.own(c, "EgressOnlyInternetGatewayId")
	if err != nil {
		return nil, err
	}
	c.cloud.egress.remove(g)
	return object{{"returnCode", true}}, nil
}
