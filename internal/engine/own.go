// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"maps"
)

// A Claim is what a managed node starts from: what is there, and whether it is
// ours. There is one function per class of ownership; all of them are pure.
type Claim[T any] struct {
	found     []Fact[T] // all there; only the first can be recorded
	how       Found     // how it was found, if it is not recorded
	recorded  bool      // the first one is
	theirs    bool      // it was there before us: it serves as it is
	err       error     // it is not known what is there
	attached  bool      // never updated: a change replaces it
	taken     string    // why the place is not free for ours
	inherited ID        // what another tool's state names
	notProved string    // why that is not believed
}

// Marked claims what the state records or what bears our mark. When the state
// is lost it is found again, kept, and deleted with the rest.
func Marked[T any](s *State, name string, t *Table[T]) Claim[T] {
	found, err := t.Marked(name)
	return claim(s, name, t, found, err, ByMark)
}

// Adopted claims what the state records or what was found by a rule of the
// configuration's document, such as name and subnet. It is deleted like our own.
func Adopted[T any](s *State, name string, t *Table[T], found []Fact[T], err error) Claim[T] {
	c := claim(s, name, t, found, err, ByAdoption)
	if c.recorded {
		c.found = c.found[:1] // others that fit are not ours
	} else if len(c.found) > 1 {
		c.taken = fmt.Sprintf("%d of them would fit", len(c.found))
		c.found = nil // which of them is ours is not known
	}
	return c
}

func claim[T any](s *State, name string, t *Table[T], found []Fact[T], err error, how Found) Claim[T] {
	c := Claim[T]{how: how}
	seen := map[ID]bool{}
	add := func(f Fact[T]) {
		if st, err := f.State(); err != nil {
			c.err = fmt.Errorf("%s: %w", f.ID, err)
		} else if st != nil && !seen[f.ID] {
			seen[f.ID] = true
			c.found = append(c.found, f)
		}
	}
	for _, r := range s.named(name) {
		add(t.Get(r.ID))
		c.recorded = c.recorded || !r.Deposed && len(c.found) == 1
	}
	for _, f := range found {
		add(f)
	}
	if len(c.found) == 0 && c.err == nil {
		c.err = err
	}
	return c
}

// A Container is a node as those see it that are part of it.
type Container interface {
	Ours() bool
	core() *core
}

// Contained claims what is part of something else: it is ours if that is. It
// goes with it when the state is lost.
func Contained[T any](in Container, f Fact[T]) Claim[T] {
	c := alone(f, in.core().found)
	c.theirs = len(c.found) > 0 && !in.Ours()
	return c
}

// Attached claims what we add to the user's things. It is ours only if it is
// recorded or intended with the very attributes that it has now; else it was
// there before us, or has been changed since, and is the user's. So that this
// holds at any time it is never updated but deleted and made anew. When the
// state is lost it stays.
func Attached[T any](s *State, name string, f Fact[T]) Claim[T] {
	c := alone(f, Recorded)
	c.attached = true
	if len(c.found) > 0 {
		r, ok := s.Get(name)
		c.recorded = ok && maps.Equal(r.Attrs, attrs(*c.found[0].state))
		c.theirs = !c.recorded
	}
	return c
}

// Named claims what has a name for an ID and can not be marked. It is ours if
// it is recorded or intended or has the content that ours would have.
func Named[T any](s *State, name string, f Fact[T], same func(T) bool) Claim[T] {
	c := alone(f, ByContent)
	if len(c.found) > 0 {
		if _, c.recorded = s.Get(name); c.recorded {
			c.how = Recorded
		} else if !same(*c.found[0].state) {
			c.taken = fmt.Sprintf("%s exists and is not ours", f.ID)
		}
	}
	return c
}

// Shared claims what several clusters keep together and each knows by a mark
// that names none of them; its Kind decides at removal who is the last.
func Shared[T any](s *State, name string, f Fact[T], marked func(T) bool) Claim[T] {
	c := Attached(s, name, f)
	if c.theirs && marked(*c.found[0].state) {
		c.theirs, c.how = false, ByMark
	}
	return c
}

// Inherited adds to a claim what the state of another tool names for this
// place, f. It counts only if c has found nothing of ours, and if the resource
// proves that it is this cluster's: it is then recorded as ours and kept. If
// it does not, it is not touched; and as long as the graph would therefore
// make a second one the plan is refused. An f without an ID changes nothing.
func Inherited[T any](c Claim[T], f Fact[T], proved func(T) bool) Claim[T] {
	if f.ID == "" || c.recorded || c.taken != "" || len(c.found) > 0 && !c.theirs {
		return c
	}
	c.inherited = f.ID
	switch st, err := f.State(); {
	case err != nil:
		c.err = fmt.Errorf("%s: %w", f.ID, err)
	case st == nil:
		c.notProved = fmt.Sprintf("the old state names %s, which does not exist in this cloud", f.ID)
	case !proved(*st):
		c.notProved = fmt.Sprintf("the old state names %s, which does not show that it is this cluster's", f.ID)
	default:
		c.found, c.theirs, c.how, c.err = []Fact[T]{f}, false, ByAdoption, nil
	}
	return c
}

func alone[T any](f Fact[T], how Found) Claim[T] {
	st, err := f.State()
	c := Claim[T]{how: how, err: err}
	if st != nil {
		c.found = []Fact[T]{f}
	}
	return c
}
