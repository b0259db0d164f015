// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"net/netip"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/openstack"
	"github.com/espalier-io/espalier/test/estate"
)

// A Variant is one way to bring a network.
type Variant struct {
	Name    string
	Infra   v1alpha1.InfrastructureConfig
	Cluster openstack.Cluster
	// Beside is what it moves of the user's things.
	Beside Beside
}

// pattern is the configuration of one of the proposal's five patterns.
func pattern(n int) v1alpha1.InfrastructureConfig {
	c := v1alpha1.InfrastructureConfig{FloatingPoolName: "public"}
	c.Networks.Workers = "10.250.0.0/19"
	if n >= 2 {
		c.Networks.ID = new(string(Network))
	}
	if n >= 3 {
		c.Networks.Router = &v1alpha1.Router{ID: Router}
	}
	if n >= 4 {
		c.Networks.SubnetID, c.Networks.Workers = new(string(Subnet)), ""
	}
	if n >= 5 {
		c.Networks.SecurityGroupID = new(string(SecurityGroup))
	}
	return c
}

// Variants are the five patterns, and what can be added to them: both IP
// families, ranges from pools, share networks, a group, no key, no overlay.
func Variants() []Variant {
	var all []Variant
	for n := 1; n <= 5; n++ {
		beside := Nothing
		if n == 2 || n == 3 {
			beside = Revisions
		}
		all = append(all, Variant{fmt.Sprintf("pattern-%d", n), pattern(n), rose(), beside})
	}
	all = append(all, dualStack()...)
	return append(all, others()...)
}

func rose() openstack.Cluster {
	return openstack.Cluster{TechnicalID: estate.Cluster, UID: estate.UID, Nodes: ranges("10.0.0.0/8"), Overlay: true, SSHPublicKey: estate.Key}
}

func ranges(cidr string) []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix(cidr)} }

func dualStack() []Variant {
	dual := rose()
	dual.DualStack = true
	dual.Pods, dual.Services = ranges("100.64.0.0/11"), ranges("100.104.0.0/13")
	explicit := &v1alpha1.IPv6Config{NodeCIDR: "fd00:1::/64", PodCIDR: "fd00:2::/56", ServiceCIDR: "fd00:3::/108"}
	with := func(n int, six *v1alpha1.IPv6Config) v1alpha1.InfrastructureConfig {
		c := pattern(n)
		c.Networks.IPv6 = six
		return c
	}
	given := &v1alpha1.IPv6Config{NodeSubnetID: new(string(SubnetIPv6)), PodCIDR: "fd00:2::/56", ServiceCIDR: "fd00:3::/112"}
	return []Variant{
		{"dual-explicit", with(1, explicit), dual, Nothing},
		{"dual-pool", with(1, &v1alpha1.IPv6Config{SubnetPoolID: new(string(PoolIPv6))}), dual, Nothing},
		{"dual-byo-network", with(2, explicit), dual, Addresses},
		{"dual-byo-ipv4", with(4, explicit), dual, Addresses},
		{"dual-byo-both", with(4, given), dual, Nothing},
	}
}

func others() []Variant {
	pool := pattern(1)
	pool.Networks.Workers, pool.Networks.SubnetPool = "", &v1alpha1.SubnetPool{ID: PoolIPv4, PrefixLength: 20}
	share := func(n int) v1alpha1.InfrastructureConfig {
		c := pattern(n)
		c.Networks.ShareNetwork = &v1alpha1.ShareNetwork{Enabled: true}
		return c
	}
	shareGiven := pattern(4)
	shareGiven.Networks.ShareNetworkID = new(string(ShareNetwork))
	group := pattern(2)
	group.Networks.SecurityGroupID = new(string(SecurityGroup))
	keyless := rose()
	keyless.SSHPublicKey = ""
	routed := rose()
	routed.Overlay, routed.Pods = false, ranges("100.64.0.0/11")
	return []Variant{
		{"pool-ipv4", pool, rose(), Nothing},
		{"share-network", share(1), rose(), Nothing},
		{"share-network-byo-subnet", share(4), rose(), Nothing},
		{"share-network-given", shareGiven, rose(), Nothing},
		{"byo-group-only-network", group, rose(), Revisions},
		{"no-key", pattern(1), keyless, Nothing},
		{"pods-routed", pattern(3), routed, Revisions},
	}
}

// Config is the variant as package openstack wants it.
func (v Variant) Config() (openstack.Config, error) {
	return openstack.NewConfig(&v.Infra, v.Cluster, nil)
}

// YAML is its InfrastructureConfig as users write it.
func (v Variant) YAML() ([]byte, error) {
	doc := v.Infra
	doc.TypeMeta = metav1.TypeMeta{APIVersion: v1alpha1.SchemeGroupVersion.String(), Kind: "InfrastructureConfig"}
	return yaml.Marshal(doc)
}

// Flags are those of the command line that say the rest.
func (v Variant) Flags() []string {
	c := v.Cluster
	flags := []string{"--name", c.TechnicalID, "--uid", c.UID, "--ssh-public-key", c.SSHPublicKey, fmt.Sprintf("--overlay=%t", c.Overlay)}
	if c.DualStack {
		flags = append(flags, "--ip-families", "IPv4,IPv6")
	}
	return append(flags, estate.Ranges{Nodes: c.Nodes, Pods: c.Pods, Services: c.Services}.Flags()...)
}
