// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

func TestIsolation(t *testing.T) { on(t, "isolation", ofIsolation) }

var ofIsolation = []trial{
	{"a stranger's things are neither seen nor changed nor deleted", func(l *lab) {
		n, r, g := l.a.network("n"), l.a.router("r"), l.a.make("security-groups", M{"name": "g"})
		s := l.a.subnet(n, "10.1.0.0/24")
		p := l.a.port(n, nil)
		for _, thing := range []struct{ path, kind, key string }{
			{"networks/" + n.id(), "NetworkNotFound", "network"}, {"subnets/" + s.id(), "SubnetNotFound", "subnet"},
			{"routers/" + r.id(), "RouterNotFound", "router"}, {"ports/" + p.id(), "PortNotFound", "port"},
			{"security-groups/" + g.id(), "SecurityGroupNotFound", "security_group"},
			{"security-group-rules/" + g.parts("security_group_rules")[0].id(), "HTTPNotFound", ""},
		} {
			l.b.refused(404, thing.kind, "GET", thing.path, nil)
			l.b.refused(404, thing.kind, "DELETE", thing.path, nil)
			if thing.key != "" {
				l.b.refused(404, thing.kind, "PUT", thing.path, M{thing.key: M{"name": "mine"}})
			}
		}
		l.equal("unchanged", l.a.get("networks/" + n.id())["name"], "n")
	}},
	{"a stranger's things are in no list", func(l *lab) {
		n := l.a.network("n")
		l.a.subnet(n, "10.1.0.0/24")
		l.equal("networks", pluck(l.b.list("networks"), "name"), []string{"public"})
		l.equal("by ID", len(l.b.list("networks?id="+n.id())), 0)
		l.equal("by project", len(l.b.list("networks?project_id="+l.a.project())), 0)
		l.equal("subnets", len(l.b.list("subnets")), 0)
	}},
	{"a stranger can not plug, route or tag", func(l *lab) {
		r, s := l.a.router("r"), l.b.subnet(l.b.network("n"), "10.1.0.0/24")
		l.b.refused(404, "RouterNotFound", "PUT", "routers/"+r.id()+"/add_router_interface", M{"subnet_id": s.id()})
		l.b.refused(404, "RouterNotFound", "PUT", "routers/"+r.id()+"/add_extraroutes", M{"router": M{"routes": []M{}}})
		got := l.b.do("PUT", "routers/"+r.id()+"/tags/t", nil)
		l.equal("status", got.Status, 404)
	}},
	{"the administrator sees everything", func(l *lab) {
		l.a.network("n")
		l.b.network("n")
		l.equal("networks", len(l.admin.list("networks?name=n")), 2)
		l.equal("of a", len(l.admin.list("networks?name=n&project_id="+l.a.project())), 1)
	}},
	{"nothing can be made in a stranger's project", func(l *lab) {
		l.a.refused(400, "HTTPBadRequest", "POST", "networks", M{"network": M{"project_id": l.b.project()}})
		n := l.admin.make("networks", M{"name": "n", "project_id": l.b.project()})
		l.equal("owner", l.b.get("networks/"+n.id()).str("project_id"), l.b.project())
	}},
	{"an external network is seen, but its subnets are not, and nothing of it is changed", func(l *lab) {
		external, subnet := l.external()
		l.equal("subnets", l.a.get("networks/"+external.id()).texts("subnets"), []string{subnet.id()})
		l.equal("listed", len(l.a.list("subnets?network_id="+external.id())), 0)
		l.a.refused(404, "SubnetNotFound", "GET", "subnets/"+subnet.id(), nil)
		l.a.refused(403, "PolicyNotAuthorized", "PUT", "networks/"+external.id(), M{"network": M{"name": "mine"}})
		l.a.refused(403, "PolicyNotAuthorized", "DELETE", "networks/"+external.id(), nil)
		l.a.refused(403, "HTTPForbidden", "POST", "subnets", subnetIn(external, M{"cidr": "10.1.0.0/24"}))
	}},
}

func TestSharing(t *testing.T) { on(t, "sharing", ofSharing) }

var ofSharing = []trial{
	{"a network that is shared to a project can be seen and used but not changed", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.share("network", n, l.b)
		seen := l.b.get("networks/" + n.id())
		l.equal("shared", seen["shared"], true)
		l.equal("owner", seen.str("project_id"), l.a.project())
		l.equal("subnet", l.b.get("subnets/" + s.id())["cidr"], "10.1.0.0/24")
		l.b.refused(403, "PolicyNotAuthorized", "PUT", "networks/"+n.id(), M{"network": M{"name": "mine"}})
		l.b.refused(403, "PolicyNotAuthorized", "DELETE", "networks/"+n.id(), nil)
		l.b.refused(403, "PolicyNotAuthorized", "POST", "subnets", subnetIn(n, M{"cidr": "10.2.0.0/24"}))
	}},
	{"the owner and others see a network as shared or not, each from his side", func(l *lab) {
		n := l.a.network("n")
		l.a.share("network", n, l.b)
		l.equal("owner", l.a.get("networks/" + n.id())["shared"], false)
		l.equal("listed by shared", len(l.b.list("networks?shared=true&name=n")), 1)
	}},
	{"the other project's port keeps the sharing", func(l *lab) {
		n := l.a.network("n")
		l.a.subnet(n, "10.1.0.0/24")
		policy := l.a.share("network", n, l.b)
		p := l.b.port(n, nil)
		l.a.refused(409, "RbacPolicyInUse", "DELETE", "rbac-policies/"+policy.id(), nil)
		l.a.refused(409, "NetworkInUse", "DELETE", "networks/"+n.id(), nil)
		l.b.drop("ports/" + p.id())
		l.a.drop("rbac-policies/" + policy.id())
		l.b.gone("NetworkNotFound", "networks/"+n.id())
	}},
	{"the owner sees the other project's port in his network", func(l *lab) {
		n := l.a.network("n")
		l.a.subnet(n, "10.1.0.0/24")
		l.a.share("network", n, l.b)
		p := l.b.port(n, nil)
		l.equal("ports", pluck(l.a.list("ports?network_id="+n.id()), "id"), []string{p.id()})
	}},
	{"a member of another project may not choose an address in a shared network", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.share("network", n, l.b)
		l.b.port(n, M{"fixed_ips": []M{{"subnet_id": s.id()}}})
		l.b.refused(403, "PolicyNotAuthorized", "POST", "ports", M{"port": M{"network_id": n.id(), "fixed_ips": []M{{"ip_address": "10.1.0.9"}}}})
		l.b.refused(403, "PolicyNotAuthorized", "POST", "ports", M{"port": M{"network_id": n.id(), "allowed_address_pairs": []M{{"ip_address": "10.96.0.0/16"}}}})
	}},
	{"another project's router in a shared network can not have the gateway's address", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.share("network", n, l.b)
		got := l.b.do("PUT", "routers/"+l.b.router("r").id()+"/add_router_interface", M{"subnet_id": s.id()})
		l.seen.note("status", got.Status)
	}},
	{"a security group that is shared can be used by the other project", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		l.a.share("security_group", g, l.b)
		l.equal("seen", pluck(l.b.list("security-groups?name=g"), "id"), []string{g.id()})
		l.b.port(l.b.network("n"), M{"security_groups": []string{g.id()}})
		l.b.refused(403, "PolicyNotAuthorized", "DELETE", "security-groups/"+g.id(), nil)
	}},
	{"an address scope and a subnet pool can be shared", func(l *lab) {
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/16"}, "default_prefixlen": 24})
		l.a.share("subnetpool", p, l.b)
		l.b.make("subnets", fromPool(l.b.network("n"), p, nil))
		s := l.a.make("address-scopes", M{"name": "s", "ip_version": 4})
		l.a.share("address_scope", s, l.b)
		l.b.get("address-scopes/" + s.id())
	}},
	{"sharing twice is refused", func(l *lab) {
		n := l.a.network("n")
		l.a.share("network", n, l.b)
		policy := M{"object_type": "network", "object_id": n.id(), "action": "access_as_shared", "target_tenant": l.b.project()}
		l.a.refused(409, "DuplicateRbacPolicy", "POST", "rbac-policies", M{"rbac_policy": policy})
	}},
	{"only the owner can share", func(l *lab) {
		n := l.a.network("n")
		got := l.b.try("POST", "rbac-policies", M{"rbac_policy": M{
			"object_type": "network", "object_id": n.id(), "action": "access_as_shared", "target_tenant": l.b.project()}})
		l.equal("refused", got.Status/100, 4)
	}},
}

// share lets the members of another project use a thing.
func (u *user) share(kind string, thing object, with *user) object {
	u.lab.Helper()
	return u.make("rbac-policies", M{"object_type": kind, "object_id": thing.id(), "action": "access_as_shared", "target_tenant": with.project()})
}
