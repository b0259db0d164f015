// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// A Table holds the facts of one kind. Its methods may be called in parallel.
type Table[T any] struct {
	mu    sync.Mutex
	facts map[ID]Fact[T]
	marks map[string][]ID
	list  error  // why the list by mark is unknown
	done  bool   // whether there was a list
	rest  *error // how the read of all others ended
}

// An Item is an element of a list: Node is the node that its mark names, or
// empty if it was listed for another reason.
type Item[T any] struct {
	ID    ID
	Node  string
	State T
}

// Add enters how the read of one ID ended. A nil state is absent.
func (t *Table[T]) Add(id ID, state *T, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.facts == nil {
		t.facts = map[ID]Fact[T]{}
	}
	t.facts[id] = Fact[T]{id, state, err, true}
}

// AddList enters how the list by mark ended. The list must be complete.
func (t *Table[T]) AddList(items []Item[T], err error) {
	for _, i := range items {
		t.Add(i.ID, &i.State, nil)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list, t.done = err, true
	if t.marks == nil {
		t.marks = map[string][]ID{}
	}
	for _, i := range items {
		if i.Node != "" {
			t.marks[i.Node] = append(t.marks[i.Node], i.ID)
		}
	}
}

// Rest says that all of the kind was read: what is not in the table is absent,
// or unknown if err is not nil.
func (t *Table[T]) Rest(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rest = &err
}

// Get returns the fact of an ID: unknown if it was neither asked for nor listed.
func (t *Table[T]) Get(id ID) Fact[T] {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f, ok := t.facts[id]; ok {
		return f
	}
	if t.rest != nil {
		return Fact[T]{id, nil, *t.rest, true}
	}
	return Unknown[T](id, ErrNotRead)
}

// All returns what was found, in the order of the IDs, or why that is not all.
// Who builds nodes of it hands the error to [Graph.Unsure] or to a claim.
func (t *Table[T]) All() (fs []Fact[T], err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(t.facts)) {
		if f := t.facts[id]; f.state != nil {
			fs = append(fs, f)
		}
	}
	if t.rest == nil {
		return fs, ErrNotRead
	}
	return fs, *t.rest
}

// Marked returns what bears the mark of a node, or why that is not known.
func (t *Table[T]) Marked(node string) (fs []Fact[T], err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range t.marks[node] {
		fs = append(fs, t.facts[id])
	}
	return fs, t.listErr()
}

// listErr says why the list by mark is not known.
func (t *Table[T]) listErr() error {
	if !t.done {
		return ErrNotRead
	}
	return t.list
}

// Together runs the reads of one round, at most limit at a time.
func Together(ctx context.Context, limit int, reads ...func(context.Context)) {
	var g errgroup.Group
	g.SetLimit(max(limit, 1))
	for _, read := range reads {
		g.Go(func() error { read(ctx); return nil })
	}
	_ = g.Wait() // reads enter their errors in tables
}
