// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "github.com/espalier-io/espalier/internal/engine"

// fitRules are about what is certain to fail, or would harm others.
type fitRules struct {
	ipv4, insideNodes, overlapsPods, external, groupName, overlapsSubnet, overlapsInterface, otherCluster, addressPairs, ipv6, poolVersion, poolPrefix, poolAffinity, overlapsIPv6, gatewaySubnets rule
}

func (r fitRules) all() []rule {
	return []rule{r.ipv4, r.insideNodes, r.overlapsPods, r.external, r.groupName, r.overlapsSubnet, r.overlapsInterface, r.otherCluster, r.addressPairs, r.ipv6, r.poolVersion, r.poolPrefix, r.poolAffinity, r.overlapsIPv6, r.gatewaySubnets}
}

var theFit = fitRules{
	ipv4: rule{
		code:     "EOS120",
		severity: engine.Error,
		typ:      "Invalid",
		field:    "networks.subnetId",
		fix:      "name a subnet of IP version 4",
		title:    "The subnet is not an IPv4 subnet",
		text:     "networks.subnetId is for the IPv4 addresses of nodes. An IPv6 subnet for nodes goes into networks.ipv6.nodeSubnetId.",
		source:   neutron,
	},
	insideNodes: rule{
		code:     "EOS121",
		severity: engine.Error,
		typ:      "Invalid",
		field:    "networks.subnetId",
		fix:      "make spec.networking.nodes contain the subnet, or leave it out: it is then set to the subnet's range",
		title:    "The subnet lies outside spec.networking.nodes",
		text:     "Kubernetes components treat only addresses inside spec.networking.nodes as nodes. A node with another address can not be reached by the control plane.",
		source:   "Gardener, spec.networking.nodes",
	},
	overlapsPods: rule{
		code:     "EOS122",
		severity: engine.Error,
		typ:      "Invalid",
		field:    "networks.subnetId",
		fix:      "choose pod and service ranges apart from the subnet, or another subnet",
		title:    "The subnet overlaps the range of pods or services",
		text:     "Nodes route addresses of pods and services themselves. A node, gateway or resolver with an address in these ranges could not be reached.",
		source:   "Gardener, spec.networking",
	},
	external: rule{
		code:     "EOS123",
		severity: engine.Error,
		typ:      "Invalid",
		field:    "networks.id",
		fix:      "name a private network that the router connects to the external one",
		title:    "The network of the nodes is an external network",
		text:     "An external network (router:external) gives gateways and floating IPs. Nodes are not put into it: a router can not have its gateway and an interface in the same network.",
		source:   neutron,
	},
	groupName: rule{
		code:     "EOS124",
		severity: engine.Error,
		typ:      "Invalid",
		field:    "networks.securityGroupId",
		fix:      "rename the group so that no other group has its name, or name another group",
		title:    "The name of the security group is not unique",
		text:     "Machines are given their security group by its name. If several groups that the project can see have the same name, no machine can be created. A group called default is the usual case: every project has one.",
		source:   "machine-controller-manager, OpenStack provider",
	},
	overlapsSubnet: rule{
		code:     "EOS125",
		severity: engine.Error,
		typ:      "Invalid",
		field:    "networks.workers",
		fix:      "choose a range that is free in the network",
		title:    "The range of the nodes overlaps a subnet of the network",
		text:     "Neutron refuses a subnet that shares addresses with another subnet of the same network.",
		source:   neutron,
	},
	overlapsInterface: rule{
		code:     "EOS126",
		severity: engine.Error,
		typ:      "Invalid",
		field:    "networks.workers",
		fix:      "choose a range that no other subnet on the router uses",
		title:    "The range of the nodes overlaps a subnet on the router",
		text:     "Neutron refuses a router interface on a subnet whose range overlaps that of another interface of the router.",
		source:   neutron,
	},
	otherCluster: rule{
		code:     OtherCluster,
		severity: engine.Error,
		typ:      "Duplicate",
		fix:      "if it is this cluster and its state was lost, run again with --uid and that UID; else give the cluster another name",
		title:    "Another cluster of the same name has things here",
		text:     "Something bears the mark of a cluster of the same technical ID with another UID. Either the state of this cluster was lost and a new UID was made, or two clusters want the same names. Nothing of it is touched.",
		source:   "docs/architecture.md",
	},
	addressPairs: rule{
		code:     "EOS128",
		severity: engine.Error,
		typ:      "Forbidden",
		field:    "networks.id",
		fix:      "switch overlay on, or use a network that belongs to the project",
		title:    "Pod addresses can not be allowed on ports of this network",
		text:     "With overlay off every port of a node must allow the addresses of its pods (allowed_address_pairs). By Neutron's policy only an administrator or the owner of the network may set that, and the network belongs to another project.",
		source:   "Neutron API, policy create_port:allowed_address_pairs",
	},
	ipv6: rule{
		code:     "EOS129",
		severity: engine.Error,
		typ:      "Invalid",
		field:    "networks.ipv6.nodeSubnetId",
		fix:      "name a subnet of IP version 6",
		title:    "The IPv6 subnet is not an IPv6 subnet",
		text:     "networks.ipv6.nodeSubnetId is for the IPv6 addresses of nodes.",
		source:   neutron,
	},
	poolVersion: rule{
		code:     "EOS130",
		severity: engine.Error,
		typ:      "Invalid",
		field:    "networks.subnetPool.id",
		fix:      "name a pool of the right IP version",
		title:    "The subnet pool is of the other IP version",
		text:     "A subnet of one IP version can not be taken from a pool of the other.",
		source:   neutron,
	},
	poolPrefix: rule{
		code:     "EOS131",
		severity: engine.Error,
		typ:      "Invalid",
		field:    "networks.subnetPool.prefixLength",
		fix:      "choose a prefix length that the pool gives",
		title:    "The subnet pool does not give ranges of this size",
		text:     "A subnet pool has a smallest and a largest range. Neutron refuses what lies outside.",
		source:   neutron,
	},
	poolAffinity: rule{
		code:     "EOS132",
		severity: engine.Error,
		typ:      "Invalid",
		field:    "networks.id",
		fix:      "take all subnets of one IP version in a network from the same pool, or none from any",
		title:    "The network has subnets of another origin",
		text:     "Neutron refuses a subnet from a pool beside one of the same IP version in the same network that is from another pool or from none (NetworkSubnetPoolAffinityError).",
		source:   neutron,
	},
	overlapsIPv6: rule{
		code:     "EOS133",
		severity: engine.Error,
		typ:      "Invalid",
		field:    "networks.ipv6.nodeSubnetId",
		fix:      "choose podCIDR and serviceCIDR apart from the subnet, or another subnet",
		title:    "The IPv6 subnet overlaps the IPv6 range of pods or Services",
		text:     "Nodes route addresses of pods and Services themselves. A node with an address in these ranges could not be reached.",
		source:   "proposal, BYO IPv6 Node Subnet (Dual-Stack)",
	},
	gatewaySubnets: rule{
		code:     "EOS134",
		severity: engine.Error,
		typ:      "NotFound",
		field:    "floatingPoolSubnetName",
		fix:      "name or match a subnet of the external network that these credentials can see: openstack subnet list",
		title:    "No subnet of the external network fits",
		text:     "The gateway of the router that is to be made shall be in a subnet of the floating pool whose name fits floatingPoolSubnetName or the default of the CloudProfile, and none does. On many clouds members do not see the subnets of external networks at all.",
		source:   "Gardener OpenStack provider",
	},
}
