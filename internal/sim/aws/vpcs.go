// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"net/netip"
	"slices"
)

// vpc is a VPC.
type vpc struct {
	std
	Blocks, Blocks6        []*block
	DHCP                   string // "default": none
	Tenancy                string
	DNSSupport, DNSNames   bool
	AddressMetrics, isBase bool
}

var vpcs = &kind[*vpc]{
	resource: "vpc", prefix: "vpc-", noun: "vpc ID", notFound: "InvalidVpcID.NotFound", malformed: "InvalidVpcID.Malformed",
	of: func(c *Cloud) *table[*vpc] { return &c.vpcs }, ids: "VpcId", set: "vpcSet",
	sees: func(c *call, v *vpc) bool {
		return c.cloud.subnets.any(func(s *subnet) bool { return s.VPC == v.ID && s.sharedWith(c.account) })
	},
	filters: map[string]func(*call, *vpc) []string{
		"vpc-id":                            one(func(v *vpc) string { return v.ID }),
		"state":                             one(func(*vpc) string { return "available" }),
		"is-default":                        one(func(v *vpc) string { return text(v.isBase) }),
		"cidr":                              one(func(v *vpc) string { return v.Blocks[0].Prefix.String() }),
		"cidr-block-association.cidr-block": each(func(v *vpc) []string { return spelled(v.Blocks) }),
		"ipv6-cidr-block-association.ipv6-cidr-block": each(func(v *vpc) []string { return spelled(v.Blocks6) }),
		"dhcp-options-id": one(func(v *vpc) string { return v.DHCP }),
	},
	look: func(_ *Cloud, v *vpc) { settle(v.Blocks6) },
	show: showVPC,
}

// settle finishes the associations that a read has seen on their way.
func settle(blocks []*block) {
	for _, b := range blocks {
		switch b.State {
		case "associating":
			b.State = "associated"
		case "disassociating":
			b.State = "disassociated"
		}
	}
}

func spelled(blocks []*block) (all []string) {
	for _, p := range living(blocks) {
		all = append(all, p.String())
	}
	return all
}

func showVPC(c *call, v *vpc) object {
	o := object{
		{"vpcId", v.ID}, {"ownerId", v.account.id}, {"state", "available"}, {"cidrBlock", v.Blocks[0].Prefix.String()},
		{"cidrBlockAssociationSet", showBlocks(v.Blocks, "cidrBlock", "cidrBlockState", false)},
	}
	if len(v.Blocks6) > 0 {
		o = o.with("ipv6CidrBlockAssociationSet", showBlocks(v.Blocks6, "ipv6CidrBlock", "ipv6CidrBlockState", true))
	}
	return append(o, object{
		{"dhcpOptionsId", v.DHCP}, {"instanceTenancy", v.Tenancy}, {"isDefault", v.isBase}, {"tagSet", c.tagsOf(v.self())},
	}...)
}

// tagsOf shows the tags of a thing. Tags are the account's: who only shares a thing
// does not see those of its owner.
func (c *call) tagsOf(s *std) any {
	if !c.mine(s) {
		return nil
	}
	return s.Tags.shown()
}

func showBlocks(blocks []*block, name, state string, pools bool) []object {
	all := []object{}
	for _, b := range blocks {
		o := object{{"associationId", b.ID}, {name, b.Prefix.String()}, {state, object{{"state", b.State}}}}
		if pools {
			o = append(o, object{{"networkBorderGroup", nil}, {"ipv6Pool", some(b.Pool)}}...)
		}
		all = append(all, o)
	}
	return all
}

var vpcOperations = operations{
	"ec2 DescribeVpcs":             {"VpcId Filter MaxResults NextToken", vpcs.describe},
	"ec2 CreateVpc":                {"CidrBlock AmazonProvidedIpv6CidrBlock Ipv6Pool Ipv6CidrBlock InstanceTenancy TagSpecification", createVPC},
	"ec2 DeleteVpc":                {"VpcId", deleteVPC},
	"ec2 DescribeVpcAttribute":     {"VpcId Attribute", describeVPCAttribute},
	"ec2 ModifyVpcAttribute":       {"VpcId EnableDnsSupport EnableDnsHostnames EnableNetworkAddressUsageMetrics", modifyVPCAttribute},
	"ec2 AssociateVpcCidrBlock":    {"VpcId CidrBlock AmazonProvidedIpv6CidrBlock Ipv6Pool Ipv6CidrBlock", associateVPCBlock},
	"ec2 DisassociateVpcCidrBlock": {"AssociationId", disassociateVPCBlock},
}

func createVPC(c *call) (object, error) {
	if !c.has("CidrBlock") {
		return nil, missing("cidrBlock")
	}
	p, err := blockV4("cidrBlock", c.str("CidrBlock"))
	if err != nil {
		return nil, err
	}
	if p.Bits() < 16 || p.Bits() > 28 {
		return nil, refuse("InvalidVpc.Range", "The CIDR '%s' is invalid.", p)
	}
	if err := c.within("L-F678F1CE", len(vpcs.mine(c)), "VpcLimitExceeded", "The maximum number of VPCs has been reached."); err != nil {
		return nil, err
	}
	s, err := vpcs.begin(c)
	if err != nil {
		return nil, err
	}
	v := &vpc{std: s, DHCP: c.defaultDHCP().ID, Tenancy: "default", DNSSupport: true}
	if t := c.str("InstanceTenancy"); t != "" {
		v.Tenancy = t
	}
	v.Blocks = []*block{{ID: c.cloud.newID("vpc-cidr-assoc-", v.ID, p.String()), Prefix: p, State: "associated"}}
	if c.is("AmazonProvidedIpv6CidrBlock") || c.has("Ipv6Pool") {
		b, err := c.newBlock6(v)
		if err != nil {
			return nil, err
		}
		v.Blocks6 = []*block{b}
	}
	c.cloud.vpcs.add(v)
	c.furnish(v)
	shown := showVPC(c, v)
	shown[slices.IndexFunc(shown, func(f field) bool { return f.name == "state" })].value = "pending"
	return object{{"vpc", shown}}, nil
}

// newBlock6 is the IPv6 block that a request asks for.
func (c *call) newBlock6(v *vpc) (*block, error) {
	b := &block{State: "associating", Pool: "Amazon", Prefix: c.cloud.amazonBlock(v.ID)}
	if pool := c.str("Ipv6Pool"); pool != "" {
		b.Pool = pool
	}
	if s := c.str("Ipv6CidrBlock"); s != "" {
		p, err := blockV6("ipv6CidrBlock", s)
		if err != nil {
			return nil, err
		}
		if p.Bits() < 44 || p.Bits() > 60 || p.Bits()%4 != 0 {
			return nil, refuse("InvalidVpc.Range", "The CIDR '%s' is invalid.", p)
		}
		b.Prefix = p
	}
	b.ID = c.cloud.newID("vpc-cidr-assoc-", v.ID, b.Prefix.String())
	return b, nil
}

// furnish gives a new VPC its main route table and its default security group.
func (c *call) furnish(v *vpc) {
	c.addTable(v, true, nil)
	c.addGroup(v, "default", "default VPC security group", nil, true)
}

func (k *kind[T]) mine(c *call) []T {
	return k.of(c.cloud).where(func(v T) bool { return c.mine(v.self()) && !v.self().leaving })
}

// deleteVPC takes the main table and the default group with it; anything else is in the way.
func deleteVPC(c *call) (object, error) {
	c.cloud.ageInterfaces()
	v, err := vpcs.own(c, "VpcId")
	if err != nil {
		return nil, err
	}
	d := c.cloud
	if d.inUse(v.ID) {
		return nil, dependency("vpc", v.ID)
	}
	for _, t := range d.tables.where(func(t *routeTable) bool { return t.VPC == v.ID }) {
		d.tables.remove(t)
	}
	for _, g := range d.groups.where(func(g *group) bool { return g.VPC == v.ID }) {
		d.removeGroup(g)
	}
	d.vpcs.remove(v)
	return object{{"return", true}}, nil
}

// inUse says whether something is in a VPC that was not there from the beginning.
func (c *Cloud) inUse(vpc string) bool {
	return slices.Contains([]bool{
		c.subnets.any(func(s *subnet) bool { return s.VPC == vpc }),
		c.gateways.any(func(g *internetGateway) bool { return g.VPC == vpc }),
		c.egress.any(func(g *egressGateway) bool { return g.VPC == vpc }),
		c.nats.any(func(n *natGateway) bool { return n.VPC == vpc && !n.leaving }),
		c.endpoints.any(func(e *endpoint) bool { return e.VPC == vpc }),
		c.interfaces.any(func(i *networkInterface) bool { return i.VPC == vpc }),
		c.groups.any(func(g *group) bool { return g.VPC == vpc && g.Name != "default" }),
		c.tables.any(func(t *routeTable) bool { return t.VPC == vpc && !t.isMain() }),
	}, true)
}

func describeVPCAttribute(c *call) (object, error) {
	v, err := vpcs.param(c, "VpcId")
	if err != nil {
		return nil, err
	}
	value := map[string]bool{
		"enableDnsSupport": v.DNSSupport, "enableDnsHostnames": v.DNSNames, "enableNetworkAddressUsageMetrics": v.AddressMetrics,
	}
	name := c.str("Attribute")
	on, ok := value[name]
	if !ok {
		return nil, invalid("Value (%s) for parameter attribute is invalid. Unknown attribute.", name)
	}
	return object{{"vpcId", v.ID}, {name, object{{"value", on}}}}, nil
}

func modifyVPCAttribute(c *call) (object, error) {
	v, err := vpcs.own(c, "VpcId")
	if err != nil {
		return nil, err
	}
	attributes := map[string]*bool{
		"EnableDnsSupport": &v.DNSSupport, "EnableDnsHostnames": &v.DNSNames, "EnableNetworkAddressUsageMetrics": &v.AddressMetrics,
	}
	n := 0
	for name, to := range attributes {
		if c.has(name) {
			*to = c.at(name).is("Value")
			n++
		}
	}
	if n != 1 {
		return nil, refuse("InvalidParameterCombination", "exactly one attribute can be changed at a time, not %d", n)
	}
	return object{{"return", true}}, nil
}

func associateVPCBlock(c *call) (object, error) {
	v, err := vpcs.own(c, "VpcId")
	if err != nil {
		return nil, err
	}
	if !c.has("CidrBlock") {
		if len(living(v.Blocks6)) > 0 && !c.has("Ipv6Pool") {
			return nil, refuse("InvalidParameterValue", "The VPC %s already has an Amazon-provided IPv6 CIDR block", v.ID)
		}
		b, err := c.newBlock6(v)
		if err != nil {
			return nil, err
		}
		v.Blocks6 = append(v.Blocks6, b)
		c.openDefault(v)
		return object{{"vpcId", v.ID}, {"ipv6CidrBlockAssociation", showBlocks([]*block{b}, "ipv6CidrBlock", "ipv6CidrBlockState", true)[0]}}, nil
	}
	p, err := blockV4("cidrBlock", c.str("CidrBlock"))
	if err != nil {
		return nil, err
	}
	if p.Bits() < 16 || p.Bits() > 28 || slices.ContainsFunc(living(v.Blocks), p.Overlaps) {
		return nil, refuse("InvalidVpc.Range", "The CIDR '%s' is invalid.", p)
	}
	b := &block{ID: c.cloud.newID("vpc-cidr-assoc-", v.ID, p.String()), Prefix: p, State: "associated"}
	v.Blocks = append(v.Blocks, b)
	return object{{"vpcId", v.ID}, {"cidrBlockAssociation", showBlocks([]*block{b}, "cidrBlock", "cidrBlockState", false)[0]}}, nil
}

// openDefault lets the default group of a VPC that gets an IPv6 block let out all of IPv6, if
// nobody has changed what it lets out.
func (c *call) openDefault(v *vpc) {
	for _, g := range c.cloud.groups.where(func(g *group) bool { return g.VPC == v.ID && g.Name == "default" }) {
		if out := c.cloud.rulesOf(g, true); len(out) == 1 && out[0].CIDR == "0.0.0.0/0" && out[0].Protocol == "-1" {
			c.cloud.addRule(g, rule{Egress: true, Protocol: "-1", From: -1, To: -1, CIDR6: "::/0"})
		}
	}
}

func disassociateVPCBlock(c *call) (object, error) {
	id := c.str("AssociationId")
	for _, v := range vpcs.mine(c) {
		for i, b := range slices.Concat(v.Blocks, v.Blocks6) {
			if b.ID != id || !b.lives() {
				continue
			}
			if i == 0 {
				return nil, refuse("OperationNotPermitted", "The primary IPv4 CIDR block of the VPC %s cannot be disassociated", v.ID)
			}
			if c.cloud.subnets.any(func(s *subnet) bool { return s.VPC == v.ID && s.inBlock(b.Prefix) }) {
				return nil, refuse("InvalidCidrBlock.InUse", "The vpc %s currently has a subnet within CIDR block %s", v.ID, b.Prefix)
			}
			b.State = "disassociated"
			v.Blocks = slices.DeleteFunc(v.Blocks, func(o *block) bool { return o == b })
			return object{{"vpcId", v.ID}}, nil
		}
	}
	return nil, refuse("InvalidVpcCidrBlockAssociationID.NotFound", "The vpc CIDR block association ID '%s' does not exist", id)
}

// blocksOf returns all blocks of a VPC that are in use, IPv4 first.
func (c *Cloud) blocksOf(vpc string) (v4, v6 []netip.Prefix) {
	v, ok := c.vpcs.get(vpc)
	if !ok {
		return nil, nil
	}
	return living(v.Blocks), living(v.Blocks6)
}
