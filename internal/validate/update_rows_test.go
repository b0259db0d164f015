// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"strings"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

// same leaves an update without a change.
func same(*cluster) {}

// What may not change is tried from absent to present, back, and from one value
// to another; and in another spelling, which is no change.
var updateRows = []row{
	{"U1", "unchanged", existing, nil, same, nil},
	{"U1", "another network", existing, nil, func(c *cluster) { c.config.Networks.ID = to(other) }, []string{"U1 networks.id"}},
	{"U1", "network added", managed, nil, func(c *cluster) { c.config.Networks.ID = to(network) }, []string{"U1 networks.id"}},
	{"U1", "network removed", managed, func(c *cluster) { c.config.Networks.ID = to(network) }, same, []string{"U1 networks.id"}},
	{"U1", "another spelling", existing, nil, func(c *cluster) { c.config.Networks.ID = to(strings.ToUpper(network)) }, []string{"X7 networks.id"}},

	{"U2", "unchanged", existing, nil, same, nil},
	{"U2", "another router", existing, nil, func(c *cluster) { c.config.Networks.Router.ID = other }, []string{"U2 networks.router"}},
	{"U2", "router added", managed, nil, func(c *cluster) { c.config.Networks.Router = &v1alpha1.Router{ID: router} }, []string{"U2 networks.router"}},
	{"U2", "router removed", managed, func(c *cluster) { c.config.Networks.Router = &v1alpha1.Router{ID: router} }, same, []string{"U2 networks.router"}},
	{"U2", "another spelling", existing, nil, func(c *cluster) { c.config.Networks.Router.ID = "urn:uuid:" + router }, []string{"X7 networks.router.id"}},

	{"U3", "unchanged", managed, oldKey, oldKey, []string{"X8 networks.worker"}},
	{"U3", "another range", managed, oldKey, func(c *cluster) { c.config.Networks = v1alpha1.Networks{Worker: "10.250.0.0/20"} }, []string{"U3 networks.worker", "X8 networks.worker"}},
	{"U3", "moved to the new key", managed, oldKey, same, []string{"U3 networks.worker", "U4 networks.workers"}},
	{"U4", "unchanged", managed, nil, same, nil},
	{"U4", "another range", managed, nil, func(c *cluster) { c.config.Networks.Workers = "10.250.0.0/20" }, []string{"U4 networks.workers"}},
	{"U4", "moved to the old key", managed, nil, oldKey, []string{"U3 networks.worker", "U4 networks.workers", "X8 networks.worker"}},

	{"U5", "unchanged", managed, withPool, withPool, nil},
	{"U5", "another length", managed, withPool, func(c *cluster) { withPool(c); c.config.Networks.SubnetPool.PrefixLength = 25 }, []string{"U5 networks.subnetPool"}},
	{"U5", "another pool", managed, withPool, func(c *cluster) { withPool(c); c.config.Networks.SubnetPool.ID = other }, []string{"U5 networks.subnetPool"}},
	{"U5", "pool added", managed, nil, withPool, []string{"U4 networks.workers", "U5 networks.subnetPool"}},
	{"U5", "pool removed", managed, withPool, same, []string{"U4 networks.workers", "U5 networks.subnetPool"}},
	{"U5", "another spelling", managed, withPool, func(c *cluster) { withPool(c); c.config.Networks.SubnetPool.ID = "{" + pool + "}" }, []string{"X7 networks.subnetPool.id"}},

	{"U6", "unchanged", managed, nil, same, nil},
	{"U6", "another pool", managed, nil, func(c *cluster) { c.setPool("dmz") }, []string{"U6 floatingPoolName"}},
	{"U7", "unchanged", managed, floatingSubnet, floatingSubnet, nil},
	{"U7", "another subnet", managed, floatingSubnet, func(c *cluster) { c.config.FloatingPoolSubnetName = to("public-2") }, []string{"U7 floatingPoolSubnetName"}},
	{"U7", "subnet added", managed, nil, floatingSubnet, []string{"U7 floatingPoolSubnetName"}},
	{"U7", "subnet removed", managed, floatingSubnet, same, []string{"U7 floatingPoolSubnetName"}},

	{"U8", "switched on later", managed, nil, shareOn, nil},
	{"U8", "switched on later where it was off", managed, shareOff, shareOn, nil},
	{"U8", "off and absent are one", managed, shareOff, same, nil},
	{"U8", "switched off", managed, shareOn, shareOff, []string{"U8 networks.shareNetwork"}},
	{"U8", "removed", managed, shareOn, same, []string{"U8 networks.shareNetwork"}},

	{"N6", "unchanged", existing, nil, same, nil},
	{"N6", "another subnet", existing, nil, func(c *cluster) { c.config.Networks.SubnetID = to(other) }, []string{"N6 networks.subnetId"}},
	{"N6", "from a managed subnet to one of the user", existing, func(c *cluster) { c.config.Networks.SubnetID, c.config.Networks.Workers = nil, "10.250.0.0/19" }, same,
		[]string{"U4 networks.workers", "N6 networks.subnetId"}},
	{"N6", "from a subnet of the user to a managed one", existing, nil, func(c *cluster) { c.config.Networks.SubnetID, c.config.Networks.Workers = nil, "10.250.0.0/19" },
		[]string{"U4 networks.workers", "N6 networks.subnetId"}},
	{"N6", "another spelling", existing, nil, func(c *cluster) { c.config.Networks.SubnetID = to(strings.ReplaceAll(subnet, "-", "")) }, []string{"X7 networks.subnetId"}},
	{"N6", "an old ID that is none", existing, func(c *cluster) { c.config.Networks.SubnetID = to("nodes") }, same, []string{"N6 networks.subnetId"}},

	{"N9", "unchanged", existing, nil, same, nil},
	{"N9", "another group", existing, nil, func(c *cluster) { c.config.Networks.SecurityGroupID = to(other) }, []string{"N9 networks.securityGroupId"}},
	{"N9", "group added", existing, noGroup, same, []string{"N9 networks.securityGroupId"}},
	{"N9", "group removed", existing, nil, noGroup, []string{"N9 networks.securityGroupId"}},
	{"N9", "another spelling", existing, nil, func(c *cluster) { c.config.Networks.SecurityGroupID = to(strings.ToUpper(group)) }, []string{"X7 networks.securityGroupId"}},

	{"N13", "unchanged", existing, shareID, shareID, nil},
	{"N13", "another share network", existing, shareID, func(c *cluster) { c.config.Networks.ShareNetworkID = to(other) }, []string{"N13 networks.shareNetworkId"}},
	{"N13", "share network added", existing, nil, shareID, []string{"N13 networks.shareNetworkId"}},
	{"N13", "share network removed", existing, shareID, same, []string{"N13 networks.shareNetworkId"}},
	{"N13", "another spelling", existing, shareID, func(c *cluster) { c.config.Networks.ShareNetworkID = to("{" + share + "}") }, []string{"X7 networks.shareNetworkId"}},

	{"N23", "unchanged", dual, nil, same, nil},
	{"N23", "another subnet", dual, nil, func(c *cluster) { c.config.Networks.IPv6.NodeSubnetID = to(other) }, []string{"N23 networks.ipv6"}},
	{"N23", "another range of pods", dual, nil, func(c *cluster) { c.config.Networks.IPv6.PodCIDR = "fd00:20::/55" }, []string{"N23 networks.ipv6"}},
	{"N23", "another range of services", dual, nil, func(c *cluster) { c.config.Networks.IPv6.ServiceCIDR = "fd00:31::/112" }, []string{"N23 networks.ipv6"}},
	{"N23", "another range of nodes", dualManaged, nil, func(c *cluster) { c.config.Networks.IPv6.NodeCIDR = "fd00:11::/64" }, []string{"N23 networks.ipv6"}},
	{"N23", "block added", dual, func(c *cluster) { c.config.Networks.IPv6 = nil }, same, []string{"N23 networks.ipv6"}},
	{"N23", "block removed", dual, nil, func(c *cluster) { c.config.Networks.IPv6, c.networking.IPFamilies = nil, nil }, []string{"N23 networks.ipv6"}},
	{"N23", "a pool added", dualManaged, nil, func(c *cluster) { c.config.Networks.IPv6.SubnetPoolID = to(pool) }, []string{"N23 networks.ipv6", "Y9 networks.ipv6.subnetPoolID"}},
	{"N23", "another spelling", dual, nil, func(c *cluster) { c.config.Networks.IPv6.NodeSubnetID = to(strings.ToUpper(nodeSubnet)) }, []string{"X7 networks.ipv6.nodeSubnetId"}},
}

func oldKey(c *cluster)         { c.config.Networks = v1alpha1.Networks{Worker: "10.250.0.0/19"} }
func floatingSubnet(c *cluster) { c.config.FloatingPoolSubnetName = to("public-1") }
func noGroup(c *cluster)        { c.config.Networks.SecurityGroupID = nil }
func shareID(c *cluster)        { c.config.Networks.ShareNetworkID = to(share) }
func shareOn(c *cluster)        { c.config.Networks.ShareNetwork = &v1alpha1.ShareNetwork{Enabled: true} }
func shareOff(c *cluster)       { c.config.Networks.ShareNetwork = &v1alpha1.ShareNetwork{} }
