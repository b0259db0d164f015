// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"strings"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

var sourceRows = []row{
	{"S2", "managed with a range", managed, nil, nil, nil},
	{"S2", "an existing subnet is a source", existing, nil, nil, nil},
	{"S2", "a pool is a source", managed, withPool, nil, nil},
	{"S2", "the old key is a source", managed, func(c *cluster) { c.config.Networks = v1alpha1.Networks{Worker: "10.250.0.0/19"} }, nil, []string{"X8 networks.worker"}},
	{"S2", "no source", managed, func(c *cluster) { c.config.Networks.Workers = "" }, nil, []string{"S2 networks.workers"}},
	{"S2", "a network alone is no source", managed, func(c *cluster) { c.config.Networks = v1alpha1.Networks{ID: to(network)} }, nil, []string{"S2 networks.workers"}},

	{"S3", "pool alone", managed, withPool, nil, nil},
	{"S3", "pool and workers", managed, func(c *cluster) { withPool(c); c.config.Networks.Workers = "10.250.0.0/19" }, nil, []string{"S3 networks.subnetPool"}},
	{"S3", "pool and worker", managed, func(c *cluster) { withPool(c); c.config.Networks.Worker = "10.250.0.0/19" }, nil, []string{"S3 networks.subnetPool", "X8 networks.worker"}},

	{"S7", "pool with an ID", managed, withPool, nil, nil},
	{"S7", "pool without an ID", managed, func(c *cluster) { withPool(c); c.config.Networks.SubnetPool.ID = "" }, nil, []string{"S7 networks.subnetPool.id"}},
	{"S8", "prefix length 1", managed, func(c *cluster) { withPool(c); c.config.Networks.SubnetPool.PrefixLength = 1 }, nil, nil},
	{"S8", "prefix length 32", managed, func(c *cluster) { withPool(c); c.config.Networks.SubnetPool.PrefixLength = 32 }, nil, nil},
	{"S8", "prefix length 0", managed, func(c *cluster) { withPool(c); c.config.Networks.SubnetPool.PrefixLength = 0 }, nil, []string{"S8 networks.subnetPool.prefixLength"}},
	{"S8", "prefix length 33", managed, func(c *cluster) { withPool(c); c.config.Networks.SubnetPool.PrefixLength = 33 }, nil, []string{"S8 networks.subnetPool.prefixLength"}},
	{"S8", "negative prefix length", managed, func(c *cluster) { withPool(c); c.config.Networks.SubnetPool.PrefixLength = -1 }, nil, []string{"S8 networks.subnetPool.prefixLength"}},
	{"Y4", "pool by UUID", managed, withPool, nil, nil},
	{"Y4", "pool by name", managed, func(c *cluster) { withPool(c); c.config.Networks.SubnetPool.ID = "corporate" }, nil, []string{"Y4 networks.subnetPool.id"}},
	{"Y4", "a running cluster keeps its name", managed, poolByName, poolByName, nil},

	{"S9", "network by UUID", existing, nil, nil, nil},
	{"S9", "network by name", existing, func(c *cluster) { c.config.Networks.ID = to("corporate") }, nil, []string{"S9 networks.id"}},
	{"S9", "empty network", existing, func(c *cluster) { c.config.Networks.ID = to("") }, nil, []string{"S9 networks.id"}},
	{"S9", "UUID with blanks around it", existing, func(c *cluster) { c.config.Networks.ID = to(" " + network + " ") }, nil, []string{"S9 networks.id"}},
	{"S9", "UUID with one digit missing", existing, func(c *cluster) { c.config.Networks.ID = to(network[1:]) }, nil, []string{"S9 networks.id"}},

	{"S10", "router by UUID", existing, nil, nil, nil},
	{"S10", "router by name", existing, func(c *cluster) { c.config.Networks.Router.ID = "edge" }, nil, []string{"S10 networks.router.id"}},
	{"S10", "empty router", managed, func(c *cluster) { c.config.Networks.Router = &v1alpha1.Router{} }, nil, []string{"S10 networks.router.id"}},

	{"X7", "usual spelling", existing, nil, nil, nil},
	{"X7", "other spellings", dual, func(c *cluster) {
		n := &c.config.Networks
		n.ID, n.SubnetID, n.SecurityGroupID = to(strings.ToUpper(network)), to("{"+subnet+"}"), to("urn:uuid:"+group)
		n.Router.ID, n.IPv6.NodeSubnetID, n.ShareNetworkID = strings.ReplaceAll(router, "-", ""), to(strings.ToUpper(nodeSubnet)), to(strings.ToUpper(share))
	}, nil, []string{"X7 networks.id", "X7 networks.router.id", "X7 networks.subnetId", "X7 networks.securityGroupId", "X7 networks.shareNetworkId", "X7 networks.ipv6.nodeSubnetId"}},
	{"X7", "other spellings of pools", dualManaged, func(c *cluster) {
		withPool(c)
		c.config.Networks.SubnetPool.ID = strings.ToUpper(pool)
		c.config.Networks.IPv6 = &v1alpha1.IPv6Config{SubnetPoolID: to(strings.ToUpper(pool))}
	}, nil, []string{"X7 networks.subnetPool.id", "X7 networks.ipv6.subnetPoolID"}},
}

func withPool(c *cluster) {
	c.config.Networks.Workers = ""
	c.config.Networks.SubnetPool = &v1alpha1.SubnetPool{ID: pool, PrefixLength: 24}
}

func poolByName(c *cluster) {
	withPool(c)
	c.config.Networks.SubnetPool.ID = "corporate"
}

var poolRows = []row{
	{"S1", "a name", managed, nil, nil, nil},
	{"S1", "no name", managed, func(c *cluster) { c.config.FloatingPoolName = "" }, nil, []string{"S1 floatingPoolName"}},
	{"S1b", "255 characters of two bytes", managed, func(c *cluster) { c.setPool(strings.Repeat("ü", 255)) }, nil, nil},
	{"S1b", "a name with blanks and dots", managed, func(c *cluster) { c.setPool("Public net 1.2 (dmz)") }, nil, nil},
	{"S1b", "256 characters", managed, func(c *cluster) { c.setPool(strings.Repeat("x", 256)) }, nil, []string{"S1b floatingPoolName"}},
	{"S1b", "a brace", managed, func(c *cluster) { c.setPool("{public") }, nil, []string{"S1b floatingPoolName"}},
	{"S1b", "a bracket", managed, func(c *cluster) { c.setPool("public]") }, nil, []string{"S1b floatingPoolName"}},
	{"S1b", "a line break", managed, func(c *cluster) { c.setPool("public\n") }, nil, []string{"S1b floatingPoolName"}},

	{"S11", "no subnet", managed, nil, nil, nil},
	{"S11", "a subnet", managed, func(c *cluster) { c.config.FloatingPoolSubnetName = to("public-1") }, nil, nil},
	{"S11", "an empty subnet", managed, func(c *cluster) { c.config.FloatingPoolSubnetName = to("") }, nil, []string{"S11 floatingPoolSubnetName"}},
	{"S11b", "a glob, negated", managed, func(c *cluster) { c.config.FloatingPoolSubnetName = to("!public-*") }, nil, nil},
	{"S11b", "a bracket", managed, func(c *cluster) { c.config.FloatingPoolSubnetName = to("public-[12]") }, nil, []string{"S11b floatingPoolSubnetName"}},
	{"S11b", "too long", managed, func(c *cluster) { c.config.FloatingPoolSubnetName = to(strings.Repeat("x", 256)) }, nil, []string{"S11b floatingPoolSubnetName"}},
	{"Y7", "a regular expression", managed, func(c *cluster) { c.config.FloatingPoolSubnetName = to("~^public-(a|b)$") }, nil, nil},
	{"Y7", "a broken regular expression", managed, func(c *cluster) { c.config.FloatingPoolSubnetName = to("~public-(") }, nil, []string{"Y7 floatingPoolSubnetName"}},
	{"Y7", "a broken regular expression, negated", managed, func(c *cluster) { c.config.FloatingPoolSubnetName = to("!~*") }, nil, []string{"Y7 floatingPoolSubnetName"}},
	{"Y7", "what would be broken is a plain name without the tilde", managed, func(c *cluster) { c.config.FloatingPoolSubnetName = to("public-(") }, nil, nil},
	{"Y7", "a running cluster keeps it", managed, brokenPattern, brokenPattern, nil},

	{"S12", "a router without a floating subnet", existing, nil, nil, nil},
	{"S12", "a router and a floating subnet", existing, func(c *cluster) { c.config.FloatingPoolSubnetName = to("public-1") }, nil, []string{"S12 networks.router"}},
}

func brokenPattern(c *cluster) { c.config.FloatingPoolSubnetName = to("~(") }

func (c *cluster) setPool(name string) {
	c.config.FloatingPoolName = name
	c.profile.Constraints.FloatingPools[0].Name = "*"
}

var rangeRows = []row{
	{"S4", "a range", managed, func(c *cluster) { c.config.Networks = v1alpha1.Networks{Worker: "10.250.0.0/19"} }, nil, []string{"X8 networks.worker"}},
	{"S4", "no range", managed, func(c *cluster) { c.config.Networks = v1alpha1.Networks{Worker: "ten"} }, nil, []string{"S4 networks.worker", "X8 networks.worker"}},
	{"S4", "bits behind the prefix", managed, func(c *cluster) { c.config.Networks = v1alpha1.Networks{Worker: "10.250.0.1/19"} }, nil, []string{"S4 networks.worker", "X8 networks.worker"}},
	{"S5", "a range", managed, nil, nil, nil},
	{"S5", "an address", managed, func(c *cluster) { c.config.Networks.Workers = "10.250.0.0" }, nil, []string{"S5 networks.workers"}},
	{"S5", "a prefix that is too long", managed, func(c *cluster) { c.config.Networks.Workers = "10.250.0.0/33" }, nil, []string{"S5 networks.workers"}},
	{"S5", "bits behind the prefix", managed, func(c *cluster) { c.config.Networks.Workers = "10.250.0.1/19" }, nil, []string{"S5 networks.workers"}},
	{"S5", "IPv4 in IPv6 spelling", managed, func(c *cluster) { c.config.Networks.Workers = "::ffff:10.250.0.0/115" }, nil, []string{"S5 networks.workers"}},
	{"S5", "a running cluster is told too", managed, func(c *cluster) { c.config.Networks.Workers = "10.250.0.1/19" }, func(c *cluster) { c.config.Networks.Workers = "10.250.0.1/19" }, []string{"S5 networks.workers"}},

	{"S6", "the whole range of nodes", managed, func(c *cluster) { c.config.Networks.Workers = "10.250.0.0/16" }, nil, nil},
	{"S6", "wider than the range of nodes", managed, func(c *cluster) { c.config.Networks.Workers = "10.250.0.0/15" }, nil, []string{"S6 networks.workers"}},
	{"S6", "beside the range of nodes", managed, func(c *cluster) { c.config.Networks.Workers = "10.251.0.0/19" }, nil, []string{"S6 networks.workers"}},
	{"S6", "the old key beside the range of nodes", managed, func(c *cluster) { c.config.Networks = v1alpha1.Networks{Worker: "10.251.0.0/19"} }, nil, []string{"S6 networks.worker", "X8 networks.worker"}},
	{"S6", "the old key does not count beside the new", managed, func(c *cluster) { c.config.Networks.Worker = "10.251.0.0/19" }, nil, []string{"X8 networks.worker", "Y8 networks.worker"}},
	{"S6", "an IPv6 range of a running cluster", managed, ipv6Workers, ipv6Workers, []string{"S6 networks.workers"}},

	{"X1", "an IPv4 range", managed, nil, nil, nil},
	{"X1", "an IPv6 range", managed, ipv6Workers, nil, []string{"X1 networks.workers"}},
	{"X1", "an IPv6 range at the old key", managed, func(c *cluster) { c.config.Networks = v1alpha1.Networks{Worker: "fd00::/64"} }, nil, []string{"X1 networks.worker", "X8 networks.worker"}},
	{"X1", "a running cluster is not asked", managed, ipv6Workers, ipv6Workers, []string{"S6 networks.workers"}},

	{"X8", "the new key", managed, nil, nil, nil},
	{"X8", "the old key", managed, func(c *cluster) { c.config.Networks = v1alpha1.Networks{Worker: "10.250.0.0/19"} }, nil, []string{"X8 networks.worker"}},
	{"Y8", "both keys with one range", managed, func(c *cluster) { c.config.Networks.Worker = "10.250.0.0/19" }, nil, []string{"X8 networks.worker"}},
	{"Y8", "both keys with two ranges", managed, func(c *cluster) { c.config.Networks.Worker = "10.250.0.0/20" }, nil, []string{"X8 networks.worker", "Y8 networks.worker"}},

	{"Y1", "ranges as they should be", managed, nil, nil, nil},
	{"Y1", "no pods and services", managed, func(c *cluster) { c.networking.Pods, c.networking.Services = nil, nil }, nil, nil},
	{"Y1", "nothing can be read", managed, func(c *cluster) {
		c.networking.Nodes, c.networking.Pods, c.networking.Services = to("nodes"), to("100.96.0.0/111"), to("100.64.0.1/13")
	}, nil, []string{"Y1 spec.networking.nodes", "Y1 spec.networking.pods", "Y1 spec.networking.services"}},
	{"Y2", "ranges side by side", managed, func(c *cluster) { c.networking.Pods, c.networking.Services = to("10.251.0.0/16"), to("10.252.0.0/16") }, nil, nil},
	{"Y2", "pods in the range of nodes", managed, func(c *cluster) { c.networking.Pods = to("10.250.128.0/17") }, nil, []string{"Y2 spec.networking.pods"}},
	{"Y2", "services around pods", managed, func(c *cluster) { c.networking.Services = to("100.64.0.0/10") }, nil, []string{"Y2 spec.networking.services"}},
	{"Y3", "apart", managed, nil, nil, nil},
	{"Y3", "in the range of pods", managed, func(c *cluster) { c.networking.Pods = to("10.250.0.0/20") }, nil, []string{"Y2 spec.networking.pods", "Y3 networks.workers"}},
	{"Y3", "around the range of services, at the old key", managed, func(c *cluster) {
		c.config.Networks = v1alpha1.Networks{Worker: "10.250.0.0/19"}
		c.networking.Services = to("10.250.1.0/24")
	}, nil, []string{"Y2 spec.networking.services", "Y3 networks.worker", "X8 networks.worker"}},
}

func ipv6Workers(c *cluster) { c.config.Networks.Workers = "fd00::/64" }
