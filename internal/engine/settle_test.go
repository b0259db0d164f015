// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// attempts is a cloud whose creates get no answer until it is told to work.
type attempts struct {
	t     *testing.T
	cloud *toy
	saved [][]byte
	works bool
}

func (a *attempts) state() *State {
	last := ""
	if n := len(a.saved); n > 0 {
		last = string(a.saved[n-1])
	}
	return state(a.t, last, func(_ context.Context, b []byte) error { a.saved = append(a.saved, b); return nil })
}

func (a *attempts) graph(k Kind[*toy, thing], names ...string) *toyGraph {
	a.cloud.fault = func(_ string, effect func() error) error {
		if len(a.saved) == 0 {
			a.t.Error("the first call is made before the intents are saved")
		}
		if a.works {
			return effect()
		}
		return errFlaky
	}
	g := newGraph(a.state())
	var ids []ID
	for _, r := range g.state.Records() {
		ids = append(ids, r.ID)
	}
	f := all(a.cloud, ids...)
	for _, n := range names {
		manageAs(g, f, k, n, nil, just(n))
	}
	return g
}

func (a *attempts) run(k Kind[*toy, thing], names ...string) error {
	g := a.graph(k, names...)
	return g.Apply(a.t.Context(), a.cloud, mustPlan(a.t, g), Options{})
}

func (a *attempts) nonce() string { return a.state().Records()[0].Intent.Nonce }

// A create without an answer is not tried again for a minute, each time anew,
// and always with the same nonce; a deletion does not forget it sooner.
func TestUnansweredCreate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, plain := &attempts{t: t, cloud: newToy()}, things{"plain"}
		start := time.Now()
		wantErr(t, a.run(plain, "a", "b"), "flaky")
		if n := strings.Count(string(a.saved[0]), `"nonce"`); n != 2 {
			t.Errorf("%d intents in the first save", n)
		}
		nonce := a.nonce()
		time.Sleep(59 * time.Second) //nolint:forbidigo // the bubble's clock
		a.works = true
		g := a.graph(plain, "a", "b")
		if until, names := g.Unsettled(time.Now(), Settle); !until.Equal(start.Add(Settle)) || !slices.Equal(names, []string{"a", "b"}) {
			t.Errorf("unsettled %v until %s", names, until)
		}
		if err := a.run(plain, "a", "b"); !errors.Is(err, ErrUnsettled) || len(a.cloud.things) > 0 {
			t.Errorf("err = %v, things %v", err, a.cloud.things)
		}
		for _, names := range [][]string{{"a", "b"}, nil} { // in the graph or not
			g := a.graph(plain, names...)
			p, err := g.PlanDelete()
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Apply(t.Context(), a.cloud, p, Options{}); !errors.Is(err, ErrUnsettled) || len(a.state().Records()) != 2 {
				t.Errorf("a deletion forgets an intent too soon: %v", err)
			}
		}
		time.Sleep(time.Second) //nolint:forbidigo // the bubble's clock
		a.works = false
		wantErr(t, a.run(plain, "a", "b"), "flaky")
		a.works = true
		time.Sleep(time.Second) //nolint:forbidigo // the bubble's clock
		if err := a.run(plain, "a", "b"); !errors.Is(err, ErrUnsettled) || a.nonce() != nonce {
			t.Errorf("the second attempt is not waited for, or has another nonce: %v", err)
		}
		time.Sleep(Settle) //nolint:forbidigo // the bubble's clock
		if err := a.run(plain, "a", "b"); err != nil || len(a.cloud.things) != 2 {
			t.Errorf("err = %v, things %v", err, a.cloud.things)
		}
	})
}

// The minute begins when a create was sent, and again when nobody waits for its
// answer any more: other creates may have taken long before it, and the call
// itself may have been under way for as long as the client is patient.
func TestTheMinuteBeginsWhenACreateIsSentAndWhenItIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, plain := &attempts{t: t, cloud: newToy(), works: true}, things{"plain"}
		g := a.graph(plain)
		f := all(a.cloud)
		first := manageAs(g, f, plain, "first", nil, just("first"))
		manageAs(g, f, plain, "second", Needs(first), just("second"))
		start := time.Now()
		var sent []time.Time
		a.cloud.fault = func(what string, effect func() error) error {
			if !strings.HasSuffix(what, "second") {
				time.Sleep(50 * time.Second) //nolint:forbidigo // the bubble's clock
				return effect()
			}
			rec, _ := a.state().Get("second") // as whoever comes after a death would read it
			sent = append(sent, rec.Intent.At)
			time.Sleep(55 * time.Second) //nolint:forbidigo // the bubble's clock
			return errFlaky
		}
		wantErr(t, g.Apply(t.Context(), a.cloud, mustPlan(t, g), Options{}), "flaky")
		if want := start.Add(50 * time.Second); len(sent) != 1 || !sent[0].Equal(want) {
			t.Errorf("when it was sent the intent was of %v, want %s", sent, want)
		}
		rec, _ := a.state().Get("second")
		if want := start.Add(105 * time.Second); rec.Intent == nil || !rec.Intent.At.Equal(want) {
			t.Errorf("when it was given up the intent was %+v, want of %s", rec.Intent, want)
		}
	})
}

// The facts count from when they were read, not from when the user said yes.
func TestSlowYes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &attempts{t: t, cloud: newToy()}
		wantErr(t, a.run(things{"plain"}, "a"), "flaky")
		a.works = true
		g := a.graph(things{"plain"}, "a")
		p := mustPlan(t, g)
		time.Sleep(time.Hour) //nolint:forbidigo // the bubble's clock
		if err := g.Apply(t.Context(), a.cloud, p, Options{}); !errors.Is(err, ErrUnsettled) {
			t.Errorf("err = %v", err)
		}
	})
}

// What can not be made twice is tried again at once, with the same nonce.
func TestWhatNeedNotSettle(t *testing.T) {
	a := &attempts{t: t, cloud: newToy()}
	wantErr(t, a.run(sure{things{"sure"}}, "a"), "flaky")
	nonce := a.nonce()
	a.works = true
	if _, names := a.graph(sure{things{"sure"}}, "a").Unsettled(time.Now(), Settle); len(names) > 0 {
		t.Errorf("unsettled: %v", names)
	}
	if err := a.run(sure{things{"sure"}}, "a"); err != nil || a.cloud.nonces[nonce] == "" {
		t.Errorf("idempotent: %v, %v", err, a.cloud.nonces)
	}

	w := newWorld(&garden{keys: map[ID]string{"k": "x"}})
	w.settle, w.script = Settle, []mishap{none, failsBefore}
	w.converge(t, false)
	w.gd.check(t, w.cloud, false)
}

// A refusal is certain, so that the next run need not wait.
func TestRefusedCreate(t *testing.T) {
	a := &attempts{t: t, cloud: newToy()}
	g := a.graph(things{"plain"}, "a")
	a.cloud.fault = func(string, func() error) error { return fmt.Errorf("quota: %w", ErrRefused) }
	wantErr(t, g.Apply(t.Context(), a.cloud, mustPlan(t, g), Options{}), "quota")
	if n := len(a.state().Records()); n != 0 {
		t.Errorf("%d intents are left", n)
	}
}

// What was just made and does not show is not made a second time, and a
// deletion removes it all the same.
func TestJustMadeAndNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &attempts{t: t, cloud: newToy(), works: true}
		a.cloud.hide = 10 * time.Second
		if err := a.run(things{"plain"}, "a"); err != nil {
			t.Fatal(err)
		}
		if err := a.run(things{"plain"}, "a"); !errors.Is(err, ErrUnsettled) || len(a.cloud.things) != 1 {
			t.Errorf("err %v, things %v", err, a.cloud.things)
		}
		g := a.graph(things{"plain"}, "a")
		if _, names := g.Unsettled(time.Now(), Settle); !slices.Equal(names, []string{"a"}) {
			t.Errorf("unsettled: %v", names)
		}
		p, err := g.PlanDelete()
		if err != nil {
			t.Fatal(err)
		}
		wantPlan(t, p, "delete    a [id-1]: it does not show, but may be there\n")
		if err := g.Apply(t.Context(), a.cloud, p, Options{}); err != nil || len(a.cloud.things) > 0 || len(a.state().Records()) > 0 {
			t.Errorf("err %v, things %v", err, a.cloud.things)
		}
	})
}

// What was intended, done, never recorded, and has left the graph is taken
// away if its ID was known beforehand, and if it is still as we set it.
func TestIntendedLabelThatLeftTheGraph(t *testing.T) {
	for value, left := range map[string]int{"shared": 0, "other": 1} {
		cloud := newToy()
		s := state(t, `{"version":1,"records":[{"kind":"label","name":"x/label mine","attrs":{"value":"`+value+`"},"intent":{"nonce":"n","id":"x#mine"}}]}`, nil)
		cloud.labels["x#mine"] = "shared"
		mustApply(t, newGraph(s), cloud)
		if len(cloud.labels) != left || len(s.Records()) != 0 {
			t.Errorf("value %s: labels %v, records %v", value, cloud.labels, s.Records())
		}
	}
}

// An ID that follows from what is not there yet is saved before the create is
// sent, never as a placeholder.
func TestIntentOfANameThatIsNotKnownYet(t *testing.T) {
	cloud := newToy()
	var saved []string
	s := state(t, "", func(_ context.Context, b []byte) error { saved = append(saved, string(b)); return nil })
	g, f := newGraph(s), all(cloud)
	a := mark(g, f, "a", nil, just("a"))
	Manage(g, "a/label mine", Kind[*toy, label](labels{}), Contained(a, f.labels.Get("never read")), Needs(a),
		func(d Deps, _ *label) label { return label{a.ID(d), "mine", "v"} })
	if p := mustPlan(t, g); p.Count()[Blocked] != 1 {
		t.Errorf("a part that was not read:\n%s", p)
	}
	g = newGraph(s)
	a = mark(g, f, "a", nil, just("a"))
	Manage(g, "a/label mine", Kind[*toy, label](labels{}), Contained(a, Absent[label]("")), Needs(a),
		func(d Deps, _ *label) label { return label{a.ID(d), "mine", "v"} })
	mustApply(t, g, cloud)
	if strings.Contains(strings.Join(saved, ""), "‹") || !strings.Contains(saved[2], `"id": "id-1#mine"`) || !strings.Contains(saved[2], `"nonce"`) {
		t.Errorf("saved %s", saved)
	}
}

// A deletion has to know whether a create took effect, even if its kind would
// not make a thing twice.
func TestDeletionWaitsForIdempotentKinds(t *testing.T) {
	a := &attempts{t: t, cloud: newToy()}
	wantErr(t, a.run(sure{things{"sure"}}, "a"), "flaky")
	g := a.graph(sure{things{"sure"}}, "a")
	p, err := g.PlanDelete()
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Apply(t.Context(), a.cloud, p, Options{}); !errors.Is(err, ErrUnsettled) || len(a.state().Records()) != 1 {
		t.Errorf("err %v, records %v", err, a.state().Records())
	}
}

// The same holds of the new one of a replacement that comes first: the old one
// shows, and says nothing about the new one.
func TestUnansweredReplacement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cloud, saved, shape := newToy(), "", "round"
		build := func() *toyGraph {
			g := newGraph(state(t, saved, func(_ context.Context, b []byte) error { saved = string(b); return nil }))
			mark(g, all(cloud, "id-1"), "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Shape: shape, Plot: Chosen} })
			return g
		}
		apply := func(g *toyGraph) error { return g.Apply(t.Context(), cloud, mustPlan(t, g), Options{}) }
		mustApply(t, build(), cloud)
		time.Sleep(time.Hour) //nolint:forbidigo // the bubble's clock
		shape, cloud.hide = "square", 30*time.Second
		cloud.fault = func(_ string, effect func() error) error { return errors.Join(effect(), errFlaky) }
		wantErr(t, apply(build()), "flaky")

		cloud.fault = func(_ string, effect func() error) error { return effect() }
		g := build()
		if _, names := g.Unsettled(time.Now(), Settle); !slices.Equal(names, []string{"a"}) {
			t.Errorf("unsettled: %v", names)
		}
		if err := apply(g); !errors.Is(err, ErrUnsettled) || len(cloud.things) != 2 {
			t.Errorf("err %v, things %v", err, cloud.things)
		}
		g = build()
		p, err := g.PlanDelete()
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Apply(t.Context(), cloud, p, Options{}); !errors.Is(err, ErrUnsettled) || len(cloud.things) != 1 || !strings.Contains(saved, `"nonce"`) {
			t.Errorf("err %v, things %v, state %s", err, cloud.things, saved)
		}
		time.Sleep(Settle) //nolint:forbidigo // the bubble's clock
		mustApply(t, build(), cloud)
		if len(cloud.things) != 1 || cloud.things["id-2"].Shape != "square" {
			t.Errorf("things %v", cloud.things)
		}
	})
}
