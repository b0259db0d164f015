// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"strings"
	"testing"
)

type (
	toyGraph  = Graph[*toy]
	wantThing = func(d Deps, have *thing) thing
)

func newGraph(s *State) *toyGraph { return New(s, "toy", toyKinds()...) }

func state(t *testing.T, data string, save func(context.Context, []byte) error) *State {
	t.Helper()
	s, err := LoadState([]byte(data), save)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// all reads everything that a mark or an ID of ids leads to.
func all(c *toy, ids ...ID) *toyFacts { return c.facts(ids, nil, nil, allowed) }

// mark manages a plain thing.
func mark(g *toyGraph, f *toyFacts, name string, needs []Dependency, want wantThing, opts ...Option) *Node[thing] {
	return manageAs(g, f, things{"plain"}, name, needs, want, opts...)
}

func manageAs(g *toyGraph, f *toyFacts, k Kind[*toy, thing], name string, needs []Dependency, want wantThing, opts ...Option) *Node[thing] {
	return Manage(g, name, k, Marked(g.state, name, f.things[k.Kind()]), needs, want, opts...)
}

func just(name string) wantThing {
	return func(Deps, *thing) thing { return thing{Mark: name, Plot: Chosen} }
}

func mustPlan(t *testing.T, g *toyGraph) *Plan {
	t.Helper()
	p, err := g.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mustApply(t *testing.T, g *toyGraph, c *toy) {
	t.Helper()
	if err := g.Apply(t.Context(), c, mustPlan(t, g), Options{}); err != nil {
		t.Fatal(err)
	}
}

func wantErr(t *testing.T, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("err = %v, want %q", err, part)
	}
}

func wantPlan(t *testing.T, p *Plan, want string) {
	t.Helper()
	if p.String() != want {
		t.Errorf("plan:\n%s\nwant:\n%s", p, want)
	}
}
