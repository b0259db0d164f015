// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/espalier-io/espalier/internal/fault"
)

const recordedA = `{"version":1,"records":[{"kind":"plain","name":"a","id":"id-1"}]}`

// Nothing is concluded from unknown, neither in an apply nor in a deletion.
func TestNothingIsConcludedFromUnknown(t *testing.T) {
	for _, tt := range []struct {
		name, state string
		list        func(*Table[thing])
		node        bool
		want        string
	}{
		{"never read", "", func(*Table[thing]) {}, true, "a: could not be read: not read"},
		{"the list by mark was denied", "", func(t *Table[thing]) { t.AddList(nil, errDenied) }, true, "a: could not be read: denied"},
		{"a recorded one that was not read", recordedA, func(t *Table[thing]) { t.AddList(nil, nil) }, true, "a: could not be read: id-1: not read"},
		{"an orphan, and not known what else there is", recordedA, func(t *Table[thing]) { t.AddList(nil, errDenied) }, false,
			"a: no longer in the configuration; all of the kind plain: could not be read: denied"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, s, cloud := all(newToy()), state(t, tt.state, nil), newToy()
			f.things["plain"] = &Table[thing]{}
			tt.list(f.things["plain"])
			for _, destroy := range []bool{false, true} {
				g := newGraph(s)
				if tt.node {
					mark(g, f, "a", nil, just("a"))
				}
				Stray(g, Remover[*toy](things{"plain"}), f.things["plain"])
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
				if n := len(s.Records()); tt.state != "" && n != 1 {
					t.Errorf("%d records", n)
				}
			}
		})
	}
	if _, err := (Fact[thing]{}).State(); !errors.Is(err, ErrNotRead) {
		t.Errorf("the zero fact: %v", err)
	}
}

// One unknown fact stops only what depends on it; the rest is carried out, and
// the error names what was not, with its kind.
func TestUnknownBlocksOnlyWhatDependsOnIt(t *testing.T) {
	cloud, s := newToy(), state(t, "", nil)
	cloud.things["u"] = thing{}
	build := func(err error) *toyGraph {
		g, f := newGraph(s), all(cloud)
		user := There("u", thing{})
		if err != nil {
			user = Unknown[thing]("u", err)
		}
		u := Refer(g, "u", Rule{}, user, nil)
		a := mark(g, f, "a", Needs(u), just("a"))
		mark(g, f, "b", Needs(a), just("b"))
		mark(g, f, "c", nil, just("c"))
		return g
	}
	denied := fault.New(fault.Denied, "", errDenied)
	g := build(denied)
	p := mustPlan(t, g)
	wantPlan(t, p, `reference u
blocked   a: u could not be read: denied
blocked   b: a is blocked
create    c
            Plot: ‹chosen by the cloud›
`)
	err := g.Apply(t.Context(), cloud, p, Options{})
	if want := "a: blocked: u could not be read: denied\nb: blocked: a is blocked"; err == nil || err.Error() != want || fault.KindOf(err) != fault.Denied {
		t.Errorf("err = %v (%s)", err, fault.KindOf(err))
	}
	if len(cloud.things) != 2 {
		t.Errorf("things %v", cloud.things)
	}
	mustApply(t, build(nil), cloud)
	if p, err := build(denied).PlanDelete(); err != nil || p.Count()[Delete] != 3 {
		t.Errorf("what the user brought need not be read to delete what is ours: %v\n%s", err, p)
	}
}

// What stands on something unknown keeps that from being replaced or deleted,
// and what it stood on is not tidied away.
func TestUnknownUserKeepsWhatItUses(t *testing.T) {
	records := `{"version":1,"records":[{"kind":"plain","name":"a","id":"1"},{"kind":"plain","name":"old","id":"2"},
		{"kind":"sure","name":"b","id":"3","needs":["a","old"]}]}`
	for _, tt := range []struct {
		name    string
		want    thing
		destroy bool
		plan    string
	}{
		{"replaced before", thing{Mark: "a", Color: "red", Plot: Chosen}, false,
			"blocked   a [1]: b is blocked\nblocked   b: could not be read: 3: denied\nblocked   old [2]: no longer in the configuration; b is blocked\n"},
		{"replaced after", thing{Mark: "a", Shape: "round", Plot: Chosen}, false,
			"replace   a [1]: the new one first\n            Shape: \"\" → round (replace-first)\nblocked   b: could not be read: 3: denied\nblocked   old [2]: no longer in the configuration; b is blocked\n"},
		{"kept", thing{Mark: "a", Plot: Chosen}, false,
			"keep      a [1]\nblocked   b: could not be read: 3: denied\nblocked   old [2]: no longer in the configuration; b is blocked\n"},
		{"deleted", thing{Mark: "a", Plot: Chosen}, true,
			"delete    old [2]: no longer in the configuration\nblocked   b: could not be read: 3: denied\nblocked   a [1]: b is blocked\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cloud, s := newToy(), state(t, records, nil)
			cloud.things["1"], cloud.things["2"] = thing{Mark: "a", Species: "plain"}, thing{Mark: "old", Species: "plain"}
			cloud.things["3"] = thing{Mark: "b", Species: "sure", On: Set[ID]{"1"}}
			g := newGraph(s)
			f := cloud.facts([]ID{"1", "2", "3"}, nil, nil, func(kind string) error {
				return map[string]error{"sure": errDenied}[kind]
			})
			a := mark(g, f, "a", nil, func(Deps, *thing) thing { return tt.want })
			manageAs(g, f, sure{things{"sure"}}, "b", Needs(a), just("b"))
			p, err := g.Plan()
			if tt.destroy {
				p, err = g.PlanDelete()
			}
			if err != nil {
				t.Fatal(err)
			}
			wantPlan(t, p, tt.plan)
			if err := g.Apply(t.Context(), cloud, p, Options{}); !errors.Is(err, ErrBlocked) || cloud.things["1"].Mark == "" || cloud.inUse > 0 {
				t.Errorf("err %v, things %v", err, cloud.things)
			}
			if !strings.Contains(string(mustJSON(t, s)), `"id":"3"`) {
				t.Error("b is forgotten")
			}
		})
	}
}

// If it is not known which resources there ought to be, none of their kind is
// deleted; of other kinds they are.
func TestUnsure(t *testing.T) {
	for _, tt := range []struct {
		name  string
		kinds []Remover[*toy]
		want  string
	}{
		{"of that kind", []Remover[*toy]{things{"plain"}}, "delete    k [k]: no longer in the configuration\n" +
			"blocked   a [id-1]: no longer in the configuration; tables: could not be read: denied\nblocked   tables: could not be read: denied\n"},
		{"of any kind", nil, "blocked   k [k]: no longer in the configuration; tables: could not be read: denied\n" +
			"blocked   a [id-1]: no longer in the configuration; tables: could not be read: denied\nblocked   tables: could not be read: denied\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := state(t, `{"version":1,"records":[{"kind":"plain","name":"a","id":"id-1"},{"kind":"key","name":"k","id":"k"}]}`, nil)
			g := newGraph(s)
			g.Unsure("nothing", "", nil)
			g.Unsure("tables", "vpc", errDenied, tt.kinds...)
			wantPlan(t, mustPlan(t, g), tt.want)
			if fs := g.Check(); len(fs) != 1 || !fs[0].NotChecked || fs[0].String() != "warning EGEN102: vpc: tables: denied" {
				t.Errorf("findings %v", fs)
			}
		})
	}
}
