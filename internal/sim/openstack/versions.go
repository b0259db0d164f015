// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
)

// fixedHex is an ID that is the same in all clouds.
func fixedHex(of ...string) string {
	d := sha256.Sum256(fmt.Appendf(nil, "%q", of))
	return hex.EncodeToString(d[:16])
}

// fixedUUID is the same with dashes.
func fixedUUID(of ...string) string {
	h := fixedHex(of...)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// versionRoutes are the documents that clients ask for before all else. The
// versions are those of the release Zed.
func versionRoutes() routes {
	return routes{
		{"GET", "/", (*call).listIdentityVersions, true},
		{"GET", "/identity", (*call).listIdentityVersions, true},
		{"GET", "/identity/v3", (*call).showIdentityVersion, true},
		{"GET", "/network", (*call).listNetworkVersions, true},
		{"GET", "/compute", (*call).listComputeVersions, true},
		{"GET", "/compute/v2.1", (*call).showComputeVersion, false},
		{"GET", "/share", (*call).listShareVersions, true},
		{"GET", "/load-balancer", (*call).listLoadBalancerVersions, true},
	}
}

func (c *call) self(path string) []fields {
	return []fields{{"rel": "self", "href": c.url + path}}
}

func (c *call) identityVersion() fields {
	return fields{
		"id": "v3.14", "status": "stable", "updated": "2020-04-07T00:00:00Z", "links": c.self("/identity/v3/"),
		"media-types": []fields{{"base": "application/json", "type": "application/vnd.openstack.identity-v3+json"}},
	}
}

func (c *call) listIdentityVersions() (answer, error) {
	return answer{
		status: http.StatusMultipleChoices, header: http.Header{"Location": {c.url + "/identity/v3/"}},
		body: fields{"versions": fields{"values": []fields{c.identityVersion()}}},
	}, nil
}

func (c *call) showIdentityVersion() (answer, error) {
	return ok(fields{"version": c.identityVersion()})
}

func (c *call) listNetworkVersions() (answer, error) {
	return ok(fields{"versions": []fields{{"id": "v2.0", "status": "CURRENT", "links": c.self("/network/v2.0/")}}})
}

func (c *call) computeDocument() fields {
	return fields{
		"id": "v2.1", "status": "CURRENT", "version": "2.93", "min_version": "2.1", "updated": "2013-07-23T11:33:21Z",
		"links": c.self("/compute/v2.1/"),
	}
}

func (c *call) listComputeVersions() (answer, error) {
	return ok(fields{"versions": []fields{c.computeDocument()}})
}

func (c *call) showComputeVersion() (answer, error) {
	return ok(fields{"version": c.computeDocument()})
}

func (c *call) listShareVersions() (answer, error) {
	return answer{status: http.StatusMultipleChoices, body: fields{"versions": []fields{{
		"id": "v2.0", "status": "CURRENT", "version": "2.73", "min_version": "2.0", "updated": "2015-08-27T11:33:21Z",
		"links": c.self("/share/v2/"),
	}}}}, nil
}

func (c *call) listLoadBalancerVersions() (answer, error) {
	return ok(fields{"versions": []fields{
		{"id": "v2.0", "status": "SUPPORTED", "updated": "2016-12-11T00:00:00Z", "links": c.self("/load-balancer/v2")},
		{"id": "v2.26", "status": "CURRENT", "updated": "2022-08-29T00:00:00Z", "links": c.self("/load-balancer/v2")},
	}})
}
