// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// plantedCloud serves a cloud with a world, whose load balancers stay PENDING_… for so many looks.
func plantedCloud(t *testing.T, file string, pending int) (*Cloud, *Server) {
	t.Helper()
	c, s := serve(t, Options{})
	c.SetPending(pending)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w, err := ParseWorld(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Plant(w); err != nil {
		t.Fatal(err)
	}
	return c, s
}

var place = regexp.MustCompile(`\{([a-z ]+):([a-z/]+)\}`)

// fill puts IDs in the place of {kind:name} and {kind:project/name}.
func fill(t *testing.T, c *Cloud, s string) string {
	t.Helper()
	return place.ReplaceAllStringFunc(s, func(m string) string {
		parts := place.FindStringSubmatch(m)
		project, name, far := strings.Cut(parts[2], "/")
		if !far {
			project, name = "a", parts[2]
		}
		id, found := c.Find(project, parts[1], name)
		if !found {
			t.Fatalf("the world has no %s", m)
		}
		return id
	})
}

// kindOf returns NeutronError.type, or the key of the other services' bodies, or
// the text of Octavia.
func kindOf(body map[string]any) string {
	if e, isNeutron := body["NeutronError"].(map[string]any); isNeutron {
		kind, _ := e["type"].(string)
		return kind
	}
	if text, isOctavia := body["faultstring"].(string); isOctavia {
		return text
	}
	for key := range body {
		return key
	}
	return ""
}

type refused struct {
	name         string
	method, path string
	body         string
	status       int
	kind         string
	by           string // the user; empty: a
}

// try sends the request of a case, and demands that it changed nothing.
func (r refused) try(t *testing.T, c *Cloud, s *Server) {
	t.Helper()
	if r.by == "" {
		r.by = "a"
	}
	before := c.Snapshot()
	status, body := login(t, s, r.by).send(r.method, fill(t, c, r.path), fill(t, c, r.body))
	if status != r.status || !strings.Contains(kindOf(body), r.kind) {
		t.Errorf("the answer is %d %v, want %d %s", status, body, r.status, r.kind)
	}
	differences, err := Compare(before, c.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range differences {
		t.Errorf("a refused request changed something: %s", d)
	}
}

func TestEveryErrorThatTheRealServersGive(t *testing.T) {
	c, s := plantedCloud(t, "testdata/errors.yaml", 1000)
	for _, table := range [][]refused{
		refusedForeign, refusedInUse, refusedInterfaces, refusedRoutes, refusedSubnets, refusedGroups, refusedOthers, refusedServices,
	} {
		for _, r := range table {
			t.Run(r.name, func(t *testing.T) { r.try(t, c, s) })
		}
	}
}

const neutron = "/network/v2.0"

var refusedForeign = []refused{
	{"a foreign network is not there", "GET", neutron + "/networks/{network:b/foreign}", "", 404, "NetworkNotFound", ""},
	{"a foreign network cannot be deleted", "DELETE", neutron + "/networks/{network:b/foreign}", "", 404, "NetworkNotFound", ""},
	{"a foreign network cannot be changed", "PUT", neutron + "/networks/{network:b/foreign}", `{"network":{"name":"x"}}`, 404, "NetworkNotFound", ""},
	{"a foreign subnet is not there", "GET", neutron + "/subnets/{subnet:b/foreign}", "", 404, "SubnetNotFound", ""},
	{"a foreign subnet cannot be deleted", "DELETE", neutron + "/subnets/{subnet:b/foreign}", "", 404, "SubnetNotFound", ""},
	{"a foreign router is not there", "GET", neutron + "/routers/{router:b/foreign}", "", 404, "RouterNotFound", ""},
	{"a foreign router cannot be deleted", "DELETE", neutron + "/routers/{router:b/foreign}", "", 404, "RouterNotFound", ""},
	{"a foreign router gets no interface", "PUT", neutron + "/routers/{router:b/foreign}/add_router_interface", `{"subnet_id":"{subnet:lonely}"}`, 404, "RouterNotFound", ""},
	{"a foreign group is not there", "GET", neutron + "/security-groups/{security group:b/foreign}", "", 404, "SecurityGroupNotFound", ""},
	{"a foreign group cannot be deleted", "DELETE", neutron + "/security-groups/{security group:b/foreign}", "", 404, "SecurityGroupNotFound", ""},
	{"a foreign group gets no rule", "POST", neutron + "/security-group-rules", `{"security_group_rule":{"security_group_id":"{security group:b/foreign}","direction":"ingress"}}`, 404, "SecurityGroupNotFound", ""},
	{"a foreign network gets no subnet", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:b/foreign}","ip_version":4,"cidr":"10.3.0.0/24"}}`, 404, "NetworkNotFound", ""},
	{"an ID in capitals is another ID", "GET", neutron + "/networks/ABCDEF00-0000-4000-8000-000000000000", "", 404, "NetworkNotFound", ""},
	{"an external network is not the member's to change", "PUT", neutron + "/networks/{network:public}", `{"network":{"name":"x"}}`, 403, "PolicyNotAuthorized", ""},
	{"an external network is not the member's to delete", "DELETE", neutron + "/networks/{network:public}", "", 403, "PolicyNotAuthorized", ""},
	{"a shared network is not the member's to change", "PUT", neutron + "/networks/{network:commons}", `{"network":{"name":"x"}}`, 403, "PolicyNotAuthorized", ""},
	{"a subnet of a shared network is not the member's to delete", "DELETE", neutron + "/subnets/{subnet:commons}", "", 403, "PolicyNotAuthorized", ""},
	{"a shared network gets no subnet from a member", "POST", neutron + "/subnets", `{"subnet":{"network_id":"{network:commons}","ip_version":4,"cidr":"10.3.0.0/24"}}`, 403, "PolicyNotAuthorized", ""},
	{"an external network gets no port from a member", "POST", neutron + "/ports", `{"port":{"network_id":"{network:public}"}}`, 403, "HTTPForbidden", ""},
	{"a member does not see the subnets of an external network", "GET", neutron + "/subnets/{subnet:public}", "", 404, "SubnetNotFound", ""},
	{"a member chooses no address in a network of another project", "POST", neutron + "/ports", `{"port":{"network_id":"{network:commons}","fixed_ips":[{"ip_address":"10.44.0.77"}]}}`, 403, "PolicyNotAuthorized", ""},
	{"a member allows no address pairs in a network of another project", "POST", neutron + "/ports", `{"port":{"network_id":"{network:commons}","allowed_address_pairs":[{"ip_address":"100.64.0.0/24"}]}}`, 403, "PolicyNotAuthorized", ""},
	{"a member shares nothing with all", "PUT", neutron + "/networks/{network:net}", `{"network":{"shared":true}}`, 403, "PolicyNotAuthorized", ""},
	{"a member makes nothing for another project", "POST", neutron + "/networks", `{"network":{"project_id":"ffffffffffffffffffffffffffffffff"}}`, 400, "HTTPBadRequest", ""},
	{"the quotas of another project are its own", "GET", neutron + "/quotas/ffffffffffffffffffffffffffffffff", "", 403, "PolicyNotAuthorized", ""},
}

var refusedInUse = []refused{
	{"a router with interfaces stays", "DELETE", neutron + "/routers/{router:router}", "", 409, "RouterInUse", ""},
	{"a network with ports stays", "DELETE", neutron + "/networks/{network:net}", "", 409, "NetworkInUse", ""},
	{"a subnet with ports stays", "DELETE", neutron + "/subnets/{subnet:nodes}", "", 409, "SubnetInUse", ""},
	{"a group in use stays", "DELETE", neutron + "/security-groups/{security group:group}", "", 409, "SecurityGroupInUse", ""},
	{"the default group stays", "DELETE", neutron + "/security-groups/{security group:c/default}", "", 409, "SecurityGroupCannotRemoveDefault", "c"},
	{"the default group keeps its name", "PUT", neutron + "/security-groups/{security group:default}", `{"security_group":{"name":"x"}}`, 409, "SecurityGroupCannotUpdateDefault", ""},
	{"a subnet pool in use stays", "DELETE", neutron + "/subnetpools/{subnet pool:pool}", "", 400, "SubnetPoolDeleteError", ""},
	{"a gateway that is an interface stays", "PUT", neutron + "/subnets/{subnet:nodes}", `{"subnet":{"gateway_ip":"10.0.0.9"}}`, 409, "GatewayIpInUse", ""},
	{"a router over the quota is not made", "POST", neutron + "/routers", `{"router":{"name":"x"}}`, 409, "OverQuota", ""},
	{"an address in use is not given again", "POST", neutron + "/ports", `{"port":{"network_id":"{network:net}","fixed_ips":[{"ip_address":"10.0.0.50"}]}}`, 409, "IpAddressAlreadyAllocated", ""},
}

var refusedInterfaces = []refused{
	{"an interface is added once", "PUT", neutron + "/routers/{router:router}/add_router_interface", `{"subnet_id":"{subnet:nodes}"}`, 400, "BadRequest", ""},
	{"a second router cannot be the same gateway", "PUT", neutron + "/routers/{router:second}/add_router_interface", `{"subnet_id":"{subnet:nodes}"}`, 409, "IpAddressAlreadyAllocated", ""},
	{"an overlapping subnet does not fit the router", "PUT", neutron + "/routers/{router:router}/add_router_interface", `{"subnet_id":"{subnet:overlapping}"}`, 400, "BadRequest", ""},
	{"a subnet without a gateway has no interface", "PUT", neutron + "/routers/{router:router}/add_router_interface", `{"subnet_id":"{subnet:walled}"}`, 400, "BadRequest", ""},
	{"a subnet that is shared with all gets no interface of a member", "PUT", neutron + "/routers/{router:router}/add_router_interface", `{"subnet_id":"{subnet:commons}"}`, 400, "BadRequest", ""},
	{"an interface is of a subnet or a port", "PUT", neutron + "/routers/{router:router}/add_router_interface", `{}`, 400, "BadRequest", ""},
	{"an interface is not of both", "PUT", neutron + "/routers/{router:router}/add_router_interface", `{"subnet_id":"{subnet:lonely}","port_id":"{port:port}"}`, 400, "BadRequest", ""},
	{"an interface that routes need stays", "PUT", neutron + "/routers/{router:router}/remove_router_interface", `{"subnet_id":"{subnet:nodes}"}`, 409, "RouterInterfaceInUseByRoute", ""},
	{"an interface that floating IPs need stays", "PUT", neutron + "/routers/{router:floating}/remove_router_interface", `{"subnet_id":"{subnet:plain}"}`, 409, "RouterInterfaceInUseByFloatingIP", ""},
	{"an interface that is not there cannot be removed", "PUT", neutron + "/routers/{router:second}/remove_router_interface", `{"subnet_id":"{subnet:lonely}"}`, 404, "RouterInterfaceNotFoundForSubnet", ""},
}

var refusedRoutes = []refused{
	{"a gateway that floating IPs need stays", "PUT", neutron + "/routers/{router:floating}", `{"router":{"external_gateway_info":{}}}`, 409, "RouterExternalGatewayInUseByFloatingIp", ""},
	{"a network that is not external is no gateway", "PUT", neutron + "/routers/{router:second}", `{"router":{"external_gateway_info":{"network_id":"{network:net}"}}}`, 400, "BadRequest", ""},
	{"a network that is not there is no gateway", "PUT", neutron + "/routers/{router:second}", `{"router":{"external_gateway_info":{"network_id":"99999999-9999-4999-8999-999999999999"}}}`, 404, "NetworkNotFound", ""},
	{"SNAT is the admin's to set", "PUT", neutron + "/routers/{router:router}", `{"router":{"external_gateway_info":{"network_id":"{network:public}","enable_snat":false}}}`, 403, "PolicyNotAuthorized", ""},
	{"the gateway's addresses are the admin's to choose", "PUT", neutron + "/routers/{router:router}", `{"router":{"external_gateway_info":{"network_id":"{network:public}","external_fixed_ips":[{"subnet_id":"{subnet:public}"}]}}}`, 403, "PolicyNotAuthorized", ""},
	{"a route goes to where the router is", "PUT", neutron + "/routers/{router:router}/add_extraroutes", `{"router":{"routes":[{"destination":"100.65.0.0/24","nexthop":"10.9.0.7"}]}}`, 400, "InvalidRoutes", ""},
	{"a route does not go to the router itself", "PUT", neutron + "/routers/{router:router}/add_extraroutes", `{"router":{"routes":[{"destination":"100.65.0.0/24","nexthop":"10.0.0.1"}]}}`, 400, "InvalidRoutes", ""},
	{"a floating IP needs a router", "POST", neutron + "/floatingips", `{"floatingip":{"floating_network_id":"{network:public}","port_id":"{port:stranded}"}}`, 404, "ExternalGatewayForFloatingIPNotFound", ""},
	{"a floating IP is of an external network", "POST", neutron + "/floatingips", `{"floatingip":{"floating_network_id":"{network:net}"}}`, 400, "BadRequest", ""},
	{"a port has one floating IP of a network", "POST", neutron + "/floatingips", `{"floatingip":{"floating_network_id":"{network:public}","port_id":"{port:served}"}}`, 409, "FloatingIPPortAlreadyAssociated", ""},
}
