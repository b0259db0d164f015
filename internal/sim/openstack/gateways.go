// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
)

// gateway is what a body says about the way out of a router.
type gateway struct {
	Network string
	IPs     []wish
	hasIPs  bool
	SNAT    *bool
}

// gatewayInfo allows an object; an empty one and null are no gateway.
func gatewayInfo(name string, v any) (any, error) {
	m, isMap := v.(map[string]any)
	if v != nil && !isMap {
		return nil, why(name, "'%s' is not a dictionary.", python(v))
	}
	g := &gateway{}
	if len(m) == 0 {
		return g, nil
	}
	id, named := m["network_id"]
	if !named {
		return nil, keys(name, m, "network_id")
	}
	if _, err := reference(name, id); err != nil {
		return nil, err
	}
	g.Network, _ = id.(string)
	if snat, named := m["enable_snat"]; named {
		b, err := flag(name, snat)
		if err != nil {
			return nil, err
		}
		on, _ := b.(bool)
		g.SNAT = &on
	}
	if ips, named := m["external_fixed_ips"]; named && ips != nil {
		got, err := fixedIPs(name, ips)
		if err != nil {
			return nil, err
		}
		g.IPs, _ = got.([]wish)
		g.hasIPs = true
	}
	return g, nil
}

// demandGateway refuses the parts of a gateway that the caller may not set.
func (c *call) demandGateway(rule string, g *gateway, owns bool) error {
	if g == nil {
		return nil
	}
	given := []string{"network_id"}
	if g.SNAT != nil {
		given = append(given, "enable_snat")
	}
	if g.hasIPs {
		given = append(given, "external_fixed_ips")
	}
	return c.demandParts(rule, "external_gateway_info", given, owns)
}

// setGateway gives a router a gateway, another one, or none. How much the
// revision rises besides the change itself was measured.
func (c *call) setGateway(r *router, g *gateway) error {
	old := c.cloud.gatewayOf(r)
	if old != nil && old.Network != g.Network && c.cloud.floats(func(f *floatingIP) bool { return f.Router != nil && *f.Router == r.ID }) {
		return conflict("RouterExternalGatewayInUseByFloatingIp",
			"Gateway cannot be updated for router %s, since a gateway to external network %s is required by one or more floating IPs.", r.ID, old.Network)
	}
	if g.Network == "" {
		return c.removeGateway(r, old)
	}
	p, err := c.gatewayPort(r, g, old)
	if err != nil {
		return err
	}
	switch {
	case old == nil:
		r.Revision++
	case old.Network != g.Network:
		r.Revision += 3
	}
	if old != nil {
		c.cloud.ports.remove(old)
	}
	c.cloud.ports.add(p)
	r.snat = g.SNAT == nil || *g.SNAT
	return nil
}

func (c *call) removeGateway(r *router, old *port) error {
	if err := c.checkRoutesWithout(r, old); err != nil {
		return err
	}
	if old != nil {
		c.cloud.ports.remove(old)
		r.Revision += 2
	}
	r.snat = true
	return nil
}

// checkRoutesWithout refuses to take a port away that extra routes need.
func (c *call) checkRoutesWithout(r *router, p *port) error {
	if p == nil || len(r.Routes) == 0 {
		return nil
	}
	c.cloud.ports.remove(p)
	defer c.cloud.ports.add(p)
	return c.checkRoutes(r, r.Routes)
}

// gatewayPort makes the port of a gateway, and does not add it. A port that is
// in the right network already keeps its addresses if none are asked for.
func (c *call) gatewayPort(r *router, g *gateway, old *port) (*port, error) {
	n, err := c.networkFor(g.Network)
	if err != nil {
		return nil, err
	}
	if !n.External {
		return nil, refuse(http.StatusBadRequest, "BadRequest", "Bad router request: Network %s is not an external network.", n.ID)
	}
	if old != nil && old.Network == n.ID && !g.hasIPs {
		return old, nil
	}
	p := c.servicePort(n.ID, r.ID, ownerGateway)
	if err := c.overlap(r, c.cloud.subnetsOf(n.ID)); err != nil {
		return nil, err
	}
	in := input{values: fields{}}
	if g.hasIPs && len(g.IPs) > 0 {
		in.values["fixed_ips"] = g.IPs
	}
	if old != nil {
		p.ID = old.ID // the port stays, only its addresses change
		p.Revision = old.Revision + 1
	}
	return p, c.allocate(p, in)
}

// overlap refuses subnets that overlap what the router is attached to inside.
func (c *call) overlap(r *router, added []*subnet) error {
	inner, outer := c.cloud.attached(r)
	for _, s := range added {
		for _, o := range append(inner, outer...) {
			if o.ID != s.ID && o.CIDR.Overlaps(s.CIDR) {
				return refuse(http.StatusBadRequest, "BadRequest", "Bad router request: Cidr %s of subnet %s overlaps with cidr %s of subnet %s.", s.CIDR, s.ID, o.CIDR, o.ID)
			}
		}
	}
	return nil
}
