// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// A mishap is what happens to one operation: a call, a save, or the read of a kind.
type mishap int

const (
	none mishap = iota
	failsBefore
	failsAfter // it took effect and is reported as failed
	diesBefore
	diesAfter
	diesWithState // the process dies, and the state with it
)

// A world is a cloud, a state and a process that dies and comes back. The
// script says what happens to the next operations; after it all goes well.
type world struct {
	gd     *garden
	cloud  *toy
	saved  []byte
	lost   bool // the state was lost at some time
	dead   bool
	script []mishap
	denied []bool // of the next reads
	ops    int
	limit  int
	settle time.Duration
}

func newWorld(gd *garden) *world {
	w := &world{gd: gd, cloud: gd.plant(), limit: 1, settle: -1}
	w.cloud.fault = w.happen
	return w
}

// happen carries out one operation as the script says.
func (w *world) happen(_ string, effect func() error) error {
	if w.dead {
		return errKilled
	}
	w.ops++
	m := none
	if len(w.script) > 0 {
		m, w.script = w.script[0], w.script[1:]
	}
	switch m {
	case none:
	case failsBefore:
		return errFlaky
	case failsAfter:
		return errors.Join(effect(), errFlaky)
	case diesAfter:
		w.dead = true
		return errors.Join(effect(), errKilled)
	case diesBefore, diesWithState:
		w.dead = true
		if m == diesWithState {
			w.lose()
		}
		return errKilled
	}
	return effect()
}

func (w *world) lose() { w.saved, w.lost = nil, true }

func (w *world) save(_ context.Context, data []byte) error {
	w.cloud.mu.Lock()
	defer w.cloud.mu.Unlock()
	return w.happen("save", func() error { w.saved = data; return nil })
}

// deny says how the next read of a kind ends.
func (w *world) deny(kind string) error {
	if len(w.denied) == 0 {
		return nil
	}
	d := w.denied[0]
	w.denied = w.denied[1:]
	if d {
		return fmt.Errorf("%s: %w", kind, errDenied)
	}
	return nil
}

// converge runs until there is nothing to do, each time as a new process, and
// then once more to see that the run before was the last one that wrote.
func (w *world) converge(t rapid.TB, destroy bool) {
	t.Helper()
	for range len(w.script) + len(w.denied) + 8 {
		w.dead = false
		s, err := LoadState(w.saved, w.save)
		if err != nil {
			t.Fatal(err)
		}
		g := w.gd.topology(s, w.cloud, w.deny)
		if until, names := g.Unsettled(time.Now(), max(w.settle, 0)); len(names) > 0 {
			time.Sleep(time.Until(until)) //nolint:forbidigo // the bubble's clock
			continue
		}
		p, err := g.Plan()
		if destroy {
			p, err = g.PlanDelete()
		}
		if err != nil {
			t.Fatalf("plan: %v", err)
		}
		idle, writes := p.Idle(), w.cloud.writes()
		ctx := context.Background() //nolint:forbidigo // rapid's own ends outside the bubble
		err = g.Apply(ctx, w.cloud, p, Options{Limit: w.limit, Settle: w.settle})
		if err != nil && !only(err, errFlaky, errKilled, errInUse, errDenied, errSkipped, errNotStarted, ErrUnsettled) {
			t.Fatalf("apply: %v", err)
		}
		if idle && w.cloud.writes() != writes {
			t.Fatalf("writes, and the plan said that there was nothing to do:\n%s", p)
		}
		if idle && err == nil {
			return
		}
	}
	t.Fatal("does not converge")
}

// only says that each line of an error comes from one of the allowed errors.
func only(err error, allowed ...error) bool {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		ok := strings.HasSuffix(line, " is blocked") // because something else is, which is told by itself
		for _, a := range allowed {
			ok = ok || strings.Contains(line, a.Error())
		}
		if !ok {
			return false
		}
	}
	return true
}
