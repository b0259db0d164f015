// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// A Call is one request in the log.
type Call struct {
	N       int    // from 1, in the order of arrival
	Method  string //
	Path    string // from the root, like /network/v2.0/networks
	Query   string // as it came
	Project string // name; empty before a token is known
	Status  int    // 0: no answer was given
	Write   bool   // it may have changed something; a request for a token is no write
	Start   time.Time
	End     time.Time // zero while it runs
	Body    string    // of the request, without secrets: empty for /identity

	began, ended int // one count for beginnings and ends
}

// callLog is the log and what is counted beside it.
type callLog struct {
	calls   []*Call
	ticks   int
	unknown []string
}

// begin puts the call into the log, and takes the faults that are meant for it.
func (c *Cloud) begin(req *call) (n int, faults []Fault, latency time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log.ticks++
	l := &Call{
		N: len(c.log.calls) + 1, Method: req.method, Path: req.path, Query: req.raw,
		Start: c.opt.Now(), began: c.log.ticks,
		Write: req.method != http.MethodGet && req.method != http.MethodHead && !strings.HasSuffix(req.path, "/auth/tokens"),
	}
	if service(req.path) != "identity" {
		l.Body = string(req.body)
	}
	if s := c.session(req.header.Get("X-Auth-Token")); s != nil && s.project != nil {
		l.Project = s.project.name
	}
	c.log.calls = append(c.log.calls, l)
	return l.N, c.takeFaults(*l), c.switches.latency
}

// end completes the log before the answer leaves, so that what the client sends
// next begins after it.
func (c *Cloud) end(n int, req *call, a answer, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n > len(c.log.calls) {
		return // the log was cleared meanwhile
	}
	c.log.ticks++
	l := c.log.calls[n-1]
	l.End, l.ended = c.opt.Now(), c.log.ticks
	if err == nil {
		l.Status = a.status
	}
	if req.who != nil && req.who.project != nil {
		l.Project = req.who.project.name
	}
}

// Calls returns the log.
func (c *Cloud) Calls() []Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := make([]Call, 0, len(c.log.calls))
	for _, l := range c.log.calls {
		calls = append(calls, *l)
	}
	return calls
}

// ClearCalls empties the log; the next call is number 1. It must not be called
// while calls run.
func (c *Cloud) ClearCalls() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log.calls, c.log.unknown = nil, nil
}

// Unknown returns method and path of each request that was answered with 501.
// Tests expect none.
func (c *Cloud) Unknown() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.log.unknown)
}

// Writes returns the calls that may have changed something.
func Writes(calls []Call) []Call {
	return slices.DeleteFunc(slices.Clone(calls), func(l Call) bool { return !l.Write })
}

// Depth returns the length of the longest chain of calls of which each began
// after the one before had ended. It goes by the order of events, not by the
// time; to be exact it wants some latency, so that calls that are sent together
// overlap. A call that has not ended ends no chain before others.
func Depth(calls []Call) int {
	sorted := slices.SortedFunc(slices.Values(calls), func(a, b Call) int { return a.began - b.began })
	type end struct{ at, depth int }
	var ends []end
	deepest := 0
	for _, l := range sorted {
		depth := 1
		for _, e := range ends {
			if e.at < l.began {
				depth = max(depth, e.depth+1)
			}
		}
		if l.ended > 0 {
			ends = append(ends, end{l.ended, depth})
		}
		deepest = max(deepest, depth)
	}
	return deepest
}
