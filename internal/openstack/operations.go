// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// An operation is a kind of request that we make and that writes. What does
// not match one is refused.
type operation struct {
	service string
	method  string
	path    string // below the API's root; {id} stands for one segment
	check   func(p Permissions, id string, body map[string]any) error
}

// operations is the whole of what Espalier may do to an OpenStack.
var operations = []operation{
	{"identity", http.MethodPost, "auth/tokens", anything},

	{"network", http.MethodPost, "networks", createsIn("network")},
	{"network", http.MethodPost, "subnets", createsIn("subnet", "network_id", "subnetpool_id")},
	{"network", http.MethodPost, "routers", createsIn("router", "external_gateway_info.network_id", "external_gateway_info.external_fixed_ips.subnet_id")},
	{"network", http.MethodPost, "security-groups", createsIn("security_group")},
	{"network", http.MethodPost, "security-group-rules", addsRules},
	{"network", http.MethodPut, "subnets/{id}", changesOurs},
	{"network", http.MethodPut, "routers/{id}", changesRouter},
	{"network", http.MethodPut, "routers/{id}/add_router_interface", plugsOurSubnet},
	{"network", http.MethodPut, "routers/{id}/remove_router_interface", plugsOurSubnet},
	{"network", http.MethodPut, "routers/{id}/remove_extraroutes", removesPodRoutes},
	{"network", http.MethodDelete, "networks/{id}", changesOurs},
	{"network", http.MethodDelete, "subnets/{id}", changesOurs},
	{"network", http.MethodDelete, "routers/{id}", changesOurs},
	{"network", http.MethodDelete, "security-groups/{id}", changesOurs},
	{"network", http.MethodDelete, "security-group-rules/{id}", changesOurs},

	{"shared-file-system", http.MethodPost, "share-networks", createsIn("share_network", "neutron_net_id", "neutron_subnet_id")},
	{"shared-file-system", http.MethodDelete, "share-networks/{id}", changesOurs},

	{"load-balancer", http.MethodDelete, "lbaas/loadbalancers/{id}", deletesSwept},

	{"compute", http.MethodPost, "os-keypairs", createsKeyPair},
	{"compute", http.MethodDelete, "os-keypairs/{id}", changesOurs},
}

// matches returns the ID in the path.
func (o operation) matches(service, method string, rest []string) (id string, ok bool) {
	want := strings.Split(o.path, "/")
	if o.service != service || o.method != method || len(want) != len(rest) {
		return "", false
	}
	for i, segment := range want {
		switch {
		case segment == "{id}" && rest[i] != "":
			id = rest[i]
		case segment != rest[i]:
			return "", false
		}
	}
	return id, true
}

func anything(Permissions, string, map[string]any) error { return nil }

// changesOurs allows a change or a deletion of what is ours. The body names
// nothing that is the user's.
func changesOurs(p Permissions, id string, body map[string]any) error {
	if !p.mine(id) {
		return fmt.Errorf("%s is not ours", id)
	}
	return p.namesNone(body, "", nil)
}

// createsIn allows the creation of a thing that bears our mark and our name.
// Only in the given fields may the body name what the user brought.
func createsIn(object string, fields ...string) func(Permissions, string, map[string]any) error {
	return func(p Permissions, _ string, body map[string]any) error {
		thing, ok := body[object].(map[string]any)
		if !ok || len(body) != 1 {
			return fmt.Errorf("the body is not one %s", object)
		}
		description, _ := thing["description"].(string)
		name, _ := thing["name"].(string)
		switch {
		case p.Mark == "" || !strings.HasPrefix(description, p.Mark):
			return errors.New("it would not bear our mark")
		case !strings.HasPrefix(name, p.Name):
			return fmt.Errorf("the name %q is not one of ours", name)
		}
		return p.namesNone(thing, "", fields)
	}
}

func createsKeyPair(p Permissions, _ string, body map[string]any) error {
	pair, _ := body["keypair"].(map[string]any)
	if name, _ := pair["name"].(string); p.Name == "" || name != p.Name {
		return fmt.Errorf("the name %q is not ours", name)
	}
	return p.namesNone(body, "", nil)
}

// addsRules allows rules in groups of ours, whose peers are these groups too.
func addsRules(p Permissions, _ string, body map[string]any) error {
	rules, _ := body["security_group_rules"].([]any)
	if one, ok := body["security_group_rule"]; ok {
		rules = append(rules, one)
	}
	if len(body) != 1 || len(rules) == 0 {
		return errors.New("the body is not a list of rules")
	}
	for _, r := range rules {
		rule, _ := r.(map[string]any)
		group, _ := rule["security_group_id"].(string)
		if !p.mine(group) {
			return fmt.Errorf("the group %q is not ours", group)
		}
		if err := p.namesNone(rule, "", nil); err != nil {
			return err
		}
	}
	return nil
}

// deletesSwept allows the deletion of a leftover that the plan lists.
func deletesSwept(p Permissions, id string, body map[string]any) error {
	if p.given(id) || p.Swept == nil || !p.Swept(id) {
		return fmt.Errorf("%s is not in the plan", id)
	}
	return p.namesNone(body, "", nil)
}

// changesRouter allows a new gateway, or the list of routes without some.
func changesRouter(p Permissions, id string, body map[string]any) error {
	router, _ := body["router"].(map[string]any)
	if _, ok := router["routes"]; ok {
		return removesFromList(p, id, body)
	}
	return changesGateway(p, id, body)
}

// removesFromList allows a list of routes that lacks of the present ones only
// those that the plan lists, and adds none.
func removesFromList(p Permissions, id string, body map[string]any) error {
	router, _ := body["router"].(map[string]any)
	routes, ok := router["routes"].([]any)
	if !ok || len(body) != 1 || len(router) != 1 {
		return errors.New("the body is not a list of routes alone")
	}
	if err := p.onRouter(id); err != nil {
		return err
	}
	rest := map[string]bool{}
	for _, r := range routes {
		to, via := hops(r)
		rest[routeID(id, to, via)] = true
	}
	removed := 0
	for _, have := range p.Routes {
		if rest[have] {
			delete(rest, have)
			continue
		}
		if p.Swept == nil || !p.Swept(have) {
			return fmt.Errorf("the list lacks the route %s, which is not in the plan", have)
		}
		removed++
	}
	if len(rest) > 0 || removed == 0 {
		return fmt.Errorf("the list adds %d routes and removes %d", len(rest), removed)
	}
	return nil
}

// changesGateway allows the gateway of a router of ours to be set anew, in the
// external network.
func changesGateway(p Permissions, id string, body map[string]any) error {
	router, _ := body["router"].(map[string]any)
	if _, ok := router["external_gateway_info"]; !ok || len(body) != 1 || len(router) != 1 {
		return errors.New("not a change of the gateway alone")
	}
	if !p.mine(id) {
		return fmt.Errorf("%s is not ours", id)
	}
	return p.namesNone(router, "", []string{"external_gateway_info.network_id"})
}

// plugsOurSubnet allows exactly our subnet on a router that is ours or that
// the configuration names.
func plugsOurSubnet(p Permissions, router string, body map[string]any) error {
	if err := p.onRouter(router); err != nil {
		return err
	}
	subnet, _ := body["subnet_id"].(string)
	if len(body) != 1 || !p.mine(subnet) {
		return fmt.Errorf("the subnet %q is not ours", subnet)
	}
	return nil
}

// removesPodRoutes allows the removal of routes inside the pod networks from a
// router that is ours or that the configuration names.
func removesPodRoutes(p Permissions, id string, body map[string]any) error {
	if err := p.onRouter(id); err != nil {
		return err
	}
	router, _ := body["router"].(map[string]any)
	routes, _ := router["routes"].([]any)
	if len(body) != 1 || len(router) != 1 || len(routes) == 0 {
		return errors.New("the body is not a list of routes")
	}
	for _, r := range routes {
		to, via := hops(r)
		dest, err := netip.ParsePrefix(to)
		inside := func(pod netip.Prefix) bool { return pod.Bits() <= dest.Bits() && pod.Contains(dest.Addr()) }
		if err != nil || !p.mine(id) && !slices.ContainsFunc(p.Pods, inside) {
			return fmt.Errorf("a route to %q is not inside the pod networks", to)
		}
		if p.Swept == nil || !p.Swept(routeID(id, to, via)) {
			return fmt.Errorf("the route to %s via %s is not in the plan", to, via)
		}
	}
	return nil
}

// onRouter says whether something may be put on a router or taken off it.
func (p Permissions) onRouter(id string) error {
	if !p.mine(id) && !p.into("router", id) {
		return fmt.Errorf("the router %s is neither ours nor in the configuration", id)
	}
	return nil
}

// hops reads a route in a body; what is not there is empty.
func hops(r any) (destination, nexthop string) {
	route, _ := r.(map[string]any)
	destination, _ = route["destination"].(string)
	nexthop, _ = route["nexthop"].(string)
	return destination, nexthop
}

// routeID names a route of a router; a plan lists routes by it.
func routeID(router, destination, nexthop string) string {
	return router + ">" + destination + ">" + nexthop
}

// namesNone looks for IDs of the user's in a body, at any depth. Only the value
// of one of the fields may be one, and it must be the one that belongs there;
// if it is not the user's it must be ours.
func (p Permissions) namesNone(v any, at string, fields []string) error {
	switch v := v.(type) {
	case string:
		return p.namesRight(v, at, fields)
	case []any:
		for _, e := range v {
			if err := p.namesNone(e, at, fields); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, e := range v {
			field := name
			if at != "" {
				field = at + "." + name
			}
			if err := p.namesNone(e, field, fields); err != nil {
				return err
			}
		}
	}
	return nil
}

// namesRight is namesNone for one value.
func (p Permissions) namesRight(v, at string, fields []string) error {
	switch listed := slices.Contains(fields, at); {
	case listed && p.into(at, v), listed && p.mine(v), !listed && !p.given(v):
		return nil
	case listed:
		return fmt.Errorf("%s names %s, which is neither ours nor in the configuration", at, v)
	}
	return fmt.Errorf("%s names %s, which is the user's", at, v)
}
