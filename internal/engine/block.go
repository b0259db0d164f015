// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"
	"fmt"
	"slices"
)

// ErrBlocked is why a step of a plan is not carried out: something that it
// depends on could not be read.
var ErrBlocked = errors.New("blocked")

// blocks says why nodes (by name) and removals (by key) are not touched.
type blocks map[string]error

// blocks finds what can not be done because something is unknown, and what
// would have to come after that.
func (g *Graph[W]) blocks(destroy bool) blocks {
	b := blocks{}
	for _, n := range g.nodes {
		b.set(n.core().name, n.core().unknowable(destroy))
	}
	if destroy {
		g.blockDeletion(b)
	} else {
		g.blockBuild(b)
	}
	return b
}

// unknowable says why it is not known what is to be done to a node. That what
// it needs is unknown does not matter to its deletion.
func (c *core) unknowable(destroy bool) error {
	if !c.managed {
		return nil
	}
	if c.unknown != nil {
		return fmt.Errorf("could not be read: %w", c.unknown)
	}
	for _, need := range c.needs {
		if !destroy && !need.managed && need.unknown != nil {
			return fmt.Errorf("%s could not be read: %w", need.name, need.unknown)
		}
	}
	return nil
}

// blockDeletion blocks what may have to stay, and what has to be deleted later.
func (g *Graph[W]) blockDeletion(b blocks) {
	for _, n := range g.nodes {
		if c := n.core(); c.ours() && c.id != "" {
			b.set(c.name, g.unsureOf(c.kind))
		}
	}
	o := g.destruction()
	for k, rem := range o.removals {
		b.set(k, g.unsureOf(rem.Kind))
	}
	b.spread(o.keys, o.before)
}

// blockBuild blocks what needs something blocked, what would have to be deleted
// under it, and the removal of what it may still use.
func (g *Graph[W]) blockBuild(b blocks) {
	e := g.edges()
	for b.spread(e.names, e.needs) || b.spread(e.anew, e.users) {
		continue
	}
	o := g.order(g.removals())
	for k, rem := range o.removals {
		b.set(k, g.unsureOf(rem.Kind))
		for _, user := range append(slices.Clone(e.users[rem.Name]), rem.Name) {
			if b[user] != nil {
				b.set(k, fmt.Errorf("%s is blocked", user))
			}
		}
	}
	b.spread(o.keys, o.before)
}

// set enters why something is blocked; the first reason counts.
func (b blocks) set(k string, err error) {
	if err != nil && b[k] == nil {
		b[k] = err
	}
}

// spread blocks what comes after something that is blocked, and says whether
// that was anything new.
func (b blocks) spread(keys []string, before map[string][]string) (any bool) {
	for again := true; again; {
		again = false
		for _, k := range keys {
			i := slices.IndexFunc(before[k], func(p string) bool { return b[p] != nil })
			if b[k] == nil && i >= 0 {
				b[k] = fmt.Errorf("%s is blocked", before[k][i])
				again, any = true, true
			}
		}
	}
	return any
}

// unsureOf says why it is not known which resources of a kind there ought to be.
func (g *Graph[W]) unsureOf(kind string) error {
	for _, u := range g.unsure {
		if len(u.kinds) == 0 || slices.Contains(u.kinds, kind) {
			return fmt.Errorf("%s: %w", u.Resource, u.because())
		}
	}
	return nil
}

func (u unsure) because() error { return fmt.Errorf("could not be read: %w", u.err) }

// blockedErrors names what was blocked.
func (g *Graph[W]) blockedErrors(b blocks) (errs []error) {
	for _, n := range g.nodes {
		if c := n.core(); c.ours() && b[c.name] != nil {
			errs = append(errs, fmt.Errorf("%s: %w: %w", c.name, ErrBlocked, b[c.name]))
		}
	}
	for _, u := range g.unsure {
		errs = append(errs, fmt.Errorf("%s: %w: %w", u.Resource, ErrBlocked, u.because()))
	}
	for _, r := range g.removals() {
		if err := b[r.key()]; err != nil {
			errs = append(errs, fmt.Errorf("%s: %w: %w", r.key(), ErrBlocked, err))
		}
	}
	return errs
}
