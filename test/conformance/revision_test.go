// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

// TestRevisions pins down the oracle for "nothing of the user's was changed":
// what raises a revision number and what does not.
func TestRevisions(t *testing.T) { on(t, "revisions", ofRevisions) }

var ofRevisions = []trial{
	{"every write raises it by one, even one that changes nothing", func(l *lab) {
		n := l.a.network("n")
		l.equal("changed", l.a.set("networks/"+n.id(), M{"name": "m"}).revision(), n.revision()+1)
		l.equal("not changed", l.a.set("networks/"+n.id(), M{"name": "m"}).revision(), n.revision()+2)
	}},
	{"reading does not", func(l *lab) {
		n := l.a.network("n")
		l.a.list("networks")
		l.equal("read", l.a.get("networks/"+n.id()).revision(), n.revision())
	}},
	{"a subnet that comes or goes raises the network's", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.equal("came", l.a.get("networks/"+n.id()).revision(), 2)
		l.a.set("subnets/"+s.id(), M{"name": "s"})
		l.equal("changed", l.a.get("networks/"+n.id()).revision(), 3)
		l.equal("the subnet's own", l.a.get("subnets/"+s.id()).revision(), s.revision()+1)
		l.a.drop("subnets/" + s.id())
		l.equal("went", l.a.get("networks/"+n.id()).revision(), 4)
	}},
	{"an interface that comes or goes raises the router's only", func(l *lab) {
		n, r := l.a.network("n"), l.a.router("r")
		s := l.a.subnet(n, "10.1.0.0/24")
		before := l.a.get("routers/" + r.id()).revision()
		l.a.plug(r, s)
		l.equal("came", l.a.get("routers/"+r.id()).revision(), before+1)
		l.a.unplug(r, s)
		l.equal("went", l.a.get("routers/"+r.id()).revision(), before+2)
		l.equal("network", l.a.get("networks/"+n.id()).revision(), 2)
		l.equal("subnet", l.a.get("subnets/"+s.id()).revision(), s.revision())
	}},
	{"the gateway raises the router's at least by one, the routes by exactly one", func(l *lab) {
		l.seen.revisionsVary()
		external, _ := l.external()
		r := l.a.crossing("10.1.0.0/24")
		path := "routers/" + r.id()
		before := l.a.get(path).revision()
		set := l.a.set(path, M{"external_gateway_info": gatewayTo(external)}).revision()
		l.equal("set", set > before, true)
		cleared := l.a.set(path, M{"external_gateway_info": M{}}).revision()
		l.equal("cleared", cleared > set, true)
		l.equal("routed", l.a.set(path, M{"routes": []M{route("10.9.1.0/24", 7)}}).revision(), cleared+1)
		l.equal("not routed", l.a.set(path, M{"routes": nil}).revision(), cleared+2)
	}},
	{"routes that are added or removed one by one raise the router's", func(l *lab) {
		r := l.a.crossing("10.1.0.0/24")
		one := M{"router": M{"routes": []M{route("10.9.1.0/24", 7)}}}
		steps := []int{l.a.get("routers/" + r.id()).revision()}
		for _, verb := range []string{"add", "add", "remove", "remove"} {
			l.a.put("routers/"+r.id()+"/"+verb+"_extraroutes", one)
			steps = append(steps, l.a.get("routers/"+r.id()).revision())
		}
		l.seen.note("revisions", steps)
	}},
	{"a rule that comes or goes raises the group's", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		r := l.a.make("security-group-rules", nodePorts(g, "tcp", nil))
		came := l.a.get("security-groups/" + g.id()).revision()
		l.a.make("security-group-rules", nodePorts(g, "udp", nil))
		l.equal("came", l.a.get("security-groups/"+g.id()).revision(), came+1)
		l.a.drop("security-group-rules/" + r.id())
		l.equal("went", l.a.get("security-groups/"+g.id()).revision(), came+2)
	}},
	{"rules made at once raise the group's at least by one", func(l *lab) {
		l.seen.revisionsVary()
		g := l.a.make("security-groups", M{"name": "g"})
		l.a.ok("POST", "security-group-rules", M{"security_group_rules": []M{nodePorts(g, "tcp", nil), nodePorts(g, "udp", nil)}})
		l.equal("rose", l.a.get("security-groups/"+g.id()).revision() > g.revision(), true)
	}},
	{"a tag raises it", func(l *lab) {
		n := l.a.network("n")
		l.a.ok("PUT", "networks/"+n.id()+"/tags/t", nil)
		l.equal("set", l.a.get("networks/"+n.id()).revision(), 2)
		l.a.drop("networks/" + n.id() + "/tags/t")
		l.equal("taken", l.a.get("networks/"+n.id()).revision(), 3)
	}},
	{"a machine's port raises nothing of what it lies in", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		r := l.a.router("r")
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.plug(r, s)
		of := func() (all []int) {
			for _, path := range []string{"networks/" + n.id(), "subnets/" + s.id(), "routers/" + r.id(), "security-groups/" + g.id()} {
				all = append(all, object(l.a.try("GET", path, nil).only()).revision())
			}
			return all
		}
		before := of()
		p := l.a.port(n, M{"security_groups": []string{g.id()}})
		l.a.drop("ports/" + p.id())
		l.seen.note("revisions", before)
		for i, now := range of() {
			l.equal("unchanged", now, before[i])
		}
	}},
	{"a change that asks for a revision that has passed is refused", func(l *lab) {
		n := l.a.network("n")
		l.equal("status", l.a.ifMatch("networks/"+n.id(), 1, M{"network": M{"name": "m"}}), 200)
		l.equal("status", l.a.ifMatch("networks/"+n.id(), 1, M{"network": M{"name": "o"}}), 412)
	}},
	{"a floating IP and an address scope have one too", func(l *lab) {
		external, _ := l.external()
		f := l.a.make("floatingips", M{"floating_network_id": external.id()})
		l.equal("floating IP", l.a.set("floatingips/"+f.id(), M{"description": "d"}).revision(), f.revision()+1)
	}},
}
