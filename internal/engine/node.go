// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"slices"
	"time"
)

// A node is a resource in the graph. Only those that [Manage] makes can write.
type node[W any] interface {
	core() *core
	describe() Description
}

// core is what all nodes have. It is fixed when the node is added and changed
// only by Apply.
type core struct {
	name, kind string
	managed    bool
	theirs     bool // the user's: referenced, or there before us
	id         ID   // empty if it is not there
	asked      ID   // of a reference: what the configuration names
	found      Found
	anew       string // the tag that says how it is replaced
	needs      []*core
	after      map[*core]bool // those of needs that go first at removal, too
	changes    []Change
	unknown    error // why it is not known what is there
	attrs      map[string]string
	wanted     map[string]string   // attributes
	elements   map[string][]string // of include fields, that we put in before
	included   map[string][]string // of include fields, that we want now
	foreign    []string
	named      bool // the kind is a Namer
	idHint     ID
	made       time.Time // when we made it, if we did
	spares     []ID      // others that bear our mark
	because    []string
	note       string
	staysIf    string // when a deletion leaves it
}

func (c *core) ours() bool { return c.managed && !c.theirs }

func (c *core) owner() Owner {
	if c.ours() {
		return Ours
	}
	return Yours
}

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
		misuse("%s reads %s but does not need it", d.of.name, c.name)
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

// Now returns what is there now, as it was read or written last; nothing and
// nil if it is not there. It is for telling of the result, not for deciding.
func (n *Node[T]) Now() (ID, *T) { return n.c.id, n.have }

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
