// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"strings"
	"testing"
)

// manageClaim is a graph of one plain thing that starts from a claim.
func manageClaim(s *State, claim Claim[thing], want thing) *toyGraph {
	g := newGraph(s)
	Manage(g, "a", Kind[*toy, thing](things{"plain"}), claim, nil, func(Deps, *thing) thing { return want })
	return g
}

// Of what fits, one that is recorded is ours and no other; of several none is.
func TestAdopted(t *testing.T) {
	cloud := newToy()
	cloud.things["x"], cloud.things["y"] = thing{Size: 1}, thing{Size: 1}
	s, one := state(t, "", nil), thing{Size: 1}
	var table Table[thing]
	x, y := There("x", one), There("y", one)
	_, err := manageClaim(s, Adopted(s, "a", &table, []Fact[thing]{x, y}, nil), one).Plan()
	wantErr(t, err, "EGEN104: a: 2 of them would fit")
	p, err := manageClaim(s, Adopted(s, "a", &table, []Fact[thing]{x, y}, nil), one).PlanDelete()
	if err != nil || !p.Idle() {
		t.Errorf("what may be someone else's is deleted: %v\n%s", err, p)
	}
	g := manageClaim(s, Adopted(s, "a", &table, []Fact[thing]{x}, nil), one)
	if p := mustPlan(t, g); p.Steps[0].Found != ByAdoption {
		t.Errorf("plan:\n%s", p)
	}
	mustApply(t, g, cloud)
	table.AddList([]Item[thing]{{ID: "x", State: one}}, nil)
	p, err = manageClaim(s, Adopted(s, "a", &table, []Fact[thing]{y, x}, nil), one).PlanDelete()
	if err != nil {
		t.Fatal(err)
	}
	wantPlan(t, p, "delete    a [x]\n")
}

// What has a name for an ID is ours if its content is; else the place is taken.
func TestNamed(t *testing.T) {
	s, x := state(t, "", nil), There("x", thing{Size: 1})
	other := Named(s, "a", x, func(thing) bool { return false })
	_, err := manageClaim(s, other, thing{Size: 1}).Plan()
	wantErr(t, err, "EGEN104: a: x exists and is not ours")
	if p, err := manageClaim(s, other, thing{Size: 1}).PlanDelete(); err != nil || !p.Idle() {
		t.Errorf("what is someone else's is deleted: %v\n%s", err, p)
	}
	same := Named(s, "a", x, func(th thing) bool { return th.Size == 1 })
	wantPlan(t, mustPlan(t, manageClaim(s, same, thing{Size: 1})), "keep      a [x]\n")
}

// What another tool's state names is taken over if it proves that it is this
// cluster's. If not, it is not touched, and no second one is made.
func TestInherited(t *testing.T) {
	ours := func(th thing) bool { return th.Color == "ours" }
	there := func(color string) Fact[thing] { return There("x", thing{Color: color}) }
	const recorded = `{"version":1,"records":[{"kind":"plain","name":"a","id":"r"}]}`
	for _, tt := range []struct {
		name, state string
		marked      []Item[thing]
		fact        Fact[thing]
		plan, err   string
	}{
		{"proved", "", nil, there("ours"), "keep      a [x]\n", ""},
		{"not proved", "", nil, there("another's"), "", "EGEN108: a: the old state names x, which does not show that it is this cluster's"},
		{"absent", "", nil, Absent[thing]("x"), "", "EGEN108: a: the old state names x, which does not exist in this cloud"},
		{"unknown", "", nil, Unknown[thing]("x", errDenied), "blocked   a: could not be read: x: denied\n", ""},
		{"the old state names none", "", nil, Fact[thing]{}, "create    a\n            Color: ours\n", ""},
		{"one with our mark counts more", "", []Item[thing]{{"m", "a", thing{Color: "ours"}}}, there("another's"), "keep      a [m]\n", ""},
		{"a recorded one counts more", recorded, nil, there("ours"), "keep      a [r]\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var table Table[thing]
			table.AddList(tt.marked, nil)
			table.Add("r", &thing{Color: "ours"}, nil)
			cloud := newToy()
			cloud.things["x"] = thing{Color: "another's"}
			s := state(t, tt.state, nil)
			build := func() *toyGraph {
				return manageClaim(s, Inherited(Marked(s, "a", &table), tt.fact, ours), thing{Color: "ours"})
			}
			g := build()
			p, err := g.Plan()
			if tt.err != "" {
				wantErr(t, err, tt.err)
				if p, err := build().PlanDelete(); err != nil || !p.Idle() {
					t.Errorf("what is not proved is deleted: %v\n%s", err, p)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			wantPlan(t, p, tt.plan)
			if tt.name == "proved" {
				if p.Steps[0].Found != ByAdoption {
					t.Errorf("found %q", p.Steps[0].Found)
				}
				mustApply(t, g, cloud)
				if p := mustPlan(t, build()); p.Steps[0].Found != Recorded || cloud.writes() > 0 {
					t.Errorf("it is not recorded, or was written: %v\n%s", cloud.calls, p)
				}
			}
		})
	}
}

// The same for what was added to the user's things: it would be the user's, if
// the other tool's state did not name it.
func TestInheritedLabel(t *testing.T) {
	for value, want := range map[string]string{"v": "keep      l [u#x]\n", "w": "reference l [u#x]: it was there before us, or is no longer as we made it\n"} {
		s, f := state(t, "", nil), There(ID("u#x"), label{"u", "x", value})
		claim := Inherited(Attached(s, "l", f), f, func(l label) bool { return l.Value == "v" })
		g := newGraph(s)
		Manage(g, "l", Kind[*toy, label](labels{}), claim, nil, func(Deps, *label) label { return label{"u", "x", "v"} })
		wantPlan(t, mustPlan(t, g), want)
	}
}

// What is added to the user's things is ours only as long as it is as we set
// it; a change of what is wanted takes it away and adds it anew.
func TestAttached(t *testing.T) {
	const name, record = "u/label", `{"version":1,"records":[{"kind":"label","name":"u/label","id":"u#mine","attrs":{"value":"old"}}]}`
	for _, tt := range []struct {
		name, state, there string
		plan, after        string
	}{
		{"absent", "", "", "create", "new"},
		{"there before us", "", "new", "reference", "new"},
		{"recorded and as we set it", record, "old", "replace", "new"},
		{"recorded, but changed by the user", record, "theirs", "reference", "theirs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cloud, s := newToy(), state(t, tt.state, nil)
			if tt.there != "" {
				cloud.labels["u#mine"] = tt.there
			}
			f := cloud.facts(nil, []ID{"u#mine"}, nil, allowed)
			g := newGraph(s)
			Manage(g, name, Kind[*toy, label](labels{}), Attached(s, name, f.labels.Get("u#mine")), nil, func(Deps, *label) label { return label{"u", "mine", "new"} })
			if p := mustPlan(t, g); string(p.Steps[0].Action) != tt.plan {
				t.Errorf("plan:\n%s", p)
			}
			mustApply(t, g, cloud)
			if got := cloud.labels["u#mine"]; got != tt.after || (len(s.Records()) == 1) != (tt.plan != "reference") {
				t.Errorf("value %q, records %v", got, s.Records())
			}
		})
	}
}

// Of two with our mark the one that need not be replaced is kept; if one is
// recorded it is that one, whatever it is like.
func TestSecondOne(t *testing.T) {
	for data, want := range map[string]string{
		"": "keep      a [2]\ndelete    a [1]: a second one with our mark\n",
		`{"version":1,"records":[{"kind":"plain","name":"a","id":"1"}]}`: "replace   a [1]: deleted, then made anew\n" +
			"            Color: red → blue (replace)\ndelete    a [2]: a second one with our mark\n",
	} {
		cloud, s := newToy(), state(t, data, nil)
		cloud.things["1"], cloud.things["2"] = thing{Mark: "a", Species: "plain", Color: "red"}, thing{Mark: "a", Species: "plain", Color: "blue"}
		g := newGraph(s)
		mark(g, all(cloud), "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Color: "blue", Plot: Chosen} })
		p := mustPlan(t, g)
		wantPlan(t, p, want)
		if err := g.Apply(t.Context(), cloud, p, Options{}); err != nil || len(cloud.things) != 1 {
			t.Errorf("err %v, things %v", err, cloud.things)
		}
	}
}

// An orphan is what is recorded and not managed now, even if something of the
// user's has taken its name.
func TestReferenceInPlaceOfOurs(t *testing.T) {
	cloud := newToy()
	cloud.things["ours"], cloud.things["u"] = thing{Mark: "a"}, thing{}
	s := state(t, `{"version":1,"records":[{"kind":"plain","name":"a","id":"ours"}]}`, nil)
	g := newGraph(s)
	Refer(g, "a", Rule{}, There("u", thing{}), nil)
	p := mustPlan(t, g)
	wantPlan(t, p, "reference a [u]\ndelete    a [ours]: no longer in the configuration\n")
	if err := g.Apply(t.Context(), cloud, p, Options{}); err != nil || len(cloud.things) != 1 || len(s.Records()) != 0 {
		t.Errorf("err %v, things %v, records %v", err, cloud.things, s.Records())
	}
}

// The user's IDs are never the target of a write, whatever the state says.
func TestReferenceIsNeverWritten(t *testing.T) {
	cloud := newToy()
	cloud.things["u"] = thing{}
	s := state(t, `{"version":1,"records":[{"kind":"plain","name":"old","id":"u"}]}`, nil)
	g := newGraph(s)
	Refer(g, "u", Rule{Field: "f", Code: "absent", Severity: Error}, There("u", thing{}), nil)
	p, err := g.Plan()
	wantErr(t, err, "error EGEN103: f: u: u is recorded as ours (old)")
	wantErr(t, g.Apply(t.Context(), cloud, p, Options{}), "recorded as ours")
	_, err = g.PlanDelete()
	wantErr(t, err, "recorded as ours")
	g = newGraph(state(t, "", nil))
	Refer(g, "u", Rule{}, There("u", thing{}), nil)
	r := &run[*toy]{g: g, w: cloud, ctx: t.Context()}
	wantErr(t, r.remove("x", Record{Kind: "plain", ID: "u"}), "u is the user's")
	if len(cloud.things) != 1 {
		t.Error("it is gone")
	}
}

// Every code of the engine has a long text, and no code is used twice.
func TestExplanations(t *testing.T) {
	seen := map[string]bool{}
	for i, e := range Explanations() {
		if want := fmt.Sprint("EGEN", 101+i); e.Code != want || seen[e.Code] {
			t.Errorf("code %s, want %s", e.Code, want)
		}
		seen[e.Code] = true
		if e.Title == "" || len(e.Text) < 80 || !strings.HasPrefix(e.Source, "docs/") {
			t.Errorf("%s says too little: %+v", e.Code, e)
		}
	}
	for code, r := range general {
		if !seen[code] || r.Code != code || r.Fix == "" || r.Type == "" || r.Severity == "" {
			t.Errorf("rule %+v", r)
		}
	}
	if len(general) != len(seen) {
		t.Errorf("%d rules, %d texts", len(general), len(seen))
	}
}

// A part of a thing is ours if the thing is, and only then.
func TestPartOfTheUsersThing(t *testing.T) {
	s := state(t, "", nil)
	g := newGraph(s)
	u := Refer(g, "u", Rule{}, There("u", thing{}), nil)
	Manage(g, "u/part", Kind[*toy, label](labels{}), Contained(u, There("u#x", label{"u", "x", "v"})), Needs(u), func(Deps, *label) label { return label{"u", "x", "w"} })
	wantPlan(t, mustPlan(t, g), "reference u [u]\nreference u/part [u#x]: it was there before us, or is no longer as we made it\n")
	if p, err := g.PlanDelete(); err != nil || !p.Idle() {
		t.Errorf("err %v, plan\n%s", err, p)
	}
}
