// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import "slices"

// dhcpOptions are a set of DHCP options.
type dhcpOptions struct {
	std
	Values []dhcpValue
}

type dhcpValue struct {
	key    string
	values []string
}

var dhcpSets = &kind[*dhcpOptions]{
	resource: "dhcp-options", prefix: "dopt-", noun: "DHCP options ID",
	notFound: "InvalidDhcpOptionID.NotFound", malformed: "InvalidDhcpOptionsId.Malformed",
	of: func(c *Cloud) *table[*dhcpOptions] { return &c.dhcp }, ids: "DhcpOptionsId", set: "dhcpOptionsSet",
	sees: func(c *call, d *dhcpOptions) bool {
		return c.cloud.vpcs.any(func(v *vpc) bool { return v.DHCP == d.ID && vpcShared(c, v) })
	},
	filters: map[string]func(*call, *dhcpOptions) []string{
		"dhcp-options-id": one(func(d *dhcpOptions) string { return d.ID }),
		"key": each(func(d *dhcpOptions) (all []string) {
			for _, v := range d.Values {
				all = append(all, v.key)
			}
			return all
		}),
		"value": each(func(d *dhcpOptions) (all []string) {
			for _, v := range d.Values {
				all = append(all, v.values...)
			}
			return all
		}),
	},
	show: showDHCP,
}

// vpcShared says whether the caller sees a VPC of another's.
func vpcShared(c *call, v *vpc) bool {
	return v.region == c.region && c.cloud.subnets.any(func(s *subnet) bool { return s.VPC == v.ID && s.sharedWith(c.account) })
}

func showDHCP(c *call, d *dhcpOptions) object {
	all := []object{}
	for _, v := range d.Values {
		values := []object{}
		for _, s := range v.values {
			values = append(values, object{{"value", s}})
		}
		all = append(all, object{{"key", v.key}, {"valueSet", values}})
	}
	return object{{"dhcpOptionsId", d.ID}, {"ownerId", d.account.id}, {"dhcpConfigurationSet", all}, {"tagSet", c.tagsOf(d.self())}}
}

var dhcpOperations = operations{
	"ec2 DescribeDhcpOptions":  {"DhcpOptionsId Filter MaxResults NextToken", dhcpSets.describe},
	"ec2 CreateDhcpOptions":    {"DhcpConfiguration TagSpecification", createDHCP},
	"ec2 DeleteDhcpOptions":    {"DhcpOptionsId", deleteDHCP},
	"ec2 AssociateDhcpOptions": {"DhcpOptionsId VpcId", associateDHCP},
}

// dhcpKeys are the options that EC2 knows.
var dhcpKeys = []string{"domain-name", "domain-name-servers", "ntp-servers", "netbios-name-servers", "netbios-node-type", "ipv6-address-preferred-lease-time"}

// defaultDHCP is the set that every new VPC gets; it is made when it is first needed.
func (c *call) defaultDHCP() *dhcpOptions {
	id := c.cloud.defaultID("dopt-", c)
	if d, ok := c.cloud.dhcp.get(id); ok {
		return d
	}
	domain := c.region + ".compute.internal"
	if c.region == "us-east-1" {
		domain = "ec2.internal"
	}
	d := &dhcpOptions{
		std:    std{ID: id, account: c.account, region: c.region, made: c.now},
		Values: []dhcpValue{{"domain-name", []string{domain}}, {"domain-name-servers", []string{"AmazonProvidedDNS"}}},
	}
	c.cloud.dhcp.add(d)
	return d
}

func createDHCP(c *call) (object, error) {
	if !c.has("DhcpConfiguration") {
		return nil, missing("dhcpConfiguration")
	}
	d := &dhcpOptions{}
	for _, p := range c.list("DhcpConfiguration") {
		if !slices.Contains(dhcpKeys, p.str("Key")) {
			return nil, invalid("Value (%s) for parameter dhcpConfiguration is invalid. Unknown DHCP option", p.str("Key"))
		}
		d.Values = append(d.Values, dhcpValue{p.str("Key"), p.strs("Value")})
	}
	s, err := dhcpSets.begin(c)
	if err != nil {
		return nil, err
	}
	d.std = s
	c.cloud.dhcp.add(d)
	return object{{"dhcpOptions", showDHCP(c, d)}}, nil
}

func deleteDHCP(c *call) (object, error) {
	d, err := dhcpSets.own(c, "DhcpOptionsId")
	if err != nil {
		return nil, err
	}
	if c.cloud.vpcs.any(func(v *vpc) bool { return v.DHCP == d.ID }) {
		return nil, dependency("dhcpOptions", d.ID)
	}
	c.cloud.dhcp.remove(d)
	return object{{"return", true}}, nil
}

func associateDHCP(c *call) (object, error) {
	v, err := vpcs.own(c, "VpcId")
	if err != nil {
		return nil, err
	}
	if c.str("DhcpOptionsId") == "default" {
		v.DHCP = "default"
		return object{{"return", true}}, nil
	}
	d, err := dhcpSets.own(c, "DhcpOptionsId")
	if err != nil {
		return nil, err
	}
	v.DHCP = d.ID
	return object{{"return", true}}, nil
}
