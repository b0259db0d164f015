// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"maps"
	"net/netip"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/aws"
	"github.com/espalier-io/espalier/test/estate"
)

// A Variant is one way to bring a network.
type Variant struct {
	Name    string
	Infra   v1alpha1.InfrastructureConfig
	Cluster aws.Cluster
	// Tags are what it adds to the user's things while it is there: values by
	// resource#key.
	Tags map[string]string
	// Left says that Kubernetes has left something of the cluster, among it routes
	// to pods from the time before there was an overlay.
	Left bool
}

// Keys of the tags.
const (
	clusterKey  = "kubernetes.io/cluster/" + estate.Cluster
	publicRole  = "kubernetes.io/role/elb"
	privateRole = "kubernetes.io/role/internal-elb"
	marker      = "gardener.cloud/managed-tag"
)

// Variants are what can be brought: with and without an overlay, with a
// security group, with each of the IP families and both, beside another
// cluster on the same subnets, with load balancer subnets that are found by
// their tags, with one subnet for all; and what Kubernetes leaves.
func Variants() []Variant {
	overlay, routed := rose(), rose()
	overlay.Overlay = true
	swept := overlay
	swept.RemovePodRoutes = true
	dual, six := rose(), rose()
	dual.IPv6, dual.Services = true, prefix("100.104.0.0/13")
	six.IPv4, six.IPv6, six.Nodes, six.Pods = false, true, nil, nil
	group := zones("01", "b", "c")
	group.Networks.NodesSecurityGroupID = new(string(SecurityGroup))
	bc := tags("b", Table)
	maps.Copy(bc, map[string]string{subnet("c02") + "#" + clusterKey: "shared", subnet("c03") + "#" + clusterKey: "shared"}) // the roles are the user's
	ab := tags("b", Table, TableA)
	maps.Copy(ab, map[string]string{subnet("a02") + "#" + clusterKey: "shared", subnet("a03") + "#" + clusterKey: "shared"}) // the roles are there
	return []Variant{
		{"ipv4", zones("01", "b", "c"), routed, bc, false},
		{"overlay", zones("01", "b"), overlay, tags("b"), false},
		{"security-group", group, overlay, without(bc, Table), false},
		{"dual-stack", zones("01", "b"), dual, tags("b", Table), false},
		{"ipv6", zones("04", "b", "c"), six, without(bc, Table), false},
		{"beside", zones("01", "a", "b"), routed, ab, false},
		{"found-by-tags", tagged(), routed, map[string]string{TableTagged + "#" + clusterKey: "shared"}, false},
		{"left", one(), swept, map[string]string{SubnetLeft + "#" + clusterKey: "shared", SubnetLeft + "#" + publicRole: "1", SubnetLeft + "#" + marker: publicRole}, true},
	}
}

func prefix(cidr string) []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix(cidr)} }

func rose() aws.Cluster {
	return aws.Cluster{
		TechnicalID: estate.Cluster, UID: estate.UID, Region: Region, IPv4: true, SSHPublicKey: estate.Key,
		Nodes: prefix("10.0.0.0/8"), Pods: prefix("100.64.0.0/11"),
	}
}

// zones is a cluster in the subnets of some zones, with the nodes in those of a
// number.
func zones(nodes string, in ...string) v1alpha1.InfrastructureConfig {
	c := v1alpha1.InfrastructureConfig{}
	c.Networks.VPC.ID = new(string(VPC))
	for _, z := range in {
		c.Networks.Zones = append(c.Networks.Zones, v1alpha1.Zone{
			Name: Region + z, WorkersSubnetID: new(subnet(z + nodes)), PublicSubnetID: new(subnet(z + "02")), InternalSubnetID: new(subnet(z + "03")),
		})
	}
	return c
}

// tagged names no load balancer subnets. In its second zone none can be found.
func tagged() v1alpha1.InfrastructureConfig {
	c := v1alpha1.InfrastructureConfig{}
	c.Networks.VPC.ID = new(string(VPCTagged))
	c.Networks.Zones = []v1alpha1.Zone{{Name: Region + "a", WorkersSubnetID: new(subnet("d01"))}, {Name: Region + "b", WorkersSubnetID: new(subnet("d04"))}}
	return c
}

// one has one subnet for all.
func one() v1alpha1.InfrastructureConfig {
	c := v1alpha1.InfrastructureConfig{}
	c.Networks.VPC.ID = new(string(VPCLeft))
	c.Networks.Zones = []v1alpha1.Zone{{Name: Region + "a", WorkersSubnetID: new(string(SubnetLeft)), PublicSubnetID: new(string(SubnetLeft))}}
	return c
}

// tags are those on the load balancer subnets of a zone in which nobody has
// been yet, and on tables.
func tags(zone string, tables ...string) map[string]string {
	all := map[string]string{}
	for number, role := range map[string]string{"02": publicRole, "03": privateRole} {
		on := subnet(zone + number)
		all[on+"#"+clusterKey], all[on+"#"+role], all[on+"#"+marker] = "shared", "1", role
	}
	for _, t := range tables {
		all[t+"#"+clusterKey] = "shared"
	}
	return all
}

func without(tags map[string]string, resource string) map[string]string {
	tags = maps.Clone(tags)
	maps.DeleteFunc(tags, func(id, _ string) bool { return strings.HasPrefix(id, resource+"#") })
	return tags
}

// YAML is its InfrastructureConfig as users write it.
func (v Variant) YAML() ([]byte, error) {
	doc := v.Infra
	doc.TypeMeta = metav1.TypeMeta{APIVersion: v1alpha1.SchemeGroupVersion.String(), Kind: "InfrastructureConfig"}
	return yaml.Marshal(doc)
}

// Flags are those of the command line that say the rest to a verb.
func (v Variant) Flags(verb string) []string {
	c := v.Cluster
	flags := []string{
		"--name", c.TechnicalID, "--uid", c.UID, "--region", c.Region, "--ssh-public-key", c.SSHPublicKey,
		"--network-type", "calico", fmt.Sprintf("--overlay=%t", c.Overlay),
	}
	var families []string
	if c.IPv4 {
		families = append(families, "IPv4")
	}
	if c.IPv6 {
		families = append(families, "IPv6")
	}
	flags = append(flags, "--ip-families", strings.Join(families, ","))
	if verb == "delete" && c.RemovePodRoutes {
		flags = append(flags, "--remove-pod-routes")
	}
	return append(flags, estate.Ranges{Nodes: c.Nodes, Pods: c.Pods, Services: c.Services}.Flags()...)
}
