// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

func TestFloatingIPs(t *testing.T) { on(t, "floating-ips", ofFloatingIPs) }

var ofFloatingIPs = []trial{
	{"one is taken from the external network and is down until it has a port", func(l *lab) {
		external, _ := l.external()
		f := l.a.make("floatingips", M{"floating_network_id": external.id()})
		l.equal("status", f["status"], "DOWN")
		l.equal("port", f["port_id"], nil)
	}},
	{"one can be given to a port, and taken from it", func(l *lab) {
		external, _ := l.external()
		n, _, r := l.a.routed(external, "10.1.0.0/24")
		p := l.a.port(n, nil)
		f := l.a.make("floatingips", M{"floating_network_id": external.id(), "port_id": p.id(), "description": "d"})
		l.equal("port", f["port_id"], p.id())
		l.equal("router", f["router_id"], r.id())
		l.equal("found", pluck(l.a.list("floatingips?port_id="+p.id()), "id"), []string{f.id()})
		l.equal("taken", l.a.set("floatingips/"+f.id(), M{"port_id": nil})["port_id"], nil)
	}},
	{"one outlives its port", func(l *lab) {
		external, _ := l.external()
		n, _, _ := l.a.routed(external, "10.1.0.0/24")
		p := l.a.port(n, nil)
		f := l.a.make("floatingips", M{"floating_network_id": external.id(), "port_id": p.id()})
		l.a.drop("ports/" + p.id())
		l.equal("port", l.a.get("floatingips/" + f.id())["port_id"], nil)
	}},
	{"a port on a subnet without a router gets none", func(l *lab) {
		external, _ := l.external()
		n := l.a.network("n")
		l.a.subnet(n, "10.1.0.0/24")
		l.a.refused(404, "ExternalGatewayForFloatingIPNotFound", "POST", "floatingips", M{"floatingip": M{
			"floating_network_id": external.id(), "port_id": l.a.port(n, nil).id()}})
	}},
	{"a port that has one gets no second", func(l *lab) {
		external, _ := l.external()
		n, _, _ := l.a.routed(external, "10.1.0.0/24")
		p := l.a.port(n, nil)
		l.a.make("floatingips", M{"floating_network_id": external.id(), "port_id": p.id()})
		l.a.refused(409, "FloatingIPPortAlreadyAssociated", "POST", "floatingips", M{"floatingip": M{
			"floating_network_id": external.id(), "port_id": p.id()}})
	}},
	{"a network that is not external or not there has none", func(l *lab) {
		l.a.refused(400, "BadRequest", "POST", "floatingips", M{"floatingip": M{"floating_network_id": l.a.network("n").id()}})
		l.a.refused(404, "NetworkNotFound", "POST", "floatingips", M{"floatingip": M{"floating_network_id": nobody}})
	}},
	{"an external network with unused ones can be deleted and takes them with it", func(l *lab) {
		external, _ := l.external()
		f := l.a.make("floatingips", M{"floating_network_id": external.id()})
		l.admin.drop("networks/" + external.id())
		l.a.gone("FloatingIPNotFound", "floatingips/"+f.id())
	}},
	{"a deleted one is gone", func(l *lab) {
		external, _ := l.external()
		f := l.a.make("floatingips", M{"floating_network_id": external.id()})
		l.a.drop("floatingips/" + f.id())
		l.a.gone("FloatingIPNotFound", "floatingips/"+f.id())
	}},
}
