// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "net/http"

// defaultComputeQuotas are those of Nova.
var defaultComputeQuotas = map[string]int{
	"cores": 20, "fixed_ips": -1, "floating_ips": -1, "injected_file_content_bytes": 10240, "injected_file_path_bytes": 255,
	"injected_files": 5, "instances": 10, "key_pairs": 100, "metadata_items": 128, "ram": 51200, "security_group_rules": -1,
	"security_groups": -1, "server_group_members": 10, "server_groups": 10,
}

// computeQuota is how many of a resource of Nova are allowed.
func (c *Cloud) computeQuota(resource string) int { return defaultComputeQuotas[resource] }

// mayReadComputeQuotas refuses the quotas of another project.
func (c *call) mayReadComputeQuotas() error {
	return c.demandNova("os_compute_api:os-quota-sets:show", c.owns(c.vars["project"]))
}

// showComputeQuotas is GET /os-quota-sets/{project}.
func (c *call) showComputeQuotas() (answer, error) {
	if err := c.mayReadComputeQuotas(); err != nil {
		return answer{}, err
	}
	f := fields{"id": c.vars["project"]}
	for resource, n := range defaultComputeQuotas {
		f[resource] = n
	}
	return ok(fields{"quota_set": f})
}

// showComputeQuotaDetails is GET /os-quota-sets/{project}/detail. Nova counts
// key pairs nowhere: they are the user's.
func (c *call) showComputeQuotaDetails() (answer, error) {
	if err := c.mayReadComputeQuotas(); err != nil {
		return answer{}, err
	}
	f := fields{"id": c.vars["project"]}
	for resource, n := range defaultComputeQuotas {
		f[resource] = fields{"limit": n, "in_use": 0, "reserved": 0}
	}
	return ok(fields{"quota_set": f})
}

// showComputeLimits is GET /limits.
func (c *call) showComputeLimits() (answer, error) {
	q := defaultComputeQuotas
	return ok(fields{"limits": fields{"rate": []string{}, "absolute": fields{
		"maxTotalInstances": q["instances"], "maxTotalCores": q["cores"], "maxTotalRAMSize": q["ram"], "maxTotalKeypairs": q["key_pairs"],
		"maxServerMeta": q["metadata_items"], "maxImageMeta": q["metadata_items"], "maxPersonality": q["injected_files"],
		"maxPersonalitySize": q["injected_file_content_bytes"], "maxServerGroups": q["server_groups"],
		"maxServerGroupMembers": q["server_group_members"], "maxTotalFloatingIps": -1, "maxSecurityGroups": -1, "maxSecurityGroupRules": -1,
		"totalInstancesUsed": 0, "totalCoresUsed": 0, "totalRAMUsed": 0, "totalFloatingIpsUsed": 0, "totalSecurityGroupsUsed": 0,
		"totalServerGroupsUsed": 0,
	}}})
}

// listZones is GET /os-availability-zone.
func (c *call) listZones() (answer, error) {
	list := []fields{}
	for _, zone := range []string{"zone-a", "zone-b"} {
		list = append(list, fields{"zoneName": zone, "zoneState": fields{"available": true}, "hosts": nil})
	}
	return answer{status: http.StatusOK, body: fields{"availabilityZoneInfo": list}}, nil
}
