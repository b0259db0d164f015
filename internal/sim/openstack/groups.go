// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "slices"

// defaultGroup is the name of the group that each project has.
const defaultGroup = "default"

type group struct {
	standard
	Name     string
	Stateful bool

	// latent is a default group that Neutron would not have made yet: it does so
	// when a project first needs one. It is there from the beginning, so that
	// looking changes nothing, but does not count.
	latent bool
}

func (g *group) shown() fields {
	return fields{
		"name": g.Name, "stateful": g.Stateful,
	}
}

// groupKind is what the cloud knows about security groups.
func groupKind() *kind[*group] {
	return &kind[*group]{
		one: "security_group", many: "security_groups", missing: "SecurityGroupNotFound", text: "Security group %s does not exist", quota: true, idle: true,
		of: func(c *Cloud) *table[*group] { return &c.groups },
		attrs: attributes{
			"name":                 {post | put | filter, text(255)},
			"stateful":             {post | put | filter, flag},
			"security_group_rules": {},
			"shared":               {flags: filter},
		}.common(),
		make: makeGroup, change: changeGroup, remove: removeGroup, show: showGroup,
		sees: func(c *call, g *group) bool { return c.cloud.shares(g, c.who.projectID()) },
	}
}

func makeGroup(c *call, in input) (*group, error) {
	name := in.text("name")
	c.cloud.addDefaultGroup(in.text("project_id"))
	if name == defaultGroup {
		return nil, conflict("SecurityGroupDefaultAlreadyExists", "Default security group already exists.")
	}
	if err := c.cloud.afford(in.text("project_id"), "security_group_rule", c.cloud.countRules(in.text("project_id")), 2); err != nil {
		return nil, err
	}
	g := &group{standard: c.fresh("security_group", in), Name: name, Stateful: get(in, "stateful", true)}
	c.addGroup(g)
	return g, nil
}

// addGroup adds a group with the two rules that let everything out.
func (c *call) addGroup(g *group) {
	c.cloud.groups.add(g)
	add := func(r *rule) {
		r.standard = c.fresh("security_group_rule", input{values: fields{"project_id": g.Project, "rule": r.key()}})
		r.Revision = 0
		c.cloud.rules.add(r)
	}
	for _, ethertype := range []string{"IPv4", "IPv6"} {
		if g.Name == defaultGroup {
			add(&rule{Group: g.ID, Direction: "ingress", Ethertype: ethertype, RemoteGroup: &g.ID})
		}
		add(&rule{Group: g.ID, Direction: "egress", Ethertype: ethertype})
	}
}

// addDefaultGroup returns the group of a project that is there without being
// made. Asked for again it counts from then on.
func (c *Cloud) addDefaultGroup(project string) *group {
	for _, g := range c.groups.list() {
		if g.Project == project && g.Name == defaultGroup {
			g.latent = false
			return g
		}
	}
	own := &call{cloud: c, now: c.opt.Now()}
	g := &group{
		standard: own.fresh("security_group", input{values: fields{"project_id": project, "name": defaultGroup}}),
		Name:     defaultGroup, Stateful: true, latent: true,
	}
	g.Description = "Default security group"
	g.hidden = 0
	own.addGroup(g)
	return g
}

func changeGroup(c *call, g *group, in input) error {
	name, named := in.values["name"].(string)
	switch {
	case named && g.Name == defaultGroup && name != g.Name:
		return conflict("SecurityGroupCannotUpdateDefault", "Updating default security group not allowed.")
	case named && name == defaultGroup && g.Name != name:
		return conflict("SecurityGroupDefaultAlreadyExists", "Default security group already exists.")
	}
	set(in, "name", &g.Name)
	set(in, "stateful", &g.Stateful)
	return nil
}

func removeGroup(c *call, g *group) error {
	if c.cloud.ports.has(func(p *port) bool { return slices.Contains(p.Groups, g.ID) }) {
		return conflict("SecurityGroupInUse", "Security Group %s in use.", g.ID)
	}
	if g.Name == defaultGroup && !c.who.admin() {
		return conflict("SecurityGroupCannotRemoveDefault", "Insufficient rights for removing default security group.")
	}
	for _, r := range c.cloud.rules.list() {
		if r.Group == g.ID || r.RemoteGroup != nil && *r.RemoteGroup == g.ID {
			c.cloud.rules.remove(r)
		}
	}
	return nil
}

// showGroup lists the rules in the order in which they were made. In here
// Neutron shows them with a number of its own and tags.
func showGroup(c *call, g *group, f fields) {
	list := []fields{}
	for _, r := range c.cloud.rulesOf(g.ID) {
		shown := c.cloud.kinds.rules.render(c, r)
		shown["standard_attr_id"] = r.serial
		shown["tags"] = []string{}
		list = append(list, shown)
	}
	f["security_group_rules"] = list
	f["shared"] = c.cloud.shares(g, c.who.projectID())
}

// rulesOf returns the rules of a group, the oldest first.
func (c *Cloud) rulesOf(group string) []*rule {
	return c.rules.where(func(r *rule) bool { return r.Group == group })
}

// countGroups counts the groups of a project.
func (c *Cloud) countGroups(project string) int {
	return len(c.groups.where(func(g *group) bool { return g.Project == project && !g.latent }))
}

// countRules counts the rules of a project.
func (c *Cloud) countRules(project string) int {
	return len(c.rules.where(func(r *rule) bool {
		g, there := c.groups.get(r.Group)
		return r.Project == project && there && !g.latent
	}))
}
