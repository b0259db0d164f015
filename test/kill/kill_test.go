// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package kill

import (
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/espalier-io/espalier/test/estate"
)

// TestKill cuts apply and delete of each variant short at every point, runs the
// same command again, and demands what a run that nobody disturbed comes to.
func TestKill(t *testing.T) {
	var mu sync.Mutex
	count := tally{}
	t.Run("at", func(t *testing.T) {
		for _, v := range estate.Variants() {
			t.Run(v.Name, func(t *testing.T) {
				t.Parallel()
				mine := tally{}
				for _, verb := range []string{apply, remove} {
					want := undisturbed(t, v)
					for _, p := range points(t, v, verb) {
						if !strings.Contains(p.String(), *only) {
							continue
						}
						try(t, v, p, want)
						mine.add(p)
					}
				}
				mu.Lock()
				defer mu.Unlock()
				count.join(mine)
			})
		}
	})
	count.report(t)
}

// undisturbed is what apply makes if nobody disturbs it.
func undisturbed(t *testing.T, v estate.Variant) string {
	t.Helper()
	s := prepared(t, v, remove)
	defer s.asBefore()
	return s.compare("undisturbed").Print()
}

// try tries one point.
func try(t *testing.T, v estate.Variant, p point, want string) {
	t.Helper()
	s := prepared(t, v, p.verb)
	done := s.cut(p)
	s.checkEnd(p, done)
	change := s.compare("cut short " + p.String())
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
		return
	}
	change = s.compare("run again after " + p.String())
	if got := change.Print(); got != want {
		t.Errorf("%s; run again it has made\n%s\nundisturbed\n%s", p, got, want)
	}
	s.recorded("run again after "+p.String(), change)
	s.idle(apply)
	s.asBefore()
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
