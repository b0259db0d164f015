// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"encoding/hex"
	"net/netip"
	"slices"
)

// address is an Elastic IP address.
type address struct {
	std
	IP          netip.Addr
	Association string
	Interface   string // ID of the network interface that it is associated with
}

var addresses = &kind[*address]{
	resource: "elastic-ip", prefix: "eipalloc-", noun: "allocation ID",
	notFound: "InvalidAllocationID.NotFound", malformed: "InvalidAllocationID.NotFound",
	of: func(c *Cloud) *table[*address] { return &c.addresses }, ids: "AllocationId", set: "addressesSet",
	filters: map[string]func(*call, *address) []string{
		"allocation-id":        one(func(a *address) string { return a.ID }),
		"association-id":       each(func(a *address) []string { return notEmpty(a.Association) }),
		"public-ip":            one(func(a *address) string { return a.IP.String() }),
		"domain":               one(func(*address) string { return "vpc" }),
		"network-interface-id": each(func(a *address) []string { return notEmpty(a.Interface) }),
	},
	show: showAddress,
}

func showAddress(c *call, a *address) object {
	o := object{{"publicIp", a.IP.String()}, {"allocationId", a.ID}, {"domain", "vpc"}, {"associationId", some(a.Association)}}
	if i, ok := c.cloud.interfaces.get(a.Interface); ok {
		o = append(o, object{
			{"instanceId", some(i.Instance)}, {"networkInterfaceId", i.ID}, {"networkInterfaceOwnerId", i.account.id},
			{"privateIpAddress", spelledAddress(i.Address)},
		}...)
	}
	return append(o, object{{"publicIpv4Pool", "amazon"}, {"networkBorderGroup", a.region}, {"tagSet", c.tagsOf(a.self())}}...)
}

var addressOperations = operations{
	"ec2 DescribeAddresses":   {"AllocationId PublicIp Filter", describeAddresses},
	"ec2 AllocateAddress":     {"Domain NetworkBorderGroup TagSpecification", allocateAddress},
	"ec2 ReleaseAddress":      {"AllocationId NetworkBorderGroup", releaseAddress},
	"ec2 AssociateAddress":    {"AllocationId NetworkInterfaceId AllowReassociation", associateAddress},
	"ec2 DisassociateAddress": {"AssociationId", disassociateAddress},
}

func describeAddresses(c *call) (object, error) {
	ips := c.strs("PublicIp")
	for _, ip := range ips {
		if !c.cloud.addresses.any(func(a *address) bool { return a.IP.String() == ip && c.mine(a.self()) }) {
			return nil, refuse("InvalidAddress.NotFound", "Address '%s' not found.", ip)
		}
	}
	list, _, err := addresses.list(c)
	if err != nil {
		return nil, err
	}
	shown := []object{}
	for _, a := range list {
		if len(ips) == 0 || slices.Contains(ips, a.IP.String()) {
			shown = append(shown, showAddress(c, a))
		}
	}
	return object{{"addressesSet", shown}}, nil
}

// publicPools are nets that are kept for documentation.
var publicPools = []string{"203.0.113.", "198.51.100.", "192.0.2."}

// publicAddress is a public address that nobody has.
func (c *Cloud) publicAddress(of string) netip.Addr {
	seed, err := hex.DecodeString(c.digest("public", of)[:2])
	if err != nil {
		seed = []byte{0}
	}
	for i := range len(publicPools) * 254 {
		n := int(seed[0]) + i
		ip := netip.MustParseAddr(publicPools[n/254%len(publicPools)] + text(n%254+1))
		if !c.addresses.any(func(a *address) bool { return a.IP == ip }) {
			return ip
		}
	}
	return netip.Addr{}
}

func allocateAddress(c *call) (object, error) {
	if err := c.within("L-0263D0A3", len(addresses.mine(c)),
		"AddressLimitExceeded", "The maximum number of addresses has been reached."); err != nil {
		return nil, err
	}
	s, err := addresses.begin(c)
	if err != nil {
		return nil, err
	}
	a := &address{std: s, IP: c.cloud.publicAddress(s.ID)}
	if !a.IP.IsValid() {
		return nil, refuse("InsufficientAddressCapacity", "Not enough addresses available")
	}
	c.cloud.addresses.add(a)
	return object{
		{"publicIp", a.IP.String()}, {"allocationId", a.ID}, {"domain", "vpc"}, {"publicIpv4Pool", "amazon"}, {"networkBorderGroup", a.region},
	}, nil
}

func releaseAddress(c *call) (object, error) {
	a, err := addresses.own(c, "AllocationId")
	if err != nil {
		return nil, err
	}
	if a.Interface != "" {
		return nil, refuse("InvalidIPAddress.InUse", "Address %s is in use.", a.IP)
	}
	c.cloud.addresses.remove(a)
	return object{{"return", true}}, nil
}

// associateAddress ties an address to an interface.
func (c *Cloud) associateAddress(a *address, i *networkInterface) {
	a.Association, a.Interface = c.newID("eipassoc-", a.ID, i.ID), i.ID
	i.Public = a.IP.String()
}

// freeAddress ends the association of an interface's address.
func (c *Cloud) freeAddress(i *networkInterface) {
	for _, a := range c.addresses.all {
		if a.Interface == i.ID {
			a.Association, a.Interface = "", ""
		}
	}
	i.Public = ""
}

func associateAddress(c *call) (object, error) {
	a, err := addresses.own(c, "AllocationId")
	if err != nil {
		return nil, err
	}
	i, err := networkInterfaces.own(c, "NetworkInterfaceId")
	if err != nil {
		return nil, err
	}
	if a.Interface != "" && a.Interface != i.ID && !c.is("AllowReassociation") {
		return nil, refuse("Resource.AlreadyAssociated", "resource %s is already associated with associate-id %s", a.ID, a.Association)
	}
	if old, ok := c.cloud.interfaces.get(a.Interface); ok {
		c.cloud.freeAddress(old)
	}
	c.cloud.associateAddress(a, i)
	return object{{"return", true}, {"associationId", a.Association}}, nil
}

func disassociateAddress(c *call) (object, error) {
	id := c.str("AssociationId")
	for _, a := range addresses.mine(c) {
		i, ok := c.cloud.interfaces.get(a.Interface)
		if a.Association != id || id == "" || !ok {
			continue
		}
		if i.Type == "nat_gateway" {
			return nil, refuseWith(403, "AuthFailure", "You do not have permission to access the specified resource.")
		}
		c.cloud.freeAddress(i)
		return object{{"return", true}}, nil
	}
	return nil, refuse("InvalidAssociationID.NotFound", "The association ID '%s' does not exist", id)
}
