// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import "github.com/espalier-io/espalier/api/openstack/v1alpha1"

var ipv6Rows = []row{
	{"S13", "a block with ranges", dualManaged, nil, nil, nil},
	{"S13", "a block with a pool", dualManaged, func(c *cluster) { c.config.Networks.IPv6 = &v1alpha1.IPv6Config{SubnetPoolID: to(pool)} }, nil, nil},
	{"S13", "a block with a subnet", dual, nil, nil, nil},
	{"S13", "an empty block", dualManaged, func(c *cluster) { c.config.Networks.IPv6 = &v1alpha1.IPv6Config{} }, nil, []string{"S13 networks.ipv6", "H7"}},

	{"S14", "all three ranges", dualManaged, nil, nil, nil},
	{"S14", "nodes alone", dualManaged, func(c *cluster) { c.config.Networks.IPv6 = &v1alpha1.IPv6Config{NodeCIDR: "fd00:10::/64"} }, nil, []string{"S14 networks.ipv6.podCIDR", "S14 networks.ipv6.serviceCIDR"}},
	{"S14", "pods beside a pool", dualManaged, func(c *cluster) {
		c.config.Networks.IPv6 = &v1alpha1.IPv6Config{SubnetPoolID: to(pool), PodCIDR: "fd00:20::/56"}
	}, nil, []string{"S14 networks.ipv6.nodeCIDR", "S14 networks.ipv6.serviceCIDR"}},
	{"S14", "a subnet instead of nodes", dual, nil, nil, nil},

	{"S15", "three ranges", dualManaged, nil, nil, nil},
	{"S15", "three faults", dualManaged, func(c *cluster) {
		c.config.Networks.IPv6 = &v1alpha1.IPv6Config{NodeCIDR: "fd00:10::1/64", PodCIDR: "10.0.0.0/8", ServiceCIDR: "services"}
	}, nil, []string{"S15 networks.ipv6.nodeCIDR", "S15 networks.ipv6.podCIDR", "S15 networks.ipv6.serviceCIDR"}},
	{"S15", "IPv4 in IPv6 spelling", dualManaged, func(c *cluster) { c.config.Networks.IPv6.PodCIDR = "::ffff:10.0.0.0/104" }, nil, []string{"S15 networks.ipv6.podCIDR"}},

	{"S16", "side by side", dualManaged, func(c *cluster) {
		c.config.Networks.IPv6.NodeCIDR, c.config.Networks.IPv6.PodCIDR = "fd00:20:0:ff::/64", "fd00:20::/57"
	}, nil, nil},
	{"S16", "pods around nodes and services", dualManaged, func(c *cluster) { c.config.Networks.IPv6.PodCIDR = "fd00::/16" }, nil, []string{"S16 networks.ipv6.podCIDR", "S16 networks.ipv6.serviceCIDR"}},
	{"S16", "services around nodes", dualManaged, func(c *cluster) { c.config.Networks.IPv6.ServiceCIDR = "fd00:10::/112" }, nil, []string{"S16 networks.ipv6.serviceCIDR"}},
	{"S16", "pods and services with a subnet", dual, func(c *cluster) { c.config.Networks.IPv6.ServiceCIDR = "fd00:20::/112" }, nil, []string{"S16 networks.ipv6.serviceCIDR"}},
	{"S16", "a superfluous range of nodes is not compared", dual, func(c *cluster) { c.config.Networks.IPv6.NodeCIDR = "fd00:20::/64" }, nil, []string{"N19 networks.ipv6.nodeSubnetId"}},

	{"Y5", "pool by UUID", dualManaged, func(c *cluster) { c.config.Networks.IPv6 = &v1alpha1.IPv6Config{SubnetPoolID: to(pool)} }, nil, nil},
	{"Y5", "prefix delegation", dualManaged, func(c *cluster) {
		c.config.Networks.IPv6 = &v1alpha1.IPv6Config{SubnetPoolID: to("prefix_delegation")}
	}, nil, nil},
	{"Y5", "pool by name", dualManaged, ipv6PoolByName, nil, []string{"Y5 networks.ipv6.subnetPoolID"}},
	{"Y5", "empty pool", dualManaged, func(c *cluster) { c.config.Networks.IPv6 = &v1alpha1.IPv6Config{SubnetPoolID: to("")} }, nil, []string{"Y5 networks.ipv6.subnetPoolID"}},
	{"Y5", "a pool that is not used", dualManaged, func(c *cluster) { c.config.Networks.IPv6.SubnetPoolID = to("corporate") }, nil, []string{"Y9 networks.ipv6.subnetPoolID"}},
	{"Y5", "a running cluster keeps its name", dualManaged, ipv6PoolByName, ipv6PoolByName, nil},
	{"Y9", "ranges alone", dualManaged, nil, nil, nil},
	{"Y9", "a pool beside ranges", dualManaged, func(c *cluster) { c.config.Networks.IPv6.SubnetPoolID = to(pool) }, nil, []string{"Y9 networks.ipv6.subnetPoolID"}},

	{"Y6", "a /64", dualManaged, nil, nil, nil},
	{"Y6", "a /60", dualManaged, wideNodes, nil, []string{"Y6 networks.ipv6.nodeCIDR"}},
	{"Y6", "a running cluster keeps it", dualManaged, wideNodes, wideNodes, nil},

	{"N22", "a /56", dual, nil, nil, nil},
	{"N22", "a /64", dual, func(c *cluster) { c.config.Networks.IPv6.PodCIDR = "fd00:20::/64" }, nil, []string{"X5 networks.ipv6.podCIDR"}},
	{"N22", "a /65", dual, func(c *cluster) { c.config.Networks.IPv6.PodCIDR = "fd00:20::/65" }, nil, []string{"N22 networks.ipv6.podCIDR"}},
	{"N22", "a /65 without a subnet", dualManaged, func(c *cluster) { c.config.Networks.IPv6.PodCIDR = "fd00:20::/65" }, nil, []string{"Y10 networks.ipv6.podCIDR"}},
	{"Y10", "a /56", dualManaged, nil, nil, nil},
	{"Y10", "a /65", dualManaged, func(c *cluster) { c.config.Networks.IPv6.PodCIDR = "fd00:20::/65" }, nil, []string{"Y10 networks.ipv6.podCIDR"}},
	{"X5", "a /63", dualManaged, func(c *cluster) { c.config.Networks.IPv6.PodCIDR = "fd00:20::/63" }, nil, nil},
	{"X5", "a /64", dualManaged, func(c *cluster) { c.config.Networks.IPv6.PodCIDR = "fd00:20::/64" }, nil, []string{"X5 networks.ipv6.podCIDR"}},

	{"X4", "a /108", dual, func(c *cluster) { c.config.Networks.IPv6.ServiceCIDR = "fd00:30::/108" }, nil, nil},
	{"X4", "a /107", dual, func(c *cluster) { c.config.Networks.IPv6.ServiceCIDR = "fd00:30::/107" }, nil, []string{"X4 networks.ipv6.serviceCIDR"}},
	{"X4", "a /64 that is published as a /112", dualManaged, func(c *cluster) { c.config.Networks.IPv6.ServiceCIDR = "fd00:30::/64" }, nil, []string{"X6 networks.ipv6.serviceCIDR"}},
	{"X6", "a /112", dualManaged, nil, nil, nil},
	{"X6", "a /108", dualManaged, func(c *cluster) { c.config.Networks.IPv6.ServiceCIDR = "fd00:30::/108" }, nil, []string{"X6 networks.ipv6.serviceCIDR"}},
	{"X6", "a /108 with a subnet is published as it stands", dual, func(c *cluster) { c.config.Networks.IPv6.ServiceCIDR = "fd00:30::/108" }, nil, nil},

	{"X3", "in a dual-stack cluster", dual, nil, nil, nil},
	{"X3", "in a cluster with IPv4 alone", dual, func(c *cluster) { c.networking.IPFamilies = nil }, nil, []string{"X3 networks.ipv6"}},
	{"X9", "IPv4 ranges", dual, nil, nil, nil},
	{"X9", "IPv6 ranges", dual, ipv6Cluster, nil, []string{"X9 spec.networking.pods", "X9 spec.networking.services"}},
}

func ipv6Cluster(c *cluster) {
	c.networking.Pods, c.networking.Services = to("fd00:40::/56"), to("fd00:50::/112")
}

func ipv6PoolByName(c *cluster) {
	c.config.Networks.IPv6 = &v1alpha1.IPv6Config{SubnetPoolID: to("corporate")}
}

func wideNodes(c *cluster) { c.config.Networks.IPv6.NodeCIDR = "fd00:10::/60" }

var existingRows = []row{
	{"N1", "subnet, network and router", existing, nil, nil, nil},
	{"N1", "no network", existing, func(c *cluster) { c.config.Networks.ID, c.config.Networks.SecurityGroupID = nil, nil }, nil, []string{"N1 networks.subnetId"}},
	{"N2", "subnet, network and router", existing, nil, nil, nil},
	{"N2", "no router", existing, func(c *cluster) { c.config.Networks.Router = nil }, nil, []string{"N2 networks.subnetId"}},
	{"N2", "a router without an ID", existing, func(c *cluster) { c.config.Networks.Router.ID = "" }, nil, []string{"S10 networks.router.id", "N2 networks.subnetId"}},
	{"N3", "a UUID", existing, nil, nil, nil},
	{"N3", "a name", existing, func(c *cluster) { c.config.Networks.SubnetID = to("nodes") }, nil, []string{"N3 networks.subnetId"}},
	{"N3", "the empty string", existing, func(c *cluster) { c.config.Networks.SubnetID = to("") }, nil, []string{"N3 networks.subnetId"}},
	{"N3", "38 bytes that only look braced", existing, func(c *cluster) { c.config.Networks.SubnetID = to("x" + subnet + "x") }, nil, []string{"N3 networks.subnetId"}},
	{"N3", "a bad subnet alone has all three faults", managed, func(c *cluster) { c.config.Networks = v1alpha1.Networks{SubnetID: to("nodes")} }, nil,
		[]string{"N1 networks.subnetId", "N2 networks.subnetId", "N3 networks.subnetId"}},
	{"N4", "no range", existing, nil, nil, nil},
	{"N4", "a range", existing, func(c *cluster) { c.config.Networks.Workers = "10.250.0.0/19" }, nil, []string{"N4 networks.subnetId"}},
	{"N4", "a range at the old key", existing, func(c *cluster) { c.config.Networks.Worker = "10.250.0.0/19" }, nil, []string{"N4 networks.subnetId", "X8 networks.worker"}},
	{"N5", "no pool", existing, nil, nil, nil},
	{"N5", "a pool", existing, withPool, nil, []string{"N5 networks.subnetId"}},

	{"N7", "group and network", existing, nil, nil, nil},
	{"N7", "a group with pattern 2", managed, func(c *cluster) { c.config.Networks.ID, c.config.Networks.SecurityGroupID = to(network), to(group) }, nil, nil},
	{"N7", "a group without a network", managed, func(c *cluster) { c.config.Networks.SecurityGroupID = to(group) }, nil, []string{"N7 networks.securityGroupId"}},
	{"N8", "a UUID", existing, nil, nil, nil},
	{"N8", "a name", existing, func(c *cluster) { c.config.Networks.SecurityGroupID = to("default") }, nil, []string{"N8 networks.securityGroupId"}},

	{"N10", "share network and network", existing, func(c *cluster) { c.config.Networks.ShareNetworkID = to(share) }, nil, nil},
	{"N10", "share network without a network", managed, func(c *cluster) { c.config.Networks.ShareNetworkID = to(share) }, nil, []string{"N10 networks.shareNetworkId"}},
	{"N11", "a UUID", existing, func(c *cluster) { c.config.Networks.ShareNetworkID = to(share) }, nil, nil},
	{"N11", "a name", existing, func(c *cluster) { c.config.Networks.ShareNetworkID = to("shares") }, nil, []string{"N11 networks.shareNetworkId"}},
	{"N12", "a managed one that is switched off", existing, func(c *cluster) {
		c.config.Networks.ShareNetworkID, c.config.Networks.ShareNetwork = to(share), &v1alpha1.ShareNetwork{}
	}, nil, nil},
	{"N12", "a managed one on a subnet of the user", existing, func(c *cluster) { c.config.Networks.ShareNetwork = &v1alpha1.ShareNetwork{Enabled: true} }, nil, nil},
	{"N12", "both", existing, func(c *cluster) {
		c.config.Networks.ShareNetworkID, c.config.Networks.ShareNetwork = to(share), &v1alpha1.ShareNetwork{Enabled: true}
	}, nil, []string{"N12 networks.shareNetworkId"}},

	{"N14", "all that it needs", dual, nil, nil, nil},
	{"N14", "no network", dual, func(c *cluster) { c.config.Networks.ID, c.config.Networks.SecurityGroupID = nil, nil }, nil, []string{"N1 networks.subnetId", "N14 networks.ipv6.nodeSubnetId"}},
	{"N15", "all that it needs", dual, nil, nil, nil},
	{"N15", "no router", dual, func(c *cluster) { c.config.Networks.Router = nil }, nil, []string{"N2 networks.subnetId", "N15 networks.ipv6.nodeSubnetId"}},
	{"N16", "all that it needs", dual, nil, nil, nil},
	{"N16", "no IPv4 subnet", dual, func(c *cluster) { c.config.Networks.SubnetID, c.config.Networks.Workers = nil, "10.250.0.0/19" }, nil, []string{"N16 networks.ipv6.nodeSubnetId"}},
	{"N17", "a UUID", dual, nil, nil, nil},
	{"N17", "a name", dual, func(c *cluster) { c.config.Networks.IPv6.NodeSubnetID = to("nodes6") }, nil, []string{"N17 networks.ipv6.nodeSubnetId"}},
	{"N17", "the empty string", dual, func(c *cluster) { c.config.Networks.IPv6.NodeSubnetID = to("") }, nil, []string{"N17 networks.ipv6.nodeSubnetId"}},
	{"N18", "no pool", dual, nil, nil, nil},
	{"N18", "a pool", dual, func(c *cluster) { c.config.Networks.IPv6.SubnetPoolID = to(pool) }, nil, []string{"N18 networks.ipv6.nodeSubnetId"}},
	{"N18", "a pool beside an IPv4 subnet of the user", existing, func(c *cluster) {
		c.networking.IPFamilies = dual().networking.IPFamilies
		c.config.Networks.IPv6 = &v1alpha1.IPv6Config{SubnetPoolID: to(pool)}
	}, nil, nil},
	{"N19", "no range", dual, nil, nil, nil},
	{"N19", "a range", dual, func(c *cluster) { c.config.Networks.IPv6.NodeCIDR = "fd00:10::/64" }, nil, []string{"N19 networks.ipv6.nodeSubnetId"}},
	{"N20", "pods", dual, nil, nil, nil},
	{"N20", "no pods", dual, func(c *cluster) { c.config.Networks.IPv6.PodCIDR = "" }, nil, []string{"N20 networks.ipv6.podCIDR"}},
	{"N21", "services", dual, nil, nil, nil},
	{"N21", "no services", dual, func(c *cluster) { c.config.Networks.IPv6.ServiceCIDR = "" }, nil, []string{"N21 networks.ipv6.serviceCIDR"}},
	{"X2", "two subnets", dual, nil, nil, nil},
	{"X2", "one subnet", dual, func(c *cluster) { c.config.Networks.IPv6.NodeSubnetID = to(subnet) }, nil, []string{"X2 networks.ipv6.nodeSubnetId"}},
	{"X2", "one subnet in two spellings", dual, func(c *cluster) { c.config.Networks.IPv6.NodeSubnetID = to("{" + subnet + "}") }, nil,
		[]string{"X2 networks.ipv6.nodeSubnetId", "X7 networks.ipv6.nodeSubnetId"}},
}
