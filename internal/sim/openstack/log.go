// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/sim/traffic"
)

// A Call is one request in the log.
type Call struct {
	traffic.Span
	Method  string //
	Path    string // from the root, like /network/v2.0/networks
	Query   string // as it came
	Project string // name; empty before a token is known
	Status  int    // 0: no answer was given
	Write   bool   // it may have changed something; a request for a token is no write
	Body    string // of the request, without secrets: empty for /identity
}

// flow is the log, and what is made slow or wrong.
type flow = traffic.Switches[Call, *Call]

// entry is what is known of a request when it arrives.
func (c *Cloud) entry(req *call) *Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := &Call{
		Method: req.method, Path: req.path, Query: req.raw,
		Write: req.method != http.MethodGet && req.method != http.MethodHead && !strings.HasSuffix(req.path, "/auth/tokens"),
	}
	if service(req.path) != "identity" {
		l.Body = string(req.body)
	}
	if s := c.session(req.header.Get("X-Auth-Token")); s != nil && s.project != nil {
		l.Project = s.project.name
	}
	return l
}

// ClearCalls empties the log, and what is unknown; the next call is number 1.
// It must not be called while calls run.
func (c *Cloud) ClearCalls() {
	c.flow.ClearCalls()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.strange = nil
}

// Unknown returns method and path of each request that was answered with 501.
// Tests expect none.
func (c *Cloud) Unknown() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.strange)
}

// Writes returns the calls that may have changed something.
func Writes(calls []Call) []Call {
	return slices.DeleteFunc(slices.Clone(calls), func(l Call) bool { return !l.Write })
}

// Depth returns the length of the longest chain of calls of which each began
// after the one before had ended, see traffic.Depth.
func Depth(calls []Call) int { return traffic.Depth[Call, *Call](calls) }
