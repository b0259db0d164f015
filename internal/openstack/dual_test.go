// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"regexp"
	"testing"
	"testing/synctest"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/subnetpools"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"
	"github.com/gophercloud/gophercloud/v2/openstack/sharedfilesystems/v2/sharenetworks"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

// dual is a cluster with both IP families.
func dual() Cluster {
	k := rose()
	k.DualStack, k.Pods, k.Services = true, prefixes("100.64.0.0/11"), prefixes("100.104.0.0/13")
	return k
}

func explicit(c v1alpha1.InfrastructureConfig) v1alpha1.InfrastructureConfig {
	c.Networks.IPv6 = &v1alpha1.IPv6Config{NodeCIDR: "fd00:1::/64", PodCIDR: "fd00:2::/56", ServiceCIDR: "fd00:3::/108"}
	return c
}

func (w *world) pool(name string, o subnetpools.CreateOpts) string {
	o.Name = name
	p, err := subnetpools.Create(w.t.Context(), w.user.network, o).Extract()
	return w.name(name, p, err, func() string { return p.ID })
}

func (w *world) fromPool(c v1alpha1.InfrastructureConfig) v1alpha1.InfrastructureConfig {
	id := w.pool("pool-6", subnetpools.CreateOpts{Prefixes: []string{"2001:db8::/48"}, DefaultPrefixLen: 64})
	c.Networks.IPv6 = &v1alpha1.IPv6Config{SubnetPoolID: &id}
	return c
}

// givenIPv6 adds an IPv6 subnet of the user's, plugged into their router.
func (w *world) givenIPv6(c v1alpha1.InfrastructureConfig) v1alpha1.InfrastructureConfig {
	id := w.subnetIn(w.user, "byo-subnet-6", subnets.CreateOpts{
		NetworkID: w.network, CIDR: "fd00:9::/64", IPVersion: gophercloud.IPv6, IPv6AddressMode: "slaac", IPv6RAMode: "slaac",
	})
	w.plug(w.router, id)
	c.Networks.IPv6 = &v1alpha1.IPv6Config{NodeSubnetID: &id, PodCIDR: "fd00:2::/56", ServiceCIDR: "fd00:3::/112"}
	return c
}

// A variant is a configuration beyond the five patterns.
type variant struct {
	name    string
	cluster func() Cluster
	infra   func(w *world) v1alpha1.InfrastructureConfig
}

var variants = []variant{
	{"dual-explicit", dual, func(w *world) v1alpha1.InfrastructureConfig { return explicit(w.pattern(1)) }},
	{"dual-pool", dual, func(w *world) v1alpha1.InfrastructureConfig { return w.fromPool(w.pattern(1)) }},
	{"dual-byo-ipv4-explicit", dual, func(w *world) v1alpha1.InfrastructureConfig { return explicit(w.pattern(4)) }},
	{"dual-byo-both", dual, func(w *world) v1alpha1.InfrastructureConfig { return w.givenIPv6(w.pattern(4)) }},
	{"pool-ipv4", rose, func(w *world) v1alpha1.InfrastructureConfig {
		c := w.pattern(1)
		c.Networks.Workers = ""
		c.Networks.SubnetPool = &v1alpha1.SubnetPool{ID: w.pool("pool-4", subnetpools.CreateOpts{Prefixes: []string{"10.128.0.0/9"}, MinPrefixLen: 16, MaxPrefixLen: 26}), PrefixLength: 20}
		return c
	}},
	{"share-network", rose, func(w *world) v1alpha1.InfrastructureConfig {
		c := w.pattern(4)
		c.Networks.ShareNetwork = &v1alpha1.ShareNetwork{Enabled: true}
		return c
	}},
	{"share-network-given", rose, func(w *world) v1alpha1.InfrastructureConfig {
		c := w.pattern(4)
		c.Networks.ShareNetworkID = text(w.shareNetwork("nfs", w.network, w.subnet))
		return c
	}},
	{"no-ssh-key", func() Cluster { k := rose(); k.SSHPublicKey = ""; return k }, func(w *world) v1alpha1.InfrastructureConfig { return w.pattern(1) }},
	{"pods-routed", func() Cluster { k := rose(); k.Overlay, k.Pods = false, prefixes("100.64.0.0/11"); return k }, func(w *world) v1alpha1.InfrastructureConfig { return w.pattern(3) }},
}

func (w *world) shareNetwork(name, network, subnet string) string {
	w.t.Helper()
	s, err := sharenetworks.Create(w.t.Context(), w.user.share, sharenetworks.CreateOpts{Name: name, NeutronNetID: network, NeutronSubnetID: subnet}).Extract()
	return w.name("share-"+name, s, err, func() string { return s.ID })
}

// fromPool is a range of the IPv6 pool. Which subnet gets which is a matter of
// who comes first.
var fromPool = regexp.MustCompile(`2001:db8:[0-9a-f:]*/`)

func TestVariants(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				infra := v.infra(w)
				said := life(w, w.run(infra, v.cluster(), nil))
				golden(t, v.name, fromPool.ReplaceAllString(said, "2001:db8:‹any›/"))
			})
		})
	}
}

// dualDeviations need more than one IP family, a pool or a share network.
var dualDeviations = []deviation{
	{"the IPv6 subnet does not exist", 4, func(_ *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = dual()
		c.Networks.IPv6 = &v1alpha1.IPv6Config{NodeSubnetID: text(nowhere), PodCIDR: "fd00:2::/56", ServiceCIDR: "fd00:3::/112"}
	}, "EOS108 EOS112", nowhere},
	{"the IPv6 subnet is in another network", 4, func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = dual()
		*c = w.givenIPv6(*c)
		id := w.subnetIn(w.user, "elsewhere-6", subnets.CreateOpts{NetworkID: w.emptyNetwork("other"), CIDR: "fd00:8::/64", IPVersion: gophercloud.IPv6, IPv6AddressMode: "slaac", IPv6RAMode: "slaac"})
		w.plug(w.router, id)
		c.Networks.IPv6.NodeSubnetID = &id
	}, "EOS109", "is in network other, not in byo-network"},
	{"the router has no interface on the IPv6 subnet", 4, func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = dual()
		id := w.subnetIn(w.user, "six", subnets.CreateOpts{NetworkID: w.network, CIDR: "fd00:8::/64", IPVersion: gophercloud.IPv6, IPv6AddressMode: "slaac", IPv6RAMode: "slaac"})
		c.Networks.IPv6 = &v1alpha1.IPv6Config{NodeSubnetID: &id, PodCIDR: "fd00:2::/56", ServiceCIDR: "fd00:3::/112"}
	}, "EOS112", "router byo-router has no interface on subnet six"},
	{"the IPv4 subnet is an IPv6 subnet", 4, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		id := *w.givenIPv6(*c).Networks.IPv6.NodeSubnetID
		c.Networks.SubnetID, c.Networks.IPv6 = &id, nil
	}, "EOS120 EOS147", "has IP version 6"},
	{"the IPv6 subnet is an IPv4 subnet", 4, func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = dual()
		c.Networks.IPv6 = &v1alpha1.IPv6Config{NodeSubnetID: text(w.subnetPlugged("10.8.0.0/24")), PodCIDR: "fd00:2::/56", ServiceCIDR: "fd00:3::/112"}
	}, "EOS129 EOS151", "has IP version 4"},
	{"the IPv6 subnet overlaps the pods", 4, func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = dual()
		*c = w.givenIPv6(*c)
		c.Networks.IPv6.PodCIDR = "fd00:9::/56"
	}, "EOS133", "overlaps fd00:9::/56"},
	{"the IPv6 subnet tells nodes no address", 4, func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = dual()
		id := w.subnetIn(w.user, "six", subnets.CreateOpts{NetworkID: w.network, CIDR: "fd00:8::/64", IPVersion: gophercloud.IPv6})
		w.plug(w.router, id)
		c.Networks.IPv6 = &v1alpha1.IPv6Config{NodeSubnetID: &id, PodCIDR: "fd00:2::/56", ServiceCIDR: "fd00:3::/112"}
	}, "EOS151", "has no ipv6_address_mode"},
	{"the subnet pool does not exist", 1, func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.Workers, c.Networks.SubnetPool = "", &v1alpha1.SubnetPool{ID: nowhere, PrefixLength: 24}
	}, "EGEN106 EOS113", "needs subnet-pool"},
	{"the subnet pool is of the other IP version", 1, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		id := w.pool("six", subnetpools.CreateOpts{Prefixes: []string{"2001:db8::/48"}, MinPrefixLen: 16, MaxPrefixLen: 64})
		c.Networks.Workers, c.Networks.SubnetPool = "", &v1alpha1.SubnetPool{ID: id, PrefixLength: 24}
	}, "EOS130", "has IP version 6, not 4"},
	{"the subnet pool does not give ranges of that size", 1, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		id := w.pool("four", subnetpools.CreateOpts{Prefixes: []string{"10.128.0.0/9"}, MinPrefixLen: 20, MaxPrefixLen: 26})
		c.Networks.Workers, c.Networks.SubnetPool = "", &v1alpha1.SubnetPool{ID: id, PrefixLength: 16}
	}, "EOS131", "gives /20 to /26, not /16"},
	{"a subnet from a pool beside one from none", 2, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		id := w.pool("four", subnetpools.CreateOpts{Prefixes: []string{"10.128.0.0/9"}})
		c.Networks.Workers, c.Networks.SubnetPool = "", &v1alpha1.SubnetPool{ID: id, PrefixLength: 24}
	}, "EOS132", "a subnet from pool four is to be made beside subnet byo-subnet"},
	{"the share network does not exist", 4, func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.ShareNetworkID = text(nowhere)
	}, "EOS107", nowhere},
	{"the share network is on another subnet", 4, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.ShareNetworkID = text(w.shareNetwork("far", nowhere, nowhere))
	}, "EOS152", "share network share-far is on subnet"},
	{"a cloud without Manila, a share network to be made", 4, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.Without("sharev2", true)
		c.Networks.ShareNetwork = &v1alpha1.ShareNetwork{Enabled: true}
	}, "EOS114", "no shared file system service"},
	{"a cloud without Manila, a share network of the user's", 4, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.Without("sharev2", true)
		c.Networks.ShareNetworkID = text(nowhere)
	}, "EOS107", "no shared file system service"},
	{"no external subnet fits the pattern", 1, func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.FloatingPoolSubnetName = text("fip-*")
	}, "EOS134", `fits "fip-*"`},
}

func (w *world) subnetPlugged(cidr string) string {
	id := w.subnetIn(w.user, "subnet "+cidr, subnets.CreateOpts{NetworkID: w.network, CIDR: cidr, IPVersion: gophercloud.IPv4})
	w.plug(w.router, id)
	return id
}

// A share network that fits by name, network and subnet is adopted, used, and
// deleted with the cluster, as the proposal says; the plan announces it.
func TestAShareNetworkThatFitsIsAdopted(t *testing.T) {
	w := newWorld(t)
	c := w.pattern(4)
	c.Networks.ShareNetwork = &v1alpha1.ShareNetwork{Enabled: true}
	fits := w.shareNetwork(cluster, w.network, w.subnet)
	n, err := networks.Create(t.Context(), w.user.network, networks.CreateOpts{Name: "other"}).Extract()
	w.must(err)
	stays := w.shareNetwork(cluster, n.ID, w.subnet)
	r := w.run(c, rose(), nil)
	p, err := r.look(Reconciliation).Plan()
	w.must(err)
	for _, s := range p.Steps {
		if s.Name == shareNode && (s.Action != "keep" || s.Found != "adopted" || string(s.ID) != fits) {
			t.Errorf("%+v", s)
		}
	}
	w.must(r.apply())
	w.must(r.delete())
	all, err := w.user.ShareNetworks(t.Context(), nil)
	w.must(err)
	if len(all) != 1 || string(all[0].ID) != stays {
		t.Errorf("left: %+v", all)
	}
}

func TestSubnetPatterns(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		fits          bool
	}{
		{"fip-1", "fip-1", true},
		{"fip-1", "fip-11", false},
		{"fip-*", "fip-11", true},
		{"!fip-*", "fip-11", false},
		{"!fip-*", "other", true},
		{"~^fip-[0-9]$", "fip-7", true},
		{"~^fip-[0-9]$", "fip-77", false},
		{"!~^fip-[0-9]$", "fip-77", true},
		{"*", "", false},
		{"!fip-*", "", false},
		{"[", "[", true},
		{"~(", "(", false},
	} {
		if got := fitsPattern(tt.pattern, tt.name); got != tt.fits {
			t.Errorf("%q fits %q: %v", tt.name, tt.pattern, got)
		}
	}
}
