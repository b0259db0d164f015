// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"net/netip"
	"slices"
)

// networkInterface is a network interface: of an instance, a NAT gateway, a load balancer.
type networkInterface struct {
	std
	VPC, Subnet string
	Address     netip.Addr
	Public      string
	Description string
	Type        string // interface, nat_gateway, network_load_balancer, …
	Requester   string // empty: the account's own
	Groups      []string
	Instance    string // that has it, or what else holds it
	Attachment  string // ID; empty: it is not attached

	left  int // reads until an interface goes that is going
	going bool
}

var networkInterfaces = &kind[*networkInterface]{
	resource: "network-interface", prefix: "eni-", noun: "networkInterface ID",
	notFound: "InvalidNetworkInterfaceID.NotFound", malformed: "InvalidNetworkInterfaceId.Malformed",
	of: func(c *Cloud) *table[*networkInterface] { return &c.interfaces }, ids: "NetworkInterfaceId", set: "networkInterfaceSet",
	filters: map[string]func(*call, *networkInterface) []string{
		"vpc-id":                 one(func(i *networkInterface) string { return i.VPC }),
		"subnet-id":              one(func(i *networkInterface) string { return i.Subnet }),
		"group-id":               each(func(i *networkInterface) []string { return i.Groups }),
		"description":            one(func(i *networkInterface) string { return i.Description }),
		"interface-type":         one(func(i *networkInterface) string { return i.Type }),
		"requester-id":           one(func(i *networkInterface) string { return i.Requester }),
		"requester-managed":      one(func(i *networkInterface) string { return text(i.Requester != "") }),
		"network-interface-id":   one(func(i *networkInterface) string { return i.ID }),
		"status":                 one((*networkInterface).status),
		"private-ip-address":     one(func(i *networkInterface) string { return i.Address.String() }),
		"attachment.instance-id": each(func(i *networkInterface) []string { return notEmpty(i.Instance) }),
	},
	show: showInterface,
}

func (i *networkInterface) status() string {
	if i.Attachment == "" {
		return "available"
	}
	return "in-use"
}

func showInterface(c *call, i *networkInterface) object {
	held := []object{}
	for _, id := range i.Groups {
		if g, ok := c.cloud.groups.get(id); ok {
			held = append(held, object{{"groupId", g.ID}, {"groupName", g.Name}})
		}
	}
	o := object{
		{"networkInterfaceId", i.ID}, {"subnetId", i.Subnet}, {"vpcId", i.VPC}, {"description", i.Description}, {"ownerId", i.account.id},
		{"requesterId", some(i.Requester)}, {"requesterManaged", i.Requester != ""}, {"status", i.status()}, {"interfaceType", i.Type},
		{"privateIpAddress", spelledAddress(i.Address)}, {"groupSet", held}, {"sourceDestCheck", true},
	}
	if s, ok := c.cloud.subnets.get(i.Subnet); ok {
		o = o.with("availabilityZone", s.Zone.Name)
	}
	if i.Attachment != "" {
		o = o.with("attachment", object{
			{"attachmentId", i.Attachment}, {"instanceId", some(i.Instance)}, {"instanceOwnerId", i.account.id}, {"deviceIndex", 0},
			{"status", "attached"},
		})
	}
	if i.Public != "" {
		o = o.with("association", object{{"publicIp", i.Public}, {"ipOwnerId", i.account.id}})
	}
	return o.with("tagSet", c.tagsOf(i.self()))
}

var interfaceOperations = operations{
	"ec2 DescribeNetworkInterfaces": {"NetworkInterfaceId Filter MaxResults NextToken", describeInterfaces},
	"ec2 DeleteNetworkInterface":    {"NetworkInterfaceId", deleteInterface},
}

func describeInterfaces(c *call) (object, error) {
	c.cloud.ageInterfaces()
	return networkInterfaces.describe(c)
}

// ageInterfaces lets interfaces that are going get nearer to it. It is called when somebody
// looks at interfaces, or tries to delete what they may hold.
func (c *Cloud) ageInterfaces() {
	for _, i := range c.interfaces.where(func(i *networkInterface) bool { return i.going }) {
		if i.left--; i.left < 0 {
			c.removeInterface(i)
		}
	}
}

func (c *Cloud) removeInterface(i *networkInterface) {
	c.freeAddress(i)
	c.interfaces.remove(i)
}

// addInterface makes an interface in a subnet, with the next address that nobody has.
func (c *call) addInterface(s *subnet, like networkInterface) (*networkInterface, error) {
	i := &like
	if i.account == nil {
		i.std = std{ID: i.ID, account: c.account, region: s.region, made: c.now, Tags: i.Tags}
	}
	if i.ID == "" {
		i.ID = c.cloud.newID("eni-", s.ID, i.Description)
	}
	i.VPC, i.Subnet = s.VPC, s.ID
	if !s.Block.IsValid() || i.Address.IsValid() {
		c.cloud.interfaces.add(i)
		return i, nil
	}
	for n := uint32(4); n < 1<<(32-s.Block.Bits())-1; n++ {
		ip := addressIn(s.Block, n)
		if !c.cloud.interfaces.any(func(o *networkInterface) bool { return o.Subnet == s.ID && o.Address == ip }) {
			i.Address = ip
			c.cloud.interfaces.add(i)
			return i, nil
		}
	}
	return nil, refuse("InsufficientFreeAddressesInSubnet", "There are not enough free addresses in subnet '%s' to satisfy the requested number of addresses.", s.ID)
}

func deleteInterface(c *call) (object, error) {
	i, err := networkInterfaces.own(c, "NetworkInterfaceId")
	if err != nil {
		return nil, err
	}
	if i.Requester != "" {
		return nil, refuseWith(403, "AuthFailure", "You do not have permission to access the specified resource.")
	}
	if i.Attachment != "" {
		return nil, refuse("InvalidNetworkInterface.InUse", "Network interface '%s' is currently in use.", i.ID)
	}
	c.cloud.removeInterface(i)
	return object{{"return", true}}, nil
}

// letGo lets interfaces go after some reads, as those of a load balancer do that was deleted.
func (c *Cloud) letGo(doomed func(*networkInterface) bool) {
	for _, i := range slices.Clone(c.interfaces.all) {
		if doomed(i) {
			i.going, i.left = true, c.pending
		}
	}
}
