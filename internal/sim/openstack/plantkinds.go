// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"slices"
	"strings"
)

// at says where in a project an error is.
func at(err error, list string, i int, name string) error {
	return fmt.Errorf("%s[%d] (%s): %w", list, i, name, err)
}

func (planter) scopes(c *call, w WorldProject) error {
	for i, s := range w.AddressScopes {
		if _, err := c.cloud.kinds.scopes.plant(c, s.ID, nil, body(s)); err != nil {
			return at(err, "address_scopes", i, s.Name)
		}
	}
	return nil
}

func (planter) subnetPools(c *call, w WorldProject) error {
	for i, p := range w.SubnetPools {
		b := body(p, "address_scope")
		if p.AddressScope != "" {
			id, err := resolve(c, &c.cloud.scopes, "address scope", p.AddressScope, func(s *scope) string { return s.Name }, func(s *scope) bool { return s.Shared })
			if err != nil {
				return at(err, "subnet_pools", i, p.Name)
			}
			b["address_scope_id"] = id
		}
		if _, err := c.cloud.kinds.subnetPools.plant(c, p.ID, p.Tags, b); err != nil {
			return at(err, "subnet_pools", i, p.Name)
		}
	}
	return nil
}

func (p planter) networks(c *call, w WorldProject) error {
	for i, n := range w.Networks {
		b := body(n, "external", "shared_with", "subnets")
		if n.External {
			b["router:external"] = true
		}
		made, err := c.cloud.kinds.networks.plant(c, n.ID, n.Tags, b)
		if err != nil {
			return at(err, "networks", i, n.Name)
		}
		for _, name := range n.SharedWith {
			target := c.cloud.addProject(name)
			if _, err := c.cloud.kinds.rbacs.plant(c, "", nil, fields{
				"object_type": "network", "object_id": made.ID, "action": accessShared, "target_tenant": target.id,
			}); err != nil {
				return at(err, "networks", i, n.Name)
			}
		}
		for j, s := range n.Subnets {
			if err := p.subnet(c, made, s); err != nil {
				return at(at(err, "subnets", j, s.Name), "networks", i, n.Name)
			}
		}
	}
	return nil
}

func (planter) subnet(c *call, n *network, s WorldSubnet) error {
	b := body(s, "subnet_pool")
	b["network_id"] = n.ID
	if s.IPVersion == 0 {
		b["ip_version"] = 4
		if strings.Contains(s.CIDR, ":") {
			b["ip_version"] = 6
		}
	}
	if s.Gateway == "none" {
		b["gateway_ip"] = nil
	}
	if s.SubnetPool != "" {
		id, err := resolve(c, &c.cloud.subnetPools, "subnet pool", s.SubnetPool, func(p *subnetPool) string { return p.Name }, func(p *subnetPool) bool { return p.Shared })
		if err != nil {
			return err
		}
		b["subnetpool_id"] = id
	}
	_, err := c.cloud.kinds.subnets.plant(c, s.ID, s.Tags, b)
	return err
}

func (planter) groups(c *call, w WorldProject) error {
	for i, g := range w.SecurityGroups {
		if g.Name == defaultGroup {
			continue
		}
		made, err := c.cloud.kinds.groups.plant(c, g.ID, g.Tags, body(g, "rules", "bare"))
		if err != nil {
			return at(err, "security_groups", i, g.Name)
		}
		if g.Bare {
			for _, r := range c.cloud.rulesOf(made.ID) {
				c.cloud.rules.remove(r)
			}
		}
	}
	return nil
}

// rules come when all groups are there.
func (p planter) rules(c *call, w WorldProject) error {
	for i, g := range w.SecurityGroups {
		ref := g.ID
		if ref == "" {
			ref = g.Name
		}
		id, err := c.resolveGroup(ref)
		if err != nil {
			return at(err, "security_groups", i, g.Name)
		}
		for j, r := range g.Rules {
			if err := p.rule(c, id, r); err != nil {
				return at(at(err, "rules", j, r.Direction), "security_groups", i, g.Name)
			}
		}
	}
	return nil
}

func (planter) rule(c *call, group string, r WorldRule) error {
	b := body(r, "remote_group")
	b["security_group_id"] = group
	switch r.RemoteGroup {
	case "":
	case "self":
		b["remote_group_id"] = group
	default:
		id, err := c.resolveGroup(r.RemoteGroup)
		if err != nil {
			return err
		}
		b["remote_group_id"] = id
	}
	_, err := c.cloud.kinds.rules.plant(c, "", nil, b)
	return err
}

func (planter) routers(c *call, w WorldProject) error {
	for i, r := range w.Routers {
		b := body(r, "gateway", "enable_snat", "interfaces", "routes")
		if r.Gateway != "" {
			id, err := c.resolveNetwork(r.Gateway)
			if err != nil {
				return at(err, "routers", i, r.Name)
			}
			gateway := fields{"network_id": id}
			if r.SNAT != nil {
				gateway["enable_snat"] = *r.SNAT
			}
			b["external_gateway_info"] = gateway
		}
		if _, err := c.cloud.kinds.routers.plant(c, r.ID, r.Tags, b); err != nil {
			return at(err, "routers", i, r.Name)
		}
	}
	return nil
}

// planted returns the router of a part of the world.
func planted(c *call, r WorldRouter) (*router, error) {
	ref := r.ID
	if ref == "" {
		ref = r.Name
	}
	id, err := resolve(c, &c.cloud.routers, "router", ref, func(r *router) string { return r.Name }, hides)
	if err != nil {
		return nil, err
	}
	made, _ := c.cloud.routers.get(id)
	return made, nil
}

func (planter) interfaces(c *call, w WorldProject) error {
	for i, r := range w.Routers {
		made, err := planted(c, r)
		if err != nil {
			return at(err, "routers", i, r.Name)
		}
		for _, ref := range r.Interfaces {
			id, err := c.resolveSubnet(ref)
			if err == nil {
				_, err = c.addSubnet(made, id)
			}
			if err != nil {
				return at(fmt.Errorf("interface %s: %w", ref, err), "routers", i, r.Name)
			}
		}
	}
	return nil
}

// routes come when all interfaces are there.
func (planter) routes(c *call, w WorldProject) error {
	for i, r := range w.Routers {
		if len(r.Routes) == 0 {
			continue
		}
		made, err := planted(c, r)
		if err != nil {
			return at(err, "routers", i, r.Name)
		}
		v, err := hostRoutes("routes", plainJSON(fields{"routes": r.Routes})["routes"])
		if err != nil {
			return at(err, "routers", i, r.Name)
		}
		routes, _ := v.([]hostRoute)
		if err := c.checkRoutes(made, routes); err != nil {
			return at(err, "routers", i, r.Name)
		}
		made.Routes = routes
		c.touch(made)
	}
	return nil
}

func (planter) ports(c *call, w WorldProject) error {
	for i, p := range w.Ports {
		b := body(p, "network", "fixed_ips", "security_groups")
		network, err := c.resolveNetwork(p.Network)
		if err != nil {
			return at(err, "ports", i, p.Name)
		}
		b["network_id"] = network
		var ips, groups []any
		for _, ip := range p.FixedIPs {
			one := fields{}
			if ip.Subnet != "" {
				if one["subnet_id"], err = c.resolveSubnet(ip.Subnet); err != nil {
					return at(err, "ports", i, p.Name)
				}
			}
			if ip.Address != "" {
				one["ip_address"] = ip.Address
			}
			ips = append(ips, one)
		}
		for _, ref := range p.SecurityGroups {
			id, err := c.resolveGroup(ref)
			if err != nil {
				return at(err, "ports", i, p.Name)
			}
			groups = append(groups, id)
		}
		if ips != nil {
			b["fixed_ips"] = ips
		}
		if groups != nil {
			b["security_groups"] = groups
		}
		if _, err := c.cloud.kinds.ports.plant(c, p.ID, p.Tags, b); err != nil {
			return at(err, "ports", i, p.Name)
		}
	}
	return nil
}

func (planter) floatingIPs(c *call, w WorldProject) error {
	for i, f := range w.FloatingIPs {
		b := body(f, "network", "port")
		network, err := c.resolveNetwork(f.Network)
		if err != nil {
			return at(err, "floating_ips", i, f.Network)
		}
		b["floating_network_id"] = network
		if f.Port != "" {
			if b["port_id"], err = c.resolveEntry(f.Port); err != nil {
				return at(err, "floating_ips", i, f.Network)
			}
		}
		if _, err := c.cloud.kinds.floatingIPs.plant(c, f.ID, f.Tags, b); err != nil {
			return at(err, "floating_ips", i, f.Network)
		}
	}
	return nil
}

// resolveEntry finds a port, or the port of a load balancer.
func (c *call) resolveEntry(ref string) (string, error) {
	id, err := c.resolvePort(ref)
	if err == nil {
		return id, nil
	}
	lb, lbErr := resolve(c, &c.cloud.loadBalancers, "load balancer", ref, func(l *loadBalancer) string { return l.Name }, hides)
	if lbErr != nil {
		return "", err
	}
	l, _ := c.cloud.loadBalancers.get(lb)
	return l.VIPPort, nil
}

func (planter) keyPairs(c *call, w WorldProject) error {
	for i, k := range w.KeyPairs {
		name := k.User
		if name == "" {
			name = c.who.project.name
		}
		u := slices.IndexFunc(c.cloud.identity.users, func(u *user) bool { return u.name == name })
		if u < 0 {
			return at(fmt.Errorf("there is no user %q", name), "key_pairs", i, k.Name)
		}
		if _, err := c.addKeyPair(c.cloud.identity.users[u].id, k.Name, k.Public); err != nil {
			return at(err, "key_pairs", i, k.Name)
		}
	}
	return nil
}
