// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"
)

// TestLeftovers proves that delete sweeps what Kubernetes left behind of this
// cluster, and exactly that: its load balancers with their listeners, and its
// pod routes on the user's router. The load balancer of a cluster whose name
// begins with this one's, the user's routes, and routes of another cluster in
// the same table stay.
func TestLeftovers(t *testing.T) {
	onEach(t, func(s *site) {
		s.change("a", "routers/"+s.router, object{"router": object{"routes": []object{hop("192.168.0.0/24", "10.250.0.20")}}})
		c := s.cluster("shoot--dev--one", patterns[2].networks(s))
		c.flags = []string{"--overlay", "false"}
		before := s.survey()
		c.must("apply")
		ours := s.find("a", "subnets?name=shoot--dev--one")
		s.change("a", "routers/"+s.router+"/add_extraroutes", object{"router": object{"routes": []object{
			hop("100.96.1.0/24", "10.250.32.10"), hop("100.96.2.0/24", "10.250.32.11"), // by our nodes
			hop("172.16.0.0/16", "10.250.0.21"), // of another cluster
		}}})
		mine := s.balancer("kube_service_shoot--dev--one_default_web", ours)
		other := s.balancer("kube_service_shoot--dev--one2_default_web", s.subnet)

		c.must("delete")
		after := s.survey()
		router := after["routers of admin: "+s.router]
		if got := routes(router); !slices.Equal(got, []string{"172.16.0.0/16", "192.168.0.0/24"}) {
			s.Errorf("the user's router has the routes %q after delete", got)
		}
		s.change("a", "routers/"+s.router+"/remove_extraroutes", object{"router": object{"routes": []object{hop("172.16.0.0/16", "10.250.0.21")}}})
		s.await(mine, func(status int, _ object) bool { return status == http.StatusNotFound })
		s.await(other, func(_ int, lb object) bool { return lb["provisioning_status"] == "ACTIVE" })
		s.drop("a", "lb:lbaas/loadbalancers/"+other+"?cascade=true")
		s.await(other, func(status int, _ object) bool { return status == http.StatusNotFound })
		after = s.survey()
		if harm, made := after.harm(before, counted, s.network, s.router), after.made(before); harm != "" || len(made) > 0 {
			s.Errorf("left: %q, changed:\n%s", made, harm)
		}
	})
}

func hop(destination, by string) object { return object{"destination": destination, "nexthop": by} }

// routes lists the destinations of a router's routes, sorted.
func routes(router object) []string {
	var list []string
	all, _ := router["routes"].([]any)
	for _, r := range all {
		r, _ := r.(object)
		destination, _ := r["destination"].(string)
		list = append(list, destination)
	}
	slices.Sort(list)
	return list
}

// balancer makes a load balancer with a listener, as the cloud controller does.
func (s *site) balancer(name, subnet string) string {
	s.Helper()
	id := s.make("a", "lb:lbaas/loadbalancers", object{"name": name, "vip_subnet_id": subnet})
	active := func(_ int, lb object) bool { return lb["provisioning_status"] == "ACTIVE" }
	s.await(id, active)
	s.make("a", "lb:lbaas/listeners", object{"name": "web", "loadbalancer_id": id, "protocol": "TCP", "protocol_port": 80})
	s.await(id, active)
	return id
}

// await waits until a load balancer is as wished.
func (s *site) await(id string, wished func(status int, lb object) bool) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	u, err := s.cloud.User(ctx, "a")
	if err != nil {
		s.Fatal(err)
	}
	for {
		got, err := u.Do(ctx, http.MethodGet, "lb:lbaas/loadbalancers/"+id, nil, nil)
		if err != nil {
			s.Fatal(err)
		}
		lb, _ := got.Body["loadbalancer"].(object)
		if wished(got.Status, lb) {
			return
		}
		select {
		case <-ctx.Done():
			s.Fatalf("the load balancer does not become what it must: %d %v", got.Status, got.Body)
		case <-tick.C:
		}
	}
}
