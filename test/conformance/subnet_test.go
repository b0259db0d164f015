// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

func TestSubnets(t *testing.T) { on(t, "subnets", ofSubnets) }

var ofSubnets = []trial{
	{"an IPv4 subnet has the first address as gateway and DHCP, and the rest as pool", func(l *lab) {
		s := l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		l.equal("gateway", s["gateway_ip"], "10.1.0.1")
		l.equal("DHCP", s["enable_dhcp"], true)
		l.equal("pool", s.parts("allocation_pools")[0], M{"start": "10.1.0.2", "end": "10.1.0.254"})
		l.equal("DNS", s.texts("dns_nameservers"), []string{})
	}},
	{"a subnet without a gateway has every address in its pool", func(l *lab) {
		s := l.a.make("subnets", M{"network_id": l.a.network("n").id(), "ip_version": 4, "cidr": "10.1.0.0/24", "gateway_ip": nil})
		l.equal("gateway", s["gateway_ip"], nil)
		l.equal("pool", s.parts("allocation_pools")[0], M{"start": "10.1.0.1", "end": "10.1.0.254"})
	}},
	{"a gateway in the middle splits the pool", func(l *lab) {
		s := l.a.make("subnets", M{"network_id": l.a.network("n").id(), "ip_version": 4, "cidr": "10.1.0.0/28", "gateway_ip": "10.1.0.7"})
		l.equal("pools", pluck(s.parts("allocation_pools"), "start"), []string{"10.1.0.1", "10.1.0.8"})
	}},
	{"a network lists its subnets", func(l *lab) {
		n := l.a.network("n")
		s, u := l.a.subnet(n, "10.1.0.0/24"), l.a.subnet(n, "10.2.0.0/24")
		l.equal("subnets", len(l.a.get("networks/"+n.id()).texts("subnets")), 2)
		l.a.drop("subnets/" + s.id())
		l.equal("subnets", l.a.get("networks/"+n.id()).texts("subnets"), []string{u.id()})
	}},
	{"host bits of a CIDR are cut off and missing zeros filled in", func(l *lab) {
		l.equal("CIDR", l.a.subnet(l.a.network("n"), "10.1.0.1/24")["cidr"], "10.1.0.0/24")
		l.equal("CIDR", l.a.subnet(l.a.network("m"), "10.1/24")["cidr"], "10.1.0.0/24")
	}},
	{"a CIDR that is none is refused", func(l *lab) {
		l.a.refused(400, "InvalidInput", "POST", "subnets", subnetIn(l.a.network("n"), M{"cidr": "ten"}))
		l.a.refused(400, "InvalidInput", "POST", "subnets", subnetIn(l.a.network("m"), M{"cidr": "10.1.0.0/33"}))
	}},
	{"two subnets of one network must not overlap", func(l *lab) {
		n := l.a.network("n")
		l.a.subnet(n, "10.1.0.0/16")
		l.a.refused(400, "InvalidInput", "POST", "subnets", subnetIn(n, M{"cidr": "10.1.2.0/24"}))
	}},
	{"subnets of two networks may overlap", func(l *lab) {
		l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		l.a.subnet(l.a.network("m"), "10.1.0.0/24")
	}},
	{"the IP version must be that of the CIDR", func(l *lab) {
		l.a.refused(400, "InvalidInput", "POST", "subnets", subnetIn(l.a.network("n"), M{"cidr": "fd00::/64"}))
		l.a.refused(400, "InvalidInput", "POST", "subnets", subnetIn(l.a.network("m"), M{"cidr": "10.1.0.0/24", "ip_version": 6}))
	}},
	{"a gateway outside the subnet is allowed without overlap of the pool", func(l *lab) {
		l.a.ok("POST", "subnets", subnetIn(l.a.network("n"), M{"cidr": "10.1.0.0/24", "gateway_ip": "10.2.0.1"}))
	}},
	{"a gateway in the given pool is refused", func(l *lab) {
		l.a.refused(409, "GatewayConflictWithAllocationPools", "POST", "subnets", subnetIn(l.a.network("n"), M{
			"cidr": "10.1.0.0/24", "gateway_ip": "10.1.0.10", "allocation_pools": []M{{"start": "10.1.0.2", "end": "10.1.0.20"}}}))
	}},
	{"a pool outside the subnet is refused", func(l *lab) {
		l.a.refused(400, "OutOfBoundsAllocationPool", "POST", "subnets", subnetIn(l.a.network("n"), M{
			"cidr": "10.1.0.0/24", "allocation_pools": []M{{"start": "10.2.0.2", "end": "10.2.0.20"}}}))
	}},
	{"a network that is not there or a stranger's takes no subnet", func(l *lab) {
		l.a.refused(404, "NetworkNotFound", "POST", "subnets", subnetIn(object{"id": nobody}, M{"cidr": "10.1.0.0/24"}))
		l.a.refused(404, "NetworkNotFound", "POST", "subnets", subnetIn(l.b.network("theirs"), M{"cidr": "10.1.0.0/24"}))
	}},
	{"name, DNS servers, DHCP and description can be changed, the rest can not", func(l *lab) {
		s := l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		changed := l.a.set("subnets/"+s.id(), M{"name": "s", "dns_nameservers": []string{"192.0.2.2", "192.0.2.1"}, "enable_dhcp": false, "description": "d"})
		l.equal("DNS", changed.texts("dns_nameservers"), []string{"192.0.2.1", "192.0.2.2"})
		for _, fixed := range []M{{"cidr": "10.2.0.0/24"}, {"network_id": nobody}, {"ip_version": 6}, {"ipv6_ra_mode": "slaac"}} {
			l.a.refused(400, "HTTPBadRequest", "PUT", "subnets/"+s.id(), M{"subnet": fixed})
		}
	}},
	{"DNS servers keep their order", func(l *lab) {
		s := l.a.make("subnets", M{"network_id": l.a.network("n").id(), "ip_version": 4, "cidr": "10.1.0.0/24", "dns_nameservers": []string{"192.0.2.2", "192.0.2.1"}})
		l.equal("DNS", s["dns_nameservers"], []string{"192.0.2.2", "192.0.2.1"})
		l.equal("read again", l.a.get("subnets/" + s.id())["dns_nameservers"], []string{"192.0.2.2", "192.0.2.1"})
	}},
	{"a DNS server that is no address, or twice, is refused", func(l *lab) {
		n := l.a.network("n")
		l.a.refused(400, "HTTPBadRequest", "POST", "subnets", subnetIn(n, M{"cidr": "10.1.0.0/24", "dns_nameservers": []string{"dns"}}))
		l.a.refused(400, "HTTPBadRequest", "POST", "subnets", subnetIn(n, M{"cidr": "10.1.0.0/24", "dns_nameservers": []string{"192.0.2.1", "192.0.2.1"}}))
	}},
	{"a subnet with a port can not be deleted", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.port(n, nil)
		l.a.refused(409, "SubnetInUse", "DELETE", "subnets/"+s.id(), nil)
	}},
	{"a subnet with a router interface can not be deleted", func(l *lab) {
		n, r := l.a.network("n"), l.a.router("r")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.plug(r, s)
		l.a.refused(409, "SubnetInUse", "DELETE", "subnets/"+s.id(), nil)
		l.a.unplug(r, s)
		l.a.drop("subnets/" + s.id())
		l.a.gone("SubnetNotFound", "subnets/"+s.id())
	}},
	{"a subnet that is not there can not be changed or deleted", func(l *lab) {
		l.a.refused(404, "SubnetNotFound", "PUT", "subnets/"+nobody, M{"subnet": M{"name": "s"}})
		l.a.refused(404, "SubnetNotFound", "DELETE", "subnets/"+nobody, nil)
	}},
}

// subnetIn is the request for a subnet in a network, of IPv4 if nothing else is said.
func subnetIn(network object, fields M) M {
	s := M{"network_id": network.id(), "ip_version": 4}
	for k, v := range fields {
		s[k] = v
	}
	return M{"subnet": s}
}
