// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"strings"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/keypairs"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/fault"
)

// byGardener makes a cluster as Gardener's OpenStack provider does: names, and
// no marks. It returns the flat state that the provider would keep.
func (w *world) byGardener(c v1alpha1.InfrastructureConfig, k Cluster) map[string]string {
	t, api := w.t, w.user.network
	t.Helper()
	data := map[string]string{"FloatingNetwork": w.external, "FloatingNetworkName": "public", "NetworkName": cluster}
	network := c.Networks.ID
	if network == nil {
		n, err := networks.Create(t.Context(), api, networks.CreateOpts{Name: cluster}).Extract()
		w.must(err)
		network = &n.ID
	}
	data["Network"] = *network
	router := &c.Networks.Router
	if *router == nil {
		r, err := routers.Create(t.Context(), api, routers.CreateOpts{Name: cluster, GatewayInfo: &routers.GatewayInfo{NetworkID: w.external}}).Extract()
		w.must(err)
		data["Router"] = r.ID
	} else {
		data["Router"] = (*router).ID
	}
	add := func(key, name string, o subnets.CreateOpts, plug bool) {
		o.Name, o.NetworkID = name, *network
		s, err := subnets.Create(t.Context(), api, o).Extract()
		w.must(err)
		data[key] = s.ID
		if plug {
			w.plug(data["Router"], s.ID)
		}
	}
	add("Subnet", cluster, subnets.CreateOpts{IPVersion: gophercloud.IPv4, CIDR: c.Networks.Workers}, true)
	if k.DualStack {
		in := c.Networks.IPv6
		add("SubnetIPv6", cluster+"-ipv6", subnets.CreateOpts{IPVersion: gophercloud.IPv6, CIDR: in.NodeCIDR, IPv6AddressMode: "slaac", IPv6RAMode: "slaac"}, true)
		add("SubnetIPv6Pod", cluster+"-ipv6-pod", subnets.CreateOpts{IPVersion: gophercloud.IPv6, CIDR: in.PodCIDR}, false)
		add("SubnetIPv6Svc", cluster+"-ipv6-svc", subnets.CreateOpts{IPVersion: gophercloud.IPv6, CIDR: in.ServiceCIDR}, false)
	}
	g, err := groups.Create(t.Context(), api, groups.CreateOpts{Name: cluster, Description: "Cluster Nodes"}).Extract()
	w.must(err)
	data["SecurityGroup"], data["SecurityGroupName"] = g.ID, cluster
	w.allow(g.ID, nodeRules(Config{Cluster: k}.families()...)[2:]...)
	_, err = keypairs.Create(t.Context(), w.user.compute, keypairs.CreateOpts{Name: cluster, PublicKey: k.SSHPublicKey}).Extract()
	w.must(err)
	data["KeyPair"] = cluster
	if s := c.Networks.ShareNetwork; s != nil && s.Enabled {
		data["ShareNetwork"] = w.shareNetwork(cluster, *network, data["Subnet"])
		data["ShareNetworkName"] = cluster
	}
	return data
}

func shared(c v1alpha1.InfrastructureConfig) v1alpha1.InfrastructureConfig {
	c.Networks.ShareNetwork = &v1alpha1.ShareNetwork{Enabled: true}
	return c
}

func TestAClusterOfGardenerIsTakenOverWithoutAChange(t *testing.T) {
	for _, tt := range []struct {
		name    string
		cluster func() Cluster
		infra   func(w *world) v1alpha1.InfrastructureConfig
	}{
		{"pattern 1", rose, func(w *world) v1alpha1.InfrastructureConfig { return w.pattern(1) }},
		{"pattern 2", rose, func(w *world) v1alpha1.InfrastructureConfig { return w.pattern(2) }},
		{"pattern 3", rose, func(w *world) v1alpha1.InfrastructureConfig { return w.pattern(3) }},
		{"a share network", rose, func(w *world) v1alpha1.InfrastructureConfig { return shared(w.pattern(1)) }},
		{"dual-stack", dual, func(w *world) v1alpha1.InfrastructureConfig { return explicit(w.pattern(1)) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			before := w.everything()
			infra, k := tt.infra(w), tt.cluster()
			k.Inherited = w.byGardener(infra, k)
			made := w.everything()
			r := w.run(infra, k, nil)
			if got := r.findings(Preflight); len(got) > 0 {
				t.Errorf("findings: %s", strings.Join(got, "\n"))
			}
			p, err := r.look(Reconciliation).Plan()
			w.must(err)
			if !p.Idle() {
				t.Fatalf("plan:\n%s", p)
			}
			w.must(r.apply())
			if w.everything() != made {
				t.Error("the cloud has changed")
			}
			r.config.Inherited = nil // imported once
			if p, err = r.look(Reconciliation).Plan(); err != nil || !p.Idle() {
				t.Errorf("plan without the old state: %v\n%s", err, p)
			}
			w.must(r.delete())
			if w.everything() != before {
				t.Error("the deletion has left something, or taken too much")
			}
		})
	}
}

// A key is believed only if the thing proves it: another project's network of
// the same name, a renamed group or a foreign ID is neither used nor deleted.
func TestAnOldStateIsNotBelievedWithoutProof(t *testing.T) {
	w := newWorld(t)
	infra, k := w.pattern(1), rose()
	k.Inherited = w.byGardener(infra, k)
	theirs := w.emptyNetwork("theirs")
	k.Inherited["Network"] = theirs
	r := w.run(infra, k, nil)
	if _, err := r.look(Reconciliation).Plan(); err == nil || !strings.Contains(err.Error(), "EGEN108") || !strings.Contains(err.Error(), theirs) {
		t.Errorf("err = %v", err)
	}
	p, err := r.look(Deletion).PlanDelete()
	w.must(err)
	for _, s := range p.Steps {
		if string(s.ID) == theirs && s.Action == "delete" {
			t.Errorf("%+v", s)
		}
	}
}

// B9 of the peer's faults: with the router gone from the configuration, the ID
// of the user's router in the flat state must not be taken for ours.
func TestAnIDOfTheUsersInAnOldStateStaysTheirs(t *testing.T) {
	w := newWorld(t)
	infra, k := w.pattern(3), rose()
	k.Inherited = w.byGardener(infra, k)
	infra.Networks.Router = nil
	r := w.run(infra, k, nil)
	for _, why := range []Purpose{Reconciliation, Deletion} {
		l := r.look(why)
		p, _ := l.Plan() // refused or not, nothing in it may touch the router
		if why == Deletion {
			p, _ = l.PlanDelete()
		}
		for _, s := range p.Steps {
			if string(s.ID) == w.router && s.Owner == "ours" {
				t.Errorf("%+v", s)
			}
		}
	}
}

func TestAStateOfTerraformIsRefused(t *testing.T) {
	_, err := NewConfig(&v1alpha1.InfrastructureConfig{}, Cluster{TechnicalID: "a", UID: "u", Inherited: map[string]string{"resource_exist": "true"}}, nil)
	if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "Terraform") {
		t.Errorf("err = %v", err)
	}
}
