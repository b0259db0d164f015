// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"
	"slices"
)

// build takes away what has to go before it is made anew, then creates and
// updates, then takes away what is no longer used.
func (r *run[W]) build() error {
	var names, anew []string
	needs, users := map[string][]string{}, map[string][]string{}
	for _, n := range r.g.nodes {
		c := n.core()
		names = append(names, c.name)
		if r.act[c.name] == Replace && c.anew == "replace" {
			anew = append(anew, c.name)
		}
		for _, need := range c.needs {
			needs[c.name] = append(needs[c.name], need.name)
			users[need.name] = append(users[need.name], c.name)
		}
	}
	for _, rec := range r.g.state.Records() { // who used it until now
		for _, need := range rec.Needs {
			users[need] = append(users[need], rec.Name)
		}
	}
	rest := r.g.removals() // before anything changes
	cut := walk(anew, users, r.o.Limit, func(name string) error {
		return r.remove(name, r.g.byName[name].core().record())
	})
	failed := walk(names, needs, r.o.Limit, func(name string) error {
		if cut[name] != nil {
			return errSkipped
		}
		return r.write(name)
	})
	keys, before, byKey := r.order(rest)
	out := walk(keys, before, r.o.Limit, func(k string) error {
		rec := byKey[k].Record
		for _, user := range append(users[rec.Name], rec.Name) {
			if failed[user] != nil {
				return errSkipped
			}
		}
		return r.remove(k, rec)
	})
	return errors.Join(report(anew, cut), report(names, failed), report(keys, out))
}

// destroy removes all that is ours: each before what it needs, and what others
// made in it first of all.
func (r *run[W]) destroy() error {
	keys, before, byKey := r.order(r.g.removals())
	do := map[string]func() error{}
	for k, rem := range byKey {
		do[k] = func() error { return r.remove(k, rem.Record) }
	}
	for _, n := range r.g.nodes {
		c := n.core()
		keys = append(keys, c.name)
		do[c.name] = func() error {
			if !c.ours() || c.id == "" {
				return nil
			}
			return r.remove(c.name, c.record())
		}
		for _, need := range c.needs {
			if c.after[need] {
				before[c.name] = append(before[c.name], need.name)
			} else {
				before[need.name] = append(before[need.name], c.name)
			}
		}
		for k, rem := range byKey {
			switch rank := r.g.ranks; {
			case slices.Contains(rem.Needs, c.name), rem.stray && c.managed && rank[rem.Kind] > rank[c.kind], rem.stray && !c.managed:
				before[c.name] = append(before[c.name], k)
			case rem.stray && c.managed && rank[rem.Kind] < rank[c.kind]:
				before[k] = append(before[k], c.name)
			}
		}
	}
	for _, s := range r.g.sweeps {
		for _, rec := range s.recs {
			k := s.name + "/" + string(rec.ID)
			keys = append(keys, k)
			do[k] = func() error { return r.remove(k, rec) }
			for _, need := range s.needs {
				before[need] = append(before[need], k)
			}
		}
	}
	return report(keys, walk(keys, before, r.o.Limit, func(k string) error { return do[k]() }))
}

// order says what of the removals has to go before what.
func (r *run[W]) order(rs []removal) (keys []string, before map[string][]string, byKey map[string]removal) {
	before, byKey = map[string][]string{}, map[string]removal{}
	key := func(x removal) string { return x.Name + " [" + string(x.ID) + "]" }
	for _, x := range rs {
		keys = append(keys, key(x))
		byKey[key(x)] = x
		for _, y := range rs {
			switch {
			case slices.Contains(y.After, x.Name):
				before[key(y)] = append(before[key(y)], key(x))
			case slices.Contains(y.Needs, x.Name), (x.stray || y.stray) && r.g.ranks[y.Kind] > r.g.ranks[x.Kind]:
				before[key(x)] = append(before[key(x)], key(y))
			}
		}
	}
	return keys, before, byKey
}
