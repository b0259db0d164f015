// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "slices"

// aliases are the extensions whose behaviour is here.
var aliases = []string{
	"address-scope", "allowed-address-pairs", "binding", "default-subnetpools", "empty-string-filtering", "ext-gw-mode",
	"external-net", "extraroute", "extraroute-atomic", "filter-validation", "fip-port-details", "ip-substring-filtering",
	"net-mtu", "net-mtu-writable", "network-ip-availability", "pagination", "port-security", "port-security-groups-filtering",
	"project-id", "provider", "quota_details", "quotas", "rbac-policies", "rbac-subnetpool", "revision-if-match", "router",
	"security-group", "security-groups-normalized-cidr", "sorting", "standard-attr-description", "standard-attr-revisions",
	"standard-attr-tag", "standard-attr-timestamp", "stateful-security-group", "subnet-service-types", "subnet_allocation",
}

// WithoutExtension takes an extension of Neutron out of the list, or puts it
// back. Without "extraroute-atomic" add_extraroutes and remove_extraroutes are
// unknown (404), as on a Neutron that does not load it.
func (c *Cloud) WithoutExtension(alias string, gone bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.switches.withoutExt == nil {
		c.switches.withoutExt = map[string]bool{}
	}
	c.switches.withoutExt[alias] = gone
}

func extension(alias string) fields {
	return fields{"alias": alias, "name": alias, "description": "", "updated": "2022-10-05T00:00:00-00:00", "links": []string{}}
}

// listExtensions is GET /extensions.
func (c *call) listExtensions() (answer, error) {
	list := []fields{}
	for _, alias := range aliases {
		if !c.cloud.switches.withoutExt[alias] {
			list = append(list, extension(alias))
		}
	}
	return ok(fields{"extensions": list})
}

// showExtension is GET /extensions/{alias}.
func (c *call) showExtension() (answer, error) {
	alias := c.vars["alias"]
	if !slices.Contains(aliases, alias) || c.cloud.switches.withoutExt[alias] {
		return answer{}, notFound("HTTPNotFound", "Extension with alias %s does not exist", alias)
	}
	return ok(fields{"extension": extension(alias)})
}
