// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"net/netip"
	"time"
)

// natGateway is a NAT gateway. A regional one has no subnet.
type natGateway struct {
	std
	VPC, Subnet string
	State       string // pending, failed, available, deleting, deleted
	Private     bool
	Allocation  string
	Interface   string // ID of its network interface
	Address     netip.Addr
	Public      string
	Deleted     time.Time
	Failure     string // code

	left int // reads until the state moves on
}

var natGateways = &kind[*natGateway]{
	resource: "natgateway", prefix: "nat-", noun: "NatGateway", notFound: "NatGatewayNotFound", malformed: "NatGatewayMalformed",
	of: func(c *Cloud) *table[*natGateway] { return &c.nats }, ids: "NatGatewayId", set: "natGatewaySet",
	filters: map[string]func(*call, *natGateway) []string{
		"vpc-id":         one(func(n *natGateway) string { return n.VPC }),
		"subnet-id":      one(func(n *natGateway) string { return n.Subnet }),
		"state":          one(func(n *natGateway) string { return n.State }),
		"nat-gateway-id": one(func(n *natGateway) string { return n.ID }),
	},
	look: (*Cloud).moveNAT,
	show: showNAT,
}

// moveNAT moves a NAT gateway on that is pending or deleting.
func (c *Cloud) moveNAT(n *natGateway) {
	if n.left--; n.left >= 0 {
		return
	}
	switch {
	case n.State == "pending" && n.Failure != "":
		n.State = "failed"
		c.releaseNAT(n)
	case n.State == "pending":
		n.State = "available"
	case n.State == "deleting":
		n.State = "deleted"
		c.releaseNAT(n)
	}
}

// releaseNAT frees the address and the interface.
func (c *Cloud) releaseNAT(n *natGateway) {
	if i, ok := c.interfaces.get(n.Interface); ok {
		c.removeInterface(i)
	}
	n.leaving = true
}

func showNAT(c *call, n *natGateway) object {
	o := object{
		{"natGatewayId", n.ID}, {"vpcId", n.VPC}, {"subnetId", some(n.Subnet)}, {"state", n.State}, {"createTime", n.made},
		{"connectivityType", map[bool]string{true: "private", false: "public"}[n.Private]},
		{"availabilityMode", map[bool]string{true: "regional", false: "zonal"}[n.Subnet == ""]},
	}
	if !n.Deleted.IsZero() {
		o = o.with("deleteTime", n.Deleted)
	}
	if n.State == "failed" {
		o = append(o, object{
			{"failureCode", n.Failure}, {"failureMessage", fmt.Sprintf("Network %s has no Internet gateway attached", n.VPC)},
		}...)
	}
	a := object{
		{"allocationId", some(n.Allocation)}, {"networkInterfaceId", some(n.Interface)}, {"isPrimary", true},
		{"publicIp", some(n.Public)}, {"status", map[bool]string{true: "succeeded", false: "associating"}[n.State == "available"]},
	}
	if n.Address.IsValid() {
		a = a.with("privateIp", n.Address.String())
	}
	return append(o, object{{"natGatewayAddressSet", []object{a}}, {"tagSet", c.tagsOf(n.self())}}...)
}

var natOperations = operations{
	"ec2 DescribeNatGateways": {"NatGatewayId Filter MaxResults NextToken", natGateways.describe},
	"ec2 CreateNatGateway":    {"SubnetId VpcId AllocationId ClientToken ConnectivityType AvailabilityMode TagSpecification", createNAT},
	"ec2 DeleteNatGateway":    {"NatGatewayId", deleteNAT},
}

func createNAT(c *call) (object, error) {
	answer := func(n *natGateway) (object, error) {
		return object{{"clientToken", some(c.str("ClientToken"))}, {"natGateway", showNAT(c, n)}}, nil
	}
	id, err := c.once()
	if err != nil {
		return nil, err
	}
	if n, ok := c.cloud.nats.get(id); ok {
		return answer(n)
	}
	n := &natGateway{State: "pending", Private: c.str("ConnectivityType") == "private", left: c.cloud.pending}
	if err := c.placeNAT(n); err != nil {
		return nil, err
	}
	a, err := c.addressOfNAT(n)
	if err != nil {
		return nil, err
	}
	if n.std, err = natGateways.begin(c); err != nil {
		return nil, err
	}
	if s, ok := c.cloud.subnets.get(n.Subnet); ok {
		i, err := c.addInterface(s, networkInterface{
			Description: "Interface for NAT Gateway " + n.ID, Type: "nat_gateway", Requester: "amazon-vpc", Attachment: "ela-attach-" + n.ID[len("nat-"):],
		})
		if err != nil {
			return nil, err
		}
		n.Interface, n.Address = i.ID, i.Address
		if a != nil {
			c.cloud.associateAddress(a, i)
			n.Public = a.IP.String()
		}
	}
	c.cloud.nats.add(n)
	c.remember(n.ID)
	return answer(n)
}

// placeNAT finds where a NAT gateway goes: into a subnet, or, as a regional one, into a VPC.
func (c *call) placeNAT(n *natGateway) error {
	if c.str("AvailabilityMode") == "regional" {
		v, err := vpcs.own(c, "VpcId")
		if err != nil {
			return err
		}
		n.VPC = v.ID
		return nil
	}
	s, err := subnets.own(c, "SubnetId")
	if err != nil {
		return err
	}
	n.Subnet, n.VPC = s.ID, s.VPC
	in := len(c.cloud.nats.where(func(o *natGateway) bool {
		other, ok := c.cloud.subnets.get(o.Subnet)
		return ok && other.Zone == s.Zone && c.mine(o.self()) && !o.leaving
	}))
	if !n.Private && !c.cloud.gateways.any(func(g *internetGateway) bool { return g.VPC == s.VPC }) {
		n.Failure = "Gateway.NotAttached"
	}
	return c.within("L-FE5A380F", in, "NatGatewayLimitExceeded", "The maximum number of NAT gateways has been reached.")
}

// addressOfNAT is the address that a public NAT gateway gets; nil for others.
func (c *call) addressOfNAT(n *natGateway) (*address, error) {
	if n.Private || n.Subnet == "" {
		return nil, nil
	}
	a, err := addresses.own(c, "AllocationId")
	if err != nil {
		return nil, err
	}
	if a.Interface != "" {
		return nil, refuse("Resource.AlreadyAssociated", "Elastic IP address [%s] is already associated", a.ID)
	}
	n.Allocation = a.ID
	return a, nil
}

func deleteNAT(c *call) (object, error) {
	n, err := natGateways.own(c, "NatGatewayId")
	if err != nil {
		return nil, err
	}
	if n.State != "deleting" {
		n.State, n.Deleted, n.left = "deleting", c.now, c.cloud.pending
	}
	return object{{"natGatewayId", n.ID}}, nil
}
