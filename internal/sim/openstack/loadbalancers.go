// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"net/netip"
	"slices"
)

// What a load balancer is going through.
const (
	lbActive        = "ACTIVE"
	lbPendingCreate = "PENDING_CREATE"
	lbPendingUpdate = "PENDING_UPDATE"
	lbPendingDelete = "PENDING_DELETE"
	lbError         = "ERROR"
)

// loadBalancer is one of Octavia. Its entry is a port of Neutron.
type loadBalancer struct {
	standard
	Name      string
	Status    string // provisioning_status
	Operating string
	VIPPort   string
	Subnet    string
	Network   string
	Address   netip.Addr
	children  []lbChild
	changed   bool
	left      int // looks until a PENDING_… is over
}

// SetPending lets load balancers be PENDING_… for so many looks: reads of the
// load balancer or of ports, and refused changes of it. The default is 3.
func (c *Cloud) SetPending(looks int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.switches.pending = looks
}

func (l *loadBalancer) pending() bool {
	return l.Status == lbPendingCreate || l.Status == lbPendingUpdate || l.Status == lbPendingDelete
}

// begin lets a load balancer be PENDING_….
func (c *call) begin(l *loadBalancer, status string) {
	l.Status, l.left = status, c.cloud.switches.pending
}

// advance lets load balancers whose time is over move on, and counts the look.
// It is called before each look.
func (c *call) advance() {
	for _, l := range c.cloud.loadBalancers.list() {
		switch {
		case !l.pending():
		case l.left > 0:
			l.left--
		case l.Status == lbPendingDelete:
			if p, there := c.cloud.ports.get(l.VIPPort); there {
				c.dissociate(p.ID)
				c.cloud.ports.remove(p)
			}
			c.cloud.loadBalancers.remove(l)
		default:
			l.Status, l.Operating = lbActive, "ONLINE"
		}
	}
}

func (c *call) shownLoadBalancer(l *loadBalancer) fields {
	stamp := func(s string) string { return s[:len(s)-1] }
	f := fields{
		"id": l.ID, "name": l.Name, "description": l.Description, "project_id": l.Project, "tenant_id": l.Project, "tags": l.Tags,
		"provisioning_status": l.Status, "operating_status": l.Operating, "admin_state_up": true, "provider": "amphora",
		"vip_address": l.Address.String(), "vip_port_id": l.VIPPort, "vip_subnet_id": l.Subnet, "vip_network_id": l.Network,
		"vip_qos_policy_id": nil, "additional_vips": []fields{}, "flavor_id": nil, "availability_zone": nil, "pools": l.refs("pool"),
		"listeners": l.refs("listener"), "created_at": stamp(l.Created), "updated_at": nil,
	}
	if l.changed {
		f["updated_at"] = stamp(l.Updated)
	}
	return f
}

// demandOctavia is demand for Octavia, which does not say which rule it is.
func (c *call) demandOctavia(rule string, owns bool) error {
	if c.passes("os_load-balancer_api:loadbalancer:"+rule, owns) {
		return nil
	}
	return refuse(http.StatusForbidden, "", "Policy does not allow this request to be performed.")
}

func noLoadBalancer(id string) error {
	return refuse(http.StatusNotFound, "", "Load Balancer %s not found.", id)
}

// findLoadBalancer returns the one of the path. A foreign one is 403, not 404.
func (c *call) findLoadBalancer(rule string) (*loadBalancer, error) {
	c.advance()
	l, there := c.cloud.loadBalancers.get(c.vars["id"])
	if !there {
		return nil, noLoadBalancer(c.vars["id"])
	}
	return l, c.demandOctavia(rule, c.owns(l.Project))
}

func (c *call) showLoadBalancer() (answer, error) {
	l, err := c.findLoadBalancer("get_one")
	if err != nil {
		return answer{}, err
	}
	if !seen(&l.standard) {
		return answer{}, noLoadBalancer(l.ID)
	}
	return ok(fields{"loadbalancer": only(c.shownLoadBalancer(l), c.query["fields"])})
}

// lbFilters are what lists can be filtered by.
var lbFilters = []string{
	"id", "name", "description", "project_id", "tenant_id", "provisioning_status", "operating_status", "vip_address", "vip_port_id",
	"vip_subnet_id", "vip_network_id", "provider", "admin_state_up",
}

func (c *call) listLoadBalancers() (answer, error) {
	c.advance()
	project := c.query.Get("project_id")
	if err := c.demandOctavia("get_all", project == "" || c.owns(project)); err != nil {
		return answer{}, err
	}
	for name := range c.query {
		if !slices.Contains(append(lbFilters, "fields", "limit", "marker", "tags", "sort", "page_reverse"), name) {
			return answer{}, refuse(http.StatusBadRequest, "", "One or more arguments are either duplicate or invalid")
		}
	}
	rows := []fields{}
	for _, l := range c.cloud.loadBalancers.list() {
		if !c.owns(l.Project) && !c.who.admin() {
			continue
		}
		if f := c.shownLoadBalancer(l); c.fitsLoadBalancer(l, f) && seen(&l.standard) {
			rows = append(rows, f)
		}
	}
	return c.pageLoadBalancers(rows)
}

func (c *call) fitsLoadBalancer(l *loadBalancer, f fields) bool {
	for _, name := range lbFilters {
		if values, asked := c.query[name]; asked && !slices.Contains(values, spell(f[name])) {
			return false
		}
	}
	if values, asked := c.query["tags"]; asked {
		return tagFilter("tags", values)(l.Tags)
	}
	return true
}

func (c *call) pageLoadBalancers(rows []fields) (answer, error) {
	if marker := c.query.Get("marker"); marker != "" {
		i := slices.IndexFunc(rows, func(f fields) bool { return f["id"] == marker })
		rows = rows[i+1:]
	}
	limit, err := c.limit()
	if err != nil {
		return answer{}, err
	}
	links := []fields{}
	if limit > 0 && len(rows) > limit {
		rows = rows[:limit]
		links = append(links, c.link("next", spell(rows[limit-1]["id"]), false))
	}
	for i, f := range rows {
		rows[i] = only(f, c.query["fields"])
	}
	return ok(fields{"loadbalancers": rows, "loadbalancers_links": links})
}

type loadBalancerRequest struct {
	LoadBalancer *struct {
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Project     string   `json:"project_id"`
		Subnet      string   `json:"vip_subnet_id"`
		Network     string   `json:"vip_network_id"`
		Address     string   `json:"vip_address"`
		Tags        []string `json:"tags"`
	} `json:"loadbalancer"`
}

func (c *call) createLoadBalancer() (answer, error) {
	var req loadBalancerRequest
	if c.decode(&req) != nil || req.LoadBalancer == nil {
		return answer{}, refuse(http.StatusBadRequest, "", "Invalid input for field/attribute loadbalancer.")
	}
	in := req.LoadBalancer
	if err := c.demandOctavia("post", in.Project == "" || c.owns(in.Project)); err != nil {
		return answer{}, err
	}
	l := &loadBalancer{Name: in.Name, Subnet: in.Subnet, Network: in.Network}
	l.standard = c.fresh("loadbalancer", input{values: fields{"project_id": c.who.projectID(), "body": *in, "description": in.Description}})
	if in.Tags != nil {
		l.Tags = in.Tags
	}
	if err := c.addLoadBalancer(l, in.Address); err != nil {
		return answer{}, err
	}
	c.begin(l, lbPendingCreate)
	return created(fields{"loadbalancer": c.shownLoadBalancer(l)})
}

// addLoadBalancer gives a load balancer its port.
func (c *call) addLoadBalancer(l *loadBalancer, at string) error {
	if l.Subnet == "" && l.Network == "" {
		return refuse(http.StatusBadRequest, "", "Validation failure: VIP must contain one of: vip_port_id, vip_network_id, vip_subnet_id.")
	}
	if err := c.placeLoadBalancer(l); err != nil {
		return err
	}
	p := c.servicePort(l.Network, "lb-"+l.ID, "Octavia")
	p.Name, p.Project, p.AdminStateUp, p.PortSecurity = "octavia-lb-"+l.ID, l.Project, false, true
	p.Groups = []string{c.cloud.addDefaultGroup(l.Project).ID}
	p.Groups = []string{c.cloud.addDefaultGroup(l.Project).ID}
	w := wish{Subnet: l.Subnet}
	if at != "" {
		a, err := netip.ParseAddr(at)
		if err != nil {
			return refuse(http.StatusBadRequest, "", "Invalid input for field/attribute vip_address. Value: '%s'.", at)
		}
		w.Address = a
	}
	if err := c.allocate(p, input{values: fields{"fixed_ips": []wish{w}}}); err != nil {
		return refuse(http.StatusBadRequest, "", "%v", err)
	}
	i := slices.IndexFunc(p.FixedIPs, func(ip fixedIP) bool { return ip.Subnet == l.Subnet })
	if i < 0 {
		return refuse(http.StatusBadRequest, "", "Subnet %s has no address for the VIP.", l.Subnet)
	}
	l.VIPPort, l.Address, l.Operating = p.ID, p.FixedIPs[i].Address, "OFFLINE"
	c.cloud.ports.add(p)
	c.cloud.loadBalancers.add(l)
	return nil
}

// placeLoadBalancer finds network and subnet of the entry.
func (c *call) placeLoadBalancer(l *loadBalancer) error {
	if l.Subnet == "" {
		n, err := c.networkFor(l.Network)
		if err != nil {
			return refuse(http.StatusBadRequest, "", "Network %s not found.", l.Network)
		}
		if list := c.cloud.subnetsOf(n.ID); len(list) > 0 {
			l.Subnet = list[0].ID
		}
	}
	s, err := c.cloud.kinds.subnets.find(c, l.Subnet)
	if err != nil {
		return refuse(http.StatusBadRequest, "", "Subnet %s not found.", l.Subnet)
	}
	l.Network = s.Network
	return nil
}

// immutable refuses changes of a load balancer that is PENDING_….
func immutable(l *loadBalancer) error {
	if !l.pending() {
		return nil
	}
	return refuse(http.StatusConflict, "", "Invalid state %s of loadbalancer resource %s", l.Status, l.ID)
}

// changeLoadBalancer is PUT /loadbalancers/{id}: name, description and tags.
func (c *call) changeLoadBalancer() (answer, error) {
	var req struct {
		LoadBalancer struct {
			Name        *string  `json:"name"`
			Description *string  `json:"description"`
			Tags        []string `json:"tags"`
		} `json:"loadbalancer"`
	}
	if err := c.decode(&req); err != nil {
		return answer{}, err
	}
	l, err := c.findLoadBalancer("put")
	if err != nil {
		return answer{}, err
	}
	if err := immutable(l); err != nil {
		return answer{}, err
	}
	in := req.LoadBalancer
	if in.Name != nil {
		l.Name = *in.Name
	}
	if in.Description != nil {
		l.Description = *in.Description
	}
	if in.Tags != nil {
		l.Tags = in.Tags
	}
	c.begin(l, lbPendingUpdate)
	l.changed = true
	c.touch(l)
	return ok(fields{"loadbalancer": c.shownLoadBalancer(l)})
}

func (c *call) deleteLoadBalancer() (answer, error) {
	l, err := c.findLoadBalancer("delete")
	if err != nil {
		return answer{}, err
	}
	cascade, _ := truth(c.query.Get("cascade"))
	if len(l.children) > 0 && !cascade {
		return answer{}, refuse(http.StatusBadRequest, "", "Validation failure: Cannot delete Load Balancer %s - it has children", l.ID)
	}
	if err := immutable(l); err != nil {
		return answer{}, err
	}
	c.begin(l, lbPendingDelete)
	l.changed = true
	c.touch(l)
	return noContent()
}

func loadBalancerRoutes() routes {
	const at = "/load-balancer/v2.0/lbaas"
	return routes{
		{"GET", at + "/loadbalancers", (*call).listLoadBalancers, false},
		{"POST", at + "/loadbalancers", (*call).createLoadBalancer, false},
		{"GET", at + "/loadbalancers/{id}", (*call).showLoadBalancer, false},
		{"PUT", at + "/loadbalancers/{id}", (*call).changeLoadBalancer, false},
		{"DELETE", at + "/loadbalancers/{id}", (*call).deleteLoadBalancer, false},
		{"POST", at + "/listeners", (*call).createListener, false},
		{"GET", at + "/listeners/{id}", (*call).showListener, false},
		{"POST", at + "/pools", (*call).createPool, false},
		{"GET", at + "/pools/{id}", (*call).showPool, false},
		{"POST", at + "/pools/{id}/members", (*call).createMember, false},
	}
}
