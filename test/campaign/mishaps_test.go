// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"net/http"
	"strings"
	"time"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// limbo is how long a call hangs: longer than the client waits for it.
const limbo = 90 * time.Second

const (
	overQuota = "{\"type\": \"OverQuota\"}"
	inUse     = "it is still in use"
)

// mishaps are all single faults of the campaign. Those of F1b (a second death
// while a run makes up for the first) are drawn in pairs_test.go.
var mishaps = []mishap{
	{group: "F1", name: "kill", spots: both(calls(effective, "before", "after", "answered"), saves("before", "after")), arm: kill},

	{group: "F2", name: "429 once", spots: calls(anyCall, "before"), arm: inject(sim.Fault{Status: 429, RetryAfter: 2 * time.Second}), heals: true},
	{group: "F2", name: "429 for 30 % of the calls", spots: whole(""), arm: often, stays: true, drawn: true},
	{group: "F2", name: "two calls per second", spots: whole(""), stays: true, arm: func(t *trial, _ spot) { t.fired.Store(true); t.cloud.Throttle(2, 2) }},

	{group: "F3", name: "500", spots: calls(writing, "before", "after"), arm: inject(sim.Fault{Status: 500})},
	{group: "F3", name: "503", spots: calls(writing, "before", "after"), arm: inject(sim.Fault{Status: 503})},
	{group: "F3", name: "connection reset", spots: calls(writing, "before", "after"), arm: inject(sim.Fault{})},
	{group: "F3", name: "503 on a read", spots: calls(get, "before"), arm: inject(sim.Fault{Status: 503}), heals: true},
	{group: "F3", name: "connection reset on a read", spots: calls(get, "before"), arm: inject(sim.Fault{}), heals: true},
	{group: "F3", name: "500 on a read, again and again", spots: times(calls(get, "before"), 20), arm: inject(sim.Fault{Status: 500})},

	{group: "F4", name: "new things hidden", spots: during(whole("for 1 read", "for 2 reads", "for 4 reads"), create, amend), arm: hide, heals: true},
	{group: "F4", name: "killed, then reads are stale", spots: calls(writing, "after"), arm: stale},
	{group: "F4", name: "seen, then unseen", spots: calls(list, "before"), arm: unseen},
	{group: "F4", name: "one thing per page", spots: whole(""), arm: fired, heals: true, options: func() sim.Options { return sim.Options{PageLimit: 1} }},

	{group: "F5", name: "token expired", spots: calls(withToken, "before"), arm: expire, heals: true},
	{group: "F5", name: "409 in use", spots: calls(deleting, "before"), arm: inject(sim.Fault{Status: 409, Body: inUse})},
	{group: "F5", name: "409 in use, three times", spots: times(calls(deleting, "before"), 3), arm: inject(sim.Fault{Status: 409, Body: inUse})},
	{group: "F5", name: "409 over quota", spots: calls(making, "before"), arm: inject(sim.Fault{Status: 409, Body: overQuota})},
	{group: "F5", name: "a port lingers", spots: during(whole(""), remove), arm: linger},
	{group: "F5", name: "a load balancer is PENDING_UPDATE", spots: during(whole(""), remove), arm: pending, heals: true},

	{group: "F7", name: "denied", spots: actions, arm: deny},

	{group: "F9", name: "no answer for 90 s", spots: both(calls(get, "before"), calls(effective, "before", "after")), arm: hang, late: true},
	{group: "F9", name: "SIGTERM", spots: both(calls(get, "before"), calls(effective, "before", "after")), arm: stop},
	{group: "F9", name: "disk full once", spots: saves("before"), arm: func(t *trial, s spot) { t.full(s.n, s.n) }},
	{group: "F9", name: "disk full from here on", spots: saves("before"), arm: func(t *trial, s spot) { t.full(s.n, 1<<30) }},
	{group: "F9", name: "killed, then 10 min behind", spots: calls(writing, "after"), arm: skew(10 * time.Minute)},
	{group: "F9", name: "killed, then 10 min ahead", spots: calls(writing, "after"), arm: skew(-10 * time.Minute)},
	{group: "F9", name: "the cloud's clock is off", spots: whole(""), arm: fired, heals: true, options: func() sim.Options {
		return sim.Options{Now: func() time.Time { return time.Now().Add(-3 * time.Hour) }}
	}},
}

// effective says that a call does something; the others are all alike, and
// package kill dies at each of them too.
func effective(c sim.Call) bool { return !get(c) }

func get(c sim.Call) bool { return c.Method == http.MethodGet }

// list says that a call reads a collection of Neutron.
func list(c sim.Call) bool { return get(c) && strings.Count(c.Path, "/") == 3 }

func withToken(c sim.Call) bool { return !strings.HasSuffix(c.Path, "/auth/tokens") }

func times(spots func(*reference) []spot, n int) func(*reference) []spot {
	return func(ref *reference) []spot {
		all := spots(ref)
		for i := range all {
			all[i].times = n
		}
		return all
	}
}

// actions are the distinct operations of a flow.
func actions(ref *reference) (all []spot) {
	seen := map[string]bool{}
	for _, c := range ref.calls {
		if op := operation(c); !seen[op] {
			seen[op] = true
			all = append(all, spot{at: "flow", op: op})
		}
	}
	return all
}
