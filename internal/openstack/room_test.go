// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/quotas"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
)

// roomDeviations are about how much there is left.
var roomDeviations = []deviation{
	{"no quota for a router", 2, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		one := 1
		_, err := quotas.Update(w.t.Context(), w.admin.network, w.user.Project(), quotas.UpdateOpts{Router: &one}).Extract()
		w.must(err)
	}, "EOS153", "1 of kind router are to be made; the project has 1 of at most 1"},
	{"no limit is room enough", 2, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		none := -1
		_, err := quotas.Update(w.t.Context(), w.admin.network, w.user.Project(), quotas.UpdateOpts{Router: &none}).Extract()
		w.must(err)
	}, "", ""},
	{"more nodes than addresses in the subnet", 4, func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.MaxNodes = 5
		c.Networks.SubnetID = text(w.subnetSmall())
	}, "EOS154", "has 12 free addresses; 5 nodes and 8 others are to come"},
	{"just as many nodes as addresses in the subnet", 4, func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.MaxNodes = 4
		c.Networks.SubnetID = text(w.subnetSmall())
	}, "", ""},
	{"more nodes than addresses in the range", 2, func(_ *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.MaxNodes, c.Networks.Workers = 30, "10.250.0.0/27"
	}, "EOS154", "10.250.0.0/27 has room for 28 addresses"},
	{"more nodes than routes", 4, func(w *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.Overlay, k.MaxNodes = false, 30
		w.route("192.168.0.0/16", "10.0.7.7")
	}, "EOS155", "30 nodes need 30 routes, the router has 1 others"},
	{"routes do not matter while pods are tunnelled", 4, func(_ *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) { k.MaxNodes = 300 }, "", ""},
	{"another cluster's node and another router on the subnet", 4, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.machine("10.0.7.2", "kubernetes.io-cluster-shoot--garden--tulip")
		w.machine("10.0.7.3", "kubernetes.io-cluster-"+cluster)
	}, "EOS156", "there are also cluster shoot--garden--tulip"},
}

// subnetSmall is a plugged-in /28: 12 addresses in its pool, and the
// router's is not among them.
func (w *world) subnetSmall() string {
	id := w.subnetIn(w.user, "small", subnets.CreateOpts{
		NetworkID: w.network, CIDR: "10.9.0.0/28", IPVersion: gophercloud.IPv4, DNSNameservers: []string{"1.1.1.1"},
		AllocationPools: []subnets.AllocationPool{{Start: "10.9.0.3", End: "10.9.0.14"}},
	})
	_, err := routers.AddInterface(w.t.Context(), w.user.network, w.router, routers.AddInterfaceOpts{SubnetID: id}).Extract()
	w.must(err)
	return id
}

func TestFreeAddresses(t *testing.T) {
	port := func(addresses ...string) Found[Port] {
		p := Port{}
		p.Addresses = map[engine.ID][]string{"s": addresses}
		return Found[Port]{State: p}
	}
	pools := [][2]string{{"10.0.0.10", "10.0.0.19"}, {"10.0.0.30", "10.0.0.30"}}
	for want, ports := range map[int][]Found[Port]{
		11: {port("10.0.0.1", "10.0.0.20"), port()},
		9:  {port("10.0.0.10"), port("10.0.0.30")},
		8:  {port("10.0.0.11", "10.0.0.12", "10.0.0.13")},
	} {
		if got := freeAddresses(pools, ports, "s"); got != want {
			t.Errorf("free %d, want %d", got, want)
		}
	}
	if got := freeAddresses([][2]string{{"x", "10.0.0.9"}, {"10.0.0.9", "10.0.0.1"}, {"fd00::1", "fd00::2"}}, nil, "s"); got != 0 {
		t.Errorf("free %d", got)
	}
}
