// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// call is one request while it is served.
type call struct {
	cloud  *Cloud
	method string
	path   string
	query  url.Values
	raw    string // the query as it came
	header http.Header
	body   []byte
	url    string            // where the cloud is reached
	vars   map[string]string // what {…} of the pattern stood for
	who    *session
	now    time.Time
}

// decode reads the body.
func (c *call) decode(into any) error {
	if err := json.Unmarshal(c.body, into); err != nil {
		return badRequest("Body contains invalid data")
	}
	return nil
}

// stamp is the time as Neutron writes it.
func (c *call) stamp() string { return c.now.UTC().Format("2006-01-02T15:04:05Z") }

type handler func(*call) (answer, error)

// route is one line of the table of what the cloud understands.
type route struct {
	method string
	path   string // {name} stands for one segment
	do     handler
	open   bool // needs no token
}

type routes []route

// find returns the route of a request, and what its variables stood for.
func (rs routes) find(method, path string) (*route, map[string]string) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	have := segments(path)
	for i, r := range rs {
		if r.method != method {
			continue
		}
		if vars, fits := match(segments(r.path), have); fits {
			return &rs[i], vars
		}
	}
	return nil, nil
}

func segments(path string) []string { return strings.Split(strings.Trim(path, "/"), "/") }

func match(pattern, path []string) (map[string]string, bool) {
	if len(pattern) != len(path) {
		return nil, false
	}
	vars := map[string]string{}
	for i, p := range pattern {
		switch name, variable := strings.CutPrefix(p, "{"); {
		case variable:
			vars[strings.TrimSuffix(name, "}")] = path[i]
		case p != path[i]:
			return nil, false
		}
	}
	return vars, true
}

// table is everything that the cloud understands. A segment that is a word goes
// before one that is a variable.
func (c *Cloud) table() routes {
	return slices.Concat(
		versionRoutes(), identityRoutes(),
		c.networkRoutes(),
		computeRoutes(), shareRoutes(), loadBalancerRoutes(),
	)
}

func identityRoutes() routes {
	const at = "/identity/v3"
	return routes{
		{"POST", at + "/auth/tokens", (*call).createToken, true},
		{"GET", at + "/auth/tokens", (*call).showToken, false},
		{"DELETE", at + "/auth/tokens", (*call).revokeToken, false},
		{"GET", at + "/auth/catalog", (*call).showCatalog, false},
		{"GET", at + "/auth/projects", (*call).listOwnProjects, false},
		{"GET", at + "/projects", (*call).listProjects, false},
		{"GET", at + "/projects/{id}", (*call).showProject, false},
		{"GET", at + "/users/{user}/application_credentials", (*call).listCredentials, false},
		{"POST", at + "/users/{user}/application_credentials", (*call).createCredential, false},
		{"DELETE", at + "/users/{user}/application_credentials/{id}", (*call).deleteCredential, false},
	}
}

// networkRoutes are those of Neutron.
func (c *Cloud) networkRoutes() routes {
	const at = "/network/v2.0"
	return slices.Concat(
		routes{
			{"PUT", at + "/routers/{id}/add_router_interface", (*call).addInterface, false},
			{"PUT", at + "/routers/{id}/remove_router_interface", (*call).removeInterface, false},
			{"PUT", at + "/routers/{id}/add_extraroutes", (*call).addExtraRoutes, false},
			{"PUT", at + "/routers/{id}/remove_extraroutes", (*call).removeExtraRoutes, false},
			{"GET", at + "/extensions", (*call).listExtensions, false},
			{"GET", at + "/extensions/{alias}", (*call).showExtension, false},
			{"GET", at + "/quotas", (*call).listQuotas, false},
			{"GET", at + "/quotas/{project}", (*call).showQuotas, false},
			{"PUT", at + "/quotas/{project}", (*call).changeQuotas, false},
			{"DELETE", at + "/quotas/{project}", (*call).resetQuotas, false},
			{"GET", at + "/quotas/{project}/default", (*call).showDefaultQuotas, false},
			{"GET", at + "/quotas/{project}/details", (*call).showQuotaDetails, false},
			{"GET", at + "/network-ip-availabilities", (*call).listAvailabilities, false},
			{"GET", at + "/network-ip-availabilities/{id}", (*call).showAvailability, false},
		},
		c.kinds.networks.routes(), c.kinds.networks.tagRoutes(), c.kinds.subnets.routes(), c.kinds.subnets.tagRoutes(),
		c.kinds.subnetPools.routes(), c.kinds.subnetPools.tagRoutes(), c.kinds.scopes.routes(), c.kinds.rbacs.routes(),
		c.kinds.routers.routes(), c.kinds.routers.tagRoutes(), c.kinds.ports.routes(), c.kinds.ports.tagRoutes(),
		c.kinds.floatingIPs.routes(), c.kinds.floatingIPs.tagRoutes(), c.kinds.groups.routes(), c.kinds.groups.tagRoutes(), c.kinds.rules.routes(),
	)
}

func computeRoutes() routes {
	const at = "/compute/v2.1"
	return routes{
		{"GET", at + "/os-keypairs", (*call).listKeyPairs, false},
		{"POST", at + "/os-keypairs", (*call).createKeyPair, false},
		{"GET", at + "/os-keypairs/{name}", (*call).showKeyPair, false},
		{"DELETE", at + "/os-keypairs/{name}", (*call).deleteKeyPair, false},
		{"GET", at + "/os-quota-sets/{project}", (*call).showComputeQuotas, false},
		{"GET", at + "/os-quota-sets/{project}/detail", (*call).showComputeQuotaDetails, false},
		{"GET", at + "/limits", (*call).showComputeLimits, false},
		{"GET", at + "/os-availability-zone", (*call).listZones, false},
	}
}
