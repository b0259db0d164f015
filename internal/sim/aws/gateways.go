// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

// internetGateway is an internet gateway, attached to at most one VPC.
type internetGateway struct {
	std
	VPC string
}

var internetGateways = &kind[*internetGateway]{
	resource: "internet-gateway", prefix: "igw-", noun: "internetGateway ID",
	notFound: "InvalidInternetGatewayID.NotFound", malformed: "InvalidInternetGatewayId.Malformed",
	of: func(c *Cloud) *table[*internetGateway] { return &c.gateways }, ids: "InternetGatewayId", set: "internetGatewaySet",
	filters: map[string]func(*call, *internetGateway) []string{
		"attachment.vpc-id":   each(func(g *internetGateway) []string { return notEmpty(g.VPC) }),
		"internet-gateway-id": one(func(g *internetGateway) string { return g.ID }),
		"attachment.state": each(func(g *internetGateway) []string {
			if g.VPC == "" {
				return nil
			}
			return []string{"available"}
		}),
	},
	show: showGateway,
}

// notEmpty is a list of the text, unless it is empty.
func notEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

func showGateway(c *call, g *internetGateway) object {
	attachments := []object{}
	if g.VPC != "" {
		attachments = append(attachments, object{{"vpcId", g.VPC}, {"state", "available"}})
	}
	return object{{"internetGatewayId", g.ID}, {"ownerId", g.account.id}, {"attachmentSet", attachments}, {"tagSet", c.tagsOf(g.self())}}
}

var gatewayOperations = operations{
	"ec2 DescribeInternetGateways": {"InternetGatewayId Filter MaxResults NextToken", internetGateways.describe},
	"ec2 CreateInternetGateway":    {"TagSpecification", createGateway},
	"ec2 DeleteInternetGateway":    {"InternetGatewayId", deleteGateway},
	"ec2 AttachInternetGateway":    {"InternetGatewayId VpcId", attachGateway},
	"ec2 DetachInternetGateway":    {"InternetGatewayId VpcId", detachGateway},
}

func createGateway(c *call) (object, error) {
	if err := c.within("L-A4707A72", len(internetGateways.mine(c)),
		"InternetGatewayLimitExceeded", "The maximum number of internet gateways has been reached."); err != nil {
		return nil, err
	}
	s, err := internetGateways.begin(c)
	if err != nil {
		return nil, err
	}
	g := &internetGateway{std: s}
	c.cloud.gateways.add(g)
	return object{{"internetGateway", showGateway(c, g)}}, nil
}

func deleteGateway(c *call) (object, error) {
	g, err := internetGateways.own(c, "InternetGatewayId")
	if err != nil {
		return nil, err
	}
	if g.VPC != "" {
		return nil, dependency("internetGateway", g.ID)
	}
	c.cloud.gateways.remove(g)
	return object{{"return", true}}, nil
}

func attachGateway(c *call) (object, error) {
	g, err := internetGateways.own(c, "InternetGatewayId")
	if err != nil {
		return nil, err
	}
	v, err := vpcs.own(c, "VpcId")
	if err != nil {
		return nil, err
	}
	if g.VPC != "" {
		return nil, refuse("Resource.AlreadyAssociated", "resource %s is already attached to network %s", g.ID, g.VPC)
	}
	if c.cloud.gateways.any(func(o *internetGateway) bool { return o.VPC == v.ID }) {
		return nil, invalid("Network %s already has an internet gateway attached", v.ID)
	}
	g.VPC = v.ID
	return object{{"return", true}}, nil
}

func detachGateway(c *call) (object, error) {
	c.cloud.ageInterfaces()
	g, err := internetGateways.own(c, "InternetGatewayId")
	if err != nil {
		return nil, err
	}
	v, err := vpcs.own(c, "VpcId")
	if err != nil {
		return nil, err
	}
	if g.VPC != v.ID {
		return nil, refuse("Gateway.NotAttached", "resource %s is not attached to network %s", g.ID, v.ID)
	}
	if c.cloud.interfaces.any(func(i *networkInterface) bool { return i.VPC == v.ID && i.Public != "" }) {
		return nil, refuse("DependencyViolation",
			"Network %s has some mapped public address(es). Please unmap those public address(es) before detaching the gateway.", v.ID)
	}
	g.VPC = ""
	return object{{"return", true}}, nil
}
