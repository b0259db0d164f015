// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// planter puts a world into a cloud, one kind after the other, as an admin who
// works in the project that is planted.
type planter struct {
	cloud *Cloud
	world World
}

// Plant puts a world into the cloud. It enforces what the services enforce. An
// error says where in the world it is; what was planted before it stays.
func (c *Cloud) Plant(w World) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	hide := c.switches.hide
	c.switches.hide = 0
	defer func() { c.switches.hide = hide }()
	p := planter{c, w}
	for i, u := range w.Users {
		if err := p.user(u); err != nil {
			return fmt.Errorf("users[%d]: %w", i, err)
		}
	}
	for _, step := range []func(*call, WorldProject) error{
		p.scopes, p.subnetPools, p.networks, p.groups, p.rules, p.routers, p.interfaces, p.ports, p.routes,
		p.loadBalancers, p.floatingIPs, p.keyPairs, p.shareNetworks,
	} {
		for _, name := range slices.Sorted(maps.Keys(w.Projects)) {
			project := c.addProject(name)
			if err := step(c.as(project), w.Projects[name]); err != nil {
				return fmt.Errorf("projects.%s.%w", name, err)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.Projects)) {
		for resource, n := range w.Projects[name].Quotas {
			if _, known := defaultQuotas[resource]; !known {
				return fmt.Errorf("projects.%s.quotas.%s: Neutron has no such quota", name, resource)
			}
			c.setQuota(c.findProject(name).id, resource, n)
		}
	}
	for rule, who := range w.Policy {
		if !slices.Contains([]Access{Nobody, Admin, Owner, Anyone}, who) {
			return fmt.Errorf("policy.%s: %q is none of %s, %s, %s, %s", rule, who, Nobody, Admin, Owner, Anyone)
		}
		c.policy[rule] = who
	}
	return nil
}

// as is a call of an admin in a project.
func (c *Cloud) as(p *project) *call {
	return &call{
		cloud: c, method: "POST", now: c.opt.Now(),
		who: &session{user: &user{name: "world"}, project: p, roles: []string{"admin"}},
	}
}

func (p planter) user(u WorldUser) error {
	if u.Name == "" {
		return fmt.Errorf("name: a user has a name")
	}
	if u.Password == "" {
		u.Password = u.Name
	}
	if u.Project == "" {
		u.Project = u.Name
	}
	if u.Roles == nil {
		u.Roles = member
	}
	project := p.cloud.addProject(u.Project)
	who := p.cloud.addUser(u.Name, u.Password, project, u.Roles)
	if k := u.Credential; k != nil {
		if k.ID == "" {
			k.ID = p.cloud.hexID("credential", u.Name, k.Name)
		}
		p.cloud.identity.credentials = append(p.cloud.identity.credentials, &credential{
			id: k.ID, name: k.Name, secret: k.Secret, user: who, project: project, roles: who.roles[project.id],
		})
	}
	return nil
}

var canonicalUUID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// checkID refuses an ID that is none, or that another thing of the kind has.
func checkID(id string, taken bool) error {
	switch {
	case id == "":
		return nil
	case !canonicalUUID.MatchString(id):
		return fmt.Errorf("id: %q is not a UUID in lower case with dashes", id)
	case taken:
		return fmt.Errorf("id: %s is taken", id)
	}
	return nil
}

// plant makes one thing with the attributes of the body.
func (k *kind[T]) plant(c *call, id string, tags []string, body fields) (v T, err error) {
	if _, taken := k.of(c.cloud).get(id); true {
		if err := checkID(id, taken); err != nil {
			return v, err
		}
	}
	in, err := k.attrs.read(plainJSON(body), true)
	if err != nil {
		return v, err
	}
	in.id = id
	if err := c.settle(in); err != nil {
		return v, err
	}
	if k.bulk != nil {
		if err := k.bulk(c, []input{in}); err != nil {
			return v, err
		}
	}
	if v, err = k.make(c, in); err != nil {
		return v, err
	}
	if tags != nil {
		v.std().Tags = tags
	}
	return v, nil
}

// plainJSON is a body as it would arrive: numbers are float64.
func plainJSON(body fields) fields {
	out := fields{}
	for name, v := range toFields(body) {
		out[name] = plainValue(v)
	}
	return out
}

func plainValue(v any) any {
	switch v := v.(type) {
	case interface{ Float64() (float64, error) }: // json.Number
		if f, err := v.Float64(); err == nil {
			return f
		}
	case map[string]any:
		return plainJSON(v)
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = plainValue(e)
		}
		return list
	}
	return v
}

// body turns a part of a world into the body of a creation, without the fields
// that the API does not have.
func body(v any, without ...string) fields {
	f := plainJSON(toFields(v))
	for _, name := range append(without, "id", "tags") {
		delete(f, name)
	}
	return f
}

// resolve finds what a reference means.
func resolve[T thing](c *call, t *table[T], what, ref string, name func(T) string, sees func(T) bool) (id string, err error) {
	if _, there := t.get(ref); there {
		return ref, nil
	}
	project, want := c.who.projectID(), ref
	if before, after, far := strings.Cut(ref, "/"); far {
		p := c.cloud.findProject(before)
		if p == nil {
			return "", fmt.Errorf("there is no project %q for the %s %q", before, what, ref)
		}
		project, want = p.id, after
	}
	own := t.where(func(v T) bool { return v.std().Project == project && name(v) == want })
	if len(own) == 0 && want == ref {
		own = t.where(func(v T) bool { return name(v) == ref && sees(v) })
	}
	switch len(own) {
	case 0:
		return "", fmt.Errorf("there is no %s %q", what, ref)
	case 1:
		return own[0].std().ID, nil
	}
	return "", fmt.Errorf("%d of %s have the name %q: say which by its ID", len(own), what, ref)
}

func hides[T thing](T) bool { return false }

func (c *call) resolveNetwork(ref string) (string, error) {
	project := c.who.projectID()
	return resolve(c, &c.cloud.networks, "network", ref, func(n *network) string { return n.Name },
		func(n *network) bool { return c.cloud.shares(n, project) || c.cloud.exports(n, project) })
}

func (c *call) resolveSubnet(ref string) (string, error) {
	project := c.who.projectID()
	return resolve(c, &c.cloud.subnets, "subnet", ref, func(s *subnet) string { return s.Name }, func(s *subnet) bool {
		n, there := c.cloud.networks.get(s.Network)
		return there && (c.cloud.shares(n, project) || c.cloud.exports(n, project))
	})
}

func (c *call) resolveGroup(ref string) (string, error) {
	return resolve(c, &c.cloud.groups, "security group", ref, func(g *group) string { return g.Name }, hides)
}

func (c *call) resolvePort(ref string) (string, error) {
	return resolve(c, &c.cloud.ports, "port", ref, func(p *port) string { return p.Name }, hides)
}

// Find returns the ID of the thing of that kind ("network", "subnet",
// "security group", "router", "port", "subnet pool", "share network",
// "load balancer") and name in a project, and whether there is exactly one.
func (c *Cloud) Find(project, kind, name string) (id string, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.findProject(project)
	if p == nil {
		return "", false
	}
	own := c.as(p)
	var err error
	switch kind {
	case "network":
		id, err = own.resolveNetwork(name)
	case "subnet":
		id, err = own.resolveSubnet(name)
	case "security group":
		id, err = own.resolveGroup(name)
	case "port":
		id, err = own.resolvePort(name)
	case "router":
		id, err = resolve(own, &c.routers, kind, name, func(r *router) string { return r.Name }, hides)
	case "subnet pool":
		id, err = resolve(own, &c.subnetPools, kind, name, func(p *subnetPool) string { return p.Name }, func(p *subnetPool) bool { return p.Shared })
	case "share network":
		id, err = resolve(own, &c.shareNetworks, kind, name, func(s *shareNetwork) string { return deref(s.Name) }, hides)
	case "load balancer":
		id, err = resolve(own, &c.loadBalancers, kind, name, func(l *loadBalancer) string { return l.Name }, hides)
	default:
		return "", false
	}
	return id, err == nil
}
