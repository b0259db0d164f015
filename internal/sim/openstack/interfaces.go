// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"slices"
)

// interfaceRequest is the body of both actions.
type interfaceRequest struct {
	Subnet string `json:"subnet_id"`
	Port   string `json:"port_id"`
}

// routerFor returns the router of the path, if the caller may do that with it.
func (c *call) routerFor(rule string) (*router, error) {
	r, err := c.cloud.kinds.routers.find(c, c.vars["id"])
	if err != nil {
		return nil, err
	}
	return r, c.demand(rule, c.owns(r.Project))
}

func badRouter(format string, args ...any) error {
	return refuse(http.StatusBadRequest, "BadRequest", "Bad router request: "+format, args...)
}

// addInterface is PUT /routers/{id}/add_router_interface.
func (c *call) addInterface() (answer, error) {
	var req interfaceRequest
	if err := c.decode(&req); err != nil {
		return answer{}, err
	}
	r, err := c.routerFor("add_router_interface")
	if err != nil {
		return answer{}, err
	}
	switch {
	case req.Subnet != "" && req.Port != "":
		return answer{}, badRouter("Cannot specify both subnet-id and port-id.")
	case req.Port != "":
		return c.addPort(r, req.Port)
	case req.Subnet != "":
		return c.addSubnet(r, req.Subnet)
	}
	return answer{}, badRouter("Either subnet_id or port_id must be specified.")
}

func (c *call) addSubnet(r *router, id string) (answer, error) {
	s, err := c.cloud.kinds.subnets.find(c, id)
	if err != nil {
		return answer{}, err
	}
	if s.Gateway == nil {
		return answer{}, badRouter("Subnet for router interface must have a gateway IP.")
	}
	if err := c.mayAttach(s); err != nil {
		return answer{}, err
	}
	if err := c.attachable(r, []*subnet{s}); err != nil {
		return answer{}, err
	}
	wishes := []wish{{s.ID, *s.Gateway}}
	if p := c.portBeside(r, s); p != nil {
		for _, ip := range p.FixedIPs {
			wishes = append(wishes, wish(ip))
		}
		if err := c.allocate(p, input{values: fields{"fixed_ips": wishes}}); err != nil {
			return answer{}, err
		}
		c.touch(p)
		c.touch(r)
		return ok(info(r, p, []string{s.ID}))
	}
	p := c.servicePort(s.Network, r.ID, ownerInterface)
	p.Project, p.Revision = r.Project, 2
	if err := c.allocate(p, input{values: fields{"fixed_ips": wishes}}); err != nil {
		return answer{}, err
	}
	c.cloud.ports.add(p)
	c.touch(r)
	return ok(info(r, p, []string{s.ID}))
}

// mayAttach refuses a subnet of another project whose network is shared with all.
func (c *call) mayAttach(s *subnet) error {
	shared := c.cloud.rbacs.has(func(r *rbac) bool {
		return r.Object == s.Network && r.Action == accessShared && r.Target == c.who.projectID()
	})
	if c.who.admin() || c.owns(s.Project) || shared {
		return nil
	}
	return badRouter("Cannot add interface to router because subnet %s is not owned by project making the request.", s.ID)
}

// attachable refuses subnets that the router has, or that overlap what it has.
func (c *call) attachable(r *router, list []*subnet) error {
	for _, s := range list {
		if s.IPVersion == 6 && s.RAMode == nil && s.AddressMode != nil {
			return badRouter("IPv6 subnet %s configured to receive RAs from an external router cannot be added to Neutron Router.", s.ID)
		}
		for _, p := range c.cloud.portsOf(r) {
			if p.in(s.ID) {
				return badRouter("Router already has a port on subnet %s.", s.ID)
			}
		}
	}
	return c.overlap(r, list)
}

// portBeside returns the interface that an IPv6 subnet joins: the router's in
// the same network, if it has an IPv6 address already.
func (c *call) portBeside(r *router, s *subnet) *port {
	if s.IPVersion != 6 {
		return nil
	}
	for _, p := range c.cloud.portsOf(r) {
		if p.Owner == ownerInterface && p.Network == s.Network &&
			slices.ContainsFunc(p.FixedIPs, func(ip fixedIP) bool { return ip.Address.Is6() }) {
			return p
		}
	}
	return nil
}

func (c *call) addPort(r *router, id string) (answer, error) {
	p, err := c.cloud.kinds.ports.find(c, id)
	if err != nil {
		return answer{}, err
	}
	if p.Device != "" {
		return answer{}, conflict("PortInUse", "Unable to complete operation on port %s for network %s. Port already has an attached device %s.", p.ID, p.Network, p.Device)
	}
	if len(p.FixedIPs) == 0 {
		return answer{}, badRouter("Router port must have at least one fixed IP.")
	}
	var list []*subnet
	var ids []string
	for _, ip := range p.FixedIPs {
		if s, there := c.cloud.subnets.get(ip.Subnet); there {
			list, ids = append(list, s), append(ids, s.ID)
		}
	}
	if err := c.attachable(r, list); err != nil {
		return answer{}, err
	}
	p.Device, p.Owner = r.ID, ownerInterface
	c.touch(p)
	c.touch(p)
	c.touch(r)
	return ok(info(r, p, ids))
}

// info is the answer of both actions.
func info(r *router, p *port, subnets []string) fields {
	return fields{
		"id": r.ID, "tenant_id": r.Project, "port_id": p.ID, "network_id": p.Network, "subnet_id": subnets[0], "subnet_ids": subnets,
	}
}

// removeInterface is PUT /routers/{id}/remove_router_interface.
func (c *call) removeInterface() (answer, error) {
	var req interfaceRequest
	if err := c.decode(&req); err != nil {
		return answer{}, err
	}
	r, err := c.routerFor("remove_router_interface")
	if err != nil {
		return answer{}, err
	}
	if req.Subnet == "" && req.Port == "" {
		return answer{}, badRouter("Either subnet_id or port_id must be specified.")
	}
	var gone []string // the subnets that the interface leaves
	p, err := c.findInterface(r, req)
	if err != nil {
		return answer{}, err
	}
	for _, ip := range p.FixedIPs {
		if req.Port != "" || ip.Subnet == req.Subnet {
			gone = append(gone, ip.Subnet)
		}
	}
	for _, id := range gone {
		if err := c.needless(r, id); err != nil {
			return answer{}, err
		}
	}
	if len(gone) == len(p.FixedIPs) {
		c.cloud.ports.remove(p)
	} else {
		p.FixedIPs = slices.DeleteFunc(p.FixedIPs, func(ip fixedIP) bool { return slices.Contains(gone, ip.Subnet) })
		c.touch(p)
	}
	c.touch(r)
	return ok(info(r, p, gone))
}

func (c *call) findInterface(r *router, req interfaceRequest) (*port, error) {
	if req.Port != "" {
		p, there := c.cloud.ports.get(req.Port)
		if !there || p.Device != r.ID || p.Owner != ownerInterface {
			return nil, notFound("RouterInterfaceNotFound", "Router %s does not have an interface with id %s", r.ID, req.Port)
		}
		if req.Subnet != "" && !p.in(req.Subnet) {
			return nil, refuse(400, "SubnetMismatchForPort", "Subnet on port %s does not match the requested subnet %s.", p.ID, req.Subnet)
		}
		return p, nil
	}
	s, err := c.cloud.kinds.subnets.find(c, req.Subnet)
	if err != nil {
		return nil, err
	}
	for _, p := range c.cloud.portsOf(r) {
		if p.Owner == ownerInterface && p.in(s.ID) {
			return p, nil
		}
	}
	return nil, notFound("RouterInterfaceNotFoundForSubnet", "Router %s has no interface on subnet %s", r.ID, s.ID)
}

// needless refuses to take a subnet off a router while floating IPs or extra
// routes need it.
func (c *call) needless(r *router, id string) error {
	s, there := c.cloud.subnets.get(id)
	if !there {
		return nil
	}
	if c.cloud.floats(func(f *floatingIP) bool {
		return f.Router != nil && *f.Router == r.ID && f.Fixed != nil && s.CIDR.Contains(*f.Fixed)
	}) {
		return conflict("RouterInterfaceInUseByFloatingIP",
			"Router interface for subnet %s on router %s cannot be deleted, as it is required by one or more floating IPs.", s.ID, r.ID)
	}
	if slices.ContainsFunc(r.Routes, func(route hostRoute) bool { return s.CIDR.Contains(wholePrefix(route.NextHop).Addr()) }) {
		return conflict("RouterInterfaceInUseByRoute",
			"Router interface for subnet %s on router %s cannot be deleted, as it is required by one or more routes.", s.ID, r.ID)
	}
	return nil
}
