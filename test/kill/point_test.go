// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package kill

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/espalier-io/espalier/internal/sim/traffic"
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
func (g *trigger) sees(c call) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n == 0 && g.ks.of(c) == g.at.call {
		g.n = c.n
	}
	return g.n == c.n
}

func (g *trigger) is(c call) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.n == c.n
}

func (g *trigger) hook(p *process, c call, at phase) {
	if at == traffic.Before && g.at.when != beforeCall {
		g.sees(c) // of beforeCall the fault has counted
	}
	if !g.is(c) {
		return
	}
	switch {
	case g.at.when == interrupt && at == traffic.Before:
		p.interrupt()
	case g.at.when == beforeCall && at == traffic.Before, g.at.when == afterCall && at == traffic.After, g.at.when == answered && at == traffic.Answered:
		p.kill()
	}
}

// cut runs the verb and cuts it short, if it comes to the point.
func (s *site) cut(p point) (done *process, reached bool) {
	s.t.Helper()
	if p.save > 0 {
		place := map[moment]string{beforeSave: "save-before:", afterSave: "save-after:"}[p.when]
		done = s.run(nil, p.verb, "ESPALIER_AT_ONCE=1", "ESPALIER_KILL="+place+strconv.Itoa(p.save))
		signal, code := done.ended()
		return done, signal != 0 || code != 0
	}
	g := &trigger{at: p, ks: keys{}}
	if p.when == beforeCall { // the call is dropped
		s.drop(g.sees)
	}
	done = s.run(g.hook, p.verb)
	return done, g.n > 0
}

// callPoints are all at calls of a verb on a variant: a run that nobody
// disturbed says which calls there are.
func callPoints(t *testing.T, v variant, verb string) (all []point) {
	t.Helper()
	s := prepared(t, v, verb)
	if p := s.run(nil, verb); p.cmd.ProcessState.ExitCode() != 0 {
		t.Fatalf("%s does not work undisturbed:\n%s", verb, p.said())
	}
	ks := keys{}
	for _, c := range s.calls() {
		k := ks.of(c)
		if c.once && slices.ContainsFunc(all, func(p point) bool { return p.call == k }) {
			continue
		}
		for _, when := range momentsOf(c) {
			all = append(all, point{verb, when, k, 0})
		}
	}
	return all
}

// momentsOf are those of a call. A read has no effect, so that before it and
// before its answer are the same.
func momentsOf(c call) []moment {
	if !c.write {
		return []moment{beforeCall, answered, interrupt}
	}
	return []moment{beforeCall, afterCall, answered, interrupt}
}

// prepared is a site in which the verb has something to do.
func prepared(t *testing.T, v variant, verb string) *site {
	t.Helper()
	s := newSite(t, v)
	if verb == remove {
		if code, said := s.within(apply); code != 0 {
			t.Fatalf("apply before delete: exit code %d\n%s", code, said)
		}
	}
	return s
}
