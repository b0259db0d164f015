// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

// TestRefusals holds the rarer ways to be refused by Neutron.
func TestRefusals(t *testing.T) {
	on(t, "refusals", append(ofPortRefusals, append(ofSubnetRefusals, ofGroupRefusals...)...))
}

var ofPortRefusals = []trial{
	{"without port security there are neither address pairs nor groups", func(l *lab) {
		n, g := l.a.network("n"), l.a.make("security-groups", M{"name": "g"})
		l.a.subnet(n, "10.1.0.0/24")
		l.a.refused(409, "AddressPairAndPortSecurityRequired", "POST", "ports", portIn(n, M{
			"port_security_enabled": false, "security_groups": []string{}, "allowed_address_pairs": []M{{"ip_address": "10.96.0.0/16"}}}))
		l.a.refused(400, "PortSecurityAndIPRequiredForSecurityGroups", "POST", "ports", portIn(n, M{
			"port_security_enabled": false, "security_groups": []string{g.id()}}))
		p := l.a.port(n, nil)
		l.a.refused(409, "PortSecurityPortHasSecurityGroup", "PUT", "ports/"+p.id(), M{"port": M{"port_security_enabled": false}})
	}},
	{"an address pair twice is refused", func(l *lab) {
		n := l.a.network("n")
		l.a.subnet(n, "10.1.0.0/24")
		l.a.refused(400, "DuplicateAddressPairInRequest", "POST", "ports", portIn(n, M{
			"allowed_address_pairs": []M{{"ip_address": "10.96.0.0/16"}, {"ip_address": "10.96.0.0/16"}}}))
	}},
	{"an address of a SLAAC subnet can not be chosen", func(l *lab) {
		n := l.a.network("n")
		s := l.a.make("subnets", slaac(n, "fd00:1::/64"))
		l.a.refused(400, "AllocationOnAutoAddressSubnet", "POST", "ports", portIn(n, M{
			"fixed_ips": []M{{"subnet_id": s.id(), "ip_address": "fd00:1::9"}}}))
	}},
	{"an address outside the subnet that is named with it is refused", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.subnet(n, "10.2.0.0/24")
		l.a.refused(400, "InvalidIpForSubnet", "POST", "ports", portIn(n, M{
			"fixed_ips": []M{{"subnet_id": s.id(), "ip_address": "10.2.0.9"}}}))
	}},
	{"a MAC address can be had once in a network", func(l *lab) {
		n := l.a.network("n")
		l.a.port(n, M{"mac_address": "fa:16:3e:00:00:01"})
		l.a.refused(409, "MacAddressInUse", "POST", "ports", portIn(n, M{"mac_address": "fa:16:3e:00:00:01"}))
	}},
	{"a port that has a device can not be an interface", func(l *lab) {
		n, r := l.a.network("n"), l.a.router("r")
		l.a.subnet(n, "10.1.0.0/24")
		p := l.a.port(n, M{"device_id": "machine"})
		l.a.refused(409, "PortInUse", "PUT", "routers/"+r.id()+"/add_router_interface", M{"port_id": p.id()})
	}},
	{"an interface is removed by its own port and subnet only", func(l *lab) {
		n, r := l.a.network("n"), l.a.router("r")
		s := l.a.subnet(n, "10.1.0.0/24")
		other := l.a.subnet(n, "10.2.0.0/24")
		added := l.a.plug(r, s)
		p := l.a.port(n, nil)
		l.a.refused(404, "RouterInterfaceNotFound", "PUT", "routers/"+r.id()+"/remove_router_interface", M{"port_id": p.id()})
		l.a.refused(400, "SubnetMismatchForPort", "PUT", "routers/"+r.id()+"/remove_router_interface",
			M{"port_id": added.str("port_id"), "subnet_id": other.id()})
	}},
}

var ofSubnetRefusals = []trial{
	{"pools that overlap, or end before they begin, are refused", func(l *lab) {
		n := l.a.network("n")
		l.a.refused(409, "OverlappingAllocationPools", "POST", "subnets", subnetIn(n, M{"cidr": "10.1.0.0/24", "allocation_pools": []M{
			{"start": "10.1.0.10", "end": "10.1.0.20"}, {"start": "10.1.0.15", "end": "10.1.0.25"}}}))
		l.a.refusedInAnyWords(400, "InvalidAllocationPool", "POST", "subnets", subnetIn(n, M{"cidr": "10.1.0.0/24", "allocation_pools": []M{
			{"start": "10.1.0.20", "end": "10.1.0.10"}}}))
	}},
	{"the gateway of a subnet can not be changed while a router has it", func(l *lab) {
		r, s := l.a.router("r"), l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		l.a.plug(r, s)
		l.a.refused(409, "GatewayIpInUse", "PUT", "subnets/"+s.id(), M{"subnet": M{"gateway_ip": "10.1.0.254"}})
	}},
	{"a pool without prefixes, of two versions, or with bounds that contradict, is refused", func(l *lab) {
		l.a.refused(400, "EmptySubnetPoolPrefixList", "POST", "subnetpools", M{"subnetpool": M{"name": "p", "prefixes": []string{}}})
		l.a.refused(400, "PrefixVersionMismatch", "POST", "subnetpools", M{"subnetpool": M{"name": "p", "prefixes": []string{"10.8.0.0/16", "fd00::/48"}}})
		l.a.refused(400, "IllegalSubnetPoolPrefixBounds", "POST", "subnetpools", M{"subnetpool": M{
			"name": "p", "prefixes": []string{"10.8.0.0/16"}, "min_prefixlen": 24, "default_prefixlen": 20}})
	}},
	{"a pool grows but does not shrink", func(l *lab) {
		p := l.a.make("subnetpools", M{"name": "p", "prefixes": []string{"10.8.0.0/16"}})
		grown := l.a.try("PUT", "subnetpools/"+p.id(), M{"subnetpool": M{"prefixes": []string{"10.8.0.0/16", "10.9.0.0/16"}}})
		l.equal("status", grown.Status, 200)
		l.a.refused(400, "IllegalSubnetPoolPrefixUpdate", "PUT", "subnetpools/"+p.id(), M{"subnetpool": M{"prefixes": []string{"10.9.0.0/16"}}})
	}},
	{"a pool and its scope have the same IP version", func(l *lab) {
		s := l.a.make("address-scopes", M{"name": "s", "ip_version": 4})
		l.a.refusedInAnyWords(400, "IllegalSubnetPoolIpVersionAssociationToAddressScope", "POST", "subnetpools", M{"subnetpool": M{
			"name": "p", "prefixes": []string{"fd00::/48"}, "address_scope_id": s.id()}})
	}},
	{"an external network with gateways stays external", func(l *lab) {
		external, _ := l.external()
		l.a.make("routers", M{"external_gateway_info": gatewayTo(external)})
		l.admin.refused(409, "ExternalNetworkInUse", "PUT", "networks/"+external.id(), M{"network": M{"router:external": false}})
	}},
	{"a shared network that others use stays shared", func(l *lab) {
		n := l.admin.make("networks", M{"name": "n", "shared": true})
		l.admin.subnet(n, "10.1.0.0/24")
		l.a.port(n, nil)
		l.admin.refused(409, "InvalidSharedSetting", "PUT", "networks/"+n.id(), M{"network": M{"shared": false}})
	}},
}

var ofGroupRefusals = []trial{
	{"the default group keeps its name", func(l *lab) {
		g := l.a.list("security-groups?name=default")[0]
		l.a.refused(409, "SecurityGroupCannotUpdateDefault", "PUT", "security-groups/"+g.id(), M{"security_group": M{"name": "g"}})
	}},
	{"rules with a protocol, version, port or ICMP type that is none are refused", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		l.a.refusedInAnyWords(400, "SecurityGroupRuleInvalidProtocol", "POST", "security-group-rules", M{"security_group_rule": M{
			"security_group_id": g.id(), "direction": "ingress", "protocol": "morse"}}) // it lists all that it knows
		for _, bad := range []struct {
			kind string
			rule M
		}{
			{"SecurityGroupRuleInvalidEtherType", M{"ethertype": "IPv5"}},
			{"SecurityGroupInvalidPortValue", M{"protocol": "tcp", "port_range_min": 0, "port_range_max": 70000}},
			{"SecurityGroupInvalidIcmpValue", M{"protocol": "icmp", "port_range_min": 300, "port_range_max": 0}},
			{"SecurityGroupMissingIcmpType", M{"protocol": "icmp", "port_range_max": 1}},
		} {
			bad.rule["security_group_id"], bad.rule["direction"] = g.id(), "ingress"
			l.a.refused(400, bad.kind, "POST", "security-group-rules", M{"security_group_rule": bad.rule})
		}
	}},
	{"a sharing that is not there, or of an odd kind, is refused", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		l.a.refused(404, "RbacPolicyNotFound", "GET", "rbac-policies/"+nobody, nil)
		l.a.refused(400, "InvalidActionForType", "POST", "rbac-policies", M{"rbac_policy": M{
			"object_type": "security_group", "object_id": g.id(), "action": "access_as_external", "target_tenant": l.b.project()}})
	}},
}

// portIn is the request for a port in a network.
func portIn(network object, fields M) M {
	p := M{"network_id": network.id()}
	for k, v := range fields {
		p[k] = v
	}
	return M{"port": p}
}
