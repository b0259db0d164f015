// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"net/netip"
	"slices"
)

// cidrFor returns the prefix of a new subnet: the one of the body, or one of a
// pool, and the pool.
func (c *call) cidrFor(n *network, s *subnet, in input) (netip.Prefix, *string, error) {
	p, given := in.values["cidr"].(netip.Prefix)
	length := in.number("prefixlen")
	if given && length != nil {
		return p, nil, badSubnets("cidr and prefixlen must not be supplied together.")
	}
	from, err := c.poolFor(s.IPVersion, in)
	if err != nil {
		return p, nil, err
	}
	if from == nil && !given {
		return p, nil, badSubnets("a subnetpool must be specified in the absence of a cidr.")
	}
	if err := c.affine(n, s.IPVersion, from); err != nil {
		return p, nil, err
	}
	if from == nil {
		return p, nil, nil
	}
	p, err = c.take(from, s, in)
	return p, &from.ID, err
}

// take takes a prefix out of a pool: the one of the body, or any.
func (c *call) take(from *subnetPool, s *subnet, in input) (netip.Prefix, error) {
	p, given := in.values["cidr"].(netip.Prefix)
	length := in.number("prefixlen")
	switch {
	case from.IPVersion != s.IPVersion:
		return p, badSubnets("Cannot allocate IPv%d subnet from IPv%d subnet pool.", s.IPVersion, from.IPVersion)
	case given:
		return c.takePrefix(from, p)
	case in.values["gateway_ip"] != nil:
		return p, cannotAllocate("Cannot allocate requested subnet from the available set of prefixes.")
	case length != nil:
		return c.anyPrefix(from, *length)
	}
	return c.anyPrefix(from, from.Default)
}

func badSubnets(format string, args ...any) error {
	return refuse(http.StatusBadRequest, "BadRequest", "Bad subnets request: "+format, args...)
}

// poolFor returns the pool that the body names, or nil.
func (c *call) poolFor(version int, in input) (*subnetPool, error) {
	if id := in.text("subnetpool_id"); id != "" {
		return c.cloud.kinds.subnetPools.find(c, id)
	}
	if !get(in, "use_default_subnetpool", false) {
		return nil, nil
	}
	for _, p := range c.cloud.subnetPools.list() {
		if p.IsDefault && p.IPVersion == version {
			return p, nil
		}
	}
	return nil, badSubnets("No default subnetpool found for IPv%d.", version)
}

// affine refuses to mix pools, or pools and none, for one version in one
// network, unless all are in one address scope.
func (c *call) affine(n *network, version int, from *subnetPool) error {
	for _, s := range c.cloud.subnetsOf(n.ID) {
		if s.IPVersion != version {
			continue
		}
		if scope := c.cloud.scopeOf(s); scope != "" && from != nil {
			if from.Scope == nil || *from.Scope != scope {
				return refuse(http.StatusBadRequest, "NetworkAddressScopeAffinityError",
					"Subnets of the same address family hosted on the same network must all participate in the same address scope.")
			}
			continue
		}
		if !s.of(from) {
			return noAffinity()
		}
	}
	return nil
}

// of says whether a subnet is of that pool; nil is none.
func (s *subnet) of(p *subnetPool) bool {
	if s.Pool == nil || p == nil {
		return s.Pool == nil && p == nil
	}
	return *s.Pool == p.ID
}

func noAffinity() error {
	return refuse(http.StatusBadRequest, "NetworkSubnetPoolAffinityError", "Subnets hosted on the same network must be allocated from the same subnet pool.")
}

// scopeOf returns the address scope that a subnet's pool is in, or nothing.
func (c *Cloud) scopeOf(s *subnet) string {
	if s.Pool == nil {
		return ""
	}
	if p, there := c.subnetPools.get(*s.Pool); there && p.Scope != nil {
		return *p.Scope
	}
	return ""
}

// cannotAllocate is a 500 in Neutron.
func cannotAllocate(reason string) error {
	return refuse(http.StatusInternalServerError, "SubnetAllocationError", "Failed to allocate subnet: %s", reason)
}

func (p *subnetPool) checkLength(n int) error {
	if n > p.Max {
		return refuse(http.StatusBadRequest, "MaxPrefixSubnetAllocationError", "Unable to allocate subnet with prefix length %d, maximum allowed prefix is %d.", n, p.Max)
	}
	if n < p.Min {
		return refuse(http.StatusBadRequest, "MinPrefixSubnetAllocationError", "Unable to allocate subnet with prefix length %d, minimum allowed prefix is %d.", n, p.Min)
	}
	return nil
}

// anyPrefix takes a prefix of that length out of the smallest free block that holds it.
func (c *call) anyPrefix(p *subnetPool, length int) (netip.Prefix, error) {
	if err := p.checkLength(length); err != nil {
		return netip.Prefix{}, err
	}
	var best netip.Prefix
	for _, free := range c.cloud.freeIn(p) {
		if free.Bits() <= length && (!best.IsValid() || free.Bits() > best.Bits()) {
			best = free
		}
	}
	if !best.IsValid() {
		return best, cannotAllocate("Insufficient prefix space to allocate subnet size /" + python(length) + ".")
	}
	return netip.PrefixFrom(best.Addr(), length), nil
}

// takePrefix takes that prefix.
func (c *call) takePrefix(p *subnetPool, want netip.Prefix) (netip.Prefix, error) {
	if err := p.checkLength(want.Bits()); err != nil {
		return want, err
	}
	if !slices.ContainsFunc(c.cloud.freeIn(p), func(free netip.Prefix) bool { return within(want, free) }) {
		return want, cannotAllocate("Cannot allocate requested subnet from the available set of prefixes.")
	}
	return want, nil
}

// freeIn returns the blocks of a pool that no subnet has, in order.
func (c *Cloud) freeIn(p *subnetPool) []netip.Prefix {
	free := slices.Clone(p.Prefixes)
	for _, s := range c.subnets.list() {
		if s.Pool == nil || *s.Pool != p.ID {
			continue
		}
		var rest []netip.Prefix
		for _, f := range free {
			rest = append(rest, minus(f, s.CIDR)...)
		}
		free = rest
	}
	return compact(free)
}

// minus returns the blocks that are left of one without another.
func minus(p, taken netip.Prefix) []netip.Prefix {
	switch {
	case !p.Overlaps(taken):
		return []netip.Prefix{p}
	case within(p, taken):
		return nil
	}
	low, high := halves(p)
	return append(minus(low, taken), minus(high, taken)...)
}

// halves splits a block.
func halves(p netip.Prefix) (low, high netip.Prefix) {
	bits := p.Bits() + 1
	low = netip.PrefixFrom(p.Addr(), bits)
	return low, netip.PrefixFrom(last(low).Next(), bits)
}

// compact sorts blocks and joins what can be joined.
func compact(list []netip.Prefix) []netip.Prefix {
	list = slices.SortedFunc(slices.Values(list), byAddress)
	for i := 0; i+1 < len(list); {
		a, b := list[i], list[i+1]
		switch low, high := halves(netip.PrefixFrom(a.Addr(), max(a.Bits()-1, 0)).Masked()); {
		case within(b, a):
			list = slices.Delete(list, i+1, i+2)
		case a.Bits() > 0 && a == low && b == high:
			list[i] = netip.PrefixFrom(a.Addr(), a.Bits()-1)
			list = slices.Delete(list, i+1, i+2)
			i = max(i-1, 0)
		default:
			i++
		}
	}
	return list
}

func overlapping(a, b []netip.Prefix) bool {
	return slices.ContainsFunc(a, func(p netip.Prefix) bool { return slices.ContainsFunc(b, p.Overlaps) })
}

// addAutomatic gives the ports of a network their addresses in a new subnet
// whose addresses ports make themselves.
func (c *call) addAutomatic(s *subnet) {
	if !s.automatic() {
		return
	}
	for _, p := range c.cloud.ports.where(func(p *port) bool { return p.Network == s.Network && !p.onRouter() }) {
		p.FixedIPs = append(p.FixedIPs, fixedIP{s.ID, eui64(s.CIDR, p.mac())})
		c.touch(p)
	}
}
