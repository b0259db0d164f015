// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

// What an RBAC policy allows.
const (
	accessShared   = "access_as_shared"
	accessExternal = "access_as_external"
)

// rbac lets another project, or all ("*"), see and use a thing.
type rbac struct {
	standard
	Type   string `json:"object_type"`
	Object string `json:"object_id"`
	Action string `json:"action"`
	Target string `json:"target_tenant"`
}

// shares says whether a network is shared with a project.
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

// share adds a policy.
func (c *call) share(v thing, action, target string) *rbac {
	s := v.std()
	r := &rbac{
		standard: c.fresh("rbac", input{values: fields{"project_id": s.Project, "object": s.ID, "action": action, "target": target}}),
		Type:     "network", Object: s.ID, Action: action, Target: target,
	}
	c.cloud.rbacs.add(r)
	return r
}

// unshare takes policies away.
func (c *call) unshare(v thing, action, target string) {
	for _, r := range c.cloud.rbacs.where(func(r *rbac) bool {
		return r.Object == v.std().ID && r.Action == action && r.Target == target
	}) {
		c.cloud.rbacs.remove(r)
	}
}
