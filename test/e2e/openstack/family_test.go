// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "testing"

// dualStack says on the command line that pods and Services have both families.
var dualStack = []string{"--ip-families", "IPv4,IPv6"}

// more are patterns with IPv6, subnet pools and share networks. With ranges of
// one's own for IPv6 there are three more subnets, of nodes, pods and Services,
// and one more interface.
var more = []pattern{
	{name: "dual-stack with own ranges", networks: func(*site) string {
		return workers + "  ipv6: {nodeCIDR: 'fd00:10:1::/64', podCIDR: 'fd00:10:2::/56', serviceCIDR: 'fd00:10:3::/112'}\n"
	}, spared: none, makes: 11, reads: 9, flags: dualStack},
	{name: "dual-stack from a pool in an own network", networks: func(s *site) string {
		pool := s.make("a", "subnetpools", object{"name": "six", "prefixes": []string{"fd00:20::/48"}, "default_prefixlen": 64})
		return "  id: " + s.network + "\n" + workers + "  ipv6: {subnetPoolID: " + pool + "}\n"
	}, spared: func(s *site) []string { // Neutron gives each port in the network an address of the new subnet
		return []string{s.network, s.port}
	}, makes: 10, reads: 9, flags: dualStack},
	{name: "dual-stack on own subnets", networks: func(s *site) string {
		return s.ownSubnet() + "  ipv6: {nodeSubnetId: " + s.ownIPv6() + ", podCIDR: 'fd00:10:2::/56', serviceCIDR: 'fd00:10:3::/112'}\n"
	}, spared: none, makes: 2, reads: 9, flags: dualStack},
	{name: "subnet from a pool", networks: func(s *site) string {
		pool := s.make("a", "subnetpools", object{"name": "four", "prefixes": []string{"10.250.64.0/18"}, "default_prefixlen": 24})
		return "  subnetPool: {id: " + pool + ", prefixLength: 22}\n"
	}, spared: none, makes: 7, reads: 8},
	{name: "share network in an own subnet", networks: func(s *site) string {
		return s.ownSubnet() + "  shareNetwork: {enabled: true}\n"
	}, spared: none, makes: 3, reads: 7},
	{name: "own share network", networks: func(s *site) string {
		own := s.make("a", "share:share-networks", object{"name": "files", "neutron_net_id": s.network, "neutron_subnet_id": s.subnet})
		return s.ownSubnet() + "  shareNetworkId: " + own + "\n"
	}, spared: none, makes: 2, reads: 7},
}

// TestFamilies proves for IPv6, subnet pools and share networks what TestLife
// proves for the others.
func TestFamilies(t *testing.T) {
	for _, p := range more {
		t.Run(p.name, func(t *testing.T) { onEach(t, p.live) })
	}
}

// ownIPv6 makes an IPv6 subnet with an interface of the router in a's network.
func (s *site) ownIPv6() string {
	s.Helper()
	six := s.make("a", "subnets", object{"name": "six", "network_id": s.network, "ip_version": 6, "cidr": "fd00:10:1::/64",
		"ipv6_ra_mode": "slaac", "ipv6_address_mode": "slaac"})
	s.change("a", "routers/"+s.router+"/add_router_interface", object{"subnet_id": six})
	return six
}
