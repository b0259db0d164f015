// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"slices"
)

// A Graph holds resources and what they need. Resources are added after what
// they need, so a Graph has no cycles and its order of addition is an order of
// creation. Building it reads and writes nothing.
type Graph[W any] struct {
	state    *State
	cloud    string
	kinds    map[string]Remover[W]
	ranks    map[string]int // the order of the kinds
	nodes    []node[W]
	byName   map[string]node[W]
	rules    []func() *Finding
	unsure   []Finding
	strays   []Record // bear our mark, and no node claims them
	sweeps   []sweep
	refusals []Finding // what the engine itself finds
}

// New returns an empty graph for a cloud (project and region, account and
// region) and the state that belongs to it. kinds are all kinds that the
// product has ever managed, in an order of creation: they are how things are
// removed that are no longer in the graph.
func New[W any](s *State, cloud string, kinds ...Remover[W]) *Graph[W] {
	g := &Graph[W]{state: s, cloud: cloud, kinds: map[string]Remover[W]{}, ranks: map[string]int{}, byName: map[string]node[W]{}}
	for i, k := range kinds {
		g.kinds[k.Kind()], g.ranks[k.Kind()] = k, i
	}
	return g
}

// A node is a resource in the graph. Only those that [Manage] makes can write.
type node[W any] interface{ core() *core }

// core is what all nodes have. It is fixed when the node is added and changed
// only by Apply.
type core struct {
	name, kind string
	managed    bool
	theirs     bool // the user's: referenced, or there before us
	id         ID   // empty if it is not there
	anew       string
	needs      []*core
	after      map[*core]bool // those of needs that go first at removal, too
	changes    []Change
	unknown    error // why it is not known what is there
	attrs      map[string]string
	wanted     map[string]string // attributes
	idHint     ID
	spares     []ID // others that bear our mark
	because    []string
	note       string
}

func (c *core) ours() bool { return c.managed && !c.theirs }

// A Dependency is a *Node, or [First] of one.
type Dependency interface {
	dependency() (c *core, first bool)
}

// Needs lists the resources that a resource can not exist without.
func Needs(ds ...Dependency) []Dependency { return ds }

// First is a dependency that goes first both ways: it is created before and
// also deleted before the one that needs it.
func First(d Dependency) Dependency { return first{d} }

type first struct{ Dependency }

func (f first) dependency() (*core, bool) { c, _ := f.Dependency.dependency(); return c, true }

// Deps gives a want function or a rule sight of the resources that it needs,
// of no others, and only while it runs. Only the engine makes one.
type Deps interface{ see(c *core) }

type deps struct {
	of   *core
	over bool
}

func (d *deps) see(c *core) {
	if d.over || !slices.Contains(d.of.needs, c) {
		panic(fmt.Sprintf("engine: %s reads %s but does not need it", d.of.name, c.name))
	}
}

// A Node is a resource of state T, as others see it.
type Node[T any] struct {
	c    core
	have *T // nil if it is not there
	seen *T // what others see as long as it is not as wanted
}

func (n *Node[T]) core() *core               { return &n.c }
func (n *Node[T]) dependency() (*core, bool) { return &n.c, false }

// Ours says whether it is ours: not referenced, and not there before us.
func (n *Node[T]) Ours() bool { return n.c.ours() }

// Found returns the ID of what is there now, or nothing. It is for looking up
// the facts of what it contains while the graph is built.
func (n *Node[T]) Found() ID { return n.c.id }

// ID returns the node's ID, or a placeholder if it does not exist yet.
func (n *Node[T]) ID(d Deps) ID {
	d.see(&n.c)
	if n.c.id == "" || n.c.anew != "" {
		return ID("‹" + n.c.name + "›")
	}
	return n.c.id
}

// State returns what is there or will be there; a field that is not known yet
// holds a placeholder. Of a reference that is absent it is the zero value.
func (n *Node[T]) State(d Deps) (t T) {
	d.see(&n.c)
	switch {
	case n.seen != nil:
		return *n.seen
	case n.have != nil:
		return *n.have
	}
	return t
}

// Refer adds a resource that the user owns. rule is what is broken if it is absent.
func Refer[W, T any](g *Graph[W], name string, rule Rule, f Fact[T], needs []Dependency) *Node[T] {
	n := &Node[T]{}
	n.have, n.c.unknown = f.State()
	n.c.theirs = true
	g.add(n, name, needs)
	if n.have != nil {
		n.c.id = f.ID
	}
	for _, r := range g.state.Records() {
		if r.ID == f.ID && f.ID != "" {
			g.refuse("recorded-as-ours", rule.Field, name, fmt.Sprintf("%s is recorded as ours (%s)", f.ID, r.Name),
				"a resource that Espalier made can not become the user's; take the change back")
		}
	}
	g.rules = append(g.rules, func() *Finding {
		switch {
		case n.c.unknown != nil:
			return &Finding{Rule{"unknown", Error, rule.Field, "grant the right to read it, or try again"}, name, fmt.Sprintf("%s: %v", f.ID, n.c.unknown)}
		case n.have == nil:
			return &Finding{rule, name, fmt.Sprintf("%s not found", f.ID)}
		}
		return nil
	})
	return n
}

// Manage adds a resource that we own, unless the claim says that it was there
// before us. want is called now with what is there (nil if nothing), and again
// when Apply gets to it; it must be pure and must bear needs that are absent.
func Manage[W, T any](g *Graph[W], name string, k Kind[W, T], claim Claim[T], needs []Dependency, want func(d Deps, have *T) T, opts ...Option) *Node[T] {
	if _, ok := g.kinds[k.Kind()]; !ok {
		panic(fmt.Sprintf("engine: %s: kind %q is not among those of the graph", name, k.Kind()))
	}
	n := &managed[W, T]{kind: k, want: want}
	c := &n.c
	c.kind, c.managed, c.theirs, c.unknown = k.Kind(), true, claim.theirs, claim.err
	g.add(n, name, needs)
	for _, o := range opts {
		o(c)
	}
	if claim.taken != "" {
		c.theirs = true // not to be touched, not even by a deletion
		g.refuse("taken", "", name, claim.taken, "rename or remove it, or have it referenced in the configuration")
	}
	n.choose(claim)
	w := n.wanted()
	c.changes, c.wanted = Diff(n.have, w), attrs(w)
	if namer, ok := any(k).(Namer[T]); ok {
		c.idHint = namer.IDOf(w)
	}
	if n.have != nil {
		c.attrs = attrs(*n.have)
	}
	if c.theirs {
		c.changes = nil // it serves as it is
		return &n.Node
	}
	for _, ch := range c.changes {
		if n.have != nil && (ch.Tag == "replace-first" && c.anew == "" || ch.Tag == "replace") {
			c.anew = ch.Tag
		}
		if n.have != nil && ch.Tag == "fixed" {
			g.refuse("fixed", "", name, fmt.Sprintf("%s: can not change %s", c.id, ch), "take the change back")
		}
	}
	had := n.have
	if c.anew != "" {
		had = nil
		c.changes = Diff(n.have, w)
	}
	seen := expected(name, had, w)
	n.seen = &seen
	return &n.Node
}

// choose takes the recorded one of what was found, else the first that need
// not be replaced; the others are spares.
func (n *managed[W, T]) choose(claim Claim[T]) {
	best := 0
	for i, f := range claim.found {
		if claim.recorded {
			break
		}
		n.have = f.state
		if !slices.ContainsFunc(Diff(f.state, n.wanted()), func(c Change) bool { return c.Tag != "" }) {
			best = i
			break
		}
	}
	for i, f := range claim.found {
		if i == best {
			n.c.id, n.have = f.ID, f.state
		} else {
			n.c.spares = append(n.c.spares, f.ID)
		}
	}
}

// An Option is a peculiarity of a managed resource.
type Option func(*core)

// Because lists why there is such a node; the plan shows it.
func Because(reasons ...string) Option { return func(c *core) { c.because = reasons } }

// ByHand is what the user has to do to remove what is not ours but may be.
func ByHand(command string) Option { return func(c *core) { c.note = command } }

// Unsure says that it is not known which resources there ought to be, because
// something could not be read. It keeps any plan from being made.
func (g *Graph[W]) Unsure(what, field string, err error) {
	if err != nil {
		g.unsure = append(g.unsure, Finding{Rule{"unknown", Error, field, "grant the right to read it, or try again"}, what, err.Error()})
	}
}

// Stray adds what bears our mark and no node claims: it is removed like what
// the state records. Call it for each kind that is marked, after all nodes.
func Stray[W, T any](g *Graph[W], k Remover[W], t *Table[T]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, name := range sortedKeys(t.marks) {
		if n := g.byName[name]; n != nil && n.core().managed {
			continue
		}
		for _, id := range t.marks[name] {
			g.strays = append(g.strays, Record{Kind: k.Kind(), Name: name, ID: id, Attrs: attrs(*t.facts[id].state)})
		}
	}
	g.Unsure("all "+k.Kind()+"s", "", t.list)
}

type sweep struct {
	name  string
	recs  []Record
	needs []string
}

// Sweep lists what others made in our resources and a deletion removes first,
// each by its Kind, before the nodes that it needs.
func (g *Graph[W]) Sweep(name string, found []Record, needs ...string) {
	g.sweeps = append(g.sweeps, sweep{name, found, needs})
}

func (g *Graph[W]) add(n node[W], name string, needs []Dependency) {
	if g.byName[name] != nil {
		panic(fmt.Sprintf("engine: two resources are named %q", name))
	}
	c := n.core()
	c.name, c.after = name, map[*core]bool{}
	for _, d := range needs {
		need, first := d.dependency()
		if g.byName[need.name] == nil || g.byName[need.name].core() != need {
			panic(fmt.Sprintf("engine: %s needs %s, which is not in the graph", name, need.name))
		}
		if c.managed && need.managed && g.ranks[need.kind] > g.ranks[c.kind] {
			panic(fmt.Sprintf("engine: %s needs %s, but the kind %q comes after %q", name, need.name, need.kind, c.kind))
		}
		c.needs, c.after[need] = append(c.needs, need), first
	}
	g.byName[name] = n
	g.nodes = append(g.nodes, n)
}
