// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package kill

import (
	"fmt"
	"strconv"
	"sync"
	"testing"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
	"github.com/espalier-io/espalier/test/estate"
)

// A moment is when a run is cut short.
type moment string

// The moments.
const (
	beforeCall moment = "before a call has its effect"
	afterCall  moment = "after the effect of a call, before its answer"
	answered   moment = "after the answer of a call"
	beforeSave moment = "before a save of the state"
	afterSave  moment = "after a save of the state"
	interrupt  moment = "Ctrl-C during a call"
)

var moments = []moment{beforeCall, afterCall, answered, beforeSave, afterSave, interrupt}

// A point is one place where a command of a variant is cut short.
type point struct {
	verb string
	when moment
	call key // of calls
	save int // of saves, from 1
}

// String implements fmt.Stringer.
func (p point) String() string {
	if p.save > 0 {
		return fmt.Sprintf("%s, %s: save %d", p.verb, p.when, p.save)
	}
	return fmt.Sprintf("%s, %s: %s", p.verb, p.when, p.call)
}

// A trigger cuts a process short at a call.
type trigger struct {
	at point
	mu sync.Mutex
	ks keys
	n  int // the number of the call, once it has come
}

// sees counts a call and says whether it is the one.
func (g *trigger) sees(c sim.Call) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ks.of(c) == g.at.call {
		g.n = c.N
	}
	return g.n == c.N
}

func (g *trigger) is(c sim.Call) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.n == c.N
}

func (g *trigger) hook(p *process, c sim.Call, phase sim.Phase) {
	if phase == sim.Before && g.at.when != beforeCall {
		g.sees(c) // of beforeCall the fault has counted
	}
	if !g.is(c) {
		return
	}
	switch {
	case g.at.when == interrupt && phase == sim.Before:
		p.interrupt()
	case g.at.when == beforeCall && phase == sim.Before, g.at.when == afterCall && phase == sim.After, g.at.when == answered && phase == sim.Answered:
		p.kill()
	}
}

// cut runs the verb and cuts it short.
func (s *site) cut(p point) *process {
	s.t.Helper()
	switch p.when {
	case beforeSave:
		return s.run(nil, p.verb, "ESPALIER_AT_ONCE=1", "ESPALIER_KILL=save-before:"+strconv.Itoa(p.save))
	case afterSave:
		return s.run(nil, p.verb, "ESPALIER_AT_ONCE=1", "ESPALIER_KILL=save-after:"+strconv.Itoa(p.save))
	case beforeCall, afterCall, answered, interrupt:
	}
	g := &trigger{at: p, ks: keys{}}
	if p.when == beforeCall { // the call is dropped
		s.cloud.Inject(sim.Fault{Match: g.sees})
	}
	done := s.run(g.hook, p.verb)
	if g.n == 0 {
		s.t.Errorf("%s: the call did not come", p)
	}
	return done
}

// points are all of a verb on a variant: a run that nobody disturbs says which
// calls and how many saves there are.
func points(t *testing.T, v estate.Variant, verb string) (all []point) {
	t.Helper()
	s := prepared(t, v, verb)
	if p := s.run(nil, verb); p.cmd.ProcessState.ExitCode() != 0 {
		t.Fatalf("%s does not work undisturbed:\n%s", verb, p.said())
	}
	ks := keys{}
	for _, c := range s.cloud.Calls() {
		k := ks.of(c)
		for _, when := range []moment{beforeCall, afterCall, answered, interrupt} {
			all = append(all, point{verb, when, k, 0})
		}
	}
	for n := range saves(t, v, verb) {
		all = append(all, point{verb, beforeSave, key{}, n + 1}, point{verb, afterSave, key{}, n + 1})
	}
	return all
}

// saves counts the saves of a verb: the state says how often it was saved.
func saves(t *testing.T, v estate.Variant, verb string) int {
	t.Helper()
	for n := 1; ; n++ {
		s := prepared(t, v, verb)
		p := s.run(nil, verb, "ESPALIER_AT_ONCE=1", "ESPALIER_KILL=save-before:"+strconv.Itoa(n))
		if signal, code := p.ended(); signal == 0 && code == 0 {
			return n - 1
		}
	}
}

// prepared is a site in which the verb has something to do.
func prepared(t *testing.T, v estate.Variant, verb string) *site {
	t.Helper()
	s := newSite(t, v)
	if verb == remove {
		if code, said := s.within(apply); code != 0 {
			t.Fatalf("apply before delete: exit code %d\n%s", code, said)
		}
	}
	return s
}
