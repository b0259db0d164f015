// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"net/netip"
	"slices"
	"strings"
)

// subnet is a subnet. Without an IPv4 block it is IPv6-native.
type subnet struct {
	std
	VPC     string
	Zone    *zone
	Block   netip.Prefix
	Blocks6 []*block

	PublicOnLaunch, Assign6, Native6, DNS64 bool
	Hostnames                               string // ip-name, resource-name
	ARecord, AAAARecord                     bool
	Outpost                                 string // its ARN
	Free                                    *int   // as it was planted
	shared                                  []string
}

func (s *subnet) sharedWith(a *account) bool { return slices.Contains(s.shared, a.name) }

// inBlock says whether a block of the subnet lies in one of the VPC.
func (s *subnet) inBlock(p netip.Prefix) bool {
	return s.Block.IsValid() && within(p, s.Block) || slices.ContainsFunc(living(s.Blocks6), func(b netip.Prefix) bool { return within(p, b) })
}

func (s *subnet) cidr() string {
	if !s.Block.IsValid() {
		return ""
	}
	return s.Block.String()
}

var subnets = &kind[*subnet]{
	resource: "subnet", prefix: "subnet-", noun: "subnet ID", notFound: "InvalidSubnetID.NotFound", malformed: "InvalidSubnetID.Malformed",
	of: func(c *Cloud) *table[*subnet] { return &c.subnets }, ids: "SubnetId", set: "subnetSet",
	sees: func(c *call, s *subnet) bool { return s.sharedWith(c.account) },
	filters: map[string]func(*call, *subnet) []string{
		"vpc-id":                  one(func(s *subnet) string { return s.VPC }),
		"subnet-id":               one(func(s *subnet) string { return s.ID }),
		"state":                   one(func(*subnet) string { return "available" }),
		"availability-zone":       one(func(s *subnet) string { return s.Zone.Name }),
		"availabilityZone":        one(func(s *subnet) string { return s.Zone.Name }),
		"availability-zone-id":    one(func(s *subnet) string { return s.Zone.ID }),
		"cidr-block":              one((*subnet).cidr),
		"cidr":                    one((*subnet).cidr),
		"cidrBlock":               one((*subnet).cidr),
		"default-for-az":          one(func(*subnet) string { return "false" }),
		"ipv6-native":             one(func(s *subnet) string { return text(s.Native6) }),
		"map-public-ip-on-launch": one(func(s *subnet) string { return text(s.PublicOnLaunch) }),
		"outpost-arn":             one(func(s *subnet) string { return s.Outpost }),
		"ipv6-cidr-block-association.ipv6-cidr-block": each(func(s *subnet) []string { return spelled(s.Blocks6) }),
	},
	look: func(_ *Cloud, s *subnet) { settle(s.Blocks6) },
	show: showSubnet,
}

// free is how many IPv4 addresses of a subnet nobody has; five are AWS's own.
func (c *Cloud) free(s *subnet) int {
	switch {
	case s.Free != nil:
		return *s.Free
	case !s.Block.IsValid():
		return 0
	}
	return 1<<(32-s.Block.Bits()) - 5 - len(c.interfaces.where(func(i *networkInterface) bool { return i.Subnet == s.ID }))
}

func showSubnet(c *call, s *subnet) object {
	o := object{
		{"subnetId", s.ID}, {"subnetArn", "arn:aws:ec2:" + s.region + ":" + s.account.id + ":subnet/" + s.ID}, {"state", "available"},
		{"ownerId", s.account.id}, {"vpcId", s.VPC}, {"cidrBlock", some(s.cidr())},
		{"ipv6CidrBlockAssociationSet", showBlocks(s.Blocks6, "ipv6CidrBlock", "ipv6CidrBlockState", false)},
		{"availableIpAddressCount", c.cloud.free(s)}, {"availabilityZone", s.Zone.Name}, {"availabilityZoneId", s.Zone.ID},
		{"defaultForAz", false}, {"mapPublicIpOnLaunch", s.PublicOnLaunch}, {"assignIpv6AddressOnCreation", s.Assign6},
		{"ipv6Native", s.Native6}, {"enableDns64", s.DNS64},
		{"privateDnsNameOptionsOnLaunch", object{
			{"hostnameType", s.Hostnames}, {"enableResourceNameDnsARecord", s.ARecord}, {"enableResourceNameDnsAAAARecord", s.AAAARecord},
		}},
	}
	return append(o, object{{"outpostArn", some(s.Outpost)}, {"tagSet", c.tagsOf(s.self())}}...)
}

var subnetOperations = operations{
	"ec2 DescribeSubnets": {"SubnetId Filter MaxResults NextToken", subnets.describe},
	"ec2 CreateSubnet": {
		"VpcId CidrBlock Ipv6CidrBlock Ipv6Native AvailabilityZone AvailabilityZoneId OutpostArn TagSpecification", createSubnet,
	},
	"ec2 DeleteSubnet": {"SubnetId", deleteSubnet},
	"ec2 ModifySubnetAttribute": {
		"SubnetId AssignIpv6AddressOnCreation MapPublicIpOnLaunch EnableDns64 EnableResourceNameDnsARecordOnLaunch " +
			"EnableResourceNameDnsAAAARecordOnLaunch PrivateDnsHostnameTypeOnLaunch", modifySubnet,
	},
	"ec2 AssociateSubnetCidrBlock":    {"SubnetId Ipv6CidrBlock", associateSubnetBlock},
	"ec2 DisassociateSubnetCidrBlock": {"AssociationId", disassociateSubnetBlock},
}

func createSubnet(c *call) (object, error) {
	v, err := vpcs.own(c, "VpcId")
	if err != nil {
		return nil, err
	}
	if !c.is("Ipv6Native") && !c.has("CidrBlock") {
		return nil, missing("cidrBlock")
	}
	n := len(c.cloud.subnets.where(func(s *subnet) bool { return s.VPC == v.ID }))
	if err := c.within("L-407747CB", n, "SubnetLimitExceeded", "The maximum number of subnets has been reached."); err != nil {
		return nil, err
	}
	s := &subnet{VPC: v.ID, Native6: c.is("Ipv6Native"), Hostnames: "ip-name", Outpost: c.str("OutpostArn")}
	if s.Zone, err = c.zoneParam(); err != nil {
		return nil, err
	}
	b, err := c.subnetBlocks(v, s)
	if err != nil {
		return nil, err
	}
	if s.std, err = subnets.begin(c); err != nil {
		return nil, err
	}
	if b != nil {
		b.ID = c.cloud.newID("subnet-cidr-assoc-", s.ID, b.Prefix.String())
		s.Blocks6 = []*block{b}
	}
	c.cloud.subnets.add(s)
	return object{{"subnet", showSubnet(c, s)}}, nil
}

// subnetBlocks reads the blocks of a subnet that is made.
func (c *call) subnetBlocks(v *vpc, s *subnet) (b *block, err error) {
	if s.Native6 {
		s.Hostnames, s.Assign6 = "resource-name", true
		switch {
		case c.has("CidrBlock"):
			return nil, refuse("InvalidParameterCombination", "An IPv6-native subnet has no IPv4 CIDR block")
		case !c.has("Ipv6CidrBlock"):
			return nil, missing("ipv6CidrBlock")
		}
	} else if s.Block, err = c.newSubnetBlock(v); err != nil {
		return nil, err
	}
	if !c.has("Ipv6CidrBlock") {
		return nil, nil
	}
	return c.newSubnetBlock6(v)
}

// zoneParam is the zone that a request names; the first, if it names none.
func (c *call) zoneParam() (*zone, error) {
	zones := c.cloud.regions[c.region].zones
	name, id := c.str("AvailabilityZone"), c.str("AvailabilityZoneId")
	if name == "" && id == "" {
		return zones[0], nil
	}
	var names []string
	for _, z := range zones {
		if z.Name == name || z.ID == id {
			return z, nil
		}
		names = append(names, z.Name)
	}
	return nil, invalid("Value (%s) for parameter availabilityZone is invalid. Subnets can currently only be created in the following availability zones: %s.",
		name+id, strings.Join(names, ", "))
}

// newSubnetBlock is the IPv4 block that a request asks for, in one of the VPC and free.
func (c *call) newSubnetBlock(v *vpc) (netip.Prefix, error) {
	p, err := blockV4("cidrBlock", c.str("CidrBlock"))
	if err != nil {
		return p, err
	}
	if p.Bits() < 16 || p.Bits() > 28 || !slices.ContainsFunc(living(v.Blocks), func(b netip.Prefix) bool { return within(b, p) }) {
		return p, refuse("InvalidSubnet.Range", "The CIDR '%s' is invalid.", p)
	}
	if c.cloud.subnets.any(func(s *subnet) bool { return s.VPC == v.ID && s.Block.IsValid() && s.Block.Overlaps(p) }) {
		return p, refuse("InvalidSubnet.Conflict", "The CIDR '%s' conflicts with another subnet", p)
	}
	return p, nil
}

// newSubnetBlock6 is the IPv6 block that a request asks for.
func (c *call) newSubnetBlock6(v *vpc) (*block, error) {
	p, err := blockV6("ipv6CidrBlock", c.str("Ipv6CidrBlock"))
	if err != nil {
		return nil, err
	}
	if p.Bits() < 44 || p.Bits() > 64 || p.Bits()%4 != 0 || !slices.ContainsFunc(living(v.Blocks6), func(b netip.Prefix) bool { return within(b, p) }) {
		return nil, refuse("InvalidSubnet.Range", "The IPv6 CIDR '%s' is invalid.", p)
	}
	if c.cloud.subnets.any(func(s *subnet) bool { return s.VPC == v.ID && slices.ContainsFunc(living(s.Blocks6), p.Overlaps) }) {
		return nil, refuse("InvalidSubnet.Conflict", "The IPv6 CIDR '%s' conflicts with another subnet", p)
	}
	return &block{Prefix: p, State: "associating"}, nil
}

// deleteSubnet takes the associations of route tables and the reservations with it.
func deleteSubnet(c *call) (object, error) {
	c.cloud.ageInterfaces()
	s, err := subnets.own(c, "SubnetId")
	if err != nil {
		return nil, err
	}
	if c.cloud.interfaces.any(func(i *networkInterface) bool { return i.Subnet == s.ID }) {
		return nil, dependency("subnet", s.ID)
	}
	for _, t := range c.cloud.tables.all {
		t.Associations = slices.DeleteFunc(t.Associations, func(a *association) bool { return a.Subnet == s.ID })
	}
	for _, r := range c.cloud.reserved.where(func(r *reservation) bool { return r.Subnet == s.ID }) {
		c.cloud.reserved.remove(r)
	}
	c.cloud.subnets.remove(s)
	return object{{"return", true}}, nil
}

func modifySubnet(c *call) (object, error) {
	s, err := subnets.own(c, "SubnetId")
	if err != nil {
		return nil, err
	}
	attributes := map[string]*bool{
		"AssignIpv6AddressOnCreation": &s.Assign6, "MapPublicIpOnLaunch": &s.PublicOnLaunch, "EnableDns64": &s.DNS64,
		"EnableResourceNameDnsARecordOnLaunch": &s.ARecord, "EnableResourceNameDnsAAAARecordOnLaunch": &s.AAAARecord,
	}
	if n := len(c.names()) - 1; n != 1 {
		return nil, refuse("InvalidParameterCombination", "exactly one attribute can be changed at a time, not %d", n)
	}
	no6 := len(living(s.Blocks6)) == 0
	if no6 && (c.at("AssignIpv6AddressOnCreation").is("Value") || c.at("EnableDns64").is("Value")) {
		return nil, invalid("Invalid value for subnet attribute. The subnet '%s' has no IPv6 CIDR block", s.ID)
	}
	if s.Native6 && c.has("AssignIpv6AddressOnCreation") && !c.at("AssignIpv6AddressOnCreation").is("Value") {
		return nil, invalid("The subnet '%s' is IPv6-native: it always assigns IPv6 addresses", s.ID)
	}
	for name, to := range attributes {
		if c.has(name) {
			*to = c.at(name).is("Value")
		}
	}
	if c.has("PrivateDnsHostnameTypeOnLaunch") {
		s.Hostnames = c.str("PrivateDnsHostnameTypeOnLaunch")
	}
	return object{{"return", true}}, nil
}

func associateSubnetBlock(c *call) (object, error) {
	s, err := subnets.own(c, "SubnetId")
	if err != nil {
		return nil, err
	}
	v, err := vpcs.find(c, s.VPC)
	if err != nil {
		return nil, err
	}
	b, err := c.newSubnetBlock6(v)
	if err != nil {
		return nil, err
	}
	b.ID = c.cloud.newID("subnet-cidr-assoc-", s.ID, b.Prefix.String())
	s.Blocks6 = append(s.Blocks6, b)
	return object{
		{"subnetId", s.ID}, {"ipv6CidrBlockAssociation", showBlocks([]*block{b}, "ipv6CidrBlock", "ipv6CidrBlockState", false)[0]},
	}, nil
}

func disassociateSubnetBlock(c *call) (object, error) {
	id := c.str("AssociationId")
	for _, s := range subnets.mine(c) {
		for _, b := range s.Blocks6 {
			if b.ID != id || !b.lives() {
				continue
			}
			b.State = "disassociating"
			o := showBlocks([]*block{b}, "ipv6CidrBlock", "ipv6CidrBlockState", false)[0]
			b.State = "disassociated"
			return object{{"subnetId", s.ID}, {"ipv6CidrBlockAssociation", o}}, nil
		}
	}
	return nil, refuse("InvalidSubnetCidrBlockAssociationID.NotFound", "The subnet CIDR block association ID '%s' does not exist", id)
}
