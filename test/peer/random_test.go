// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package peer

import (
	"encoding/json"
	"fmt"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"pgregory.net/rapid"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
)

// situation is a random configuration and what is known about its cluster.
type situation struct {
	config                *v1alpha1.InfrastructureConfig
	families              []corev1beta1.IPFamily
	nodes, pods, services *string
}

func (c situation) String() string {
	text, err := json.Marshal(c.config)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s\nfamilies %v, nodes %q, pods %q, services %q", text, c.families, orEmpty(c.nodes), orEmpty(c.pods), orEmpty(c.services))
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// random draws a configuration from values that the rules are about.
func random(t *rapid.T) situation {
	config := &v1alpha1.InfrastructureConfig{}
	n := &config.Networks
	n.VPC = v1alpha1.VPC{
		ID: maybe(t, ids("vpc-")), CIDR: maybe(t, ranges),
		GatewayEndpoints: rapid.SliceOfN(rapid.SampledFrom([]string{"s3", "S3", ""}), 0, 2).Draw(t, "endpoints"),
	}
	if rapid.IntRange(0, 3).Draw(t, "pool") == 0 {
		n.VPC.Ipv6IpamPool = &v1alpha1.IPAMPool{
			ID:        maybe(t, rapid.Just("ipam-pool-1")),
			CidrBlock: maybe(t, rapid.SampledFrom([]string{"2001:db8::/56", "2001:db8::/64", "2001:db8::1/56", "x"})),
		}
	}
	n.NodesSecurityGroupID = maybe(t, ids("sg-"))
	for range rapid.IntRange(0, 3).Draw(t, "zones") {
		n.Zones = append(n.Zones, v1alpha1.Zone{
			Name:   rapid.SampledFrom([]string{"a", "b", "c", "", "A"}).Draw(t, "name"),
			Public: maybe(t, ranges), Internal: maybe(t, ranges), Workers: maybe(t, ranges),
			WorkersSubnetID: maybe(t, ids("subnet-")), PublicSubnetID: maybe(t, ids("subnet-")), InternalSubnetID: maybe(t, ids("subnet-")),
			ElasticIPAllocationID: maybe(t, ids("eipalloc-")),
		})
	}
	if rapid.Bool().Draw(t, "file system") {
		config.ElasticFileSystem = &v1alpha1.ElasticFileSystemConfig{Enabled: rapid.Bool().Draw(t, "enabled"), ID: maybe(t, rapid.Just("fs-1"))}
		config.DualStack = &v1alpha1.DualStack{Enabled: rapid.Bool().Draw(t, "dual-stack")}
	}
	config.EnableDedicatedTenancyForVPC = rapid.Ptr(rapid.Bool(), true).Draw(t, "tenancy")
	tags := rapid.SliceOfN(rapid.SampledFrom([]string{"owner", "Name", "Na", "kubernetes.io/x", "kube", "gardener.cloud", "", "ü"}), 0, 2)
	config.IgnoreTags = &v1alpha1.IgnoreTags{Keys: tags.Draw(t, "keys"), KeyPrefixes: tags.Draw(t, "prefixes")}
	families := rapid.SampledFrom([][]corev1beta1.IPFamily{nil, {"IPv4"}, {"IPv6"}, {"IPv4", "IPv6"}}).Draw(t, "families")
	return situation{config: config, families: families, nodes: maybe(t, ranges), pods: maybe(t, ranges), services: maybe(t, ranges)}
}

var ranges = rapid.SampledFrom([]string{
	"10.250.0.0/16", "10.250.0.0/19", "10.250.32.0/19", "10.250.64.0/20", "10.250.0.1/19", "10.251.0.0/24", "100.64.0.0/13", "2001:db8::/56", "0.0.0.0/0", "x", "",
})

func ids(prefix string) *rapid.Generator[string] {
	return rapid.SampledFrom([]string{prefix + "1", prefix + "2", prefix + "3", "", "x", prefix, prefix + "A"})
}

func maybe(t *rapid.T, values *rapid.Generator[string]) *string {
	return rapid.Ptr(values, true).Draw(t, "value")
}

// changed draws a configuration that differs from another here and there.
func changed(t *rapid.T, c situation) situation {
	config := c.config.DeepCopy()
	other := random(t).config
	n, o := &config.Networks, other.Networks
	for _, change := range []func(){
		func() { n.VPC.ID = o.VPC.ID },
		func() { n.VPC.CIDR = o.VPC.CIDR },
		func() { n.VPC.Ipv6IpamPool = o.VPC.Ipv6IpamPool },
		func() { n.NodesSecurityGroupID = o.NodesSecurityGroupID },
		func() { n.Zones = o.Zones },
		func() { config.ElasticFileSystem = other.ElasticFileSystem },
		func() { config.DualStack = other.DualStack },
		func() { config.EnableDedicatedTenancyForVPC = other.EnableDedicatedTenancyForVPC },
	} {
		if rapid.IntRange(0, 3).Draw(t, "change") == 0 {
			change()
		}
	}
	for i := range min(len(n.Zones), len(o.Zones)) {
		if rapid.Bool().Draw(t, "change of a zone") {
			n.Zones[i].Public, n.Zones[i].WorkersSubnetID, n.Zones[i].InternalSubnetID = o.Zones[i].Public, o.Zones[i].WorkersSubnetID, o.Zones[i].InternalSubnetID
		}
	}
	c.config = config
	return c
}
