// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/attributestags"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/floatingips"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"

	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// balancer makes a load balancer as the cloud controller manager does.
func (w *world) balancer(name, subnet string) string {
	w.t.Helper()
	l, err := loadbalancers.Create(w.t.Context(), w.user.balancer, loadbalancers.CreateOpts{Name: name, VipSubnetID: subnet}).Extract()
	return w.name("lb "+name, l, err, func() string { return l.ID })
}

func (w *world) balancers() (names []string) {
	w.t.Helper()
	all, err := w.user.LoadBalancers(w.t.Context(), nil)
	w.must(err)
	for _, l := range all {
		names = append(names, l.Name)
	}
	slices.Sort(names)
	return names
}

// B1 of the peer's faults: the prefix of a load balancer's name has no
// delimiter, and the load balancers of a cluster go whose name begins alike.
func TestOnlyLoadBalancersOfThisClusterAreSwept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.run(w.pattern(4), rose(), nil)
		w.must(r.apply())
		w.balancer("kube_service_"+cluster+"_default_web", w.subnet)
		w.balancer("kube_service_"+cluster+"bud_default_web", w.subnet)
		w.balancer("kube_service_shoot--garden--tulip_default_web", w.subnet)
		w.balancer("corp", w.subnet)
		p, err := r.look(Deletion).PlanDelete()
		w.must(err)
		if !strings.Contains(w.readable(p.String()), "delete    load-balancers/lb kube_service_"+cluster+"_default_web") || p.Count()[engine.Delete] != 3 {
			t.Errorf("plan:\n%s", w.readable(p.String()))
		}
		w.must(r.delete())
		want := []string{"corp", "kube_service_" + cluster + "bud_default_web", "kube_service_shoot--garden--tulip_default_web"}
		if got := w.balancers(); !slices.Equal(got, want) {
			t.Errorf("left: %v", got)
		}
	})
}

// B7 and B8: load balancers go, and are gone, before what their addresses hold;
// their floating IPs stay.
func TestLoadBalancersAreGoneBeforeTheSubnet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.run(w.pattern(1), rose(), nil)
		w.must(r.apply())
		subnet := r.look(Reconciliation).subnet.Found()
		id := w.balancer("kube_service_"+cluster+"_default_web", string(subnet))
		l, err := loadbalancers.Get(t.Context(), w.user.balancer, id).Extract()
		w.must(err)
		f, err := floatingips.Create(t.Context(), w.user.network, floatingips.CreateOpts{FloatingNetworkID: w.external, PortID: l.VipPortID}).Extract()
		w.must(err)
		w.must(r.delete())
		f, err = floatingips.Get(t.Context(), w.user.network, f.ID).Extract()
		if err != nil || f.PortID != "" {
			t.Errorf("the floating IP: %+v, %v", f, err)
		}
		if got := w.balancers(); len(got) > 0 {
			t.Errorf("left: %v", got)
		}
	})
}

// B2, B3 and B3b: routes go if they lead to our pods through a node of ours, and
// the others stay: the operator's, another cluster's, an appliance's.
func TestOnlyPodRoutesOfThisClusterAreSwept(t *testing.T) {
	for _, atomic := range []bool{true, false} {
		w := newWorld(t)
		k := rose()
		k.Overlay, k.Pods = false, prefixes("100.64.0.0/16")
		r := w.run(w.pattern(4), k, nil)
		w.must(r.apply())
		node := w.machine("10.0.7.1", "kubernetes.io-cluster-"+cluster)
		w.machine("10.0.7.2", "kubernetes.io-cluster-shoot--garden--tulip")
		w.machine("10.0.7.3", "")
		all := []routers.Route{
			{DestinationCIDR: "100.64.1.0/24", NextHop: "10.0.7.1"},   // a node of ours
			{DestinationCIDR: "100.64.2.0/24", NextHop: "10.0.7.9"},   // a node that is gone
			{DestinationCIDR: "100.64.3.0/24", NextHop: "10.0.7.2"},   // another cluster's node
			{DestinationCIDR: "100.64.4.0/24", NextHop: "10.0.7.3"},   // an appliance
			{DestinationCIDR: "100.65.1.0/24", NextHop: "10.0.7.1"},   // not to our pods
			{DestinationCIDR: "100.64.0.0/15", NextHop: "10.0.7.1"},   // wider than our pods
			{DestinationCIDR: "192.168.0.0/16", NextHop: "10.0.7.77"}, // the operator's
		}
		_, err := routers.Update(t.Context(), w.user.network, w.router, routers.UpdateOpts{Routes: &all}).Extract()
		w.must(err)
		w.must(ports.Delete(t.Context(), w.user.network, node).ExtractErr())
		if !atomic {
			w.Inject(sim.Fault{Match: func(c sim.Call) bool { return strings.HasSuffix(c.Path, "/remove_extraroutes") }, Times: -1, Status: http.StatusNotFound, Body: "no such action"})
		}
		w.must(r.delete())
		got, err := routers.Get(t.Context(), w.user.network, w.router).Extract()
		w.must(err)
		if want := all[2:]; !slices.Equal(sortedRoutes(got.Routes), sortedRoutes(want)) {
			t.Errorf("atomic %v: left %v, want %v", atomic, got.Routes, want)
		}
	}
}

func sortedRoutes(rs []routers.Route) []routers.Route {
	return slices.SortedFunc(slices.Values(rs), func(a, b routers.Route) int { return strings.Compare(a.DestinationCIDR, b.DestinationCIDR) })
}

// machine makes the port of a server.
func (w *world) machine(address, tag string) string {
	w.t.Helper()
	p, err := ports.Create(w.t.Context(), w.user.network, ports.CreateOpts{NetworkID: w.network, FixedIPs: []ports.IP{{SubnetID: w.subnet, IPAddress: address}}}).Extract()
	w.must(err)
	if tag != "" {
		w.must(attributestags.Add(w.t.Context(), w.user.network, "ports", p.ID, tag).ExtractErr())
	}
	return p.ID
}

// Routes on our own router that would keep its interface go with it, IPv6 ones too.
func TestRoutesOnOurRouterDoNotHoldIt(t *testing.T) {
	w := newWorld(t)
	k := dual()
	k.Overlay = false
	r := w.run(explicit(w.pattern(1)), k, nil)
	w.must(r.apply())
	router := r.look(Reconciliation).router.Found()
	_, err := routers.Update(t.Context(), w.user.network, string(router), routers.UpdateOpts{Routes: &[]routers.Route{
		{DestinationCIDR: "100.64.1.0/24", NextHop: "10.250.0.7"}, {DestinationCIDR: "172.16.0.0/12", NextHop: "10.250.0.8"}, {DestinationCIDR: "fd00:2:0:1::/64", NextHop: "fd00:1::7"},
	}}).Extract()
	w.must(err)
	w.must(r.delete())
}

// What holds a thing is named, with whose it seems.
func TestAnErrorNamesTheHolders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.run(w.pattern(1), rose(), nil)
		w.must(r.apply())
		subnet := r.look(Reconciliation).subnet.Found()
		network := r.look(Reconciliation).network.Found()
		p, err := ports.Create(t.Context(), w.user.network, ports.CreateOpts{
			Name: "forgotten", NetworkID: string(network), FixedIPs: []ports.IP{{SubnetID: string(subnet)}},
		}).Extract()
		w.must(err)
		w.must(attributestags.Add(t.Context(), w.user.network, "ports", p.ID, "kubernetes.io-cluster-"+cluster).ExtractErr())
		err = r.delete()
		want := `held by port ` + p.ID + ` "forgotten" (of nobody: it may be left over, cluster ` + cluster + `)`
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "SubnetInUse") {
			t.Fatalf("err = %v", err)
		}
		w.must(ports.Delete(t.Context(), w.user.network, p.ID).ExtractErr())
		w.must(r.delete())
	})
}
