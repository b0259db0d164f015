// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"errors"
	"net/http"
)

// What an RBAC policy allows.
const (
	accessShared   = "access_as_shared"
	accessExternal = "access_as_external"
)

// rbac lets another project, or all ("*"), see and use a thing.
type rbac struct {
	standard
	Type   string
	Object string
	Action string
	Target string
}

func (r *rbac) shown() fields {
	return fields{
		"object_type": r.Type, "object_id": r.Object, "action": r.Action, "target_tenant": r.Target,
	}
}

// rbacKind is what the cloud knows about RBAC policies.
func rbacKind() *kind[*rbac] {
	return &kind[*rbac]{
		one: "rbac_policy", many: "rbac_policies", missing: "RbacPolicyNotFound", text: "RBAC policy of type unknown with ID %s not found", quota: true,
		of: func(c *Cloud) *table[*rbac] { return &c.rbacs },
		attrs: attributes{
			"object_type":   {post | filter | must, text(255)},
			"object_id":     {post | filter | must, text(255)},
			"action":        {post | filter | must, text(255)},
			"target_tenant": {post | put | filter | must, text(255)},
		}.common().plain(),
		make: makeRBAC,
		change: func(c *call, r *rbac, in input) error {
			if in.text("target_tenant") == "*" && !c.passes("update_rbac_policy:target_tenant", c.owns(r.Project)) {
				return c.demandAttributes("update_rbac_policy", []string{"target_tenant"}, c.owns(r.Project))
			}
			if err := c.unneeded(r); err != nil {
				return err
			}
			set(in, "target_tenant", &r.Target)
			return nil
		},
		remove: func(c *call, r *rbac) error {
			if err := c.unneeded(r); err != nil {
				return err
			}
			c.touchObject(r)
			return nil
		},
		show: func(_ *call, _ *rbac, f fields) { plain(f) },
	}
}

func makeRBAC(c *call, in input) (*rbac, error) {
	r := &rbac{Type: in.text("object_type"), Object: in.text("object_id"), Action: in.text("action"), Target: in.text("target_tenant")}
	if r.Target == "*" {
		if err := c.demandAttributes("create_rbac_policy", []string{"target_tenant"}, c.owns(in.text("project_id"))); err != nil {
			return nil, err
		}
	}
	if err := c.shareable(r); err != nil {
		return nil, err
	}
	if c.cloud.rbacs.has(func(o *rbac) bool { return o.Object == r.Object && o.Action == r.Action && o.Target == r.Target }) {
		return nil, conflict("DuplicateRbacPolicy", "An RBAC policy already exists with those values.")
	}
	r.standard = c.fresh("rbac_policy", in)
	c.cloud.rbacs.add(r)
	if n, there := c.cloud.networks.get(r.Object); there && r.Action == accessExternal {
		if !n.External {
			c.touch(n)
		}
		n.External = true
	}
	c.touchObject(r)
	return r, nil
}

// shareable refuses policies for what there is not, or belongs to others.
func (c *call) shareable(r *rbac) error {
	owner, err := c.ownerOf(r.Type, r.Object)
	if err != nil {
		return err
	}
	if r.Action != accessShared && (r.Action != accessExternal || r.Type != "network") {
		valid := "('access_as_shared',)"
		if r.Type == "network" {
			valid = "('access_as_shared', 'access_as_external')"
		}
		return refuse(http.StatusBadRequest, "InvalidActionForType",
			"Invalid action '%s' for object type '%s'. Valid actions: %s", r.Action, r.Type, valid)
	}
	if !c.owns(owner) && !c.who.admin() {
		return invalid("Only admins can manipulate policies on objects they do not own.")
	}
	return nil
}

// ownerOf returns the project of a thing that can be shared.
func (c *call) ownerOf(kind, id string) (string, error) {
	var found thing
	var err error
	switch kind {
	case "network":
		found, err = c.cloud.kinds.networks.find(c, id)
	case "security_group":
		found, err = c.cloud.kinds.groups.find(c, id)
	case "subnetpool":
		found, err = c.cloud.kinds.subnetPools.find(c, id)
	case "address_scope":
		found, err = c.cloud.kinds.scopes.find(c, id)
	default:
		return "", invalid("'%s' is not a valid RBAC object type.", kind)
	}
	var r *refusal
	if errors.As(err, &r) {
		return "", invalid("%s", r.text)
	}
	return found.std().Project, err
}

// touchObject marks that the sharing of a thing changed.
func (c *call) touchObject(r *rbac) {
	if n, there := c.cloud.networks.get(r.Object); there {
		c.touch(n)
	}
}

// unneeded refuses to take away what another project depends on.
func (c *call) unneeded(r *rbac) error {
	if c.cloud.ports.has(func(p *port) bool { return p.Network == r.Object && c.depends(p, r) }) {
		return conflict("RbacPolicyInUse", "RBAC policy on object %s cannot be removed because other objects depend on it.\nDetails: Multiple tenants are using it.", r.Object)
	}
	return nil
}

// depends says whether a port is where it is only because of a policy.
func (c *call) depends(p *port, r *rbac) bool {
	project, action := p.Project, accessShared
	if p.Owner == ownerGateway { // the port is nobody's, the router somebody's
		action = accessExternal
		if router, there := c.cloud.routers.get(p.Device); there {
			project = router.Project
		}
	}
	if project == "" || project == r.Project || action != r.Action || r.Target != "*" && r.Target != project {
		return false
	}
	return !c.cloud.rbacs.has(func(o *rbac) bool {
		return o.ID != r.ID && o.Object == r.Object && o.Action == r.Action && (o.Target == "*" || o.Target == project)
	})
}

// shares says whether a thing is shared with a project.
func (c *Cloud) shares(v thing, project string) bool {
	return c.allows(v.std().ID, accessShared, project)
}

// exports says whether a network is external for a project.
func (c *Cloud) exports(v thing, project string) bool {
	return c.allows(v.std().ID, accessExternal, project)
}

func (c *Cloud) allows(object, action, project string) bool {
	return c.rbacs.has(func(r *rbac) bool {
		return r.Object == object && r.Action == action && (r.Target == "*" || r.Target == project && project != "")
	})
}

// share adds a policy that is for all.
func (c *call) share(n *network, action string) {
	r := &rbac{
		standard: c.fresh("rbac_policy", input{values: fields{"project_id": n.Project, "object": n.ID, "action": action}}),
		Type:     "network", Object: n.ID, Action: action, Target: "*",
	}
	c.cloud.rbacs.add(r)
}

// unshare takes a policy that is for all away.
func (c *call) unshare(n *network, action string) {
	for _, r := range c.cloud.rbacs.where(func(r *rbac) bool { return r.Object == n.ID && r.Action == action && r.Target == "*" }) {
		c.cloud.rbacs.remove(r)
	}
}
