// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// A spot is where in a flow a fault happens.
type spot struct {
	at    string // "call", "save", "flow"
	n     int    // of the call or save
	phase string // "before", "after", "answered"
	op    string // what the call does
	times int    // how often; 0 is once
}

// String implements fmt.Stringer.
func (s spot) String() string {
	if s.at == "flow" {
		return strings.TrimSpace("flow " + s.op)
	}
	text := fmt.Sprintf("%s %d", s.at, s.n)
	if s.phase != "" {
		text += " " + s.phase
	}
	if s.times > 1 {
		text += fmt.Sprintf(" %d times", s.times)
	}
	return text
}

// cover is what the spot is to be counted as.
func (s spot) cover() string {
	if s.at == "save" {
		return "save " + s.phase
	}
	return strings.TrimSpace(s.op + " " + s.phase)
}

// A mishap is one way to go wrong.
type mishap struct {
	group string // in the list of docs/reliability.md
	name  string
	spots func(ref *reference) []spot
	arm   func(t *trial, s spot)
	// heals says that one run gets over it, without the user noticing.
	heals bool
	// stays says that it goes on during all runs of the flow.
	stays bool
	// drawn says that in a short flow it may not happen at all.
	drawn bool
	// late says that a call may have its effect when all is done: a deletion by
	// name can then take away what a later run has made in its place, and the
	// run after that makes it again.
	late bool
	// options make the cloud another one.
	options func() sim.Options
}

var ids = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|shoot--[a-z-]+`)

// operation is what a call does, whatever it does it to.
func operation(c sim.Call) string { return c.Method + " " + ids.ReplaceAllString(c.Path, "{id}") }

// calls are those of the undisturbed run that match, in each of the phases.
func calls(match func(sim.Call) bool, phases ...string) func(*reference) []spot {
	return func(ref *reference) (all []spot) {
		for _, c := range ref.calls {
			if match(c) {
				for _, phase := range phases {
					all = append(all, spot{at: "call", n: c.N, phase: phase, op: operation(c)})
				}
			}
		}
		return all
	}
}

func anyCall(sim.Call) bool   { return true }
func writing(c sim.Call) bool { return c.Write }
func deleting(c sim.Call) bool {
	return c.Method == http.MethodDelete || strings.HasSuffix(c.Path, "/remove_router_interface")
}
func making(c sim.Call) bool { return c.Write && c.Method == http.MethodPost }

// saves are those of the undisturbed run.
func saves(phases ...string) func(*reference) []spot {
	return func(ref *reference) (all []spot) {
		for n := range ref.saves {
			for _, phase := range phases {
				all = append(all, spot{at: "save", n: n + 1, phase: phase})
			}
		}
		return all
	}
}

// whole is one spot: the flow, in so many kinds.
func whole(kinds ...string) func(*reference) []spot {
	return func(*reference) (all []spot) {
		for _, kind := range kinds {
			all = append(all, spot{at: "flow", op: kind})
		}
		return all
	}
}

func both(a, b func(*reference) []spot) func(*reference) []spot {
	return func(ref *reference) []spot { return append(a(ref), b(ref)...) }
}

// during limits spots to some flows.
func during(spots func(*reference) []spot, fs ...flow) func(*reference) []spot {
	return func(ref *reference) []spot {
		if !slices.Contains(fs, ref.flow) {
			return nil
		}
		return spots(ref)
	}
}

// inject lets the cloud answer something else.
func inject(f sim.Fault) func(*trial, spot) {
	return func(t *trial, s spot) {
		f := f
		f.Call, f.After, f.Times = s.n, s.phase == "after", 1
		f.Match = func(sim.Call) bool { t.fired.Store(true); return true }
		t.cloud.Inject(f)
		if s.times > 1 { // the same operation, until it was hit that often
			f.Call, f.Times = 0, s.times-1
			f.Match = func(c sim.Call) bool { return c.N > s.n && operation(c) == s.op }
			t.cloud.Inject(f)
		}
	}
}

// kill is SIGKILL at a call or a save.
func kill(t *trial, s spot) {
	if s.at == "save" {
		t.first.onSave = func(n int, done bool) error {
			if n == s.n && done == (s.phase == "after") {
				t.fired.Store(true)
				t.first.die()
			}
			return nil
		}
		return
	}
	if s.phase == "before" {
		t.cloud.Inject(sim.Fault{Call: s.n}) // it has no effect
	}
	t.at(s.n, sim.Phase(s.phase), func(sim.Call) {
		if s.phase == "answered" {
			<-time.After(time.Microsecond) // let the process see the answer
		}
		t.first.die()
	})
}

// at does something in a phase of a call.
func (t *trial) at(n int, phase sim.Phase, do func(sim.Call)) {
	t.set(func(c sim.Call, p sim.Phase) {
		if c.N == n && p == phase {
			t.fired.Store(true)
			do(c)
		}
	})
}
