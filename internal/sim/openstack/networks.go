// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// maxMTU is what an overlay leaves of 1500 bytes.
const maxMTU = 1442

type network struct {
	standard
	Name         string
	AdminStateUp bool
	Status       string
	MTU          int
	PortSecurity bool
	External     bool
	IsDefault    bool
	Policy       *string
	Hints        []string
	Zones        []string
	Type         string
	Physical     *string
	Segment      int
}

func (n *network) shown() fields {
	return fields{
		"name": n.Name, "admin_state_up": n.AdminStateUp, "status": n.Status, "mtu": n.MTU,
		"port_security_enabled": n.PortSecurity, "router:external": n.External, "is_default": n.IsDefault,
		"qos_policy_id": value(n.Policy), "availability_zone_hints": n.Hints, "availability_zones": n.Zones,
		"provider:network_type": n.Type, "provider:physical_network": value(n.Physical), "provider:segmentation_id": n.Segment,
	}
}

// networkKind is what the cloud knows about networks.
func networkKind() *kind[*network] {
	return &kind[*network]{
		one: "network", many: "networks", missing: "NetworkNotFound", text: "Network %s could not be found.", quota: true, idle: true,
		of: func(c *Cloud) *table[*network] { return &c.networks },
		attrs: attributes{
			"name":                      {post | put | filter, text(255)},
			"admin_state_up":            {post | put | filter, flag},
			"status":                    {flags: filter},
			"mtu":                       {post | put | filter, natural},
			"port_security_enabled":     {post | put, flag},
			"router:external":           {post | put | filter | guarded, flag},
			"is_default":                {post | put | filter | guarded, flag},
			"shared":                    {post | put | filter | guarded, flag},
			"subnets":                   {},
			"qos_policy_id":             {},
			"availability_zone_hints":   {flags: post},
			"availability_zones":        {},
			"ipv4_address_scope":        {},
			"ipv6_address_scope":        {},
			"provider:network_type":     {post | filter | guarded | secret, text(32)},
			"provider:physical_network": {post | filter | guarded | secret, text(64)},
			"provider:segmentation_id":  {post | filter | guarded | secret, whole},
		}.common(),
		make: makeNetwork, change: changeNetwork, remove: removeNetwork, show: showNetwork,
		sees: func(c *call, n *network) bool {
			return c.cloud.shares(n, c.who.projectID()) || c.cloud.exports(n, c.who.projectID())
		},
	}
}

func makeNetwork(c *call, in input) (*network, error) {
	c.cloud.addDefaultGroup(in.text("project_id"))
	mtu := get(in, "mtu", 0)
	if mtu > maxMTU {
		return nil, invalid("Requested MTU is too big, maximum is %d.", maxMTU)
	}
	if mtu == 0 {
		mtu = maxMTU
	}
	n := &network{
		standard: c.fresh("network", in), Name: in.text("name"), Status: "ACTIVE", MTU: mtu,
		AdminStateUp: get(in, "admin_state_up", true), PortSecurity: get(in, "port_security_enabled", true),
		External: get(in, "router:external", false), IsDefault: get(in, "is_default", false),
		Hints: []string{}, Zones: []string{}, Type: "geneve",
	}
	set(in, "provider:network_type", &n.Type)
	set(in, "provider:segmentation_id", &n.Segment)
	if s := in.text("provider:physical_network"); s != "" {
		n.Physical = &s
	}
	c.cloud.networks.add(n)
	if n.Segment == 0 {
		id, _ := strconv.ParseInt(n.ID[:8], 16, 64) // all IDs begin with eight digits
		n.Segment = int(id%1000) + 1
	}
	if n.External {
		c.share(n, accessExternal)
	}
	if get(in, "shared", false) {
		c.share(n, accessShared)
	}
	return n, nil
}

func changeNetwork(c *call, n *network, in input) error {
	if get(in, "mtu", 0) > maxMTU {
		return invalid("Requested MTU is too big, maximum is %d.", maxMTU)
	}
	if external, named := in.values["router:external"].(bool); named && external != n.External {
		if err := c.export(n, external); err != nil {
			return err
		}
	}
	if shared, named := in.values["shared"].(bool); named {
		if err := c.publish(n, shared); err != nil {
			return err
		}
	}
	set(in, "name", &n.Name)
	set(in, "admin_state_up", &n.AdminStateUp)
	set(in, "mtu", &n.MTU)
	set(in, "port_security_enabled", &n.PortSecurity)
	set(in, "is_default", &n.IsDefault)
	return nil
}

// export makes a network an external one, or one that is none.
func (c *call) export(n *network, external bool) error {
	gateways := c.cloud.ports.has(func(p *port) bool { return p.Network == n.ID && p.Owner == ownerGateway })
	if !external && gateways {
		return conflict("ExternalNetworkInUse", "External network %s cannot be updated to be made non-external, since it has existing gateway ports.", n.ID)
	}
	n.External = external
	c.unshare(n, accessExternal)
	if external {
		c.share(n, accessExternal)
	}
	return nil
}

// publish shares a network with all projects, or ends that.
func (c *call) publish(n *network, shared bool) error {
	foreign := func(p *port) bool { return p.Network == n.ID && p.Project != "" && p.Project != n.Project }
	if !shared && c.cloud.shares(n, "*") && c.cloud.ports.has(foreign) {
		return conflict("InvalidSharedSetting", "Unable to reconfigure sharing settings for network %s. Multiple tenants are using it.", n.Name)
	}
	c.unshare(n, accessShared)
	if shared {
		c.share(n, accessShared)
	}
	return nil
}

// removeNetwork takes the subnets along, the ports that Neutron's own agents
// have there, and floating IPs that are on no port.
func removeNetwork(c *call, n *network) error {
	var ids []string
	inside := c.cloud.ports.where(func(p *port) bool { return p.Network == n.ID })
	unused := c.cloud.floatingIPs.where(func(f *floatingIP) bool { return f.Network == n.ID && f.Port == nil })
	for _, p := range inside {
		if !p.automatic() && !slices.ContainsFunc(unused, func(f *floatingIP) bool { return f.outside == p.ID }) {
			ids = append(ids, p.ID)
		}
	}
	if len(ids) > 0 {
		return conflict("NetworkInUse", "Unable to complete operation on network %s. There are one or more ports still in use on the network, id for these ports is: %s.",
			n.ID, strings.Join(ids, ","))
	}
	for _, f := range unused {
		c.cloud.floatingIPs.remove(f)
	}
	for _, p := range inside {
		c.cloud.ports.remove(p)
	}
	for _, s := range c.cloud.subnetsOf(n.ID) {
		c.cloud.subnets.remove(s)
	}
	for _, r := range c.cloud.rbacs.where(func(r *rbac) bool { return r.Object == n.ID }) {
		c.cloud.rbacs.remove(r)
	}
	return nil
}

func showNetwork(c *call, n *network, f fields) {
	ids := []string{}
	for _, s := range c.cloud.subnetsOf(n.ID) {
		ids = append(ids, s.ID)
		if scope := c.cloud.scopeOf(s); scope != "" {
			f[map[int]string{4: "ipv4_address_scope", 6: "ipv6_address_scope"}[s.IPVersion]] = scope
		}
	}
	for _, name := range []string{"ipv4_address_scope", "ipv6_address_scope"} {
		if _, there := f[name]; !there {
			f[name] = nil
		}
	}
	slices.Sort(ids)
	f["subnets"] = ids
	f["shared"] = c.cloud.shares(n, c.who.projectID())
	if !n.External && c.method != http.MethodPost {
		delete(f, "is_default")
	}
}

// subnetsOf returns the subnets of a network, the oldest first.
func (c *Cloud) subnetsOf(network string) []*subnet {
	return c.subnets.where(func(s *subnet) bool { return s.Network == network })
}

// networkFor returns the network that something is to be made in.
func (c *call) networkFor(id string) (*network, error) { return c.cloud.kinds.networks.find(c, id) }

// forbidForeign refuses, with Neutron's own text, what only the owner of a
// network may make in it.
func (c *call) forbidForeign(n *network, what string) error {
	if c.cloud.shares(n, c.who.projectID()) {
		return refuse(http.StatusForbidden, "PolicyNotAuthorized", "rule:create_%s is disallowed by policy", what)
	}
	return refuse(http.StatusForbidden, "HTTPForbidden", "Tenant %s not allowed to create %s on this network", c.who.projectID(), what)
}

// usable says whether the caller may put ports into a network.
func (c *call) usable(n *network) bool {
	return c.who.admin() || c.owns(n.Project) || c.cloud.shares(n, c.who.projectID())
}

// inNetwork is the filter of what is in one of some networks.
func inNetwork(ids []string, network string) bool { return slices.Contains(ids, network) }
