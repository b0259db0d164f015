// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// step is one request of a story. What the answer must be is its status and a
// part of its body, as JSON with sorted keys.
type step struct {
	by, method, path, body string
	status                 int
	part                   string
}

type story struct {
	name  string
	steps []step
}

const (
	keystone = "/identity/v3"
	see      = "GET"
	create   = "POST"
	change   = "PUT"
	remove   = "DELETE"
)

func TestStories(t *testing.T) {
	for _, stories := range [][]story{ofSharing, ofPorts, ofPools, ofQuotas, ofServices} {
		for _, s := range stories {
			t.Run(s.name, func(t *testing.T) {
				c, server := plantedCloud(t, "testdata/errors.yaml", 0)
				users := map[string]*client{"a": login(t, server, "a"), "b": login(t, server, "b"), "admin": login(t, server, "admin")}
				for i, one := range s.steps {
					text := strings.NewReplacer("{project a}", c.ProjectID("a"), "{project b}", c.ProjectID("b"))
					path, body := text.Replace(fill(t, c, one.path)), text.Replace(fill(t, c, one.body))
					status, got := users[one.by].send(one.method, path, body)
					raw, err := json.Marshal(got)
					if err != nil {
						t.Fatal(err)
					}
					if part := text.Replace(fill(t, c, one.part)); status != one.status || !strings.Contains(string(raw), part) {
						t.Fatalf("step %d: %s %s %s gets %d %s, want %d and %s", i+1, one.method, path, body, status, raw, one.status, part)
					}
				}
			})
		}
	}
}

var ofSharing = []story{
	{"an administrator shares a network with all, and not while others use it any more", []step{
		{"admin", change, neutron + "/networks/{network:a/empty}", `{"network":{"shared":true}}`, 200, `"shared":true`},
		{"b", see, neutron + "/networks?name=empty", "", 200, `"name":"empty"`},
		{"b", create, neutron + "/ports", `{"port":{"network_id":"{network:a/empty}","name":"squatter"}}`, 201, ""},
		{"admin", change, neutron + "/networks/{network:a/empty}", `{"network":{"shared":false}}`, 409, "InvalidSharedSetting"},
		{"b", remove, neutron + "/ports/{port:b/squatter}", "", 204, ""},
		{"admin", change, neutron + "/networks/{network:a/empty}", `{"network":{"shared":false}}`, 200, `"shared":false`},
		{"b", see, neutron + "/networks?name=empty", "", 200, `{"networks":[]}`},
	}},
	{"a network with gateways stays external", []step{
		{"admin", change, neutron + "/networks/{network:public}", `{"network":{"router:external":false}}`, 409, "ExternalNetworkInUse"},
		{"admin", change, neutron + "/networks/{network:commons}", `{"network":{"router:external":true}}`, 200, `"router:external":true`},
		{"a", change, neutron + "/routers/{router:second}", `{"router":{"external_gateway_info":{"network_id":"{network:commons}"}}}`, 200, `"enable_snat":true`},
	}},
	{"a network that another project uses stays shared with it", []step{
		{"a", see, neutron + "/rbac-policies?object_id={network:lent}", "", 200, `"target_tenant":"{project b}"`},
		{"b", see, neutron + "/rbac-policies", "", 200, `{"rbac_policies":[]}`},
		{"a", remove, neutron + "/networks/{network:lent}", "", 409, "NetworkInUse"},
		{"a", see, neutron + "/ports/{port:b/guest}", "", 200, `"project_id":"{project b}"`},
	}},
}

var ofPorts = []story{
	{"a port is changed, and Neutron refuses what does not fit", []step{
		{"a", change, neutron + "/ports/{port:port}", `{"port":{"device_id":"vm","device_owner":"compute:zone-a","allowed_address_pairs":[{"ip_address":"100.64.0.0/24"}]}}`, 200, `"ip_address":"100.64.0.0/24"`},
		{"a", change, neutron + "/ports/{port:port}", `{"port":{"port_security_enabled":false,"security_groups":[]}}`, 409, "AddressPairAndPortSecurityRequired"},
		{"a", change, neutron + "/ports/{port:port}", `{"port":{"port_security_enabled":false,"allowed_address_pairs":[]}}`, 409, "PortSecurityPortHasSecurityGroup"},
		{"a", change, neutron + "/ports/{port:port}", `{"port":{"port_security_enabled":false,"allowed_address_pairs":[],"security_groups":[]}}`, 200, `"security_groups":[]`},
		{"a", change, neutron + "/ports/{port:port}", `{"port":{"fixed_ips":[{"subnet_id":"{subnet:lonely}","ip_address":"10.0.1.77"}]}}`, 200, `"10.0.1.77"`},
		{"admin", change, neutron + "/ports/{port:a/port}", `{"port":{"mac_address":"FA:16:3E:00:00:07","binding:host_id":"h"}}`, 200, `"mac_address":"fa:16:3e:00:00:07"`},
		{"a", see, neutron + "/ports/{port:port}?fields=binding:host_id&fields=name", "", 200, `{"port":{"name":"port"}}`},
		{"a", remove, neutron + "/ports/{port:port}", "", 204, ""},
	}},
	{"a floating IP is taken off its port, put on again, and lost with the port", []step{
		{"a", see, neutron + "/floatingips", "", 200, `"port_id":"{port:served}"`},
		{"a", remove, neutron + "/ports/{port:served}", "", 204, ""},
		{"a", see, neutron + "/floatingips", "", 200, `"port_id":null`},
		{"a", change, neutron + "/routers/{router:floating}/remove_router_interface", `{"subnet_id":"{subnet:plain}"}`, 200, `"subnet_id":"{subnet:plain}"`},
		{"a", see, neutron + "/routers/{router:floating}", "", 200, `"revision_number":`},
		{"a", remove, neutron + "/routers/{router:floating}", "", 204, ""},
	}},
	{"an interface is a port of the user's own", []step{
		{"a", change, neutron + "/routers/{router:second}/add_router_interface", `{"port_id":"{port:stranded}"}`, 200, `"subnet_id":"{subnet:lonely}"`},
		{"a", change, neutron + "/routers/{router:second}/add_router_interface", `{"port_id":"{port:stranded}"}`, 409, "PortInUse"},
		{"a", change, neutron + "/routers/{router:router}/remove_router_interface", `{"port_id":"{port:stranded}"}`, 404, "RouterInterfaceNotFound"},
		{"a", change, neutron + "/routers/{router:second}/remove_router_interface", `{"port_id":"{port:stranded}"}`, 200, `"subnet_id":"{subnet:lonely}"`},
		{"a", see, neutron + "/ports?name=stranded", "", 200, `{"ports":[]}`},
	}},
	{"ports that are there get an address of a new subnet with SLAAC", []step{
		{"a", create, neutron + "/subnets", `{"subnet":{"network_id":"{network:plain}","ip_version":6,"cidr":"fd00::/64","ipv6_ra_mode":"slaac","ipv6_address_mode":"slaac"}}`, 201, ""},
		{"a", see, neutron + "/ports/{port:served}", "", 200, `"fd00::f816:3eff:fe`},
	}},
	{"of several ports none is made if one cannot be", []step{
		{"a", create, neutron + "/ports", `{"ports":[{"network_id":"{network:net}","name":"one"},{"network_id":"{network:net}","fixed_ips":[{"ip_address":"10.0.0.50"}]}]}`, 409, "IpAddressAlreadyAllocated"},
		{"a", see, neutron + "/ports?name=one", "", 200, `{"ports":[]}`},
		{"a", create, neutron + "/ports", `{"ports":[{"network_id":"{network:net}","name":"one"},{"network_id":"{network:net}","name":"two"}]}`, 201, `"name":"two"`},
	}},
	{"an If-Match is not asked, and a rule of ICMP has a type", []step{
		{"a", create, neutron + "/security-group-rules", `{"security_group_rule":{` + groupID + `,"direction":"ingress","protocol":"icmp","port_range_min":8,"port_range_max":0}}`, 201, `"port_range_min":8`},
		{"a", create, neutron + "/security-group-rules", `{"security_group_rule":{` + groupID + `,"direction":"ingress","protocol":"icmp","port_range_max":3}}`, 400, "SecurityGroupMissingIcmpType"},
		{"a", create, neutron + "/security-group-rules", `{"security_group_rule":{` + groupID + `,"direction":"ingress","protocol":"icmp","port_range_min":300}}`, 400, "SecurityGroupInvalidIcmpValue"},
		{"a", change, neutron + "/security-groups/{security group:group}", `{"security_group":{"name":"other","description":"d"}}`, 200, `"name":"other"`},
	}},
}

var ofPools = []story{
	{"a subnet pool grows, and does not shrink", []step{
		{"a", change, neutron + "/subnetpools/{subnet pool:pool}", `{"subnetpool":{"prefixes":["10.8.0.0/17"]}}`, 400, "IllegalSubnetPoolPrefixUpdate"},
		{"a", change, neutron + "/subnetpools/{subnet pool:pool}", `{"subnetpool":{"prefixes":["10.8.0.0/16","10.10.0.0/16"],"max_prefixlen":29}}`, 200, `"prefixes":["10.8.0.0/16","10.10.0.0/16"]`},
		{"a", change, neutron + "/subnetpools/{subnet pool:pool}", `{"subnetpool":{"default_prefixlen":30}}`, 400, "IllegalSubnetPoolPrefixBounds"},
		{"a", change, neutron + "/subnetpools/{subnet pool:scoped}", `{"subnetpool":{"address_scope_id":null}}`, 200, `"address_scope_id":null`},
	}},
	{"a pool that is used for want of another", []step{
		{"a", create, neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4,"use_default_subnetpool":true}}`, 400, "BadRequest"},
		{"admin", create, neutron + "/subnetpools", `{"subnetpool":{"name":"usual","prefixes":["10.99.0.0/16"],"is_default":true,"shared":true,"default_prefixlen":26}}`, 201, `"is_default":true`},
		{"admin", create, neutron + "/subnetpools", `{"subnetpool":{"name":"usual","prefixes":["10.98.0.0/16"],"is_default":true}}`, 400, "InvalidInput"},
		{"a", create, neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4,"use_default_subnetpool":true}}`, 201, `"cidr":"10.99.0.0/26"`},
	}},
	{"subnets of one network may be of several pools of one address scope", []step{
		{"a", create, neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4,"subnetpool_id":"{subnet pool:scoped}"}}`, 201, `"cidr":"10.9.0.0/24"`},
		{"a", create, neutron + "/subnets", `{"subnet":{"network_id":"{network:empty}","ip_version":4,"subnetpool_id":"{subnet pool:pool}"}}`, 400, "NetworkAddressScopeAffinityError"},
		{"a", see, neutron + "/address-scopes?name=scope", "", 200, `"ip_version":4`},
	}},
}

var ofQuotas = []story{
	{"an administrator sets quotas, and takes them back", []step{
		{"admin", see, neutron + "/quotas", "", 200, `"router":3`},
		{"admin", change, neutron + "/quotas/{project a}", `{"quota":{"network":6}}`, 200, `"network":6`},
		{"a", change, neutron + "/quotas/{project a}", `{"quota":{"network":8}}`, 403, "PolicyNotAuthorized"},
		{"admin", change, neutron + "/quotas/{project a}", `{"quota":{"colour":8}}`, 400, "colour"},
		{"a", create, neutron + "/networks", `{"network":{}}`, 409, "OverQuota"},
		{"a", see, neutron + "/quotas/{project a}/default", "", 200, `"network":100`},
		{"admin", remove, neutron + "/quotas/{project a}", "", 204, ""},
		{"a", create, neutron + "/networks", `{"network":{}}`, 201, ""},
	}},
	{"what Nova allows", []step{
		{"a", see, comp + "/limits", "", 200, `"maxTotalKeypairs":100`},
		{"a", see, comp + "/os-quota-sets/{project a}", "", 200, `"key_pairs":100`},
		{"a", see, comp + "/os-quota-sets/{project b}", "", 403, "forbidden"},
	}},
	{"addresses are counted for administrators", []step{
		{"admin", see, neutron + "/network-ip-availabilities?network_id={network:a/other}", "", 200, `"total_ips":125`},
		{"a", see, neutron + "/network-ip-availabilities", "", 200, `{"network_ip_availabilities":[]}`},
		{"a", see, neutron + "/extensions", "", 200, `"extraroute-atomic"`},
	}},
}

var ofServices = []story{
	{"projects are listed to those who have a role in them", []step{
		{"a", see, keystone + "/auth/projects", "", 200, `"name":"a"`},
		{"a", see, keystone + "/projects/{project a}", "", 200, `"domain_id":"default"`},
		{"a", see, keystone + "/projects/{project b}", "", 403, "not authorized"},
		{"a", see, keystone + "/projects", "", 403, "identity:list_projects"},
		{"admin", see, keystone + "/projects?name=b", "", 200, `"id":"{project b}"`},
		{"admin", see, keystone + "/projects/x", "", 404, "Could not find project"},
		{"a", see, keystone + "/auth/catalog", "", 200, `"type":"network"`},
		{"a", see, keystone + "/users/x/application_credentials", "", 403, "not authorized"},
	}},
	{"key pairs are listed to their user", []step{
		{"a", see, comp + "/os-keypairs", "", 200, `"name":"key"`},
		{"b", see, comp + "/os-keypairs", "", 200, `{"keypairs":[]}`},
		{"a", see, comp + "/os-keypairs/key", "", 200, `"deleted":false`},
		{"a", remove, comp + "/os-keypairs/key", "", 202, ""},
		{"a", see, comp + "/os-keypairs/key", "", 404, "itemNotFound"},
	}},
	{"a share network gets another name", []step{
		{"a", change, share + "/share-networks/{share network:share}", `{"share_network":{"name":"new","description":"d"}}`, 200, `"name":"new"`},
		{"a", see, share + "/share-networks?name=new", "", 200, `"name":"new"}]`},
		{"a", see, share + "/share-networks/detail?limit=1&offset=1", "", 200, `{"share_networks":[]}`},
		{"a", create, share + "/share-networks", `{}`, 422, "computeFault"},
	}},
	{"load balancers have names, children and pages", []step{
		{"a", change, balance + "/loadbalancers/{load balancer:balancer}", `{"loadbalancer":{"name":"renamed","tags":["t"]}}`, 200, `"PENDING_UPDATE"`},
		{"a", see, balance + "/loadbalancers?name=renamed&tags=t", "", 200, `"listeners":[{"id":`},
		{"a", see, balance + "/loadbalancers?limit=1&fields=name", "", 200, `"rel":"next"`},
		{"a", see, balance + "/loadbalancers?limit=x", "", 400, "Bad limit"},
		{"a", see, balance + "/loadbalancers?colour=red", "", 400, "invalid"},
		{"a", see, balance + "/loadbalancers?project_id={project b}", "", 403, "Policy"},
		{"a", create, balance + "/loadbalancers", `{"loadbalancer":{"vip_network_id":"{network:plain}","name":"x"}}`, 201, `"vip_subnet_id":"{subnet:plain}"`},
		{"a", create, balance + "/loadbalancers", `{"loadbalancer":{"vip_subnet_id":"{subnet:plain}","vip_address":"10.9.9.9"}}`, 400, "not a valid IP"},
		{"a", see, balance + "/pools/x", "", 404, "Pool x not found"},
	}},
}

func TestAPoolOfALoadBalancerListsItsMembers(t *testing.T) {
	c, s := plantedCloud(t, "testdata/errors.yaml", 0)
	a := login(t, s, "a")
	lb := fill(t, c, "{load balancer:balancer}")
	settle := func() { a.must(see, balance+"/loadbalancers/"+lb, "") }
	listener := a.id(balance+"/listeners", fmt.Sprintf(`{"listener":{"loadbalancer_id":%q,"protocol":"TCP","protocol_port":443}}`, lb))
	settle()
	pool := a.id(balance+"/pools", fmt.Sprintf(`{"pool":{"listener_id":%q,"protocol":"TCP","lb_algorithm":"ROUND_ROBIN"}}`, listener))
	settle()
	m := a.id(balance+"/pools/"+pool+"/members", `{"member":{"address":"10.0.0.9","protocol_port":80}}`)
	settle()
	if got := fmt.Sprint(a.must(see, balance+"/pools/"+pool, "")["members"]); got != "[map[id:"+m+"]]" {
		t.Errorf("the pool has the members %s", got)
	}
	if got := a.must(see, balance+"/listeners/"+listener, "")["provisioning_status"]; got != "ACTIVE" {
		t.Errorf("the listener is %v", got)
	}
}
