// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"
)

// intend brings the state up to date with the facts and enters the intents.
func (r *run[W]) intend(destroy bool) error {
	var errs []error
	s := r.g.state
	for _, n := range r.g.nodes {
		c := n.core()
		old, _ := s.Get(c.name)
		switch {
		case !c.managed:
		case c.theirs:
			s.drop(func(o Record) bool { return o.Name == c.name })
		case c.id == "" && destroy:
			if err := r.unsettled(c, old); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", c.name, err))
				continue
			}
			s.drop(func(o Record) bool { return o.Name == c.name && !o.Deposed })
		case c.id == "" || c.anew != "" && !destroy:
			rec := c.record()
			rec.Attrs, rec.Intent = c.wanted, old.Intent
			if c.anew == "replace-first" {
				dep := c.recordUntil(old)
				dep.Deposed = true
				s.put(dep)
				rec.ID = ""
			}
			switch hold := r.unsettled(c, old); {
			case old.Intent == nil:
				rec.Intent = &Intent{Nonce: rand.Text(), At: r.o.Now(), ID: c.idHint}
				r.fresh[c.name] = true
			case hold != nil:
				r.hold[c.name] = hold
			default: // tried again: with the same nonce, but the time runs anew
				rec.Intent = &Intent{Nonce: old.Intent.Nonce, At: r.o.Now(), ID: c.idHint}
			}
			s.put(rec)
		default:
			if len(c.changes) > 0 || destroy {
				s.put(c.recordUntil(old))
			} else {
				s.put(c.record())
			}
			s.drop(func(o Record) bool { return o.Name == c.name && o.Deposed && o.ID == c.id })
		}
	}
	for _, rec := range s.Records() { // intents of what has left the graph
		if n := r.g.byName[rec.Name]; (n == nil || !n.core().managed) && rec.ID == "" && rec.Intent != nil && rec.Intent.ID == "" {
			if r.o.Now().Sub(rec.Intent.At) >= r.o.Settle {
				s.drop(func(o Record) bool { return o.Name == rec.Name && o.ID == "" })
			} else if destroy {
				errs = append(errs, fmt.Errorf("%s: %w", rec.Name, ErrUnsettled))
			}
		}
	}
	return errors.Join(errs...)
}

// unsettled says that a create of an earlier run may still show.
func (r *run[W]) unsettled(c *core, rec Record) error {
	if rec.ID != "" || rec.Intent == nil || c.idHint != "" || r.o.Now().Sub(rec.Intent.At) >= r.o.Settle {
		return nil
	}
	if _, ok := r.g.kinds[c.kind].(Idempotent); ok {
		return nil
	}
	return fmt.Errorf("%w: wait until %s", ErrUnsettled, rec.Intent.At.Add(r.o.Settle).Format(time.TimeOnly))
}

func (c *core) record() Record {
	rec := Record{Kind: c.kind, Name: c.name, ID: c.id, Attrs: c.attrs}
	for _, n := range c.needs {
		if n.ours() {
			rec.Needs = append(rec.Needs, n.name)
			if c.after[n] {
				rec.After = append(rec.After, n.name)
			}
		}
	}
	return rec
}

// recordUntil is the record until a write is done: it still needs what it
// needed before.
func (c *core) recordUntil(old Record) Record {
	rec := c.record()
	for _, name := range old.Needs {
		if !slices.Contains(rec.Needs, name) {
			rec.Needs = append(rec.Needs, name)
		}
	}
	return rec
}
