// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The tests here are named after the rows of the review's section 3.

type (
	T  = thing
	G  = Graph[*toy]
	on = func(d Deps, have *thing) thing
)

func newGraph(s *State) *G { return New(s, "toy", Remover[*toy](things{}), Remover[*toy](labels{})) }

func state(t *testing.T, data []byte, save func(context.Context, []byte) error) *State {
	t.Helper()
	s, err := LoadState(data, save)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mark(g *G, s *State, f *toyFacts, name string, needs []Dependency, want on) *Node[thing] {
	return Manage(g, name, Kind[*toy, thing](things{}), Marked(s, name, &f.things), needs, want)
}

func just(name string) on { return func(Deps, *thing) thing { return thing{Mark: name, Plot: Chosen} } }

func mustPlan(t *testing.T, g *G) *Plan {
	t.Helper()
	p, err := g.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wantErr(t *testing.T, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("err = %v, want %q", err, part)
	}
}

func TestDiff(t *testing.T) {
	type res struct {
		Name string
		Zone string `plan:"fixed"`
		DNS  []string
		Set  Set[string]
		MTU  *int
		IP   string `plan:"-"`
	}
	mtu := 1400
	for _, tt := range []struct {
		name string
		have *res
		want res
		diff string
	}{
		{"same", &res{Name: "a"}, res{Name: "a"}, "[]"},
		{"changed", &res{Name: "a"}, res{Name: "b"}, "[Name: a → b]"},
		{"fixed", &res{Zone: "a"}, res{Zone: "b"}, "[Zone: a → b (fixed)]"},
		{"nil is do not care", &res{DNS: []string{"1.1.1.1"}, MTU: &mtu, Set: Set[string]{"a"}}, res{}, "[]"},
		{"empty is not nil", &res{DNS: []string{"1.1.1.1"}}, res{DNS: []string{}}, "[DNS: [1.1.1.1] → []]"},
		{"order matters in a slice", &res{DNS: []string{"a", "b"}}, res{DNS: []string{"b", "a"}}, "[DNS: [a b] → [b a]]"},
		{"order does not matter in a set", &res{Set: Set[string]{"a", "b", "b"}}, res{Set: Set[string]{"b", "a"}}, "[]"},
		{"a set with one more", &res{Set: Set[string]{"b", "a"}}, res{Set: Set[string]{"b", "a", "c"}}, "[Set: [a b] → [a b c]]"},
		{"a set with one less", &res{Set: Set[string]{"b", "a"}}, res{Set: Set[string]{"b"}}, "[Set: [a b] → [b]]"},
		{"an empty set is none", &res{Set: Set[string]{"b"}}, res{Set: Set[string]{}}, "[Set: [b] → []]"},
		{"pointer", &res{}, res{MTU: &mtu}, "[MTU: unset → 1400]"},
		{"the cloud's own", &res{IP: "10.0.0.1"}, res{}, "[]"},
		{"chosen by the cloud, there", &res{Name: "x"}, res{Name: Chosen}, "[]"},
		{"nothing there: what is wanted", nil, res{Name: Chosen, Zone: "a", Set: Set[string]{"b", "a"}}, "[Name: ‹chosen by the cloud› Zone: a Set: [a b]]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(Diff(tt.have, tt.want)); got != tt.diff {
				t.Errorf("got %s, want %s", got, tt.diff)
			}
		})
	}
}

// Row "404 versus 403".
func TestNothingIsConcludedFromUnknown(t *testing.T) {
	denied := errors.New("denied")
	recorded := []byte(`{"version":1,"records":[{"kind":"thing","name":"a","id":"id-1"}]}`)
	for _, tt := range []struct {
		name  string
		state []byte
		list  func(*Table[thing])
		node  bool
		want  string
	}{
		{"never read", nil, func(*Table[thing]) {}, true, "a: could not be read: not read"},
		{"the list by mark was denied", nil, func(t *Table[thing]) { t.AddList(nil, denied) }, true, "a: could not be read: denied"},
		{"a recorded one that was not read", recorded, func(t *Table[thing]) { t.AddList(nil, nil) }, true, "a: could not be read: id-1: not read"},
		{"an orphan, and not known what else there is", recorded, func(t *Table[thing]) { t.AddList(nil, denied) }, false,
			"a: no longer in the configuration; all of the kind thing: could not be read: denied"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, s, cloud := &toyFacts{}, state(t, tt.state, nil), newToy()
			tt.list(&f.things)
			for _, destroy := range []bool{false, true} {
				g := newGraph(s)
				if tt.node {
					mark(g, s, f, "a", nil, just("a"))
				}
				Stray(g, Remover[*toy](things{}), &f.things)
				p, err := g.Plan()
				if destroy {
					p, err = g.PlanDelete()
				}
				if err != nil || p.Idle() || p.Steps[0].Action != Blocked || p.Steps[0].Name+": "+p.Steps[0].Note != tt.want {
					t.Errorf("err %v, plan\n%s", err, p)
				}
				if err := g.Apply(t.Context(), cloud, p, Options{}); !errors.Is(err, ErrBlocked) || len(cloud.calls) > 0 {
					t.Errorf("err %v, calls %v", err, cloud.calls)
				}
				if n := len(s.Records()); tt.state != nil && n != 1 {
					t.Errorf("%d records", n)
				}
			}
		})
	}
	if _, err := (Fact[thing]{}).State(); err != ErrNotRead {
		t.Errorf("the zero fact: %v", err)
	}
}

// Row "Stale known ID: with credentials of another project every ID reads as 404".
func TestOtherCloud(t *testing.T) {
	s := state(t, []byte(`{"version":1,"cloud":"elsewhere","records":[]}`), nil)
	g := newGraph(s)
	_, err := g.Plan()
	wantErr(t, err, "the state belongs to elsewhere, the credentials to toy")
	_, err = g.PlanDelete()
	wantErr(t, err, "EGEN101")
	_, err = LoadState([]byte(`{"version":2}`), nil)
	wantErr(t, err, "version 2")
	_, err = LoadState([]byte(`{`), nil)
	wantErr(t, err, "reading the state")
}

// Row "Ctrl-C".
func TestStop(t *testing.T) {
	var saved []byte
	s := state(t, nil, func(ctx context.Context, b []byte) error { saved = b; return ctx.Err() })
	cloud := newToy()
	g := newGraph(s)
	f := cloud.facts(nil, nil)
	a := mark(g, s, f, "a", nil, just("a"))
	mark(g, s, f, "b", Needs(a), just("b"))
	ctx, cancel := context.WithCancel(t.Context())
	cloud.fault = func(call string, effect func() error) error { cancel(); return effect() }
	err := g.Apply(ctx, cloud, mustPlan(t, g), Options{})
	if err == nil || err.Error() != "stopped" || len(cloud.things) != 1 {
		t.Errorf("err = %v, things %v", err, cloud.things)
	}
	s = state(t, saved, nil)
	if rs := s.Records(); len(rs) != 1 || rs[0].ID != "id-1" || rs[0].Intent != nil {
		t.Errorf("recorded: %+v", rs) // the result of the running call, and no intent of what never began
	}
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
		cloud, s := newToy(), state(t, nil, nil)
		g, f := newGraph(s), cloud.facts(nil, nil)
		Manage(g, "a", Kind[*toy, thing](stubborn{}), Marked(s, "a", &f.things), nil, just("a"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		err := g.Apply(ctx, cloud, mustPlan(t, g), Options{})
		if !errors.Is(err, context.Canceled) || time.Since(start) != 31*time.Second || s.Records()[0].ID != "half" {
			t.Errorf("err = %v after %s, recorded %v", err, time.Since(start), s.Records())
		}
	})
}

// Row "Save fails": nothing at all without the intents; no create after it.
func TestSaveFails(t *testing.T) {
	for at, want := range []int{0, 1, 2} {
		cloud, saves := newToy(), 0
		s := state(t, nil, func(context.Context, []byte) error {
			if saves++; saves > at {
				return errors.New("disk full")
			}
			return nil
		})
		g, f := newGraph(s), cloud.facts(nil, nil)
		for _, n := range []string{"a", "b", "c"} {
			mark(g, s, f, n, nil, just(n))
		}
		err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{Limit: 1})
		wantErr(t, err, "disk full")
		if len(cloud.things) != want {
			t.Errorf("save %d fails: %d things", at+1, len(cloud.things))
		}
	}
}

// Row "Panic in a kind".
func TestPanicIsAnErrorOfItsNode(t *testing.T) {
	cloud := newToy()
	cloud.fault = func(call string, effect func() error) error {
		if call == "create a" {
			panic("boom")
		}
		return effect()
	}
	s := state(t, nil, nil)
	g, f := newGraph(s), cloud.facts(nil, nil)
	a := mark(g, s, f, "a", nil, just("a"))
	mark(g, s, f, "b", Needs(a), just("b"))
	mark(g, s, f, "c", nil, just("c"))
	err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{})
	wantErr(t, err, "a: panic: boom\n")
	if len(cloud.things) != 1 {
		t.Errorf("things %v", cloud.things)
	}
}

// Row "Intents saved once", with nonce and time; "settle window before a
// second create".
func TestIntents(t *testing.T) { synctest.Test(t, intents) }

func intents(t *testing.T) {
	o := Options{}
	cloud := newToy()
	var saved [][]byte
	save := func(_ context.Context, b []byte) error { saved = append(saved, b); return nil }
	s := state(t, nil, save)
	build := func(s *State) *G {
		g, f := newGraph(s), cloud.facts(nil, nil)
		mark(g, s, f, "a", nil, just("a"))
		mark(g, s, f, "b", nil, just("b"))
		return g
	}
	cloud.fault = func(string, func() error) error {
		if n := strings.Count(string(saved[0]), `"nonce"`); n != 2 {
			t.Errorf("%d intents before the first write", n)
		}
		return errors.New("no answer")
	}
	g := build(s)
	wantErr(t, g.Apply(t.Context(), cloud, mustPlan(t, g), o), "no answer")
	nonce := s.Records()[0].Intent.Nonce

	cloud.fault = func(_ string, effect func() error) error { return effect() }
	s = state(t, saved[len(saved)-1], save)
	time.Sleep(59 * time.Second)
	g = build(s)
	err := g.Apply(t.Context(), cloud, mustPlan(t, g), o)
	if !errors.Is(err, ErrUnsettled) || len(cloud.things) > 0 {
		t.Errorf("err = %v, things %v", err, cloud.things)
	}
	g = build(s)
	p, _ := g.PlanDelete()
	if err := g.Apply(t.Context(), cloud, p, o); !errors.Is(err, ErrUnsettled) || len(s.Records()) != 2 {
		t.Errorf("delete forgets an intent too soon: %v", err)
	}
	if got := s.Records()[0].Intent.Nonce; got != nonce {
		t.Error("the nonce has changed")
	}
	time.Sleep(time.Second)
	cloud.fault = func(string, func() error) error { return errors.New("no answer again") }
	g = build(s)
	wantErr(t, g.Apply(t.Context(), cloud, mustPlan(t, g), o), "no answer again")
	cloud.fault = func(_ string, effect func() error) error { return effect() }
	time.Sleep(time.Second)
	g = build(s)
	if err := g.Apply(t.Context(), cloud, mustPlan(t, g), o); !errors.Is(err, ErrUnsettled) {
		t.Errorf("the second attempt is not waited for: %v", err)
	}
	if got := s.Records()[0].Intent.Nonce; got != nonce {
		t.Error("the second attempt has another nonce")
	}
	time.Sleep(time.Minute)
	g = build(s)
	if err := g.Apply(t.Context(), cloud, mustPlan(t, g), o); err != nil || len(cloud.things) != 2 {
		t.Errorf("err = %v, things %v", err, cloud.things)
	}

	// A refusal is certain, so that the next run need not wait.
	s = state(t, nil, nil)
	cloud = newToy()
	cloud.fault = func(string, func() error) error { return fmt.Errorf("quota: %w", ErrRefused) }
	g = build(s)
	wantErr(t, g.Apply(t.Context(), cloud, mustPlan(t, g), o), "quota")
	if n := len(s.Records()); n != 0 {
		t.Errorf("%d intents are left", n)
	}
}

// Row "one resource and key is one node": an attached thing that was intended,
// done, never recorded, and has left the graph is taken away all the same.
func TestIntendedLabelThatLeftTheGraph(t *testing.T) {
	cloud := newToy()
	cloud.labels["x#mine"] = "shared"
	for value, left := range map[string]int{"shared": 0, "other": 1} {
		s := state(t, []byte(`{"version":1,"records":[{"kind":"label","name":"x/label mine","attrs":{"value":"`+value+`"},"intent":{"nonce":"n","id":"x#mine"}}]}`), nil)
		cloud.labels["x#mine"] = "shared"
		g := newGraph(s)
		if err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{}); err != nil {
			t.Fatal(err)
		}
		if len(cloud.labels) != left || len(s.Records()) != 0 {
			t.Errorf("value %s: labels %v, records %v", value, cloud.labels, s.Records())
		}
	}
}

// lazy is a cloud that takes some writes and does nothing.
type lazy struct {
	things
	updates int
	ignore  int // that many updates do nothing
	gone    bool
}

func (k *lazy) Create(ctx context.Context, c *toy, want thing) (ID, thing, error) {
	want.Size = 0
	return k.things.Create(ctx, c, want)
}

func (k *lazy) Update(ctx context.Context, c *toy, id ID, have, want thing) (thing, error) {
	if k.updates++; k.updates <= k.ignore {
		return have, nil
	}
	return k.things.Update(ctx, c, id, have, want)
}

// Row "VPC + ModifyVpcAttribute": what the cloud does not take at creation is
// a second call, of which the answer counts.
func TestCreateThenUpdate(t *testing.T) {
	for ignore, want := range []string{"", "the update did not take: [Size: 0 → 3]"} {
		cloud, s := newToy(), state(t, nil, nil)
		g := newGraph(s)
		f := cloud.facts(nil, nil)
		k := &lazy{ignore: ignore}
		Manage(g, "a", Kind[*toy, thing](k), Marked(s, "a", &f.things), nil, func(Deps, *thing) thing { return thing{Mark: "a", Size: 3, Plot: Chosen} })
		err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{})
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != "a: "+want) {
			t.Errorf("err = %v", err)
		}
		if len(s.Records()) != 1 || s.Records()[0].ID == "" {
			t.Error("what was created has to be recorded all the same")
		}
	}
}

// slow is a kind whose things are of use only later.
type slow struct {
	things
	after int
}

func (k *slow) Ready(_ context.Context, c *toy, id ID) (*thing, error) {
	if k.after--; k.after > 0 {
		return nil, nil
	}
	th := c.things[id]
	th.Plot = "ready"
	return &th, nil
}

// Row "after own writes read until it shows, bounded"; and a wait ends at once
// on a stop, with the ID recorded.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, after := range []int{4, 1 << 40} {
			cloud, s := newToy(), state(t, nil, nil)
			g := newGraph(s)
			f := cloud.facts(nil, nil)
			Manage(g, "a", Kind[*toy, thing](&slow{after: after}), Marked(s, "a", &f.things), nil, just("a"))
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			start := time.Now()
			err := g.Apply(ctx, cloud, mustPlan(t, g), Options{})
			cancel()
			if took := time.Since(start); after == 4 && (err != nil || took != 700*time.Millisecond) || after > 4 && (!errors.Is(err, ErrStopped) || took != 3*time.Second) {
				t.Errorf("err = %v after %s", err, took)
			}
			if s.Records()[0].ID != "id-1" {
				t.Errorf("recorded: %v", s.Records())
			}
		}
	})
}

// Row "Plan prints nothing of what is created"; unknown values as such.
func TestPlanSaysWhatIsCreated(t *testing.T) {
	cloud, s := newToy(), state(t, nil, nil)
	g, f := newGraph(s), cloud.facts(nil, nil)
	a := mark(g, s, f, "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Size: 1, Plot: Chosen} })
	mark(g, s, f, "b", Needs(a), func(d Deps, _ *thing) thing {
		return thing{Mark: "b", On: Set[ID]{a.ID(d)}, Color: "near " + a.State(d).Plot, Plot: Chosen}
	})
	p := mustPlan(t, g)
	want := `create    a
            Size: 1
            Plot: ‹chosen by the cloud›
create    b
            On: [‹a›]
            Color: near ‹a.Plot›
            Plot: ‹chosen by the cloud›
`
	if p.String() != want {
		t.Errorf("got\n%s\nwant\n%s", p, want)
	}
	if err := g.Apply(t.Context(), cloud, p, Options{}); err != nil {
		t.Fatal(err)
	}
	if got := cloud.things["id-2"].Color; got != "near plot-1" {
		t.Errorf("color %q", got)
	}
	wantErr(t, g.Apply(t.Context(), cloud, p, Options{}), "another graph") // a plan is carried out once
}

// A placeholder is never sent.
func TestUnknownIsNotSent(t *testing.T) {
	cloud, s := newToy(), state(t, nil, nil)
	g, f := newGraph(s), cloud.facts(nil, nil)
	mark(g, s, f, "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Color: "near ‹b.Plot›"} })
	wantErr(t, g.Apply(t.Context(), cloud, mustPlan(t, g), Options{}), "a: still unknown")
	if cloud.calls["create"] > 0 {
		t.Error("it was sent")
	}
}

// Row "/64 conflict": want sees its own have and keeps what was chosen.
func TestWantSeesItsOwnHave(t *testing.T) {
	cloud, s := newToy(), state(t, nil, nil)
	free := "64-1"
	build := func() *G {
		g, f := newGraph(s), cloud.facts(nil, nil)
		mark(g, s, f, "a", nil, func(_ Deps, have *thing) thing {
			if have != nil {
				return thing{Mark: "a", Color: have.Color, Plot: Chosen}
			}
			return thing{Mark: "a", Color: free, Plot: Chosen}
		})
		return g
	}
	g := build()
	if err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{}); err != nil {
		t.Fatal(err)
	}
	free = "64-2"
	if p := mustPlan(t, build()); !p.Idle() {
		t.Errorf("plan:\n%s", p)
	}
}

// Row "Share network adoption"; class named.
func TestAdoptedAndNamed(t *testing.T) {
	cloud := newToy()
	cloud.things["x"], cloud.things["y"] = thing{Size: 1}, thing{Size: 1}
	s := state(t, nil, nil)
	build := func(claim Claim[thing]) *G {
		g := newGraph(s)
		Manage(g, "a", Kind[*toy, thing](things{}), claim, nil, func(Deps, *thing) thing { return thing{Size: 1} })
		return g
	}
	var table Table[thing]
	x, y := There("x", thing{Size: 1}), There("y", thing{Size: 1})
	_, err := build(Adopted(s, "a", &table, []Fact[thing]{x, y}, nil)).Plan()
	wantErr(t, err, "2 of them would fit")
	p, err := build(Adopted(s, "a", &table, []Fact[thing]{x, y}, nil)).PlanDelete()
	if err != nil || !p.Idle() {
		t.Errorf("what may be someone else's is deleted: %v\n%s", err, p)
	}
	g := build(Adopted(s, "a", &table, []Fact[thing]{x}, nil))
	if err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{}); err != nil {
		t.Fatal(err)
	}
	table.AddList([]Item[thing]{{ID: "x", State: thing{Size: 1}}}, nil)
	g = build(Adopted(s, "a", &table, []Fact[thing]{y, x}, nil)) // the recorded one, and only that one
	p, err = g.PlanDelete()
	if want := "delete    a [x]\n"; err != nil || p.String() != want {
		t.Errorf("plan %v:\n%s", err, p)
	}

	s = state(t, nil, nil)
	_, err = build(Named(s, "a", x, func(thing) bool { return false })).Plan()
	wantErr(t, err, "x exists and is not ours")
	if p, err := build(Named(s, "a", x, func(thing) bool { return false })).PlanDelete(); err != nil || !p.Idle() {
		t.Errorf("what is someone else's is deleted: %v\n%s", err, p)
	}
	if p := mustPlan(t, build(Named(s, "a", x, func(th thing) bool { return th.Size == 1 }))); p.String() != "keep      a [x]\n" {
		t.Errorf("plan:\n%s", p)
	}
}

// Row "Replace is delete-then-create": what stands on it goes first and comes
// back after it; and 2.5, what a want function may see.
func TestReplaceInOrder(t *testing.T) {
	cloud, s := newToy(), state(t, nil, nil)
	color := "red"
	build := func() *G {
		g, f := newGraph(s), cloud.facts(nil, nil)
		a := mark(g, s, f, "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Color: color, Plot: Chosen} })
		mark(g, s, f, "b", Needs(a), func(d Deps, _ *thing) thing { return thing{Mark: "b", Color: string(a.ID(d)), Plot: Chosen} })
		return g
	}
	g := build()
	if err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{}); err != nil {
		t.Fatal(err)
	}
	color = "blue"
	var calls []string
	cloud.fault = func(call string, effect func() error) error { calls = append(calls, call); return effect() }
	g = build()
	p := mustPlan(t, g)
	if err := g.Apply(t.Context(), cloud, p, Options{}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"delete id-2", "delete id-1", "create a", "create b"}; !slices.Equal(calls, want) {
		t.Errorf("calls %v", calls)
	}
	if want := "replace   a [id-1]: deleted, then made anew\n            Color: red → blue (replace)\n" +
		"replace   b [id-2]: deleted, then made anew\n            Color: id-1 → ‹a› (replace)\n"; p.String() != want {
		t.Errorf("plan:\n%s", p)
	}
}

func TestProgrammersErrors(t *testing.T) {
	s := state(t, nil, nil)
	f := newToy().facts(nil, nil)
	g := newGraph(s)
	a := mark(g, s, f, "a", nil, just("a"))
	var kept Deps
	mark(g, s, f, "keeps", Needs(a), func(d Deps, _ *thing) thing { kept = d; return thing{Mark: "keeps"} })
	for want, fn := range map[string]func(){
		"b reads a but does not need it":     func() { mark(g, s, f, "b", nil, func(d Deps, _ *thing) thing { a.ID(d); return thing{} }) },
		"keeps reads a but does not need it": func() { a.ID(kept) },
		`two resources are named "a"`:        func() { mark(g, s, f, "a", nil, just("a")) },
		"which is not in the graph":          func() { mark(newGraph(s), s, f, "c", Needs(a), just("c")) },
		`kind "label" is not among`: func() {
			g := New(s, "toy", Remover[*toy](things{}))
			Manage(g, "l", Kind[*toy, label](labels{}), Claim[label]{}, nil, func(Deps, *label) label { return label{} })
		},
		`comes after "thing"`: func() {
			l := Manage(g, "l", Kind[*toy, label](labels{}), Claim[label]{}, nil, func(Deps, *label) label { return label{} })
			mark(g, s, f, "d", Needs(l), just("d"))
		},
	} {
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, want) {
					t.Errorf("got %s, want %s", r, want)
				}
			}()
			fn()
		}()
	}
}

// Row "remover chosen by the last element of the name".
func TestOrphans(t *testing.T) {
	cloud := newToy()
	for _, id := range []ID{"1", "2", "3", "4"} {
		cloud.things[id] = thing{Mark: "x" + string(id)}
	}
	s := state(t, []byte(`{"version":1,"records":[{"kind":"unheard-of","name":"a/b","id":"9"}]}`), nil)
	g := newGraph(s)
	_, err := g.Plan()
	wantErr(t, err, `no one knows how to delete a "unheard-of"`)

	// 2 needs 1: it goes first. 3 fails: 2, which it needs, stays, the rest goes.
	s = state(t, []byte(`{"version":1,"records":[
		{"kind":"thing","name":"x1","id":"1"},{"kind":"thing","name":"x2","id":"2"},
		{"kind":"thing","name":"x3","id":"3","needs":["x2"]},{"kind":"thing","name":"x4","id":"4","needs":["x1"]}]}`), nil)
	var calls []string
	cloud.fault = func(call string, effect func() error) error {
		calls = append(calls, call)
		if call == "delete 3" {
			return errors.New("in the way")
		}
		return effect()
	}
	g = newGraph(s)
	err = g.Apply(t.Context(), cloud, mustPlan(t, g), Options{Limit: 1})
	if err == nil || err.Error() != "x3 [3]: in the way" || !slices.Equal(calls, []string{"delete 4", "delete 3", "delete 1"}) {
		t.Errorf("err %v, calls %v", err, calls)
	}
}

// Row "elasticIPAllocationID changed": an orphan is what is recorded and not
// managed now, even if the user's has taken its name.
func TestReferenceInPlaceOfOurs(t *testing.T) {
	cloud := newToy()
	cloud.things["ours"], cloud.things["u"] = thing{Mark: "a"}, thing{}
	s := state(t, []byte(`{"version":1,"records":[{"kind":"thing","name":"a","id":"ours"}]}`), nil)
	g := newGraph(s)
	Refer(g, "a", Rule{}, There("u", thing{}), nil)
	p := mustPlan(t, g)
	if want := "reference a [u]\ndelete    a [ours]: no longer in the configuration\n"; p.String() != want {
		t.Errorf("plan:\n%s", p)
	}
	if err := g.Apply(t.Context(), cloud, p, Options{}); err != nil || len(cloud.things) != 1 || len(s.Records()) != 0 {
		t.Errorf("err %v, things %v, records %v", err, cloud.things, s.Records())
	}
}

// Row "Create + Search > 1": the one that need not be replaced is kept; if
// one is recorded it is that one, whatever it is like.
func TestSecondOne(t *testing.T) {
	for data, want := range map[string]string{
		"": "keep      a [2]\ndelete    a [1]: a second one with our mark\n",
		`{"version":1,"records":[{"kind":"thing","name":"a","id":"1"}]}`: "replace   a [1]: deleted, then made anew\n" +
			"            Color: red → blue (replace)\ndelete    a [2]: a second one with our mark\n",
	} {
		cloud, s := newToy(), state(t, []byte(data), nil)
		cloud.things["1"], cloud.things["2"] = thing{Mark: "a", Color: "red"}, thing{Mark: "a", Color: "blue"}
		g := newGraph(s)
		mark(g, s, cloud.facts(nil, nil), "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Color: "blue", Plot: Chosen} })
		p := mustPlan(t, g)
		if p.String() != want {
			t.Errorf("plan:\n%s", p)
		}
		if err := g.Apply(t.Context(), cloud, p, Options{}); err != nil || len(cloud.things) != 1 {
			t.Errorf("err %v, things %v", err, cloud.things)
		}
	}
}

// The user's IDs are never the target of a write, whatever the state says.
func TestReferenceIsNeverWritten(t *testing.T) {
	cloud := newToy()
	cloud.things["u"] = thing{}
	s := state(t, []byte(`{"version":1,"records":[{"kind":"thing","name":"old","id":"u"}]}`), nil)
	g := newGraph(s)
	Refer(g, "u", Rule{Field: "f", Code: "absent", Severity: Error}, There("u", thing{}), nil)
	p, err := g.Plan()
	wantErr(t, err, "u is recorded as ours (old)")
	wantErr(t, g.Apply(t.Context(), cloud, p, Options{}), "recorded as ours")
	_, err = g.PlanDelete()
	wantErr(t, err, "recorded as ours")
	g = newGraph(state(t, nil, nil))
	Refer(g, "u", Rule{}, There("u", thing{}), nil)
	r := &run[*toy]{g: g, w: cloud, ctx: t.Context()}
	wantErr(t, r.remove("x", Record{Kind: "thing", ID: "u"}), "u is the user's")
	if len(cloud.things) != 1 {
		t.Error("it is gone")
	}
}

// Row "Checks": absent, unknown and broken are three things, and a plan is not
// made on what is absent.
func TestFindings(t *testing.T) {
	s := state(t, nil, nil)
	g, f := newGraph(s), newToy().facts(nil, nil)
	rule := Rule{"X1", Error, "NotFound", "a.b", "mend it"}
	there := Refer(g, "there", rule, There("t", thing{Size: 1}), nil)
	absent := Refer(g, "absent", rule, Absent[thing]("a"), nil)
	unknown := Refer(g, "unknown", rule, Unknown[thing]("u", errors.New("denied")), nil)
	size := func(n *Node[thing]) func(d Deps) Problem {
		return func(d Deps) Problem { return Problem{Message: fmt.Sprintf("size %d", n.State(d).Size)} }
	}
	for _, n := range []*Node[thing]{there, absent, unknown} {
		Require(g, Rule{"X2", Warning, "", "c", ""}, n.c.name, Needs(n), size(n))
	}
	mark(g, s, f, "ours", Needs(absent), just("ours"))
	var got []string
	for _, fi := range g.Check() {
		got = append(got, fi.String())
	}
	want := []string{
		"error EGEN106: : ours: needs absent, which is absent",
		"error X1: a.b: absent: a does not exist, or these credentials can not see it",
		"warning EGEN102: a.b: unknown: u: denied",
		"warning X2: c: there: size 1",
		"info X2: c: unknown: not checked: unknown: denied",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	_, err := g.Plan()
	wantErr(t, err, "needs absent")
	if _, err := g.PlanDelete(); err != nil {
		t.Errorf("what the user brought may be gone when we delete: %v", err)
	}
}

// napping takes its time.
type napping struct{ things }

func (k napping) Create(ctx context.Context, c *toy, want thing) (ID, thing, error) {
	time.Sleep(time.Second)
	return k.things.Create(ctx, c, want)
}

func TestLimitAndEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cloud, s := newToy(), state(t, nil, nil)
		g, f := newGraph(s), cloud.facts(nil, nil)
		for i := range 20 {
			n := fmt.Sprint(i)
			Manage(g, n, Kind[*toy, thing](napping{}), Marked(s, n, &f.things), nil, just(n))
		}
		running, most, events := 0, 0, 0
		o := Options{Limit: 3, Events: func(e Event) {
			events++
			if e.Phase == "started" {
				running++
				most = max(most, running)
			} else {
				running--
			}
		}}
		start := time.Now()
		if err := g.Apply(t.Context(), cloud, mustPlan(t, g), o); err != nil || most != 3 || events != 40 || time.Since(start) != 7*time.Second {
			t.Errorf("err %v, %d at once, %d events, %s", err, most, events, time.Since(start))
		}
	})
}

// Programs that must not compile.
func TestDoesNotCompile(t *testing.T) {
	for name, body := range map[string]string{
		"a reference with a kind":     `engine.Refer(g, "a", engine.Rule{}, kind{}, nil)`,
		"a kind that can only delete": `engine.Manage(g, "a", kind{}, engine.Claim[res]{}, nil, func(engine.Deps, *res) res { return res{} })`,
		"Deps made outside":           `var _ engine.Deps = mine{}`,
		"an ID without Deps":          `_ = engine.Refer(g, "a", engine.Rule{}, engine.There("x", res{}), nil).ID()`,
		"a fact made by hand":         `_ = engine.Fact[res]{ID: "x", State: &res{}}`,
		"":                            `engine.Refer(g, "a", engine.Rule{}, engine.There("x", res{}), nil)`,
	} {
		dir, err := os.MkdirTemp("testdata", "no")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		src := `package main
import ("context"; "github.com/espalier-io/espalier/internal/engine")
type res struct{ A string }
type kind struct{}
type mine struct{}
func (kind) Kind() string { return "k" }
func (kind) Delete(context.Context, int, engine.Record) error { return nil }
func main() {
	s, _ := engine.LoadState(nil, nil)
	g := engine.New(s, "", engine.Remover[int](kind{}))
	_ = g
	` + body + "\n}\n"
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), "go", "build", "-o", os.DevNull, "./"+dir).CombinedOutput()
		if (err != nil) != (name != "") {
			t.Errorf("%q: err %v: %s", name, err, out)
		}
	}
}
