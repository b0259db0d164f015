// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"net/netip"
	"slices"
)

// wish is what a body asks for as one fixed IP: a subnet, an address, or both.
type wish struct {
	Subnet  string
	Address netip.Addr // zero: any
}

// fixedIPs allows a list of {subnet_id, ip_address}.
func fixedIPs(name string, v any) (any, error) {
	list := []wish{}
	all, isList := v.([]any)
	if v != nil && !isList {
		return nil, why(name, "Invalid data format for fixed IP: '%s'.", python(v))
	}
	for _, e := range all {
		m, isMap := e.(map[string]any)
		if !isMap {
			return nil, why(name, "Invalid data format for fixed IP: '%s'.", python(e))
		}
		var w wish
		if id, there := m["subnet_id"]; there {
			if _, err := reference(name, id); err != nil {
				return nil, err
			}
			w.Subnet, _ = id.(string)
		}
		if a, there := m["ip_address"]; there && a != nil {
			got, err := address(name, a)
			if err != nil {
				return nil, err
			}
			w.Address, _ = got.(netip.Addr)
		}
		list = append(list, w)
	}
	return list, nil
}

// allocate gives a port its addresses: those that the body asks for, else one of
// each version; and besides, one in each subnet whose addresses ports make
// themselves, unless the port is a router's.
func (c *call) allocate(p *port, in input) error {
	wishes, named := in.values["fixed_ips"].([]wish)
	subnets := c.cloud.subnetsOf(p.Network)
	var got []fixedIP
	var err error
	if named {
		got, err = c.grant(p, subnets, wishes)
	} else {
		got, err = c.oneOfEach(p, subnets)
	}
	if err != nil {
		return err
	}
	if p.Owner != ownerInterface {
		for _, s := range subnets {
			if s.automatic() && !slices.ContainsFunc(got, func(ip fixedIP) bool { return ip.Subnet == s.ID }) {
				got = append(got, fixedIP{s.ID, eui64(s.CIDR, p.mac())})
			}
		}
	}
	p.FixedIPs = got
	return nil
}

// grant fulfils wishes.
func (c *call) grant(p *port, subnets []*subnet, wishes []wish) ([]fixedIP, error) {
	got := []fixedIP{}
	for _, w := range wishes {
		s, err := c.subnetOf(p, subnets, w)
		if err != nil {
			return nil, err
		}
		if s.automatic() && p.Owner != ownerInterface {
			if w.Address.IsValid() && w.Address != eui64(s.CIDR, p.mac()) {
				return nil, refuse(http.StatusBadRequest, "AllocationOnAutoAddressSubnet",
					"IPv6 address %s cannot be directly assigned to a port on subnet %s as the subnet is configured for automatic addresses", w.Address, s.ID)
			}
			continue // allocate adds all of these
		}
		if !w.Address.IsValid() {
			a, found := c.cloud.free(s, p, got)
			if !found {
				return nil, noMoreAddresses(p.Network)
			}
			w.Address = a
		} else if err := c.available(s, w.Address, p, got); err != nil {
			return nil, err
		}
		got = append(got, fixedIP{s.ID, w.Address})
	}
	return got, nil
}

// available refuses an address that is none of the subnet, or is taken.
func (c *call) available(s *subnet, a netip.Addr, p *port, got []fixedIP) error {
	if !s.CIDR.Contains(a) || a.Is4() && !hosts(s.CIDR).contains(a) {
		return refuse(http.StatusBadRequest, "InvalidIpForSubnet", "IP address %s is not a valid IP for the specified subnet.", a)
	}
	if c.cloud.taken(s, a, p) || slices.Contains(got, fixedIP{s.ID, a}) {
		return conflict("IpAddressAlreadyAllocated", "IP address %s already allocated in subnet %s", a, s.ID)
	}
	return nil
}

// subnetOf finds the subnet of a wish.
func (c *call) subnetOf(p *port, subnets []*subnet, w wish) (*subnet, error) {
	if w.Subnet == "" {
		i := slices.IndexFunc(subnets, func(s *subnet) bool { return s.CIDR.Contains(w.Address) })
		if i < 0 {
			return nil, refuse(http.StatusBadRequest, "InvalidIpForNetwork", "IP address %s is not a valid IP for any of the subnets on the specified network.", w.Address)
		}
		return subnets[i], nil
	}
	s, there := c.cloud.subnets.get(w.Subnet)
	if !there {
		return nil, notFound("SubnetNotFound", "Subnet %s could not be found.", w.Subnet)
	}
	if s.Network != p.Network && len(subnets) == 0 {
		return nil, invalid("IP allocation requires subnets for network.")
	}
	if s.Network != p.Network {
		return nil, invalid("Failed to create port on network %s, because fixed_ips included invalid subnet %s.", p.Network, s.ID)
	}
	return s, nil
}

// oneOfEach takes an address of the first IPv4 subnet that has one, and of the
// first such IPv6 subnet whose addresses are not automatic.
func (c *call) oneOfEach(p *port, subnets []*subnet) ([]fixedIP, error) {
	got := []fixedIP{}
	for _, version := range []int{4, 6} {
		able, found := false, false
		for _, s := range subnets {
			if s.IPVersion != version || s.automatic() || !s.serves(p.Owner) {
				continue
			}
			able = true
			if a, free := c.cloud.free(s, p, got); free {
				got, found = append(got, fixedIP{s.ID, a}), true
				break
			}
		}
		if able && !found {
			return nil, noMoreAddresses(p.Network)
		}
	}
	return got, nil
}

// serves says whether a subnet may be chosen for ports of that owner.
func (s *subnet) serves(owner string) bool {
	return len(s.ServiceTypes) == 0 || slices.Contains(s.ServiceTypes, owner)
}

func noMoreAddresses(network string) error {
	return conflict("IpAddressGenerationFailure", "No more IP addresses available on network %s.", network)
}

// taken says whether another port has the address.
func (c *Cloud) taken(s *subnet, a netip.Addr, but *port) bool {
	return c.ports.has(func(p *port) bool { return p.ID != but.ID && slices.Contains(p.FixedIPs, fixedIP{s.ID, a}) })
}

// free returns the lowest address of the pools that no port has.
func (c *Cloud) free(s *subnet, but *port, got []fixedIP) (netip.Addr, bool) {
	used := map[netip.Addr]bool{}
	for _, p := range c.ports.byID {
		for _, ip := range p.FixedIPs {
			if ip.Subnet == s.ID && p.ID != but.ID {
				used[ip.Address] = true
			}
		}
	}
	for _, ip := range got {
		used[ip.Address] = true
	}
	for _, pool := range sortPools(s.Pools) {
		for a := pool.Start; pool.contains(a); a = a.Next() {
			if !used[a] {
				return a, true
			}
		}
	}
	return netip.Addr{}, false
}
