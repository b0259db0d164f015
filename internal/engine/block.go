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
		c := n.core()
		if c.managed && c.unknown != nil {
			b[c.name] = fmt.Errorf("could not be read: %w", c.unknown)
		}
		for _, need := range c.needs {
			if !destroy && c.managed && !need.managed && need.unknown != nil && b[c.name] == nil {
				b[c.name] = fmt.Errorf("%s could not be read: %w", need.name, need.unknown)
			}
		}
	}
	if destroy {
		o := g.destruction()
		for _, n := range g.nodes {
			if c := n.core(); c.ours() && c.id != "" && b[c.name] == nil {
				b.set(c.name, g.unsureOf(c.kind))
			}
		}
		for k, rem := range o.removals {
			b.set(k, g.unsureOf(rem.Kind))
		}
		b.spread(o.keys, o.before)
		return b
	}
	e := g.edges()
	for b.spread(e.names, e.needs) || b.spread(e.anew, e.users) {
		continue
	}
	o := g.order(g.removals())
	for k, rem := range o.removals {
		b.set(k, g.unsureOf(rem.Kind))
		for _, user := range append(slices.Clone(e.users[rem.Name]), rem.Name) {
			if b[k] == nil && b[user] != nil {
				b[k] = fmt.Errorf("%s is blocked", user)
			}
		}
	}
	b.spread(o.keys, o.before)
	return b
}

func (b blocks) set(k string, err error) {
	if err != nil {
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
