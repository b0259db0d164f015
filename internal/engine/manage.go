// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"slices"
	"strings"
)

// Manage adds a resource that we own, unless the claim says that it was there
// before us. want is called now with what is there (nil if nothing), and again
// when Apply gets to it; it must be pure and must bear needs that are absent.
func Manage[W, T any](g *Graph[W], name string, k Kind[W, T], claim Claim[T], needs []Dependency, want func(d Deps, have *T) T, opts ...Option) *Node[T] {
	if _, ok := g.kinds[k.Kind()]; !ok {
		misuse("%s: kind %q is not among those of the graph", name, k.Kind())
	}
	n := &managed[W, T]{kind: k, want: want}
	c := &n.c
	c.kind, c.managed, c.theirs, c.unknown = k.Kind(), true, claim.theirs, claim.err
	g.add(n, name, needs)
	for _, o := range opts {
		o(c)
	}
	if rec, ok := g.state.Get(name); ok {
		c.elements, c.made = rec.Elements, rec.Made
	}
	switch {
	case claim.taken != "":
		c.theirs = true // not to be touched, not even by a deletion
		g.refuse(find(taken, "", name, "", "%s", claim.taken))
	case claim.notProved != "" && len(claim.found) == 0 && claim.err == nil:
		g.refuse(find(notProved, "", name, string(claim.inherited), "%s", claim.notProved))
	}
	n.choose(claim)
	if w := n.compare(); !c.theirs {
		if c.found = claim.how; g.state.has(c.id) {
			c.found = Recorded
		} else if n.have == nil {
			c.found = ""
		}
		n.look(g, w, claim.attached)
	}
	return &n.Node
}

// compare enters what is there, what is wanted, and how they differ.
func (n *managed[W, T]) compare() (w T) {
	c := &n.c
	w = n.wanted()
	c.wanted = attrs(w)
	if !c.theirs { // else it serves as it is
		c.changes = Diff(n.have, w)
	}
	if n.have != nil {
		c.attrs = attrs(*n.have)
	}
	if namer, ok := any(n.kind).(Namer[T]); ok {
		c.named = true
		if id := namer.IDOf(w); !strings.Contains(string(id), "‹") {
			c.idHint = id
		}
	}
	return w
}

// look says what the changes mean, and what others see until they are made.
func (n *managed[W, T]) look(g *Graph[W], w T, attached bool) {
	c := &n.c
	for _, ch := range c.changes {
		switch {
		case n.have == nil:
		case attached || ch.Tag == "replace":
			c.anew = "replace"
		case ch.Tag == "replace-first" && c.anew == "":
			c.anew = ch.Tag
		}
		if n.have != nil && ch.Tag == "fixed" {
			g.refuse(find(fixedField, "", c.name, string(c.id), "%s: can not change %s", c.id, ch))
		}
	}
	had := n.have
	if c.anew != "" {
		had, c.foreign = nil, nil
	}
	seen := expected(c.name, had, w)
	n.seen = &seen
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

// StaysIf says, for people, when a deletion leaves a resource of ours where it
// is: only its Kind knows, at that moment.
func StaysIf(when string) Option { return func(c *core) { c.staysIf = when } }

// ByHand is what the user has to do to remove what is not ours but may be.
func ByHand(command string) Option { return func(c *core) { c.note = command } }
