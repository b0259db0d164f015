// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

func TestSubnetPools(t *testing.T) { on(t, "subnet-pools", ofSubnetPools) }

var ofSubnetPools = []trial{
	{"a pool has a default, a smallest and a largest prefix", func(l *lab) {
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.0.0.0/16"}})
		l.equal("default", p.str("default_prefixlen"), "8")
		l.equal("read again", l.a.get("subnetpools/"+p.id()), p)
		q := l.a.make("subnetpools", M{"name": "q", "prefixes": []string{"10.0.0.0/16"}, "default_prefixlen": 24, "min_prefixlen": 20, "max_prefixlen": 28})
		l.equal("default", q.str("default_prefixlen"), "24")
	}},
	{"subnets get the next free prefix", func(l *lab) {
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/16"}, "default_prefixlen": 24})
		n := l.a.network("n")
		first := l.a.make("subnets", fromPool(n, p, nil))
		l.equal("first", []any{first["cidr"], first["gateway_ip"]}, []any{"10.8.0.0/24", "10.8.0.1"})
		l.equal("second", l.a.make("subnets", fromPool(n, p, nil))["cidr"], "10.8.1.0/24")
		l.equal("larger", l.a.make("subnets", fromPool(n, p, M{"prefixlen": 22}))["cidr"], "10.8.4.0/22")
	}},
	{"a subnet of a pool can ask for its prefix", func(l *lab) {
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/16"}, "default_prefixlen": 24})
		n := l.a.network("n")
		l.equal("CIDR", l.a.make("subnets", fromPool(n, p, M{"cidr": "10.8.9.0/24"}))["cidr"], "10.8.9.0/24")
		l.a.refused(500, "SubnetAllocationError", "POST", "subnets", M{"subnet": fromPool(l.a.network("m"), p, M{"cidr": "10.8.9.0/24"})})
		l.a.refused(500, "SubnetAllocationError", "POST", "subnets", M{"subnet": fromPool(l.a.network("o"), p, M{"cidr": "10.9.9.0/24"})})
	}},
	{"a prefix length outside the pool's bounds is refused", func(l *lab) {
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/16"}, "default_prefixlen": 24, "min_prefixlen": 20, "max_prefixlen": 28})
		n := l.a.network("n")
		l.a.refused(400, "MinPrefixSubnetAllocationError", "POST", "subnets", M{"subnet": fromPool(n, p, M{"prefixlen": 19})})
		l.a.refused(400, "MaxPrefixSubnetAllocationError", "POST", "subnets", M{"subnet": fromPool(n, p, M{"prefixlen": 29})})
	}},
	{"a pool that is used up gives nothing", func(l *lab) {
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/24"}, "default_prefixlen": 24})
		l.a.make("subnets", fromPool(l.a.network("n"), p, nil))
		l.a.refused(500, "SubnetAllocationError", "POST", "subnets", M{"subnet": fromPool(l.a.network("m"), p, nil)})
	}},
	{"a subnet that goes gives its prefix back", func(l *lab) {
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/24"}, "default_prefixlen": 24})
		s := l.a.make("subnets", fromPool(l.a.network("n"), p, nil))
		l.a.refused(400, "SubnetPoolDeleteError", "DELETE", "subnetpools/"+p.id(), nil)
		l.a.drop("subnets/" + s.id())
		l.a.make("subnets", fromPool(l.a.network("m"), p, nil))
	}},
	{"a pool without subnets can be deleted", func(l *lab) {
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/24"}})
		l.a.drop("subnetpools/" + p.id())
		l.a.gone("SubnetPoolNotFound", "subnetpools/"+p.id())
	}},
	{"one network does not mix subnets of a pool with others of the same IP version", func(l *lab) {
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/16"}, "default_prefixlen": 24})
		n, m := l.a.network("n"), l.a.network("m")
		l.a.subnet(n, "10.1.0.0/24")
		l.a.refused(400, "NetworkSubnetPoolAffinityError", "POST", "subnets", M{"subnet": fromPool(n, p, nil)})
		l.a.make("subnets", fromPool(m, p, nil))
		l.a.refused(400, "NetworkSubnetPoolAffinityError", "POST", "subnets", subnetIn(m, M{"cidr": "10.1.0.0/24"}))
	}},
	{"an IPv6 subnet of a pool may stand beside an IPv4 subnet of none", func(l *lab) {
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"fd00:1::/48"}, "default_prefixlen": 64})
		n := l.a.network("n")
		l.a.subnet(n, "10.1.0.0/24")
		s := fromPool(n, p, nil)
		s["ip_version"] = 6
		l.a.make("subnets", s)
	}},
	{"the IP version must be the pool's", func(l *lab) {
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"fd00:1::/48"}, "default_prefixlen": 64})
		got := l.a.do("POST", "subnets", M{"subnet": fromPool(l.a.network("n"), p, nil)})
		l.equal("status", got.Status, 400)
	}},
	{"a pool that is not there or a stranger's gives nothing", func(l *lab) {
		theirs := l.b.make("subnetpools", M{"name": "theirs", "prefixes": []string{"10.8.0.0/16"}})
		n := l.a.network("n")
		l.a.refused(404, "SubnetPoolNotFound", "POST", "subnets", M{"subnet": fromPool(n, object{"id": nobody}, nil)})
		l.a.refused(404, "SubnetPoolNotFound", "POST", "subnets", M{"subnet": fromPool(n, theirs, nil)})
		l.a.gone("SubnetPoolNotFound", "subnetpools/"+theirs.id())
	}},
	{"a shared pool of the administrator serves all", func(l *lab) {
		p := l.admin.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/16"}, "default_prefixlen": 24, "shared": true})
		l.equal("seen", pluck(l.a.list("subnetpools?name=p"), "id"), []string{p.id()})
		l.a.make("subnets", fromPool(l.a.network("n"), p, nil))
		l.a.refused(403, "PolicyNotAuthorized", "DELETE", "subnetpools/"+p.id(), nil)
	}},
}

func TestAddressScopes(t *testing.T) { on(t, "address-scopes", ofAddressScopes) }

var ofAddressScopes = []trial{
	{"a scope with a pool can not be deleted", func(l *lab) {
		s := l.a.make("address-scopes", M{"name": "s", "ip_version": 4})
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/16"}, "default_prefixlen": 24, "address_scope_id": s.id()})
		l.a.refused(409, "AddressScopeInUse", "DELETE", "address-scopes/"+s.id(), nil)
		l.a.drop("subnetpools/" + p.id())
		l.a.drop("address-scopes/" + s.id())
		l.a.gone("AddressScopeNotFound", "address-scopes/"+s.id())
	}},
	{"a network shows the scope of its subnets", func(l *lab) {
		s := l.a.make("address-scopes", M{"name": "s", "ip_version": 4})
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/16"}, "default_prefixlen": 24, "address_scope_id": s.id()})
		n := l.a.network("n")
		l.a.make("subnets", fromPool(n, p, nil))
		l.equal("scope", l.a.get("networks/" + n.id())["ipv4_address_scope"], s.id())
	}},
	{"pools of one scope must not overlap", func(l *lab) {
		s := l.a.make("address-scopes", M{"name": "s", "ip_version": 4})
		l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/16"}, "address_scope_id": s.id()})
		l.a.refused(409, "AddressScopePrefixConflict", "POST", "subnetpools", M{"subnetpool": M{
			"name": "q", "prefixes": []string{"10.8.1.0/24"}, "address_scope_id": s.id()}})
	}},
}

// fromPool are the fields of an IPv4 subnet that takes its CIDR from a pool.
func fromPool(network, pool object, more M) M {
	s := M{"network_id": network.id(), "ip_version": 4, "subnetpool_id": pool.id()}
	for k, v := range more {
		s[k] = v
	}
	return s
}
