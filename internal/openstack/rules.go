// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"github.com/espalier-io/espalier/internal/engine"
)

// A rule is what a check asks of a network, with all that is to be said of it.
type rule struct {
	code     string
	severity engine.Severity
	typ      string // the type of the field error
	field    string // below the InfrastructureConfig
	fix      string
	title    string
	text     string
	source   string
	seed     bool // it stands in the proposal's own tables, and can not be accepted
}

func (r rule) engine() engine.Rule {
	return engine.Rule{Code: r.code, Severity: r.severity, Type: r.typ, Field: r.field, Fix: r.fix}
}

const (
	proposal = "proposal, Dynamic validation"
	neutron  = "Neutron API"
	visible  = "name one that exists in this region and that these credentials can see"
)

// rules are all checks that need the cloud, in the order of their codes.
var rules = struct {
	network, subnet, subnetInNetwork, router, attached, securityGroup,
	floatingPool, floatingPoolAmbiguous,
	ipv4, insideNodes, overlapsPods, external, groupName, overlapsSubnet, overlapsInterface, otherCluster, addressPairs,
	dhcp, floatingIPs, routerDown, networkDown, portSecurity, groupRules, gateway, resolvers, namesake, sharedNetwork, routesInPods rule
}{
	network: rule{"EOS101", engine.Error, "NotFound", "networks.id", visible,
		"The network does not exist",
		"networks.id names a network that Neutron does not show to these credentials. Nothing can be put into it.", proposal, true},
	subnet: rule{"EOS102", engine.Error, "NotFound", "networks.subnetId", visible,
		"The subnet does not exist",
		"networks.subnetId names a subnet that Neutron does not show to these credentials. Nodes could get no address.", proposal, true},
	subnetInNetwork: rule{"EOS103", engine.Error, "Invalid", "networks.subnetId", "name a subnet of the network in networks.id, or the network of this subnet",
		"The subnet is in another network",
		"The subnet exists but belongs to another network than networks.id. Nodes get a port in the network and an address of the subnet: both have to fit.", proposal, true},
	router: rule{"EOS104", engine.Error, "NotFound", "networks.router.id", visible,
		"The router does not exist",
		"networks.router.id names a router that Neutron does not show to these credentials.", proposal, true},
	attached: rule{"EOS105", engine.Error, "Invalid", "networks.router", "plug it in: openstack router add subnet ROUTER SUBNET",
		"The router has no interface on the subnet",
		"With networks.subnetId the router interface is yours: the given router must already have a port on the given subnet. An interface of another router does not count. Espalier never makes or removes this interface.", proposal, true},
	securityGroup: rule{"EOS106", engine.Error, "NotFound", "networks.securityGroupId", visible,
		"The security group does not exist",
		"networks.securityGroupId names a security group that Neutron does not show to these credentials.", proposal, true},
	floatingPool: rule{"EOS110", engine.Error, "NotFound", "floatingPoolName", "name an external network that these credentials can see: openstack network list --external",
		"There is no external network of that name",
		"floatingPoolName must be the name of exactly one network with router:external. Routers get their gateway and load balancers their floating IPs from it.", "Gardener OpenStack provider, config validation", true},
	floatingPoolAmbiguous: rule{"EOS111", engine.Error, "NotFound", "floatingPoolName", "several external networks have this name: have all but one renamed",
		"Several external networks have that name",
		"The external network is known by its name only, and more than one has it. Which is meant can not be told, and Espalier does not guess.", "Gardener OpenStack provider, config validation", true},
	ipv4: rule{"EOS120", engine.Error, "Invalid", "networks.subnetId", "name a subnet of IP version 4",
		"The subnet is not an IPv4 subnet",
		"networks.subnetId is for the IPv4 addresses of nodes. An IPv6 subnet for nodes goes into networks.ipv6.nodeSubnetId.", neutron, false},
	insideNodes: rule{"EOS121", engine.Error, "Invalid", "networks.subnetId", "make spec.networking.nodes contain the subnet, or leave it out: it is then set to the subnet's range",
		"The subnet lies outside spec.networking.nodes",
		"Kubernetes components treat only addresses inside spec.networking.nodes as nodes. A node with another address can not be reached by the control plane.", "Gardener, spec.networking.nodes", false},
	overlapsPods: rule{"EOS122", engine.Error, "Invalid", "networks.subnetId", "choose pod and service ranges apart from the subnet, or another subnet",
		"The subnet overlaps the range of pods or services",
		"Nodes route addresses of pods and services themselves. A node, gateway or resolver with an address in these ranges could not be reached.", "Gardener, spec.networking", false},
	external: rule{"EOS123", engine.Error, "Invalid", "networks.id", "name a private network that the router connects to the external one",
		"The network of the nodes is an external network",
		"An external network (router:external) gives gateways and floating IPs. Nodes are not put into it: a router can not have its gateway and an interface in the same network.", neutron, false},
	groupName: rule{"EOS124", engine.Error, "Invalid", "networks.securityGroupId", "rename the group so that no other group has its name, or name another group",
		"The name of the security group is not unique",
		"Machines are given their security group by its name. If several groups that the project can see have the same name, no machine can be created. A group called default is the usual case: every project has one.", "machine-controller-manager, OpenStack provider", false},
	overlapsSubnet: rule{"EOS125", engine.Error, "Invalid", "networks.workers", "choose a range that is free in the network",
		"The range of the nodes overlaps a subnet of the network",
		"Neutron refuses a subnet that shares addresses with another subnet of the same network.", neutron, false},
	overlapsInterface: rule{"EOS126", engine.Error, "Invalid", "networks.workers", "choose a range that no other subnet on the router uses",
		"The range of the nodes overlaps a subnet on the router",
		"Neutron refuses a router interface on a subnet whose range overlaps that of another interface of the router.", neutron, false},
	otherCluster: rule{"EOS127", engine.Error, "Duplicate", "", "if it is this cluster and its state was lost, run again with --uid and that UID; else give the cluster another name",
		"Another cluster of the same name has things here",
		"Something bears the mark of a cluster of the same technical ID with another UID. Either the state of this cluster was lost and a new UID was made, or two clusters want the same names. Nothing of it is touched.", "docs/architecture.md", false},
	addressPairs: rule{"EOS128", engine.Error, "Forbidden", "networks.id", "switch overlay on, or use a network that belongs to the project",
		"Pod addresses can not be allowed on ports of this network",
		"With overlay off every port of a node must allow the addresses of its pods (allowed_address_pairs). By Neutron's policy only an administrator or the owner of the network may set that, and the network belongs to another project.", "Neutron API, policy create_port:allowed_address_pairs", false},
	dhcp: rule{"EOS140", engine.Warning, "Invalid", "networks.subnetId", "openstack subnet set --dhcp SUBNET",
		"DHCP is off on the subnet",
		"Without DHCP nodes get their address only from a configuration drive, and only if the image supports that.", neutron, false},
	floatingIPs: rule{"EOS141", engine.Warning, "Invalid", "networks.router", "openstack router set --external-gateway POOL ROUTER, or use internal load balancers only",
		"Floating IPs of the pool do not reach this router",
		"The router has no gateway in the external network that floatingPoolName names. Neutron refuses floating IPs for ports behind it, so that Services of type LoadBalancer stay without an address unless they are internal. For a cluster with central egress this is as it should be.", neutron, false},
	routerDown: rule{"EOS142", engine.Warning, "Invalid", "networks.router", "openstack router set --enable ROUTER",
		"The router is switched off", "With admin_state_up false the router forwards nothing.", neutron, false},
	networkDown: rule{"EOS143", engine.Warning, "Invalid", "networks.id", "openstack network set --enable NETWORK",
		"The network is switched off", "With admin_state_up false the network forwards nothing.", neutron, false},
	portSecurity: rule{"EOS144", engine.Warning, "Invalid", "networks.id", "openstack network set --enable-port-security NETWORK, or be aware that no security group applies",
		"Port security is off on the network",
		"Ports of the network get no security group: machine creation with a group fails on many clouds, and nothing filters traffic to nodes.", neutron, false},
	groupRules: rule{"EOS145", engine.Warning, "Invalid", "networks.securityGroupId", "",
		"The security group lacks rules that a cluster needs",
		"Nodes need all traffic within the group, NodePorts (TCP and UDP 30000 to 32767), all egress and, with overlay off, traffic from the pod network. Espalier never changes the group.", "proposal, Pattern 5; pod range: Gardener users' reports on routed pods", false},
	gateway: rule{"EOS146", engine.Warning, "Invalid", "networks.router", "let the subnet's gateway be the router's address, or switch overlay on",
		"The subnet's gateway is not the router",
		"With overlay off the routes to pods stand on the router. Nodes that send to another gateway never get there.", "cloud-provider-openstack, route controller", false},
	resolvers: rule{"EOS147", engine.Warning, "Invalid", "networks.subnetId", "openstack subnet set --dns-nameserver ADDRESS SUBNET, unless the cloud resolves by itself",
		"The subnet names no DNS servers",
		"Nodes resolve names through what DHCP tells them. Some clouds have a resolver of their own; on others nothing can be resolved and nodes do not join.", neutron, false},
	namesake: rule{"EOS148", engine.Warning, "Duplicate", "", "nothing, if it belongs to something else; Espalier never adopts by name",
		"Something else has the name of the cluster",
		"A resource has the technical ID for a name and does not bear this cluster's mark. Espalier leaves it alone, but people may take one for the other.", "docs/architecture.md", false},
	sharedNetwork: rule{"EOS149", engine.Warning, "Invalid", "networks.id", "make sure that its owner lets this project create subnets and ports in it",
		"The network belongs to another project",
		"The network is shared with this project. What may be done in it is the owner's and the cloud's policy: newer Neutron lets only the owner create subnets.", "Neutron API, policy create_subnet", false},
	routesInPods: rule{"EOS150", engine.Warning, "Invalid", "networks.router", "choose a pod range apart from these routes, or switch overlay on",
		"Routes of the router lie inside the pod network",
		"With overlay off the cloud controller manager takes every route whose first or last address lies in the pod network for its own, and deletes those that belong to none of its nodes.", "cloud-provider-openstack, route controller", false},
}

// Explanations returns the long texts of this package's codes, in their order.
func Explanations() []engine.Explanation {
	var out []engine.Explanation
	for _, r := range allRules() {
		out = append(out, engine.Explanation{Code: r.code, Title: r.title, Text: r.text, Source: r.source})
	}
	return out
}

// Rules returns the rules of this package, in the order of their codes.
func Rules() []engine.Rule {
	var out []engine.Rule
	for _, r := range allRules() {
		out = append(out, r.engine())
	}
	return out
}

// Acceptable says whether a finding of that code, an error, may be accepted as
// a risk: those of the proposal's own tables may not.
func Acceptable(code string) bool {
	for _, r := range allRules() {
		if r.code == code {
			return r.severity == engine.Error && !r.seed
		}
	}
	return false
}

func allRules() []rule {
	r := rules
	return []rule{
		r.network, r.subnet, r.subnetInNetwork, r.router, r.attached, r.securityGroup, r.floatingPool, r.floatingPoolAmbiguous,
		r.ipv4, r.insideNodes, r.overlapsPods, r.external, r.groupName, r.overlapsSubnet, r.overlapsInterface,
		r.otherCluster, r.addressPairs, r.dhcp, r.floatingIPs, r.routerDown, r.networkDown, r.portSecurity,
		r.groupRules, r.gateway, r.resolvers, r.namesake, r.sharedNetwork, r.routesInPods,
	}
}
