// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/netip"
	"slices"
	"strings"
)

type hostRoute struct {
	Destination string `json:"destination"`
	NextHop     string `json:"nexthop"`
}

type subnet struct {
	standard
	Name         string
	Network      string
	IPVersion    int
	Pool         *string
	DHCP         bool
	RAMode       *string
	AddressMode  *string
	Gateway      *netip.Addr
	CIDR         netip.Prefix
	Pools        []pool
	HostRoutes   []hostRoute
	DNS          []string
	ServiceTypes []string
}

func (s *subnet) shown() fields {
	return fields{
		"name": s.Name, "network_id": s.Network, "ip_version": s.IPVersion, "subnetpool_id": value(s.Pool),
		"enable_dhcp": s.DHCP, "ipv6_ra_mode": value(s.RAMode), "ipv6_address_mode": value(s.AddressMode),
		"gateway_ip": value(s.Gateway), "cidr": s.CIDR, "allocation_pools": s.Pools, "host_routes": s.HostRoutes,
		"dns_nameservers": s.DNS, "service_types": s.ServiceTypes,
	}
}

// automatic says whether ports find their addresses by themselves (SLAAC or
// stateless DHCPv6).
func (s *subnet) automatic() bool {
	return s.AddressMode != nil && (*s.AddressMode == "slaac" || *s.AddressMode == "dhcpv6-stateless")
}

var modes = oneOf("dhcpv6-stateful", "dhcpv6-stateless", "slaac")

// subnetKind is what the cloud knows about subnets.
func subnetKind() *kind[*subnet] {
	return &kind[*subnet]{
		one: "subnet", many: "subnets", missing: "SubnetNotFound", text: "Subnet %s could not be found.", quota: true, alone: true,
		of: func(c *Cloud) *table[*subnet] { return &c.subnets },
		attrs: attributes{
			"name":                   {post | put | filter, text(255)},
			"network_id":             {post | filter | must, reference},
			"ip_version":             {post | filter | must, versionOfIP},
			"subnetpool_id":          {post | filter, optional(reference)},
			"use_default_subnetpool": {post, flag},
			"prefixlen":              {post, natural},
			"cidr":                   {post | filter, prefix},
			"gateway_ip":             {post | put | filter, address},
			"allocation_pools":       {post | put, pools},
			"dns_nameservers":        {post | put, nameServers},
			"host_routes":            {post | put, hostRoutes},
			"enable_dhcp":            {post | put | filter, flag},
			"ipv6_ra_mode":           {post | filter, modes},
			"ipv6_address_mode":      {post | filter, modes},
			"service_types":          {post | put, serviceTypes},
			"shared":                 {flags: filter},
		}.common(),
		make: makeSubnet, change: changeSubnet, remove: removeSubnet,
		sees: func(c *call, s *subnet) bool {
			n, there := c.cloud.networks.get(s.Network)
			if !there {
				return false
			}
			return c.cloud.shares(n, c.who.projectID()) || c.cloud.switches.openExternal && c.cloud.exports(n, c.who.projectID())
		},
		filters: map[string]func(*Cloud, *subnet, []string) bool{
			"shared": func(c *Cloud, s *subnet, values []string) bool {
				n, there := c.networks.get(s.Network)
				want, _ := truth(values[0])
				return there && want == c.shares(n, "")
			},
		},
	}
}

func makeSubnet(c *call, in input) (*subnet, error) {
	s := &subnet{
		Name: in.text("name"), Network: in.text("network_id"), IPVersion: get(in, "ip_version", 4),
		DHCP: get(in, "enable_dhcp", true), RAMode: in.pointer("ipv6_ra_mode"), AddressMode: in.pointer("ipv6_address_mode"),
		HostRoutes: get(in, "host_routes", []hostRoute{}), DNS: get(in, "dns_nameservers", []string{}),
		ServiceTypes: get(in, "service_types", []string{}),
	}
	n, err := c.networkFor(s.Network)
	if err != nil {
		return nil, err
	}
	if !c.passes("create_subnet", c.owns(n.Project)) {
		return nil, c.forbidForeign(n, "subnet")
	}
	if s.CIDR, s.Pool, err = c.cidrFor(n, s, in); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := s.checkAddressModes(); err != nil {
		return nil, err
	}
	for _, other := range c.cloud.subnetsOf(n.ID) {
		if other.CIDR.Overlaps(s.CIDR) {
			return nil, invalid("Requested subnet with cidr: %s for network: %s overlaps with another subnet.", s.CIDR, n.ID)
		}
	}
	if err := s.chooseGateway(in); err != nil {
		return nil, err
	}
	if err := s.choosePools(in); err != nil {
		return nil, err
	}
	s.standard = c.fresh("subnet", in)
	s.Revision = 0
	c.cloud.subnets.add(s)
	c.touch(n)
	c.addAutomatic(s)
	return s, nil
}

// chooseGateway takes the gateway of the body, else the first address (of IPv6
// by CIDR: the one with zeros only). A null in the body is no gateway.
func (s *subnet) chooseGateway(in input) error {
	first := s.CIDR.Masked().Addr()
	switch to, given := in.values["gateway_ip"].(netip.Addr); {
	case given:
		return s.setGateway(to)
	case in.has("gateway_ip"):
		return nil
	case s.IPVersion == 4 || s.Pool != nil:
		first = first.Next()
	}
	s.Gateway = &first
	return nil
}

func (s *subnet) setGateway(to netip.Addr) error {
	if to.Is4() != s.CIDR.Addr().Is4() {
		return invalid("gateway_ip '%s' does not match the ip_version '%d'", to, s.IPVersion)
	}
	if to.Is4() && s.CIDR.Contains(to) && !hosts(s.CIDR).contains(to) {
		return invalid("Gateway is not valid on subnet.")
	}
	s.Gateway = &to
	return nil
}

// choosePools takes the pools of the body, else all addresses but the gateway's.
func (s *subnet) choosePools(in input) error {
	if given, named := in.values["allocation_pools"].([]pool); named {
		return s.setPools(given)
	}
	all := hosts(s.CIDR)
	s.Pools = []pool{all}
	if s.Gateway != nil {
		s.Pools = all.without(*s.Gateway)
	}
	return nil
}

func (s *subnet) setPools(given []pool) error {
	for _, p := range given {
		if p.End.Less(p.Start) {
			return refuse(400, "InvalidAllocationPool", "The allocation pool {'start': '%s', 'end': '%s'} is not valid.", p.Start, p.End)
		}
		if !s.CIDR.Contains(p.Start) || !s.CIDR.Contains(p.End) {
			return refuse(400, "OutOfBoundsAllocationPool", "The allocation pool %s spans beyond the subnet cidr %s.", p, s.CIDR)
		}
	}
	sorted := sortPools(given)
	for i := 1; i < len(sorted); i++ {
		if !sorted[i-1].End.Less(sorted[i].Start) {
			return conflict("OverlappingAllocationPools", "Found overlapping allocation pools: %s %s for subnet %s.", sorted[i-1], sorted[i], s.CIDR)
		}
	}
	for _, p := range sorted {
		if s.Gateway != nil && p.contains(*s.Gateway) {
			return conflict("GatewayConflictWithAllocationPools", "Gateway ip %s conflicts with allocation pool %s.", *s.Gateway, p)
		}
	}
	s.Pools = given
	return nil
}

func changeSubnet(c *call, s *subnet, in input) error {
	next := *s
	if v, named := in.values["gateway_ip"]; named {
		if err := c.gatewayFree(s, v); err != nil {
			return err
		}
		next.Gateway = nil
		if to, given := v.(netip.Addr); given {
			if err := next.setGateway(to); err != nil {
				return err
			}
		}
		if !in.has("allocation_pools") {
			if err := next.setPools(s.Pools); err != nil {
				return err
			}
		}
	}
	if given, named := in.values["allocation_pools"].([]pool); named {
		if err := next.setPools(given); err != nil {
			return err
		}
	}
	set(in, "enable_dhcp", &next.DHCP)
	if err := next.checkAddressModes(); err != nil {
		return err
	}
	set(in, "name", &next.Name)
	set(in, "dns_nameservers", &next.DNS)
	set(in, "host_routes", &next.HostRoutes)
	set(in, "service_types", &next.ServiceTypes)
	*s = next
	if n, there := c.cloud.networks.get(s.Network); there {
		c.touch(n)
	}
	return nil
}

// gatewayFree refuses another gateway while a router is the one there is.
func (c *call) gatewayFree(s *subnet, to any) error {
	if s.Gateway == nil || to == nil || to == *s.Gateway {
		return nil
	}
	for _, p := range c.cloud.ports.list() {
		for _, ip := range p.FixedIPs {
			if ip.Subnet == s.ID && ip.Address == *s.Gateway && p.onRouter() {
				return conflict("GatewayIpInUse", "Current gateway ip %s already in use by port %s. Unable to update.", *s.Gateway, p.ID)
			}
		}
	}
	return nil
}

func removeSubnet(c *call, s *subnet) error {
	holders := c.cloud.ports.where(func(p *port) bool { return p.in(s.ID) })
	for _, p := range holders {
		if !p.automatic() && (!s.automatic() || p.onRouter()) {
			return conflict("SubnetInUse", "Unable to complete operation on subnet %s: One or more ports have an IP allocation from this subnet.", s.ID)
		}
	}
	for _, p := range holders {
		p.FixedIPs = slices.DeleteFunc(p.FixedIPs, func(ip fixedIP) bool { return ip.Subnet == s.ID })
		c.touch(p)
	}
	if n, there := c.cloud.networks.get(s.Network); there {
		c.touch(n)
	}
	return nil
}

// pointer returns a text, or nil where the body says none or null.
func (in input) pointer(name string) *string {
	if s, isText := in.values[name].(string); isText {
		return &s
	}
	return nil
}

// texts allows lists of texts.
func texts(name string, v any) (any, error) {
	list := []string{}
	all, isList := v.([]any)
	if v != nil && !isList {
		return nil, why(name, "'%s' is not a list", python(v))
	}
	for _, e := range all {
		s, isText := e.(string)
		if !isText {
			return nil, why(name, "'%s' is not a valid string.", python(e))
		}
		list = append(list, strings.TrimSpace(s))
	}
	return list, nil
}
