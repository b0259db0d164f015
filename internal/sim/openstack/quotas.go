// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// defaultQuotas are how many of each a project of Neutron may have; -1 is any number.
var defaultQuotas = map[string]int{
	"network": 100, "subnet": 100, "subnetpool": -1, "port": 500, "router": 10, "floatingip": 50,
	"rbac_policy": 10, "security_group": 10, "security_group_rule": 100, "trunk": -1,
}

// quota is how many of a resource a project may have.
func (c *Cloud) quota(project, resource string) int {
	if n, set := c.quotas[project][resource]; set {
		return n
	}
	if n, known := defaultQuotas[resource]; known {
		return n
	}
	return -1
}

// SetQuota sets how many of a resource ("router", "security_group_rule", …) a
// project may have; -1 is any number. The project is named by name or ID.
func (c *Cloud) SetQuota(project, resource string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.findProject(project); p != nil {
		project = p.id
	}
	c.setQuota(project, resource, n)
}

func (c *Cloud) setQuota(project, resource string, n int) {
	if c.quotas[project] == nil {
		c.quotas[project] = map[string]int{}
	}
	c.quotas[project][resource] = n
}

// afford refuses more than the quota allows.
func (c *Cloud) afford(project, resource string, used, more int) error {
	if most := c.quota(project, resource); most >= 0 && used+more > most {
		return conflict("OverQuota", "Quota exceeded for resources: ['%s'].", resource)
	}
	return nil
}

// used counts what a project has.
func (c *Cloud) used(project string) map[string]int {
	of := func(v thing) bool { return v.std().Project == project }
	return map[string]int{
		"network": len(c.networks.where(func(v *network) bool { return of(v) })), "subnet": len(c.subnets.where(func(v *subnet) bool { return of(v) })),
		"port": len(c.ports.where(func(v *port) bool { return of(v) })), "router": len(c.routers.where(func(v *router) bool { return of(v) })),
		"floatingip":     len(c.floatingIPs.where(func(v *floatingIP) bool { return of(v) })),
		"security_group": c.countGroups(project), "security_group_rule": c.countRules(project),
		"subnetpool":  len(c.subnetPools.where(func(v *subnetPool) bool { return of(v) })),
		"rbac_policy": len(c.rbacs.where(func(v *rbac) bool { return of(v) })), "trunk": 0,
	}
}

// mayReadQuotas refuses the quotas of another project.
func (c *call) mayReadQuotas() error { return c.demand("get_quota", c.owns(c.vars["project"])) }

// showQuotas is GET /quotas/{project}.
func (c *call) showQuotas() (answer, error) {
	if err := c.mayReadQuotas(); err != nil {
		return answer{}, err
	}
	return ok(fields{"quota": c.cloud.limits(c.vars["project"])})
}

// limits are the quotas of a project.
func (c *Cloud) limits(project string) map[string]int {
	list := map[string]int{}
	for resource := range defaultQuotas {
		list[resource] = c.quota(project, resource)
	}
	return list
}

// showDefaultQuotas is GET /quotas/{project}/default.
func (c *call) showDefaultQuotas() (answer, error) {
	if err := c.mayReadQuotas(); err != nil {
		return answer{}, err
	}
	return ok(fields{"quota": defaultQuotas})
}

// showQuotaDetails is GET /quotas/{project}/details.
func (c *call) showQuotaDetails() (answer, error) {
	if err := c.mayReadQuotas(); err != nil {
		return answer{}, err
	}
	list := fields{}
	for resource, n := range c.cloud.used(c.vars["project"]) {
		list[resource] = fields{"limit": c.cloud.quota(c.vars["project"], resource), "used": n, "reserved": 0}
	}
	return ok(fields{"quota": list})
}

// listQuotas is GET /quotas: the projects that have quotas of their own.
func (c *call) listQuotas() (answer, error) {
	if err := c.demand("get_quota", false); err != nil {
		return answer{}, err
	}
	list := []fields{}
	for _, project := range slices.Sorted(maps.Keys(c.cloud.quotas)) {
		one := fields{"project_id": project, "tenant_id": project}
		for resource, n := range c.cloud.limits(project) {
			one[resource] = n
		}
		list = append(list, one)
	}
	return ok(fields{"quotas": list})
}

// changeQuotas is PUT /quotas/{project}.
func (c *call) changeQuotas() (answer, error) {
	var body struct {
		Quota map[string]json.Number `json:"quota"`
	}
	if err := c.decode(&body); err != nil {
		return answer{}, err
	}
	if err := c.demand("update_quota", false); err != nil {
		return answer{}, err
	}
	for resource, n := range body.Quota {
		most, err := n.Int64()
		if _, known := defaultQuotas[resource]; !known || err != nil {
			return answer{}, badRequest("Unrecognized attribute(s) '%s'", resource)
		}
		c.cloud.setQuota(c.vars["project"], resource, int(most))
	}
	return ok(fields{"quota": c.cloud.limits(c.vars["project"])})
}

// resetQuotas is DELETE /quotas/{project}.
func (c *call) resetQuotas() (answer, error) {
	if err := c.demand("delete_quota", false); err != nil {
		return answer{}, err
	}
	delete(c.cloud.quotas, c.vars["project"])
	return answer{status: http.StatusNoContent}, nil
}
