// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestLoadBalancers(t *testing.T) { on(t, "load-balancers", ofLoadBalancers) }

var ofLoadBalancers = []trial{
	{"a new one is pending, then active, and has a port of Octavia's", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		lb := l.a.begin("lb:lbaas/loadbalancers", M{"name": "kube_service_x_default_web", "vip_subnet_id": s.id(), "description": "d"})
		l.equal("status", lb["provisioning_status"], "PENDING_CREATE")
		l.equal("network", lb["vip_network_id"], n.id())
		l.equal("status", l.a.settled(lb)["provisioning_status"], "ACTIVE")
		port := l.a.get("ports/" + lb.str("vip_port_id"))
		l.equal("owner", port["device_owner"], "Octavia")
		l.equal("device", port["device_id"], "lb-"+lb.id())
	}},
	{"the port keeps its subnet and can not be told from a machine's by Neutron", func(l *lab) {
		_, s := l.a.balancer("lb")
		l.a.refused(409, "SubnetInUse", "DELETE", "subnets/"+s.id(), nil)
	}},
	{"a pending one can be neither changed nor deleted", func(l *lab) {
		s := l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		l.cloud.Hold(l.T, true)
		lb := l.a.make("lb:lbaas/loadbalancers", M{"name": "lb", "vip_subnet_id": s.id()})
		text := l.a.refused(409, "octavia", "DELETE", "lb:lbaas/loadbalancers/"+lb.id(), nil)
		l.equal("says why", strings.Contains(text, "PENDING_CREATE"), true)
		l.a.refused(409, "octavia", "PUT", "lb:lbaas/loadbalancers/"+lb.id(), M{"loadbalancer": M{"name": "m"}})
		l.a.refused(409, "octavia", "POST", "lb:lbaas/listeners", M{"listener": M{"loadbalancer_id": lb.id(), "protocol": "TCP", "protocol_port": 80}})
		l.cloud.Hold(l.T, false)
		l.a.settled(lb)
		l.a.drop("lb:lbaas/loadbalancers/" + lb.id())
	}},
	{"a deleted one is pending until it is gone with its port", func(l *lab) {
		lb, s := l.a.balancer("lb")
		l.cloud.Hold(l.T, true)
		l.a.drop("lb:lbaas/loadbalancers/" + lb.id())
		l.equal("status", l.a.get("lb:lbaas/loadbalancers/" + lb.id())["provisioning_status"], "PENDING_DELETE")
		l.a.refused(409, "octavia", "DELETE", "lb:lbaas/loadbalancers/"+lb.id(), nil)
		l.cloud.Hold(l.T, false)
		l.a.vanished(lb)
		l.a.gone("PortNotFound", "ports/"+lb.str("vip_port_id"))
		l.a.drop("subnets/" + s.id())
	}},
	{"one with listeners and pools is deleted only with cascade", func(l *lab) {
		lb, _ := l.a.balancer("lb")
		listener := l.a.begin("lb:lbaas/listeners", M{"name": "li", "loadbalancer_id": lb.id(), "protocol": "TCP", "protocol_port": 80})
		l.a.settled(lb)
		pool := l.a.begin("lb:lbaas/pools", M{"name": "po", "listener_id": listener.id(), "protocol": "TCP", "lb_algorithm": "ROUND_ROBIN"})
		l.a.settled(lb)
		l.a.begin("lb:lbaas/pools/"+pool.id()+"/members", M{"address": "10.1.0.20", "protocol_port": 30080})
		l.a.settled(lb)
		l.equal("listeners", pluck(l.a.get("lb:lbaas/loadbalancers/"+lb.id()).parts("listeners"), "id"), []string{listener.id()})
		text := l.a.refused(400, "octavia", "DELETE", "lb:lbaas/loadbalancers/"+lb.id(), nil)
		l.equal("says why", strings.Contains(text, "has children"), true)
		l.a.drop("lb:lbaas/loadbalancers/" + lb.id() + "?cascade=true")
		l.a.vanished(lb)
		l.a.refused(404, "octavia", "GET", "lb:lbaas/listeners/"+listener.id(), nil)
		l.a.refused(404, "octavia", "GET", "lb:lbaas/pools/"+pool.id(), nil)
	}},
	{"they are found by subnet and by name", func(l *lab) {
		lb, s := l.a.balancer("kube_service_x_default_web")
		l.equal("by subnet", pluck(l.a.list("lb:lbaas/loadbalancers?vip_subnet_id="+s.id()), "id"), []string{lb.id()})
		l.equal("by another subnet", len(l.a.list("lb:lbaas/loadbalancers?vip_subnet_id="+nobody)), 0)
		l.equal("by name", len(l.a.list("lb:lbaas/loadbalancers?name=kube_service_x_default_web")), 1)
		l.equal("by a part of the name", len(l.a.list("lb:lbaas/loadbalancers?name=kube_service_x")), 0)
	}},
	{"a stranger's is forbidden, and one that is not there is not found", func(l *lab) {
		lb, _ := l.a.balancer("lb")
		l.b.refused(403, "octavia", "GET", "lb:lbaas/loadbalancers/"+lb.id(), nil)
		l.b.refused(403, "octavia", "DELETE", "lb:lbaas/loadbalancers/"+lb.id()+"?cascade=true", nil)
		l.equal("listed", len(l.b.list("lb:lbaas/loadbalancers")), 0)
		l.a.refused(404, "octavia", "GET", "lb:lbaas/loadbalancers/"+nobody, nil)
		l.a.refused(404, "octavia", "DELETE", "lb:lbaas/loadbalancers/"+nobody, nil)
	}},
	{"a subnet that is not there takes none", func(l *lab) {
		got := l.a.do("POST", "lb:lbaas/loadbalancers", M{"loadbalancer": M{"name": "lb", "vip_subnet_id": nobody}})
		l.equal("status", got.Status, 400)
	}},
	{"the address can be chosen", func(l *lab) {
		s := l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		lb := l.a.begin("lb:lbaas/loadbalancers", M{"name": "lb", "vip_subnet_id": s.id(), "vip_address": "10.1.0.9"})
		l.equal("address", lb["vip_address"], "10.1.0.9")
	}},
	{"a floating IP on its port stays when it goes", func(l *lab) {
		external, _ := l.external()
		_, s, _ := l.a.routed(external, "10.1.0.0/24")
		lb := l.a.settled(l.a.begin("lb:lbaas/loadbalancers", M{"name": "lb", "vip_subnet_id": s.id()}))
		f := l.a.make("floatingips", M{"floating_network_id": external.id(), "port_id": lb.str("vip_port_id")})
		l.a.drop("lb:lbaas/loadbalancers/" + lb.id())
		l.a.vanished(lb)
		l.equal("port", l.a.get("floatingips/" + f.id())["port_id"], nil)
	}},
}

// balancer makes a load balancer in a network of its own and waits for it.
func (u *user) balancer(name string) (lb, subnet object) {
	u.lab.Helper()
	subnet = u.subnet(u.network("n"), "10.1.0.0/24")
	return u.settled(u.begin("lb:lbaas/loadbalancers", M{"name": name, "vip_subnet_id": subnet.id()})), subnet
}

// begin makes a thing of Octavia's and keeps it pending until that is answered.
func (u *user) begin(collection string, fields M) object {
	u.lab.Helper()
	u.lab.cloud.Hold(u.lab.T, true)
	defer u.lab.cloud.Hold(u.lab.T, false)
	return u.make(collection, fields)
}

// settled waits until a load balancer is not pending any more.
func (u *user) settled(lb object) object {
	u.lab.Helper()
	got := u.await(lb, func(a answer) bool {
		return !strings.HasPrefix(object(a.only()).str("provisioning_status"), "PENDING")
	})
	return got.only()
}

// vanished waits until a load balancer is not there any more.
func (u *user) vanished(lb object) {
	u.lab.Helper()
	u.await(lb, func(a answer) bool { return a.Status == 404 })
}

// await reads a load balancer until it is as wished, and writes down only that.
func (u *user) await(lb object, wished func(answer) bool) answer {
	u.lab.Helper()
	ctx, cancel := context.WithTimeout(u.lab.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	path := "lb:lbaas/loadbalancers/" + lb.id()
	for {
		got := u.try("GET", path, nil)
		if wished(got) {
			u.lab.seen.exchange(u, "GET", path, nil, got)
			return got
		}
		select {
		case <-ctx.Done():
			u.lab.Fatalf("the load balancer does not become what it must: %d %v", got.Status, got.Body)
		case <-tick.C:
		}
	}
}
