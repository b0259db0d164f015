// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

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

// defaultComputeQuotas are those of Nova.
var defaultComputeQuotas = map[string]int{
	"cores": 20, "fixed_ips": -1, "floating_ips": -1, "injected_file_content_bytes": 10240, "injected_file_path_bytes": 255,
	"injected_files": 5, "instances": 10, "key_pairs": 100, "metadata_items": 128, "ram": 51200, "security_group_rules": -1,
	"security_groups": -1, "server_group_members": 10, "server_groups": 10,
}

// computeQuota is how many of a resource of Nova are allowed.
func (c *Cloud) computeQuota(resource string) int { return defaultComputeQuotas[resource] }
