// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Absent, unknown and broken are three things, and no plan is made on what is
// absent; what the user brought may be gone when we delete.
func TestFindings(t *testing.T) {
	g, f := newGraph(state(t, "", nil)), all(newToy())
	rule := Rule{Code: "X1", Severity: Error, Type: "NotFound", Field: "a.b", Fix: "mend it"}
	there := Refer(g, "there", rule, There("t", thing{Size: 1}), nil)
	absent := Refer(g, "absent", rule, Absent[thing]("a"), nil)
	unknown := Refer(g, "unknown", rule, Unknown[thing]("u", errDenied), nil)
	for _, n := range []*Node[thing]{there, absent, unknown} {
		Require(g, Rule{Code: "X2", Severity: Warning, Type: "Invalid", Field: "c", Fix: "by default"}, n.c.name, Needs(n), func(d Deps) Problem {
			return Problem{Value: fmt.Sprint(n.State(d).Size), Message: fmt.Sprintf("size %d", n.State(d).Size), Fix: "make it 2"}
		})
		Require(g, Rule{Code: "X3"}, n.c.name, Needs(there), func(Deps) Problem { return Problem{} })
	}
	mark(g, f, "ours", Needs(absent), just("ours"))
	var got []string
	for _, fi := range g.Check() {
		got = append(got, fi.String())
	}
	want := []string{
		"error EGEN106: ours: needs absent, which is absent",
		"error X1: a.b: absent: a does not exist, or these credentials can not see it",
		"warning EGEN102: a.b: unknown: u: denied",
		"warning X2: c: there: size 1",
		"info X2: c: unknown: not checked: unknown: denied",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	fs := g.Check()
	if f := fs[1]; f.Type != "NotFound" || f.Value != "a" || f.Fix != "mend it" || f.NotChecked {
		t.Errorf("%+v", f)
	}
	if f := fs[3]; f.Fix != "make it 2" || f.Value != "1" || f.Type != "Invalid" {
		t.Errorf("%+v", f)
	}
	if !fs[2].NotChecked || !fs[4].NotChecked || fs[4].Fix != "" {
		t.Errorf("%+v, %+v", fs[2], fs[4])
	}
	_, err := g.Plan()
	wantErr(t, err, "needs absent")
	if _, err := g.PlanDelete(); err != nil {
		t.Error(err)
	}
}

// A field that can not be changed keeps a plan from being made.
func TestFixedField(t *testing.T) {
	s := state(t, "", nil)
	g := newGraph(s)
	Manage(g, "l", Kind[*toy, label](labels{}), Contained(ownedBy(g), There("u#x", label{"u", "x", "v"})), nil, func(Deps, *label) label { return label{"w", "x", "v"} })
	_, err := g.Plan()
	wantErr(t, err, "error EGEN105: l: u#x: can not change On: u → w (fixed)")
	if p, err := g.PlanDelete(); err != nil || p.Count()[Delete] != 1 {
		t.Errorf("err %v, plan\n%s", err, p)
	}
}

// ownedBy is a container of ours.
func ownedBy(g *toyGraph) Container {
	f := &Table[thing]{}
	f.AddList(nil, nil)
	return Manage(g, "container", Kind[*toy, thing](things{"plain"}), Marked(g.state, "container", f), nil, just("container"))
}

// Slips of the programmer are found when the graph is built.
func TestProgrammersErrors(t *testing.T) {
	s := state(t, "", nil)
	f := all(newToy())
	g := newGraph(s)
	a := mark(g, f, "a", nil, just("a"))
	var kept Deps
	mark(g, f, "keeps", Needs(a), func(d Deps, _ *thing) thing { kept = d; return thing{Mark: "keeps"} })
	for want, fn := range map[string]func(){
		"b reads a but does not need it":     func() { mark(g, f, "b", nil, func(d Deps, _ *thing) thing { a.ID(d); return thing{} }) },
		"keeps reads a but does not need it": func() { a.ID(kept) },
		`two resources are named "a"`:        func() { mark(g, f, "a", nil, just("a")) },
		"which is not in the graph":          func() { mark(newGraph(s), f, "c", Needs(a), just("c")) },
		`kind "label" is not among`: func() {
			g := New(s, "toy", Remover[*toy](things{"plain"}))
			Manage(g, "l", Kind[*toy, label](labels{}), Claim[label]{}, nil, func(Deps, *label) label { return label{} })
		},
		`comes after "plain"`: func() {
			l := Manage(g, "l", Kind[*toy, label](labels{}), Claim[label]{}, nil, func(Deps, *label) label { return label{} })
			mark(g, f, "d", Needs(l), just("d"))
		},
		"is an include field but no Set": func() {
			type bad struct {
				A []string `plan:"include"`
			}
			include(nil, bad{A: []string{}}, nil)
		},
		`nobody knows how to sweep a "mop"`: func() { g.Sweep("x", []Record{{Kind: "mop"}}) },
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
