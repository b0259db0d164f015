// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A Graph holds resources and what they need. Resources are added after what
// they need, so a Graph has no cycles and its order of addition is an order of
// creation. Building it reads and writes nothing. What is wrong with how it is
// built is the programmer's error, and panics.
type Graph[W any] struct {
	state    *State
	cloud    string
	built    time.Time
	kinds    map[string]Remover[W]
	ranks    map[string]int // the order of the kinds
	nodes    []node[W]
	byName   map[string]node[W]
	rules    []func() *Finding
	unsure   []unsure
	strays   []Record // bear our mark, and no node claims them
	sweeps   []sweep
	refusals []Finding // what the engine itself finds
	used     bool      // by Apply
}

// New returns an empty graph for a cloud (project and region, account and
// region) and the state that belongs to it. kinds are all kinds that the
// product has ever managed, in an order of creation: they are how things are
// removed that are no longer in the graph. It must be called right after the
// facts were read, since a create that has no answer yet is counted from then.
func New[W any](s *State, cloud string, kinds ...Remover[W]) *Graph[W] {
	g := &Graph[W]{state: s, cloud: cloud, built: time.Now(), kinds: map[string]Remover[W]{}, ranks: map[string]int{}, byName: map[string]node[W]{}}
	for i, k := range kinds {
		g.kinds[k.Kind()], g.ranks[k.Kind()] = k, i
	}
	return g
}

// Refer adds a resource that the user owns. rule is what is broken if it is absent.
func Refer[W, T any](g *Graph[W], name string, rule Rule, f Fact[T], needs []Dependency) *Node[T] {
	n := &Node[T]{}
	n.have, n.c.unknown = f.State()
	n.c.theirs, n.c.asked = true, f.ID
	g.add(n, name, needs)
	if n.have != nil {
		n.c.id = f.ID
	}
	for _, r := range g.state.Records() {
		if r.ID == f.ID && f.ID != "" {
			g.refuse(find(recordedOurs, rule.Field, name, string(f.ID), "%s is recorded as ours (%s)", f.ID, r.Name))
		}
	}
	g.rules = append(g.rules, func() *Finding {
		switch {
		case n.c.unknown != nil:
			u := find(unread, rule.Field, name, string(f.ID), "%s: %v", f.ID, n.c.unknown)
			return &u
		case n.have == nil:
			return &Finding{rule, name, string(f.ID), cmp.Or(rule.Absent, fmt.Sprintf("%s does not exist, or these credentials can not see it", f.ID)), false}
		}
		return nil
	})
	return n
}

type unsure struct {
	Finding
	kinds []string // empty: all
	err   error
}

// Unsure says, if err is not nil, that it is not known which resources of some
// kinds there ought to be (of any, if none is given), because something could
// not be read. Nothing of these kinds is then deleted; the rest goes on. To
// say the same of a field twice changes nothing.
func (g *Graph[W]) Unsure(what, field string, err error, kinds ...Remover[W]) {
	said := func(u unsure) bool { return u.Resource == what && u.Field == field }
	if err == nil || slices.ContainsFunc(g.unsure, said) {
		return
	}
	u := unsure{Finding: find(unread, field, what, "", "%v", err), err: err}
	for _, k := range kinds {
		u.kinds = append(u.kinds, k.Kind())
	}
	g.unsure = append(g.unsure, u)
}

// Stray adds what bears our mark and no node claims: it is removed like what
// the state records. Call it for each kind that is marked, after all nodes.
func Stray[W, T any](g *Graph[W], k Remover[W], t *Table[T]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, name := range sortedKeys(t.marks) {
		if g.managed(name) != nil {
			continue
		}
		for _, id := range t.marks[name] {
			g.strays = append(g.strays, Record{Kind: k.Kind(), Name: name, ID: id, Attrs: attrs(*t.facts[id].state)})
		}
	}
	g.Unsure("all of the kind "+k.Kind(), "", t.listErr(), k)
}

type sweep struct {
	name  string
	recs  []Record
	needs []string
}

// Sweep lists what others made in our resources and a deletion removes first,
// each by its Kind, before the nodes that it needs.
func (g *Graph[W]) Sweep(name string, found []Record, needs ...string) {
	for _, r := range found {
		if g.kinds[r.Kind] == nil {
			misuse("nobody knows how to sweep a %q", r.Kind)
		}
	}
	g.sweeps = append(g.sweeps, sweep{name, found, needs})
}

func (g *Graph[W]) add(n node[W], name string, needs []Dependency) {
	if g.byName[name] != nil {
		misuse("two resources are named %q", name)
	}
	c := n.core()
	c.name, c.after = name, map[*core]bool{}
	for _, d := range needs {
		need, first := d.dependency()
		if g.byName[need.name] == nil || g.byName[need.name].core() != need {
			misuse("%s needs %s, which is not in the graph", name, need.name)
		}
		if c.managed && need.managed && g.ranks[need.kind] > g.ranks[c.kind] {
			misuse("%s needs %s, but the kind %q comes after %q", name, need.name, need.kind, c.kind)
		}
		c.needs, c.after[need] = append(c.needs, need), first
	}
	g.byName[name] = n
	g.nodes = append(g.nodes, n)
}

// managed returns the node of that name if there is one and it is managed.
func (g *Graph[W]) managed(name string) *core {
	if n := g.byName[name]; n != nil && n.core().managed {
		return n.core()
	}
	return nil
}
