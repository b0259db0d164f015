// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// A plan says of what is created all that is wanted; what is not known yet is
// a placeholder, and is known when it is sent.
func TestPlanSaysWhatIsCreated(t *testing.T) {
	cloud := newToy()
	g, f := newGraph(state(t, "", nil)), all(cloud)
	a := mark(g, f, "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Size: 1, Plot: Chosen} })
	mark(g, f, "b", Needs(a), func(d Deps, _ *thing) thing {
		return thing{Mark: "b", On: Set[ID]{a.ID(d)}, Color: "near " + a.State(d).Plot, Plot: Chosen}
	})
	p := mustPlan(t, g)
	wantPlan(t, p, `create    a
            Size: 1
            Plot: ‹chosen by the cloud›
create    b
            On:
              + ‹a›
            Color: near ‹a.Plot›
            Plot: ‹chosen by the cloud›
`)
	if err := g.Apply(t.Context(), cloud, p, Options{}); err != nil {
		t.Fatal(err)
	}
	if got := cloud.things["id-2"].Color; got != "near plot-1" {
		t.Errorf("color %q", got)
	}
	wantErr(t, g.Apply(t.Context(), cloud, p, Options{}), "applied before")
}

// A placeholder is never sent.
func TestUnknownIsNotSent(t *testing.T) {
	cloud := newToy()
	g := newGraph(state(t, "", nil))
	mark(g, all(cloud), "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Color: "near ‹b.Plot›"} })
	wantErr(t, g.Apply(t.Context(), cloud, mustPlan(t, g), Options{}), "a: still unknown")
	if cloud.calls["create"] > 0 {
		t.Error("it was sent")
	}
}

// A want function sees its own have and keeps what was chosen.
func TestWantSeesItsOwnHave(t *testing.T) {
	cloud, s := newToy(), state(t, "", nil)
	free := "64-1"
	build := func() *toyGraph {
		g := newGraph(s)
		mark(g, all(cloud), "a", nil, func(_ Deps, have *thing) thing {
			if have != nil {
				return thing{Mark: "a", Color: have.Color, Plot: Chosen}
			}
			return thing{Mark: "a", Color: free, Plot: Chosen}
		})
		return g
	}
	mustApply(t, build(), cloud)
	free = "64-2"
	if p := mustPlan(t, build()); !p.Idle() {
		t.Errorf("plan:\n%s", p)
	}
}

// A plan that was written and read again equals one of the same facts, and no
// other; it can not be applied.
func TestSavedPlan(t *testing.T) {
	cloud, s := newToy(), state(t, "", nil)
	build := func(size int) *toyGraph {
		g := newGraph(s)
		mark(g, all(cloud), "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Size: size, Plot: Chosen} }, Because("one", "two"))
		return g
	}
	first := mustPlan(t, build(1))
	data, err := json.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"steps":[{"name":"a","kind":"plain","action":"create","owner":"ours","changes":[{"field":"Size","to":"1"},` +
		`{"field":"Plot","to":"‹chosen by the cloud›"}],"because":["one","two"]}]}`; string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
	var read Plan
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	destroy, err := build(1).PlanDelete()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		plan  *Plan
		equal bool
	}{
		{"planned again", mustPlan(t, build(1)), true},
		{"another size", mustPlan(t, build(2)), false},
		{"a deletion", destroy, false},
	} {
		if got := read.Equal(tt.plan); got != tt.equal {
			t.Errorf("%s: equal is %v", tt.name, got)
		}
	}
	g := build(1)
	wantErr(t, g.Apply(t.Context(), cloud, &read, Options{}), "another graph")
	wantErr(t, json.Unmarshal([]byte(`{"steps":1}`), &read), "reading the plan")
	data, err = json.Marshal(destroy)
	if err != nil || string(data) != `{"delete":true,"steps":[]}` {
		t.Errorf("%s, %v", data, err)
	}
}

// A step says whose a thing is and how it was found; what is deleted by its
// mark alone can be told from the rest.
func TestHowThingsAreFound(t *testing.T) {
	cloud := newToy()
	for id, m := range map[ID]string{"1": "recorded", "2": "marked", "3": "stray", "4": "orphan", "5": "marked"} {
		cloud.things[id] = thing{Mark: m, Species: "plain"}
	}
	cloud.keys["k"], cloud.labels["1#x"], cloud.labels["u#x"] = "same", "v", "v"
	s := state(t, `{"version":1,"records":[{"kind":"plain","name":"recorded","id":"1"},{"kind":"plain","name":"orphan","id":"4"}]}`, nil)
	g, f := newGraph(s), cloud.facts([]ID{"1", "4"}, []ID{"1#x", "u#x"}, []ID{"k"}, allowed)
	u := Refer(g, "user", Rule{}, There("u", thing{}), nil)
	a := mark(g, f, "recorded", Needs(u), just("recorded"))
	mark(g, f, "marked", nil, just("marked"))
	Manage(g, "key", Kind[*toy, pair](keys{}), Named(s, "key", f.keys.Get("k"), func(p pair) bool { return p.Content == "same" }), nil,
		func(Deps, *pair) pair { return pair{"k", "same"} })
	Manage(g, "part", Kind[*toy, label](labels{}), Contained(a, f.labels.Get("1#x")), Needs(a), func(d Deps, _ *label) label { return label{a.ID(d), "x", "v"} })
	Manage(g, "added", Kind[*toy, label](labels{}), Attached(s, "added", f.labels.Get("u#x")), Needs(u), func(d Deps, _ *label) label { return label{u.ID(d), "x", "v"} })
	Stray(g, Remover[*toy](things{"plain"}), f.things["plain"])
	p, err := g.PlanDelete()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range p.Steps {
		got = append(got, strings.TrimSpace(string(s.Action)+" "+s.Name+" "+string(s.Owner)+" "+string(s.Found)))
	}
	want := "delete stray ours mark|delete orphan ours recorded|delete marked ours mark|reference added yours|delete part ours recorded|" +
		"delete key ours content|delete marked ours mark|delete recorded ours recorded|reference user yours"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s", strings.Join(got, "|"))
	}
}

// Text that comes from the cloud can not write on the user's terminal.
func TestCloudTextIsCleaned(t *testing.T) {
	const evil = "a\x1b[31m\x07b\u202ec\xff\nd"
	for in, want := range map[string]string{
		evil: "a[31mbc d", "plain": "plain", "tab\there": "tab here", "zero\u200bwidth": "zerowidth", "‹näme›": "‹näme›", "c1\u0085x": "c1x",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q", in, got)
		}
	}
	cloud := newToy()
	cloud.things[evil] = thing{Mark: "a", Species: "plain", Color: evil, Leaves: Set[string]{evil}}
	s := state(t, "", nil)
	g := newGraph(s)
	u := Refer(g, "u", Rule{Code: "X", Severity: Error}, Unknown[thing](evil, errFlaky), nil)
	r := Refer(g, "r", Rule{}, There("r", thing{Color: evil}), nil)
	Require(g, Rule{Code: "Y", Severity: Error}, evil, Needs(r), func(d Deps) Problem {
		return Problem{Value: r.State(d).Color, Message: "is " + r.State(d).Color, Fix: "mend " + r.State(d).Color}
	})
	mark(g, all(cloud), "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Leaves: Set[string]{"green"}} }, Because(evil))
	mark(g, all(cloud), "b", Needs(u), just("b"))
	text := mustPlan(t, g).String()
	for _, f := range g.Check() {
		data, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		text += f.String() + string(data) + f.Value + f.Fix
	}
	for _, v := range g.Views() {
		text += string(v.ID) + v.Name
	}
	for _, bad := range []string{"\x1b", "\x07", "\u202e", "\xff", `\u001b`} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in %q", bad, text)
		}
	}
	if !strings.Contains(text, "a[31mbc d") {
		t.Errorf("got %q", text)
	}
}

// Others' elements in a thing of ours are listed, stay, and stay ours to
// delete with the thing; ours come and go.
func TestForeignElements(t *testing.T) {
	cloud := newToy()
	var saved string
	leaves := Set[string]{"green", "red"}
	build := func() *toyGraph {
		g := newGraph(state(t, saved, func(_ context.Context, b []byte) error { saved = string(b); return nil }))
		mark(g, all(cloud), "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Leaves: leaves, Plot: Chosen} })
		return g
	}
	mustApply(t, build(), cloud)
	th := cloud.things["id-1"]
	th.Leaves = append(th.Leaves, "foreign")
	cloud.things["id-1"] = th
	wantPlan(t, mustPlan(t, build()), "keep      a [id-1]\n            foreign, stays: Leaves: foreign\n")
	leaves = Set[string]{"red", "blue"}
	g := build()
	p := mustPlan(t, g)
	wantPlan(t, p, "update    a [id-1]\n            Leaves:\n              + blue\n              - green\n            foreign, stays: Leaves: foreign\n")
	if err := g.Apply(t.Context(), cloud, p, Options{}); err != nil {
		t.Fatal(err)
	}
	if p := mustPlan(t, build()); !p.Idle() || len(minus(cloud.things["id-1"].Leaves, []string{"red", "blue", "foreign"})) > 0 {
		t.Errorf("things %v, plan\n%s", cloud.things, p)
	}
	saved = "" // lost: what we once put in can not be told from what others did
	mustApply(t, build(), cloud)
	leaves = Set[string]{}
	wantPlan(t, mustPlan(t, build()), "update    a [id-1]\n            Leaves:\n              - blue\n              - red\n            foreign, stays: Leaves: foreign\n")
}
