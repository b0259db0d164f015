// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/espalier-io/espalier/internal/fault"
)

// After a stop no call starts; what runs is finished and saved; what was never
// begun is not intended any more.
func TestStop(t *testing.T) {
	var saved []byte
	s := state(t, "", func(ctx context.Context, b []byte) error { saved = b; return ctx.Err() })
	cloud := newToy()
	g, f := newGraph(s), all(cloud)
	a := mark(g, f, "a", nil, just("a"))
	mark(g, f, "b", Needs(a), just("b"))
	ctx, cancel := context.WithCancel(t.Context())
	cloud.fault = func(_ string, effect func() error) error { cancel(); return effect() }
	err := g.Apply(ctx, cloud, mustPlan(t, g), Options{})
	if err == nil || err.Error() != "stopped" || !errors.Is(err, ErrStopped) || len(cloud.things) != 1 {
		t.Errorf("err = %v, things %v", err, cloud.things)
	}
	s = state(t, string(saved), nil)
	if rs := s.Records(); len(rs) != 1 || rs[0].ID != "id-1" || rs[0].Intent != nil {
		t.Errorf("recorded: %+v", rs)
	}
}

// A stop between the two halves of a replacement leaves no intent that the
// next run would have to wait for.
func TestStopInAReplacement(t *testing.T) {
	cloud, s := newToy(), state(t, "", nil)
	color := "red"
	build := func() *toyGraph {
		g := newGraph(s)
		mark(g, all(cloud), "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Color: color, Plot: Chosen} })
		return g
	}
	mustApply(t, build(), cloud)
	color = "blue"
	ctx, cancel := context.WithCancel(t.Context())
	cloud.fault = func(_ string, effect func() error) error { cancel(); return effect() }
	g := build()
	wantErr(t, g.Apply(ctx, cloud, mustPlan(t, g), Options{}), "stopped")
	if len(cloud.things) != 0 || len(s.Records()) != 0 {
		t.Errorf("things %v, records %+v", cloud.things, s.Records())
	}
	cloud.fault = func(_ string, effect func() error) error { return effect() }
	mustApply(t, build(), cloud)
}

// stubborn is a kind whose calls end only with their context.
type stubborn struct{ things }

func (stubborn) Create(ctx context.Context, _ *toy, want thing) (ID, thing, error) {
	<-ctx.Done()
	return "half", want, ctx.Err()
}

// A running call has its grace, and even what it made by half is recorded.
func TestGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cloud, s := newToy(), state(t, "", nil)
		g := newGraph(s)
		manageAs(g, all(cloud), stubborn{things{"plain"}}, "a", nil, just("a"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		err := g.Apply(ctx, cloud, mustPlan(t, g), Options{})
		if !errors.Is(err, context.Canceled) || time.Since(start) != 31*time.Second || s.Records()[0].ID != "half" {
			t.Errorf("err = %v after %s, recorded %v", err, time.Since(start), s.Records())
		}
	})
}

// A panic in a kind is an error of its node; the others go on.
func TestPanicIsAnErrorOfItsNode(t *testing.T) {
	cloud := newToy()
	cloud.fault = func(call string, effect func() error) error {
		if call == "create a" {
			panic("boom")
		}
		return effect()
	}
	g, f := newGraph(state(t, "", nil)), all(cloud)
	a := mark(g, f, "a", nil, just("a"))
	mark(g, f, "b", Needs(a), just("b"))
	mark(g, f, "c", nil, just("c"))
	err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{})
	wantErr(t, err, "a: panic: boom\n")
	if len(cloud.things) != 1 {
		t.Errorf("things %v", cloud.things)
	}
}

// unripe is ready after that many questions.
type unripe struct {
	things
	after int
}

func (k *unripe) Ready(_ context.Context, c *toy, id ID) (*thing, error) {
	if k.after--; k.after > 0 {
		return nil, nil
	}
	th := c.things[id]
	return &th, nil
}

// A wait is a bounded poll: it backs off, ends at once on a stop with the ID
// recorded, and gives up after ten minutes.
func TestWait(t *testing.T) {
	for _, tt := range []struct {
		name  string
		after int
		stop  time.Duration
		took  time.Duration
		err   func(error) bool
	}{
		{"it is ready at the fourth question", 4, time.Hour, 700 * time.Millisecond, func(err error) bool { return err == nil }},
		{"stopped", 1 << 40, 3 * time.Second, 3 * time.Second, func(err error) bool { return errors.Is(err, ErrStopped) }},
		{"never ready", 1 << 40, time.Hour, 10 * time.Minute, func(err error) bool { return fault.Is(err, fault.Unavailable) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cloud, s := newToy(), state(t, "", nil)
				g := newGraph(s)
				manageAs(g, all(cloud), &unripe{things{"plain"}, tt.after}, "a", nil, just("a"))
				ctx, cancel := context.WithTimeout(t.Context(), tt.stop)
				defer cancel()
				var phases []Phase
				start := time.Now()
				err := g.Apply(ctx, cloud, mustPlan(t, g), Options{Events: func(e Event) {
					phases = append(phases, e.Phase)
					if e.Phase == Waiting && e.Detail != "id-1 to be ready" {
						t.Errorf("waiting for %q", e.Detail)
					}
				}})
				if !tt.err(err) || time.Since(start) != tt.took {
					t.Errorf("err = %v after %s", err, time.Since(start))
				}
				if s.Records()[0].ID != "id-1" || !slices.Equal(phases[:2], []Phase{Started, Waiting}) || len(phases) != 3 {
					t.Errorf("recorded %v, phases %v", s.Records(), phases)
				}
			})
		})
	}
}

// napping takes its time.
type napping struct{ things }

func (k napping) Create(ctx context.Context, c *toy, want thing) (ID, thing, error) {
	time.Sleep(time.Second) //nolint:forbidigo // the bubble's clock
	return k.things.Create(ctx, c, want)
}

// No more calls run at once than the limit says, and events come one by one,
// with the ID once there is one.
func TestLimitAndEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cloud := newToy()
		g, f := newGraph(state(t, "", nil)), all(cloud)
		for i := range 20 {
			n := fmt.Sprint(i)
			manageAs(g, f, napping{things{"plain"}}, n, nil, just(n))
		}
		running, most, events := 0, 0, 0
		o := Options{Limit: 3, Events: func(e Event) {
			events++
			if e.Phase == Started {
				running++
				most = max(most, running)
			} else {
				running--
			}
			if (e.ID == "") != (e.Phase == Started) || e.Kind != "plain" || e.Action != Create {
				t.Errorf("event %+v", e)
			}
		}}
		start := time.Now()
		if err := g.Apply(t.Context(), cloud, mustPlan(t, g), o); err != nil || most != 3 || events != 40 || time.Since(start) != 7*time.Second {
			t.Errorf("err %v, %d at once, %d events, %s", err, most, events, time.Since(start))
		}
	})
}
