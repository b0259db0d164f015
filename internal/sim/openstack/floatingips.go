// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"net/netip"
	"slices"
)

type floatingIP struct {
	standard
	Address netip.Addr
	Network string
	Router  *string
	Port    *string
	Fixed   *netip.Addr
	Status  string
	QoS     *string

	outside string // the port in the external network
}

func (f *floatingIP) shown() fields {
	return fields{
		"floating_ip_address": f.Address, "floating_network_id": f.Network, "router_id": value(f.Router),
		"port_id": value(f.Port), "fixed_ip_address": value(f.Fixed), "status": f.Status, "qos_policy_id": value(f.QoS),
	}
}

// floatingIPKind is what the cloud knows about floating IPs.
func floatingIPKind() *kind[*floatingIP] {
	return &kind[*floatingIP]{
		one: "floatingip", many: "floatingips", missing: "FloatingIPNotFound", text: "Floating IP %s could not be found", quota: true, alone: true,
		of: func(c *Cloud) *table[*floatingIP] { return &c.floatingIPs },
		attrs: attributes{
			"floating_network_id": {post | filter | must, reference},
			"floating_ip_address": {post | filter | guarded, address},
			"subnet_id":           {post, optional(reference)},
			"port_id":             {post | put | filter, optional(reference)},
			"fixed_ip_address":    {post | put | filter, address},
			"router_id":           {flags: filter},
			"status":              {flags: filter},
			"qos_policy_id":       {}, "port_details": {}, "port_forwardings": {},
		}.common(),
		make: makeFloatingIP, change: changeFloatingIP,
		remove: func(c *call, f *floatingIP) error {
			if p, there := c.cloud.ports.get(f.outside); there {
				c.cloud.ports.remove(p)
			}
			return nil
		},
		show: showFloatingIP,
	}
}

func badFloatingIP(format string, args ...any) error {
	return refuse(http.StatusBadRequest, "BadRequest", "Bad floatingip request: "+format, args...)
}

func makeFloatingIP(c *call, in input) (*floatingIP, error) {
	n, err := c.networkFor(in.text("floating_network_id"))
	if err != nil {
		return nil, err
	}
	if !n.External {
		return nil, badFloatingIP("Network %s is not a valid external network.", n.ID)
	}
	if !slices.ContainsFunc(c.cloud.subnetsOf(n.ID), func(s *subnet) bool { return s.IPVersion == 4 }) {
		return nil, badFloatingIP("Network %s does not contain any IPv4 subnet.", n.ID)
	}
	f := &floatingIP{standard: c.fresh("floatingip", in), Network: n.ID, Status: "DOWN"}
	f.Revision = 0
	p := c.servicePort(n.ID, f.ID, ownerFloating)
	p.Status, p.Revision, f.outside = "N/A", 2, p.ID
	wanted := input{values: fields{}}
	w := wish{Subnet: in.text("subnet_id"), Address: get(in, "floating_ip_address", netip.Addr{})}
	if w.Subnet != "" || w.Address.IsValid() {
		wanted.values["fixed_ips"] = []wish{w}
	}
	if err := c.allocate(p, wanted); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(p.FixedIPs, func(ip fixedIP) bool { return ip.Address.Is4() })
	if i < 0 {
		return nil, refuse(http.StatusBadRequest, "ExternalIpAddressExhausted", "Unable to find any IP address on external network %s.", n.ID)
	}
	f.Address = p.FixedIPs[i].Address
	if err := c.associate(f, in); err != nil {
		return nil, err
	}
	c.cloud.ports.add(p)
	c.cloud.floatingIPs.add(f)
	return f, nil
}

// servicePort makes a port of Neutron's own, which members do not see. It is
// not added, and has no address.
func (c *call) servicePort(network, device, owner string) *port {
	p := &port{
		standard: c.fresh("port", input{values: fields{"network": network, "device": device, "owner": owner}}), Network: network,
		Status: "DOWN", AdminStateUp: true, Device: device, Owner: owner, Pairs: []addressPair{}, DHCPOptions: []any{},
		Groups: []string{}, VNIC: "normal", Profile: fields{}, VIF: "unbound", VIFDetails: fields{}, FixedIPs: []fixedIP{},
	}
	p.MAC = macOf(p.ID)
	return p
}

func changeFloatingIP(c *call, f *floatingIP, in input) error {
	if in.has("port_id") || in.has("fixed_ip_address") {
		return c.associate(f, in)
	}
	return nil
}

// associate puts a floating IP on a port, or takes it off.
func (c *call) associate(f *floatingIP, in input) error {
	id := in.text("port_id")
	fixed, given := in.values["fixed_ip_address"].(netip.Addr)
	if id == "" {
		if given {
			return badFloatingIP("fixed_ip_address cannot be specified without a port_id.")
		}
		f.Port, f.Router, f.Fixed = nil, nil, nil
		return nil
	}
	p, err := c.cloud.kinds.ports.find(c, id)
	if err != nil {
		return err
	}
	if p.Project != f.Project && !c.who.admin() {
		return badFloatingIP("Cannot process floating IP association with Port %s, since that port is owned by a different tenant.", id)
	}
	ip, err := inside(p, fixed, given)
	if err != nil {
		return err
	}
	r, err := c.routerBetween(p, ip.Subnet, f.Network)
	if err != nil {
		return err
	}
	if err := c.single(f, p, ip); err != nil {
		return err
	}
	f.Port, f.Router, f.Fixed = &p.ID, &r.ID, &ip.Address
	c.touch(r)
	return nil
}

// single refuses a second floating IP of one network for an address.
func (c *call) single(f *floatingIP, p *port, ip fixedIP) error {
	if !c.cloud.floats(func(o *floatingIP) bool {
		return o.ID != f.ID && o.Port != nil && *o.Port == p.ID && o.Fixed != nil && *o.Fixed == ip.Address && o.Network == f.Network
	}) {
		return nil
	}
	return conflict("FloatingIPPortAlreadyAssociated",
		"Cannot associate floating IP %s (%s) with port %s using fixed IP %s, as that fixed IP already has a floating IP on external network %s.",
		f.Address, f.ID, p.ID, ip.Address, f.Network)
}

// inside returns the address of a port that a floating IP goes to.
func inside(p *port, fixed netip.Addr, given bool) (fixedIP, error) {
	var v4 []fixedIP
	for _, ip := range p.FixedIPs {
		if given && ip.Address == fixed {
			return ip, nil
		}
		if ip.Address.Is4() {
			v4 = append(v4, ip)
		}
	}
	switch {
	case given:
		return fixedIP{}, badFloatingIP("Port %s does not have fixed ip %s.", p.ID, fixed)
	case len(v4) == 0:
		return fixedIP{}, badFloatingIP("Cannot add floating IP to port %s that has no fixed IPv4 addresses.", p.ID)
	case len(v4) > 1:
		return fixedIP{}, badFloatingIP("Port %s has multiple fixed IPv4 addresses.  Must provide a specific IPv4 address when assigning a floating IP.", p.ID)
	}
	return v4[0], nil
}

// routerBetween returns the router that connects a subnet with an external
// network: the one that is the subnet's gateway, or else the first.
func (c *call) routerBetween(p *port, subnet, external string) (*router, error) {
	var first *router
	for _, r := range c.cloud.routers.list() {
		gateway := c.cloud.gatewayOf(r)
		if gateway == nil || gateway.Network != external {
			continue
		}
		for _, i := range c.cloud.portsOf(r) {
			if i.Owner != ownerInterface || !i.in(subnet) {
				continue
			}
			s, there := c.cloud.subnets.get(subnet)
			if there && s.Gateway != nil && slices.Contains(i.FixedIPs, fixedIP{subnet, *s.Gateway}) {
				return r, nil
			}
			if first == nil {
				first = r
			}
		}
	}
	if first == nil {
		return nil, notFound("ExternalGatewayForFloatingIPNotFound",
			"External network %s is not reachable from subnet %s.  Therefore, cannot associate Port %s with a Floating IP.", external, subnet, p.ID)
	}
	return first, nil
}

func showFloatingIP(c *call, f *floatingIP, out fields) {
	out["port_forwardings"] = []fields{}
	out["port_details"] = nil
	if f.Port == nil {
		return
	}
	if p, there := c.cloud.ports.get(*f.Port); there {
		out["port_details"] = fields{
			"name": p.Name, "network_id": p.Network, "mac_address": p.MAC, "admin_state_up": p.AdminStateUp, "status": p.Status,
			"device_id": p.Device, "device_owner": p.Owner,
		}
	}
}

// floats says whether one of the floating IPs fits.
func (c *Cloud) floats(fits func(*floatingIP) bool) bool { return c.floatingIPs.has(fits) }

// dissociate takes the floating IPs off a port.
func (c *call) dissociate(id string) {
	for _, f := range c.cloud.floatingIPs.where(func(f *floatingIP) bool { return f.Port != nil && *f.Port == id }) {
		f.Port, f.Router, f.Fixed = nil, nil, nil
		c.touch(f)
	}
}
