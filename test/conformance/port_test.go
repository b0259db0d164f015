// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

func TestPorts(t *testing.T) { on(t, "ports", ofPorts) }

var ofPorts = []trial{
	{"a port gets an address of each IPv4 subnet's network, and the default group", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		p := l.a.port(n, nil)
		l.equal("subnets", pluck(p.parts("fixed_ips"), "subnet_id"), []string{s.id()})
		l.equal("groups", p.texts("security_groups"), pluck(l.a.list("security-groups?name=default"), "id"))
		l.equal("status", p["status"], "DOWN")
	}},
	{"a port in a network with two IPv4 subnets gets one address", func(l *lab) {
		n := l.a.network("n")
		l.a.subnet(n, "10.1.0.0/24")
		l.a.subnet(n, "10.2.0.0/24")
		l.equal("addresses", len(l.a.port(n, nil).parts("fixed_ips")), 1)
	}},
	{"a port can ask for a subnet and for an address", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.equal("address", l.a.port(n, M{"fixed_ips": []M{{"ip_address": "10.1.0.9"}}}).parts("fixed_ips")[0], M{"subnet_id": s.id(), "ip_address": "10.1.0.9"})
		l.a.refused(409, "IpAddressAlreadyAllocated", "POST", "ports", M{"port": M{"network_id": n.id(), "fixed_ips": []M{{"ip_address": "10.1.0.9"}}}})
		l.a.refused(400, "InvalidIpForNetwork", "POST", "ports", M{"port": M{"network_id": n.id(), "fixed_ips": []M{{"ip_address": "10.2.0.9"}}}})
	}},
	{"a port in a subnet of another network is refused", func(l *lab) {
		n, s := l.a.network("n"), l.a.subnet(l.a.network("m"), "10.1.0.0/24")
		l.a.refused(400, "InvalidInput", "POST", "ports", M{"port": M{"network_id": n.id(), "fixed_ips": []M{{"subnet_id": s.id()}}}})
	}},
	{"a subnet without a free address gives none", func(l *lab) {
		n := l.a.network("n")
		l.a.make("subnets", M{"network_id": n.id(), "ip_version": 4, "cidr": "10.1.0.0/24", "allocation_pools": []M{{"start": "10.1.0.9", "end": "10.1.0.9"}}})
		l.a.port(n, nil)
		l.a.refused(409, "IpAddressGenerationFailure", "POST", "ports", M{"port": M{"network_id": n.id()}})
	}},
	{"a port in a network without a subnet has no address", func(l *lab) {
		l.equal("addresses", len(l.a.port(l.a.network("n"), nil).parts("fixed_ips")), 0)
	}},
	{"name, device, groups and address pairs can be changed", func(l *lab) {
		n, g := l.a.network("n"), l.a.make("security-groups", M{"name": "g"})
		p := l.a.port(n, M{"name": "p"})
		changed := l.a.set("ports/"+p.id(), M{"name": "q", "device_id": "machine", "device_owner": "compute:zone-a",
			"security_groups": []string{g.id()}, "allowed_address_pairs": []M{{"ip_address": "10.96.0.0/16"}}})
		l.equal("name", changed["name"], "q")
		l.equal("groups", changed.texts("security_groups"), []string{g.id()})
	}},
	{"a group that is not there or a stranger's is refused", func(l *lab) {
		n, theirs := l.a.network("n"), l.b.make("security-groups", M{"name": "theirs"})
		l.a.refused(404, "SecurityGroupNotFound", "POST", "ports", M{"port": M{"network_id": n.id(), "security_groups": []string{nobody}}})
		l.a.refused(404, "SecurityGroupNotFound", "POST", "ports", M{"port": M{"network_id": n.id(), "security_groups": []string{theirs.id()}}})
	}},
	{"a network that is not there or a stranger's takes no port", func(l *lab) {
		l.a.refused(404, "NetworkNotFound", "POST", "ports", M{"port": M{"network_id": nobody}})
		l.a.refused(404, "NetworkNotFound", "POST", "ports", M{"port": M{"network_id": l.b.network("theirs").id()}})
	}},
	{"a port that is not there can not be read or deleted", func(l *lab) {
		l.a.refused(404, "PortNotFound", "GET", "ports/"+nobody, nil)
		l.a.refused(404, "PortNotFound", "DELETE", "ports/"+nobody, nil)
	}},
	{"ports are found by device, owner, network, and subnet or address within fixed_ips", func(l *lab) {
		n, r := l.a.network("n"), l.a.router("r")
		s, u := l.a.subnet(n, "10.1.0.0/24"), l.a.subnet(n, "10.2.0.0/24")
		added := l.a.plug(r, s).str("port_id")
		p := l.a.port(n, M{"fixed_ips": []M{{"subnet_id": u.id(), "ip_address": "10.2.0.9"}}, "device_id": "machine"}).id()
		for query, want := range map[string][]string{
			"device_id=" + r.id(): {added}, "device_id=machine": {p}, "device_owner=network:router_interface": {added},
			"network_id=" + n.id() + "&fixed_ips=subnet_id%3D" + u.id():                      {p},
			"fixed_ips=ip_address%3D10.2.0.9":                                                {p},
			"device_id=" + r.id() + "&fixed_ips=subnet_id%3D" + s.id():                       {added},
			"device_id=" + r.id() + "&fixed_ips=subnet_id%3D" + u.id():                       {},
			"device_id=" + nobody:                                                            {},
			"fixed_ips=subnet_id%3D" + s.id() + "&fixed_ips=ip_address%3D10.1.0.1":           {added},
			"device_id=" + r.id() + "&device_id=machine&network_id=" + n.id() + "&fields=id": sorted(added, p),
		} {
			l.equal(query, pluck(quiet(l.a, "ports?"+query), "id"), want)
		}
	}},
}
