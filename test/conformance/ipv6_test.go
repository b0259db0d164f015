// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

func TestIPv6(t *testing.T) { on(t, "ipv6", ofIPv6) }

var ofIPv6 = []trial{
	{"a subnet by CIDR has the network's own address as gateway", func(l *lab) {
		s := l.a.make("subnets", M{"network_id": l.a.network("n").id(), "ip_version": 6, "cidr": "fd00:1::/64"})
		l.equal("gateway", s["gateway_ip"], "fd00:1::")
		l.equal("modes", []any{s["ipv6_ra_mode"], s["ipv6_address_mode"]}, []any{nil, nil})
	}},
	{"a subnet from a pool has the first address as gateway", func(l *lab) {
		pool := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"fd00:1::/48"}, "default_prefixlen": 64})
		s := l.a.make("subnets", M{"network_id": l.a.network("n").id(), "ip_version": 6, "subnetpool_id": pool.id(),
			"ipv6_ra_mode": "slaac", "ipv6_address_mode": "slaac"})
		l.equal("CIDR", s["cidr"], "fd00:1::/64")
		l.equal("gateway", s["gateway_ip"], "fd00:1::1")
	}},
	{"a port gets an address of the IPv4 subnet and one of each SLAAC subnet", func(l *lab) {
		n := l.a.network("n")
		four := l.a.subnet(n, "10.1.0.0/24")
		six := l.a.make("subnets", slaac(n, "fd00:1::/64"))
		p := l.a.port(n, nil)
		l.equal("subnets", pluck(p.parts("fixed_ips"), "subnet_id"), sorted(four.id(), six.id()))
	}},
	{"a new SLAAC subnet gives every port that is there an address, and takes it away again", func(l *lab) {
		l.seen.revisionsVary()
		n := l.a.network("n")
		l.a.subnet(n, "10.1.0.0/24")
		p := l.a.port(n, nil)
		six := l.a.make("subnets", slaac(n, "fd00:1::/64"))
		with := l.a.get("ports/" + p.id())
		l.equal("addresses", len(with.parts("fixed_ips")), 2)
		l.equal("written to", with.revision() > p.revision(), true)
		l.a.drop("subnets/" + six.id())
		l.equal("addresses", l.a.get("ports/"+p.id()).parts("fixed_ips"), p.parts("fixed_ips"))
	}},
	{"modes that do not go together, and modes of IPv4, are refused", func(l *lab) {
		n := l.a.network("n")
		mixed := slaac(n, "fd00:1::/64")
		mixed["ipv6_address_mode"] = "dhcpv6-stateful"
		l.a.refused(400, "InvalidInput", "POST", "subnets", M{"subnet": mixed})
		l.a.refused(400, "InvalidInput", "POST", "subnets", subnetIn(n, M{"cidr": "10.1.0.0/24", "ipv6_ra_mode": "slaac"}))
	}},
	{"SLAAC needs a prefix of 64", func(l *lab) {
		l.a.refused(400, "InvalidInput", "POST", "subnets", M{"subnet": slaac(l.a.network("n"), "fd00:1::/56")})
	}},
	{"modes can not be changed", func(l *lab) {
		s := l.a.make("subnets", slaac(l.a.network("n"), "fd00:1::/64"))
		l.a.refused(400, "HTTPBadRequest", "PUT", "subnets/"+s.id(), M{"subnet": M{"ipv6_address_mode": "dhcpv6-stateless"}})
	}},
	{"interfaces of one router on both subnets of a network are two ports", func(l *lab) {
		n, r := l.a.network("n"), l.a.router("r")
		four := l.a.subnet(n, "10.1.0.0/24")
		six := l.a.make("subnets", slaac(n, "fd00:1::/64"))
		l.a.plug(r, four)
		l.a.plug(r, six)
		l.equal("ports", len(l.a.list("ports?device_id="+r.id())), 2)
		l.a.unplug(r, six)
		l.a.drop("subnets/" + six.id())
		l.equal("ports", len(l.a.list("ports?device_id="+r.id())), 1)
	}},
	{"a second IPv6 subnet of the network joins the router's port", func(l *lab) {
		n, r := l.a.network("n"), l.a.router("r")
		one, two := l.a.make("subnets", slaac(n, "fd00:1::/64")), l.a.make("subnets", slaac(n, "fd00:2::/64"))
		l.a.plug(r, one)
		l.a.plug(r, two)
		ports := l.a.list("ports?device_id=" + r.id())
		l.equal("ports", len(ports), 1)
		l.equal("subnets", pluck(ports[0].parts("fixed_ips"), "subnet_id"), sorted(one.id(), two.id()))
		l.a.unplug(r, one)
		l.equal("subnets", pluck(l.a.list("ports?device_id=" + r.id())[0].parts("fixed_ips"), "subnet_id"), []string{two.id()})
	}},
	{"a SLAAC subnet with a machine's port can be deleted", func(l *lab) {
		n := l.a.network("n")
		six := l.a.make("subnets", slaac(n, "fd00:1::/64"))
		p := l.a.port(n, nil)
		l.a.drop("subnets/" + six.id())
		l.equal("addresses", len(l.a.get("ports/"+p.id()).parts("fixed_ips")), 0)
	}},
	{"a CIDR is written in its short form", func(l *lab) {
		s := l.a.make("subnets", M{"network_id": l.a.network("n").id(), "ip_version": 6, "cidr": "FD00:0001:0000::/64"})
		l.equal("CIDR", s["cidr"], "fd00:1::/64")
	}},
}

// slaac are the fields of an IPv6 subnet whose hosts make their own addresses.
func slaac(network object, cidr string) M {
	return M{"network_id": network.id(), "ip_version": 6, "cidr": cidr, "ipv6_ra_mode": "slaac", "ipv6_address_mode": "slaac"}
}
