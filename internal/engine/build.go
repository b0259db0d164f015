// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// build takes away what has to go before it is made anew, then creates and
// updates, then takes away what is no longer used.
func (r *run[W]) build() error {
	e := r.g.edges()
	rest := r.g.order(r.g.removals()) // before anything changes
	cut := walk(e.anew, e.users, r.o.Limit, func(name string) error {
		if r.blocked[name] != nil {
			return errSkipped
		}
		return r.remove(name, r.g.byName[name].core().record())
	})
	failed := walk(e.names, e.needs, r.o.Limit, func(name string) error {
		if cut[name] != nil {
			return errSkipped
		}
		return r.write(name)
	})
	out := walk(rest.keys, rest.before, r.o.Limit, func(k string) error {
		rec := rest.removals[k].Record
		if r.blocked[k] != nil {
			return errSkipped
		}
		for _, user := range append(slices.Clone(e.users[rec.Name]), rec.Name) {
			if failed[user] != nil {
				return errSkipped
			}
		}
		return r.remove(k, rec)
	})
	return errors.Join(report(e.anew, cut), report(e.names, failed), report(rest.keys, out))
}

// destroy removes all that is ours: each before what it needs, and what others
// made in it first of all.
func (r *run[W]) destroy() error {
	o := r.g.destruction()
	return report(o.keys, walk(o.keys, o.before, r.o.Limit, func(k string) error {
		if r.blocked[k] != nil {
			return errSkipped
		}
		if x, ok := o.removals[k]; ok {
			return r.remove(k, x.Record)
		}
		if rec, ok := o.swept[k]; ok {
			return r.remove(k, rec)
		}
		c := o.nodes[k]
		rec := c.record()
		if id := r.g.intended(c); id != "" {
			rec, _ = r.g.state.Get(c.name)
			rec.ID = id
		}
		if !c.ours() || rec.ID == "" {
			return nil
		}
		return r.remove(k, rec)
	}))
}

// report joins the errors in the order of the keys; a stop is told once.
func report(keys []string, failed map[string]error) error {
	var errs []error
	stopped := false
	failed = maps.Clone(failed)
	for _, k := range append(slices.Clone(keys), "") {
		switch err := failed[k]; {
		case err == nil, err == errSkipped: //nolint:errorlint // these very errors: one that wraps them says more
		case err == ErrStopped: //nolint:errorlint // the same
			stopped = true
		default:
			errs = append(errs, fmt.Errorf("%s: %w", k, err))
		}
	}
	if stopped {
		errs = append(errs, ErrStopped)
	}
	return errors.Join(errs...)
}
