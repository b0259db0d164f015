// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

const (
	comp    = "/compute/v2.1"
	share   = "/share/v2"
	balance = "/load-balancer/v2.0/lbaas"
)

var refusedSubnets = []refused{
	{"subnets of a network do not overlap", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:net}","ip_version":4,"cidr":"10.0.0.0/25"}}`, 400, "InvalidInput", ""},
	{"a CIDR fits the version", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:net}","ip_version":6,"cidr":"10.3.0.0/24"}}`, 400, "InvalidInput", ""},
	{"a subnet beside one of a pool is of that pool", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:pooled}","ip_version":4,"cidr":"10.3.0.0/24"}}`, 400, "NetworkSubnetPoolAffinityError", ""},
	{"a subnet of a pool beside another is refused", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:plain}","ip_version":4,"subnetpool_id":"{subnet pool:pool}"}}`, 400, "NetworkSubnetPoolAffinityError", ""},
	{"a prefix is not shorter than the pool allows", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4,"subnetpool_id":"{subnet pool:pool}","prefixlen":19}}`, 400, "MinPrefixSubnetAllocationError", ""},
	{"a prefix is not longer than the pool allows", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4,"subnetpool_id":"{subnet pool:pool}","prefixlen":29}}`, 400, "MaxPrefixSubnetAllocationError", ""},
	{"a pool that is used up gives nothing", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4,"subnetpool_id":"{subnet pool:pool}","cidr":"10.99.0.0/24"}}`, 500, "SubnetAllocationError", ""},
	{"a pool that is not there", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4,"subnetpool_id":"99999999-9999-4999-8999-999999999999"}}`, 404, "SubnetPoolNotFound", ""},
	{"a subnet has a CIDR or a pool", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4}}`, 400, "BadRequest", ""},
	{"the gateway is no broadcast address", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4,"cidr":"10.3.0.0/24","gateway_ip":"10.3.0.255"}}`, 400, "InvalidInput", ""},
	{"the gateway is outside the pools", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4,"cidr":"10.3.0.0/24","gateway_ip":"10.3.0.12","allocation_pools":[{"start":"10.3.0.10","end":"10.3.0.20"}]}}`, 409, "GatewayConflictWithAllocationPools", ""},
	{"the pools do not overlap", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4,"cidr":"10.3.0.0/24","allocation_pools":[{"start":"10.3.0.10","end":"10.3.0.20"},{"start":"10.3.0.15","end":"10.3.0.30"}]}}`, 409, "OverlappingAllocationPools", ""},
	{"the pools are inside the CIDR", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4,"cidr":"10.3.0.0/24","allocation_pools":[{"start":"10.3.0.10","end":"10.3.1.20"}]}}`, 400, "OutOfBoundsAllocationPool", ""},
	{"SLAAC wants 64 bits", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":6,"cidr":"fd00::/80","ipv6_ra_mode":"slaac","ipv6_address_mode":"slaac"}}`, 400, "InvalidInput", ""},
	{"the CIDR is fixed", "PUT", neutron + "/subnets/{subnet:lonely}", `{"subnet":{"cidr":"10.3.0.0/24"}}`, 400, "HTTPBadRequest", ""},
	{"the network of a subnet is fixed", "PUT", neutron + "/subnets/{subnet:lonely}", `{"subnet":{"network_id":"{network:empty}"}}`, 400, "HTTPBadRequest", ""},
	{"a description has 255 characters", "POST", neutron + "/networks", `{"network":{"description":"` + long + `"}}`, 400, "HTTPBadRequest", ""},
	{"an attribute that is none", "POST", neutron + "/networks", `{"network":{"colour":"red"}}`, 400, "HTTPBadRequest", ""},
	{"an ID cannot be chosen", "POST", neutron + "/networks", `{"network":{"id":"99999999-9999-4999-8999-999999999999"}}`, 400, "HTTPBadRequest", ""},
	{"a body that is no JSON", "POST", neutron + "/networks", `{`, 400, "HTTPBadRequest", ""},
	{"a body about something else", "POST", neutron + "/networks", `{"router":{}}`, 400, "HTTPBadRequest", ""},
}

// long has 256 characters.
const long = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" +
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

const groupID = `"security_group_id":"{security group:group}"`

var refusedGroups = []refused{
	{"a rule that is there is not made again", "POST", neutron + "/security-group-rules", `{"security_group_rule":{` + groupID + `,"direction":"ingress","protocol":"tcp","port_range_min":80,"port_range_max":80}}`, 409, "SecurityGroupRuleExists", ""},
	{"no prefix and all addresses are the same", "POST", neutron + "/security-group-rules", `{"security_group_rule":{` + groupID + `,"direction":"egress","remote_ip_prefix":"0.0.0.0/0"}}`, 409, "SecurityGroupRuleExists", ""},
	{"a protocol's number is its name", "POST", neutron + "/security-group-rules", `{"security_group_rule":{` + groupID + `,"direction":"ingress","protocol":"6","port_range_min":80,"port_range_max":80}}`, 409, "SecurityGroupRuleExists", ""},
	{"of several rules none is made if one is there", "POST", neutron + "/security-group-rules", `{"security_group_rules":[{` + groupID + `,"direction":"ingress","protocol":"udp"},{` + groupID + `,"direction":"egress"}]}`, 409, "SecurityGroupRuleExists", ""},
	{"of several rules none is made if two are equal", "POST", neutron + "/security-group-rules", `{"security_group_rules":[{` + groupID + `,"direction":"ingress","protocol":"udp"},{` + groupID + `,"direction":"ingress","protocol":"udp"}]}`, 409, "DuplicateSecurityGroupRuleInPost", ""},
	{"rules of one request are of one group", "POST", neutron + "/security-group-rules", `{"security_group_rules":[{` + groupID + `,"direction":"ingress","protocol":"udp"},{"security_group_id":"{security group:default}","direction":"ingress","protocol":"udp"}]}`, 400, "SecurityGroupNotSingleGroupRules", ""},
	{"ports want a protocol", "POST", neutron + "/security-group-rules", `{"security_group_rule":{` + groupID + `,"direction":"ingress","port_range_min":1,"port_range_max":2}}`, 400, "SecurityGroupProtocolRequiredWithPorts", ""},
	{"a range of ports does not go backwards", "POST", neutron + "/security-group-rules", `{"security_group_rule":{` + groupID + `,"direction":"ingress","protocol":"tcp","port_range_min":9,"port_range_max":2}}`, 400, "SecurityGroupInvalidPortRange", ""},
	{"a prefix fits the ethertype", "POST", neutron + "/security-group-rules", `{"security_group_rule":{` + groupID + `,"direction":"ingress","remote_ip_prefix":"fd00::/8"}}`, 400, "SecurityGroupRuleParameterConflict", ""},
	{"a rule has one remote side", "POST", neutron + "/security-group-rules", `{"security_group_rule":{` + groupID + `,"direction":"ingress","remote_ip_prefix":"10.0.0.0/8","remote_group_id":"{security group:group}"}}`, 400, "SecurityGroupMultipleRemoteEntites", ""},
	{"a group that is not there", "POST", neutron + "/security-group-rules", `{"security_group_rule":{` + groupID + `,"direction":"ingress","remote_group_id":"99999999-9999-4999-8999-999999999999"}}`, 404, "SecurityGroupNotFound", ""},
	{"the name of the default group is taken", "POST", neutron + "/security-groups", `{"security_group":{"name":"default"}}`, 409, "SecurityGroupDefaultAlreadyExists", ""},
	{"groups want port security", "POST", neutron + "/ports", `{"port":{"network_id":"{network:net}","port_security_enabled":false,"security_groups":["{security group:group}"]}}`, 400, "PortSecurityAndIPRequiredForSecurityGroups", ""},
	{"address pairs want port security", "POST", neutron + "/ports", `{"port":{"network_id":"{network:net}","port_security_enabled":false,"allowed_address_pairs":[{"ip_address":"100.64.0.0/24"}]}}`, 409, "AddressPairAndPortSecurityRequired", ""},
}

var refusedOthers = []refused{
	{"an address outside the subnet", "POST", neutron + "/ports", `{"port":{"network_id":"{network:net}","fixed_ips":[{"subnet_id":"{subnet:nodes}","ip_address":"10.9.0.1"}]}}`, 400, "InvalidIpForSubnet", ""},
	{"an address outside the network", "POST", neutron + "/ports", `{"port":{"network_id":"{network:net}","fixed_ips":[{"ip_address":"10.9.0.1"}]}}`, 400, "InvalidIpForNetwork", ""},
	{"the network of a port is fixed", "PUT", neutron + "/ports/{port:port}", `{"port":{"network_id":"{network:other}"}}`, 400, "HTTPBadRequest", ""},
	{"the MAC address is the admin's to change", "PUT", neutron + "/ports/{port:b/guest}", `{"port":{"mac_address":"fa:16:3e:00:00:09"}}`, 403, "PolicyNotAuthorized", "b"},
	{"a filter that is none", "GET", neutron + "/networks?colour=red", "", 400, "HTTPBadRequest", ""},
	{"a limit that is no number", "GET", neutron + "/networks?limit=x", "", 400, "BadRequest", ""},
	{"a marker that is no thing", "GET", neutron + "/networks?limit=1&marker=x", "", 404, "NetworkNotFound", ""},
	{"keys without directions", "GET", neutron + "/networks?sort_key=name", "", 400, "HTTPBadRequest", ""},
	{"a tag that is not there", "DELETE", neutron + "/networks/{network:net}/tags/x", "", 404, "TagNotFound", ""},
	{"members share nothing with everybody", "POST", neutron + "/rbac-policies", `{"rbac_policy":{"object_type":"network","object_id":"{network:net}","action":"access_as_shared","target_tenant":"*"}}`, 403, "PolicyNotAuthorized", ""},
}

var refusedServices = []refused{
	{"a key pair's name is taken", "POST", comp + "/os-keypairs", `{"keypair":{"name":"key","public_key":"` + publicKey + `"}}`, 409, "conflictingRequest", ""},
	{"a key that is none", "POST", comp + "/os-keypairs", `{"keypair":{"name":"x","public_key":"ssh-rsa AAAA x"}}`, 400, "badRequest", ""},
	{"a key pair that is not there", "GET", comp + "/os-keypairs/x", "", 404, "itemNotFound", ""},
	{"another user's key pair is not there", "GET", comp + "/os-keypairs/key", "", 404, "itemNotFound", "b"},
	{"another user's key pair cannot be deleted", "DELETE", comp + "/os-keypairs/key", "", 404, "itemNotFound", "b"},
	{"a share network that is not there", "GET", share + "/share-networks/x", "", 404, "itemNotFound", ""},
	{"a foreign share network is not there", "GET", share + "/share-networks/{share network:b/foreign}", "", 404, "itemNotFound", ""},
	{"a foreign share network cannot be deleted", "DELETE", share + "/share-networks/{share network:b/foreign}", "", 404, "itemNotFound", ""},
	{"a share network has both IDs or none", "POST", share + "/share-networks", `{"share_network":{"neutron_net_id":"{network:net}"}}`, 400, "badRequest", ""},
	{"a load balancer that is PENDING stays", "DELETE", balance + "/loadbalancers/{load balancer:starting}?cascade=true", "", 409, "Invalid state PENDING_CREATE", ""},
	{"a load balancer with children stays without cascade", "DELETE", balance + "/loadbalancers/{load balancer:balancer}", "", 400, "it has children", ""},
	{"a foreign load balancer is forbidden", "GET", balance + "/loadbalancers/{load balancer:b/foreign}", "", 403, "Policy does not allow", ""},
	{"a foreign load balancer cannot be deleted", "DELETE", balance + "/loadbalancers/{load balancer:b/foreign}?cascade=true", "", 403, "Policy does not allow", ""},
	{"a load balancer that is not there", "GET", balance + "/loadbalancers/x", "", 404, "not found", ""},
	{"a load balancer wants a subnet that is there", "POST", balance + "/loadbalancers", `{"loadbalancer":{"vip_subnet_id":"{subnet:b/foreign}"}}`, 400, "not found", ""},
}
