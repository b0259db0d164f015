// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package kill

import (
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestKill cuts apply and delete of each variant short at every point, runs the
// same command again, and demands what a run that nobody disturbed comes to.
func TestKill(t *testing.T) {
	var mu sync.Mutex
	counts := map[string]tally{}
	t.Run("at", func(t *testing.T) {
		for _, h := range houses() {
			counts[h.name] = tally{}
			for _, v := range h.variants {
				t.Run(h.name+" "+v.name, func(t *testing.T) {
					t.Parallel()
					mine := tryAll(t, v)
					mu.Lock()
					defer mu.Unlock()
					counts[h.name].join(mine)
				})
			}
		}
	})
	report(t, counts)
}

// tryAll tries all points of a variant, and counts them.
func tryAll(t *testing.T, v variant) tally {
	t.Helper()
	count := tally{}
	want := undisturbed(t, v)
	tried := func(p point) bool {
		if !strings.Contains(p.String(), *only) {
			return true
		}
		reached := try(t, v, p, want)
		if reached {
			count.add(p)
		}
		return reached
	}
	for _, verb := range v.verbs {
		for _, p := range callPoints(t, v, verb) {
			if !tried(p) {
				t.Errorf("%s: the call did not come", p)
			}
		}
		for _, when := range []moment{beforeSave, afterSave} {
			n := 1
			for tried(point{verb: verb, when: when, save: n}) && n < mostSaves {
				n++
			}
		}
	}
	for _, verb := range v.verbs {
		t.Logf("%s: %v", verb, count[verb])
	}
	return count
}

// mostSaves is more than any command needs.
const mostSaves = 100

// undisturbed is what apply makes if nobody disturbs it.
func undisturbed(t *testing.T, v variant) string {
	t.Helper()
	s := prepared(t, v, remove)
	defer s.asBefore()
	return s.look("undisturbed").Print()
}

// try tries one point, and says whether the run came there.
func try(t *testing.T, v variant, p point, want string) (reached bool) {
	t.Helper()
	s := prepared(t, v, p.verb)
	done, reached := s.cut(p)
	if !reached {
		return false
	}
	s.checkEnd(p, done)
	change := s.look("cut short " + p.String())
	s.records("cut short " + p.String())
	if p.when == interrupt {
		s.recorded("stopped "+p.String(), change)
	}
	again := s.run(nil, p.verb)
	if signal, code := again.ended(); signal != 0 || code != 0 {
		t.Errorf("%s; run again: %v, exit code %d\n%s", p, signal, code, again.said())
	}
	s.quiet("again", again.said())
	if p.verb == remove {
		s.empty("deleted again after " + p.String())
		s.idle(remove)
		return true
	}
	change = s.look("run again after " + p.String())
	if got := change.Print(); got != want {
		t.Errorf("%s; run again it has made\n%s\nundisturbed\n%s", p, got, want)
	}
	s.recorded("run again after "+p.String(), change)
	s.idle(apply)
	s.asBefore()
	return true
}

// checkEnd fails if the process did not end as the point wants it. One that was
// interrupted ends by itself; if there was nothing left to do it is content.
func (s *site) checkEnd(p point, done *process) {
	s.t.Helper()
	s.quiet(p.String(), done.said())
	signal, code := done.ended()
	ok := signal == syscall.SIGKILL
	switch p.when {
	case interrupt:
		ok = signal == 0 && (code == 1 || code == 0)
	case answered: // of the last call it may have ended before
		ok = ok || code == 0
	case beforeCall, afterCall, beforeSave, afterSave:
	}
	if !ok {
		s.t.Errorf("%s: it ended with %v, exit code %d\n%s", p, signal, code, done.said())
	}
}

// The program can kill itself at a call, too, whichever cloud it is for: before
// the request is sent, and when the answer is there and nobody has seen it.
func TestKilledByItself(t *testing.T) {
	for _, h := range houses() {
		for place, least := range map[string]int{"call-before:1": 0, "call-after:1": 1} {
			t.Run(h.name+" "+place, func(t *testing.T) {
				s := newSite(t, h.variants[0])
				done := s.run(nil, apply, "ESPALIER_KILL="+place)
				calls := s.calls()
				if signal, code := done.ended(); signal != syscall.SIGKILL || len(calls) < least || len(writes(calls)) > 0 {
					t.Errorf("%v, exit code %d, after %d calls\n%s", signal, code, len(calls), done.said())
				}
			})
		}
	}
}
