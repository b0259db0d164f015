// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"slices"
	"strings"
)

// Access is who a rule of a policy lets pass.
type Access string

// Who a rule lets pass.
const (
	Nobody Access = "nobody"
	Admin  Access = "admin"
	Owner  Access = "owner" // and admins
	Anyone Access = "anyone"
)

// policy is who may do what. What is not in it is for the owner.
type policy map[string]Access

// defaultPolicy is what real Neutrons, Novas and so on come with, as far as it
// is not for the owner.
func defaultPolicy() policy {
	p := policy{}
	for _, rule := range []string{
		"create_network:shared", "create_network:router:external", "create_network:is_default",
		"create_network:provider:network_type", "create_network:provider:physical_network", "create_network:provider:segmentation_id",
		"update_network:shared", "update_network:router:external", "update_network:is_default",
		"get_network:provider:network_type", "get_network:provider:physical_network", "get_network:provider:segmentation_id",
		"create_router:external_gateway_info:enable_snat", "create_router:external_gateway_info:external_fixed_ips",
		"update_router:external_gateway_info:enable_snat", "update_router:external_gateway_info:external_fixed_ips",
		"create_router:distributed", "create_router:ha", "update_router:distributed", "update_router:ha",
		"get_router:distributed", "get_router:ha",
		"create_port:binding:host_id", "create_port:binding:profile", "update_port:binding:host_id", "update_port:binding:profile",
		"update_port:mac_address",
		"get_port:binding:host_id", "get_port:binding:profile", "get_port:binding:vif_type", "get_port:binding:vif_details",
		"get_port:resource_request",
		"create_floatingip:floating_ip_address",
		"create_subnetpool:shared", "create_subnetpool:is_default", "update_subnetpool:is_default",
		"create_address_scope:shared", "update_address_scope:shared",
		"create_rbac_policy:target_tenant", "update_rbac_policy:target_tenant",
		"get_network_ip_availability", "update_quota", "delete_quota", "get_agent",
	} {
		p[rule] = Admin
	}
	return p
}

// SetPolicy says who passes a rule, like "create_router" or
// "update_router:external_gateway_info:enable_snat" of Neutron,
// "os_compute_api:os-keypairs:create" of Nova, "share_network:create" of Manila,
// "os_load-balancer_api:loadbalancer:delete" of Octavia. Nobody is also for admins.
// A get rule of a kind as a whole refuses lists as well.
func (c *Cloud) SetPolicy(rule string, who Access) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.policy[rule] = who
}

// passes says whether a rule lets the caller pass.
func (c *call) passes(rule string, owns bool) bool {
	switch c.cloud.policy[rule] {
	case Nobody:
		return false
	case Admin:
		return c.who.admin()
	case Anyone:
		return true
	default: // Owner
		return owns || c.who.admin()
	}
}

// owns says whether the caller's project is that project.
func (c *call) owns(project string) bool { return project != "" && c.who.projectID() == project }

// demand refuses with 403 who does not pass.
func (c *call) demand(rule string, owns bool) error {
	if c.passes(rule, owns) {
		return nil
	}
	return refuse(http.StatusForbidden, "PolicyNotAuthorized", "rule:%s is disallowed by policy", rule)
}

// demandParts refuses what the caller may not set in an attribute that is an
// object or a list of objects. The text names all of given, as the real one does.
func (c *call) demandParts(rule, attribute string, given []string, owns bool) error {
	within := rule + ":" + attribute
	var all []string
	refused := false
	for _, part := range given {
		all = append(all, "rule:"+within+":"+part)
		refused = refused || !c.passes(within+":"+part, owns)
	}
	if !refused {
		return nil
	}
	return refuse(http.StatusForbidden, "PolicyNotAuthorized", "(rule:%s and (rule:%s and (%s))) is disallowed by policy",
		rule, within, strings.Join(all, " and "))
}

// demandAttributes refuses what the caller may not set.
func (c *call) demandAttributes(rule string, names []string, owns bool) error {
	for _, name := range slices.Sorted(slices.Values(names)) {
		if !c.passes(rule+":"+name, owns) {
			return refuse(http.StatusForbidden, "PolicyNotAuthorized", "(rule:%s and rule:%s:%s) is disallowed by policy", rule, rule, name)
		}
	}
	return nil
}
