// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"strings"
	"testing"
)

func TestQuotas(t *testing.T) { on(t, "quotas", ofQuotas) }

var ofQuotas = []trial{
	{"a project has the limits of the cloud", func(l *lab) {
		l.equal("routers", l.a.get("quotas/" + l.a.project())["router"], 10)
	}},
	{"details say what is used", func(l *lab) {
		l.a.router("r")
		got := l.a.get("quotas/" + l.a.project() + "/details.json").part("router")
		l.equal("routers", []any{got["limit"], got["used"]}, []any{10, 1})
	}},
	{"only the administrator changes them", func(l *lab) {
		l.a.refused(403, "PolicyNotAuthorized", "PUT", "quotas/"+l.a.project(), M{"quota": M{"router": 99}})
		l.equal("routers", l.admin.set("quotas/"+l.a.project(), M{"router": 1})["router"], 1)
	}},
	{"more than the limit is refused and nothing is made", func(l *lab) {
		l.admin.set("quotas/"+l.a.project(), M{"router": 1, "network": 1, "subnet": 1, "port": 1, "security_group": 2, "security_group_rule": 7, "floatingip": 0, "rbac_policy": 0, "subnetpool": 0})
		n, g := l.a.network("n"), l.a.make("security-groups", M{"name": "g"})
		l.a.subnet(n, "10.1.0.0/24")
		l.a.router("r")
		l.a.port(n, nil)
		l.a.refused(409, "OverQuota", "POST", "networks", M{"network": M{"name": "m"}})
		l.a.refused(409, "OverQuota", "POST", "subnets", subnetIn(n, M{"cidr": "10.2.0.0/24"}))
		text := l.a.refused(409, "OverQuota", "POST", "routers", M{"router": M{"name": "s"}})
		l.equal("says what", strings.Contains(text, "['router']"), true)
		l.a.refused(409, "OverQuota", "POST", "ports", M{"port": M{"network_id": n.id()}})
		l.a.refused(409, "OverQuota", "POST", "security-groups", M{"security_group": M{"name": "h"}})
		l.a.refused(409, "OverQuota", "POST", "security-group-rules", M{"security_group_rules": []M{nodePorts(g, "tcp", nil), nodePorts(g, "udp", nil)}})
		l.equal("rules", len(l.a.get("security-groups/"+g.id()).parts("security_group_rules")), 2)
		l.equal("routers", len(l.a.list("routers")), 1)
	}},
	{"the ports of interfaces and gateways are not held against the project", func(l *lab) {
		l.seen.revisionsVary()
		external, _ := l.external()
		r, s := l.a.router("r"), l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		l.admin.set("quotas/"+l.a.project(), M{"port": 0})
		l.a.plug(r, s)
		l.a.set("routers/"+r.id(), M{"external_gateway_info": gatewayTo(external)})
	}},
	{"a limit of -1 is none", func(l *lab) {
		l.admin.set("quotas/"+l.a.project(), M{"router": -1})
		l.a.router("r")
		l.equal("routers", l.a.get("quotas/" + l.a.project())["router"], -1)
	}},
	{"a member does not read another project's limits", func(l *lab) {
		got := l.a.do("GET", "quotas/"+l.b.project(), nil)
		l.equal("status", got.Status, 403)
	}},
}
