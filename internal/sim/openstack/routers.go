// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// maxRoutes is how many extra routes a router may have.
const maxRoutes = 30

type router struct {
	standard
	Name         string
	AdminStateUp bool
	Status       string
	Routes       []hostRoute
	Distributed  bool
	HA           bool
	Flavor       *string
	Zones        []string
	Hints        []string

	snat bool
}

func (r *router) shown() fields {
	return fields{
		"name": r.Name, "admin_state_up": r.AdminStateUp, "status": r.Status, "routes": r.Routes, "distributed": r.Distributed,
		"ha": r.HA, "flavor_id": value(r.Flavor), "availability_zones": r.Zones, "availability_zone_hints": r.Hints,
	}
}

// routerKind is what the cloud knows about routers.
func routerKind() *kind[*router] {
	return &kind[*router]{
		one: "router", many: "routers", missing: "RouterNotFound", text: "Router %s could not be found", quota: true, idle: true, alone: true,
		of: func(c *Cloud) *table[*router] { return &c.routers },
		attrs: attributes{
			"name":                    {post | put | filter, text(255)},
			"admin_state_up":          {post | put | filter, flag},
			"status":                  {},
			"external_gateway_info":   {post | put, gatewayInfo},
			"routes":                  {put, hostRoutes},
			"distributed":             {post | put | guarded | secret, flag},
			"ha":                      {post | put | guarded | secret, flag},
			"flavor_id":               {},
			"availability_zones":      {},
			"availability_zone_hints": {flags: post},
		}.common(),
		make: makeRouter, change: changeRouter, remove: removeRouter, show: showRouter,
	}
}

func makeRouter(c *call, in input) (*router, error) {
	g, _ := in.values["external_gateway_info"].(*gateway)
	if err := c.demandGateway("create_router", g, c.owns(in.text("project_id"))); err != nil {
		return nil, err
	}
	r := &router{
		standard: c.fresh("router", in), Name: in.text("name"), AdminStateUp: get(in, "admin_state_up", true), Status: "ACTIVE",
		Routes: []hostRoute{}, Distributed: get(in, "distributed", false), HA: get(in, "ha", false), Zones: []string{}, Hints: []string{}, snat: true,
	}
	if g != nil && g.Network != "" {
		if err := c.setGateway(r, g); err != nil {
			return nil, err
		}
		r.Revision++
	}
	c.cloud.routers.add(r)
	return r, nil
}

func changeRouter(c *call, r *router, in input) error {
	g, named := in.values["external_gateway_info"].(*gateway)
	if err := c.demandGateway("update_router", g, c.owns(r.Project)); err != nil {
		return err
	}
	routes, routed := in.values["routes"].([]hostRoute)
	if routed {
		if err := c.checkRoutes(r, routes); err != nil {
			return err
		}
	}
	if named {
		if err := c.setGateway(r, g); err != nil {
			return err
		}
	}
	if routed && sameRoutes(r.Routes, routes) {
		delete(in.values, "routes") // it does not count as a change
	} else if routed {
		r.Routes = routes
	}
	set(in, "name", &r.Name)
	set(in, "admin_state_up", &r.AdminStateUp)
	set(in, "distributed", &r.Distributed)
	set(in, "ha", &r.HA)
	return nil
}

func removeRouter(c *call, r *router) error {
	var ids []string
	for _, p := range c.cloud.portsOf(r) {
		if p.Owner != ownerGateway {
			ids = append(ids, p.ID)
		}
	}
	if len(ids) > 0 {
		return conflict("RouterInUse", "Router %s has ports still attached: %s", r.ID, strings.Join(ids, ", "))
	}
	if p := c.cloud.gatewayOf(r); p != nil {
		c.cloud.ports.remove(p)
	}
	return nil
}

func showRouter(c *call, r *router, f fields) {
	f["external_gateway_info"] = nil
	if p := c.cloud.gatewayOf(r); p != nil {
		f["external_gateway_info"] = fields{"network_id": p.Network, "external_fixed_ips": toList(p.FixedIPs), "enable_snat": r.snat}
	}
}

// toList spells addresses as Neutron does in a gateway.
func toList(ips []fixedIP) []fields {
	list := []fields{}
	for _, ip := range ips {
		list = append(list, fields{"subnet_id": ip.Subnet, "ip_address": ip.Address.String()})
	}
	return list
}

// portsOf returns the interfaces and the gateway of a router.
func (c *Cloud) portsOf(r *router) []*port {
	return c.ports.where(func(p *port) bool { return p.Device == r.ID && p.onRouter() })
}

// gatewayOf returns the port in the external network, or nil.
func (c *Cloud) gatewayOf(r *router) *port {
	for _, p := range c.portsOf(r) {
		if p.Owner == ownerGateway {
			return p
		}
	}
	return nil
}

// attached returns the subnets that the router has an interface in, and those
// of its external network.
func (c *Cloud) attached(r *router) (inner, outer []*subnet) {
	for _, p := range c.portsOf(r) {
		if p.Owner == ownerGateway {
			outer = append(outer, c.subnetsOf(p.Network)...)
			continue
		}
		for _, ip := range p.FixedIPs {
			if s, there := c.subnets.get(ip.Subnet); there {
				inner = append(inner, s)
			}
		}
	}
	return inner, outer
}

// checkRoutes refuses a list of extra routes that the router could not have.
func (c *call) checkRoutes(r *router, routes []hostRoute) error {
	if len(routes) > maxRoutes {
		return refuse(http.StatusBadRequest, "RoutesExhausted", "Unable to complete operation for %s. The number of routes exceeds the maximum %d.", r.ID, maxRoutes)
	}
	var prefixes []netip.Prefix
	var own []netip.Addr
	for _, p := range c.cloud.portsOf(r) {
		for _, ip := range p.FixedIPs {
			own = append(own, ip.Address)
			if s, there := c.cloud.subnets.get(ip.Subnet); there {
				prefixes = append(prefixes, s.CIDR)
			}
		}
	}
	for _, route := range routes {
		hop, err := netip.ParseAddr(route.NextHop)
		if err != nil || !slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(hop) }) {
			return invalidRoutes(routes, "the nexthop is not connected with router")
		}
		if slices.Contains(own, hop) {
			return invalidRoutes(routes, "the nexthop is used by router")
		}
	}
	return nil
}

// sameRoutes says whether two lists hold the same routes, in any order.
func sameRoutes(a, b []hostRoute) bool {
	missing := func(in []hostRoute) func(hostRoute) bool {
		return func(route hostRoute) bool { return !slices.Contains(in, route) }
	}
	return !slices.ContainsFunc(a, missing(b)) && !slices.ContainsFunc(b, missing(a))
}

func invalidRoutes(routes []hostRoute, reason string) error {
	var list []string
	for _, r := range routes {
		list = append(list, fmt.Sprintf("{'destination': '%s', 'nexthop': '%s'}", r.Destination, r.NextHop))
	}
	return refuse(http.StatusBadRequest, "InvalidRoutes", "Invalid format for routes: [%s], %s", strings.Join(list, ", "), reason)
}
