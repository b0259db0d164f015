// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// intend brings the state up to date with the facts and enters the intents. Of
// what is blocked nothing is known, so that its records stay as they are.
func (r *run[W]) intend() error {
	var errs []error
	for _, n := range r.g.nodes {
		c := n.core()
		old, _ := r.g.state.Get(c.name)
		switch {
		case !c.managed, c.ours() && r.blocked[c.name] != nil:
		case c.theirs:
			r.g.state.drop(func(o Record) bool { return o.Name == c.name })
		case c.id == "" && r.destroys:
			errs = append(errs, r.absent(c, old))
		case r.destroys && r.unsettled(old) != nil: // the new one of a replacement
			errs = append(errs, fmt.Errorf("%s: %w", c.name, r.unsettled(old)))
		case c.id == "" || c.anew != "" && !r.destroys:
			r.intendCreate(c, old)
		default:
			r.keep(c, old)
		}
	}
	return errors.Join(append(errs, r.forget())...)
}

// absent forgets what a deletion need not delete, as soon as it is certain that
// it is not there.
func (r *run[W]) absent(c *core, old Record) error {
	if r.g.intended(c) != "" {
		return nil // deleted by that ID
	}
	if err := r.unsettled(old); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	r.g.state.drop(func(o Record) bool { return o.Name == c.name && !o.Deposed })
	return nil
}

// keep enters what is there.
func (r *run[W]) keep(c *core, old Record) {
	rec := c.record()
	if len(c.changes) > 0 || r.destroys {
		rec = c.recordUntil(old)
	}
	r.g.state.put(rec)
	r.g.state.drop(func(o Record) bool { return o.Name == c.name && o.Deposed && o.ID == c.id })
}

// intendCreate enters the intent of a create, or of the second half of a
// replacement.
func (r *run[W]) intendCreate(c *core, old Record) {
	if hold := r.unsettled(old); hold != nil {
		r.hold[c.name] = hold // and the record stays
		return
	}
	rec := c.recordUntil(old)
	if c.anew == "replace-first" {
		dep := rec
		dep.Deposed = true
		r.g.state.put(dep)
	}
	if c.anew != "replace" {
		rec = c.recordNew()
	}
	at := time.Now()
	if c.named && c.idHint == "" {
		at = time.Time{} // the ID is saved before it is sent
	}
	rec.Intent = &Intent{Nonce: rand.Text(), At: at, ID: c.idHint}
	if old.Intent == nil {
		r.fresh[c.name] = true
	} else { // tried again: with the same nonce, but the time runs anew
		rec.Intent.Nonce = old.Intent.Nonce
	}
	r.g.state.put(rec)
}

// forget drops the intents of what has left the graph and can no longer show.
func (r *run[W]) forget() error {
	var errs []error
	for _, rec := range r.g.state.Records() {
		if r.g.managed(rec.Name) != nil || !rec.unanswered() || r.g.unsureOf(rec.Kind) != nil {
			continue
		}
		switch err := r.unsettled(rec); {
		case err == nil:
			r.g.state.drop(func(o Record) bool { return o.Name == rec.Name && o.ID == "" })
		case r.destroys:
			errs = append(errs, fmt.Errorf("%s: %w", rec.Name, err))
		}
	}
	return errors.Join(errs...)
}

func (c *core) record() Record {
	rec := Record{Kind: c.kind, Name: c.name, ID: c.id, Attrs: c.attrs, Elements: c.elements, Made: c.made}
	if c.id != "" && len(c.changes) == 0 {
		rec.Elements = c.included
	}
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

// recordNew is the record of a create that was not sent yet.
func (c *core) recordNew() Record {
	rec := c.record()
	rec.ID, rec.Attrs, rec.Elements, rec.Made = "", c.wanted, c.included, time.Time{}
	return rec
}

// recordUntil is the record until a write is done: it still needs what it
// needed before, and may have any elements that it had or is to have.
func (c *core) recordUntil(old Record) Record {
	rec := c.record()
	for _, name := range old.Needs {
		if !slices.Contains(rec.Needs, name) {
			rec.Needs = append(rec.Needs, name)
		}
	}
	rec.Elements = maps.Clone(c.included)
	for field, keys := range c.elements {
		all := append(slices.Clone(rec.Elements[field]), keys...)
		slices.Sort(all)
		rec.Elements[field] = slices.Compact(all)
	}
	return rec
}
