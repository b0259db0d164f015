// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "net/netip"

// scopeOf returns the address scope that a subnet's pool is in, or nothing.
func (c *Cloud) scopeOf(s *subnet) string { return "" }

// cidrFor returns the prefix of a new subnet: the one of the body, or one of a pool.
func (c *call) cidrFor(n *network, s *subnet, in input) (netip.Prefix, *string, error) {
	p, given := in.values["cidr"].(netip.Prefix)
	if given && in.has("prefixlen") {
		return p, nil, refuse(400, "BadRequest", "Bad subnets request: cidr and prefixlen must not be supplied together.")
	}
	if !given {
		return p, nil, refuse(400, "BadRequest", "Bad subnets request: a subnetpool must be specified in the absence of a cidr.")
	}
	return p, nil, nil
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
