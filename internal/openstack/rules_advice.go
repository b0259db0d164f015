// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "github.com/espalier-io/espalier/internal/engine"

// adviceRules are about what is worth a look.
type adviceRules struct {
	dhcp, floatingIPs, routerDown, networkDown, portSecurity, groupRules, gateway, resolvers, namesake, sharedNetwork, routesInPods, ipv6Mode, shareElsewhere rule
}

func (r adviceRules) all() []rule {
	return []rule{r.dhcp, r.floatingIPs, r.routerDown, r.networkDown, r.portSecurity, r.groupRules, r.gateway, r.resolvers, r.namesake, r.sharedNetwork, r.routesInPods, r.ipv6Mode, r.shareElsewhere}
}

var theAdvice = adviceRules{
	dhcp: rule{
		code:     "EOS140",
		severity: engine.Warning,
		typ:      "Invalid",
		field:    "networks.subnetId",
		fix:      "openstack subnet set --dhcp SUBNET",
		title:    "DHCP is off on the subnet",
		text:     "Without DHCP nodes get their address only from a configuration drive, and only if the image supports that.",
		source:   neutron,
	},
	floatingIPs: rule{
		code:     "EOS141",
		severity: engine.Warning,
		typ:      "Invalid",
		field:    "networks.router",
		fix:      "openstack router set --external-gateway POOL ROUTER, or use internal load balancers only",
		title:    "Floating IPs of the pool do not reach this router",
		text:     "The router has no gateway in the external network that floatingPoolName names. Neutron refuses floating IPs for ports behind it, so that Services of type LoadBalancer stay without an address unless they are internal. For a cluster with central egress this is as it should be.",
		source:   neutron,
	},
	routerDown: rule{
		code:     "EOS142",
		severity: engine.Warning,
		typ:      "Invalid",
		field:    "networks.router",
		fix:      "openstack router set --enable ROUTER",
		title:    "The router is switched off",
		text:     "With admin_state_up false the router forwards nothing.",
		source:   neutron,
	},
	networkDown: rule{
		code:     "EOS143",
		severity: engine.Warning,
		typ:      "Invalid",
		field:    "networks.id",
		fix:      "openstack network set --enable NETWORK",
		title:    "The network is switched off",
		text:     "With admin_state_up false the network forwards nothing.",
		source:   neutron,
	},
	portSecurity: rule{
		code:     "EOS144",
		severity: engine.Warning,
		typ:      "Invalid",
		field:    "networks.id",
		fix:      "openstack network set --enable-port-security NETWORK, or be aware that no security group applies",
		title:    "Port security is off on the network",
		text:     "Ports of the network get no security group: machine creation with a group fails on many clouds, and nothing filters traffic to nodes.",
		source:   neutron,
	},
	groupRules: rule{
		code:     "EOS145",
		severity: engine.Warning,
		typ:      "Invalid",
		field:    "networks.securityGroupId",
		title:    "The security group lacks rules that a cluster needs",
		text:     "Nodes need all traffic within the group, NodePorts (TCP and UDP 30000 to 32767), all egress and, with overlay off, traffic from the pod network. Espalier never changes the group.",
		source:   "proposal, Pattern 5; pod range: Gardener users' reports on routed pods",
	},
	gateway: rule{
		code:     "EOS146",
		severity: engine.Warning,
		typ:      "Invalid",
		field:    "networks.router",
		fix:      "let the subnet's gateway be the router's address, or switch overlay on",
		title:    "The subnet's gateway is not the router",
		text:     "With overlay off the routes to pods stand on the router. Nodes that send to another gateway never get there.",
		source:   "cloud-provider-openstack, route controller",
	},
	resolvers: rule{
		code:     "EOS147",
		severity: engine.Warning,
		typ:      "Invalid",
		field:    "networks.subnetId",
		fix:      "openstack subnet set --dns-nameserver ADDRESS SUBNET, unless the cloud resolves by itself",
		title:    "The subnet names no DNS servers",
		text:     "Nodes resolve names through what DHCP tells them. Some clouds have a resolver of their own; on others nothing can be resolved and nodes do not join.",
		source:   neutron,
	},
	namesake: rule{
		code:     "EOS148",
		severity: engine.Warning,
		typ:      "Duplicate",
		fix:      "nothing, if it belongs to something else; Espalier never adopts by name",
		title:    "Something else has the name of the cluster",
		text:     "A resource has the technical ID for a name and does not bear this cluster's mark. Espalier leaves it alone, but people may take one for the other.",
		source:   "docs/architecture.md",
	},
	sharedNetwork: rule{
		code:     "EOS149",
		severity: engine.Warning,
		typ:      "Invalid",
		field:    "networks.id",
		fix:      "make sure that its owner lets this project create subnets and ports in it",
		title:    "The network belongs to another project",
		text:     "The network is shared with this project. What may be done in it is the owner's and the cloud's policy: newer Neutron lets only the owner create subnets.",
		source:   "Neutron API, policy create_subnet",
	},
	routesInPods: rule{
		code:     "EOS150",
		severity: engine.Warning,
		typ:      "Invalid",
		field:    "networks.router",
		fix:      "choose a pod range apart from these routes, or switch overlay on",
		title:    "Routes of the router lie inside the pod network",
		text:     "With overlay off the cloud controller manager takes every route whose first or last address lies in the pod network for its own, and deletes those that belong to none of its nodes.",
		source:   "cloud-provider-openstack, route controller",
	},
	ipv6Mode: rule{
		code:     "EOS151",
		severity: engine.Warning,
		typ:      "Invalid",
		field:    "networks.ipv6.nodeSubnetId",
		fix:      "create the subnet with --ipv6-address-mode slaac --ipv6-ra-mode slaac; the modes can not be changed later",
		title:    "Nodes get no IPv6 address in this subnet",
		text:     "Without ipv6_address_mode Neutron gives out addresses that nobody tells the nodes. SLAAC or one of the DHCPv6 modes does.",
		source:   neutron,
	},
	shareElsewhere: rule{
		code:     "EOS152",
		severity: engine.Warning,
		typ:      "Invalid",
		field:    "networks.shareNetworkId",
		fix:      "make sure that nodes reach that subnet, or name a share network of theirs",
		title:    "The share network is on another subnet",
		text:     "Shares get their addresses in the network and subnet of the share network, which are not those of the nodes. They must be routed to one another.",
		source:   "Manila API",
	},
}
