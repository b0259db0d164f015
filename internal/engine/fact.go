// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
)

// ID is the name that the cloud gave to a resource. While a graph is built the
// ID of a resource that does not exist yet is a placeholder such as
// "‹network›": fit to be printed in a plan, never sent to a cloud.
type ID string

// A Fact is how a read of one resource ended: there, absent or unknown. The
// zero Fact is unknown, so that what nobody read is never taken for absent.
type Fact[T any] struct {
	ID    ID
	state *T
	err   error
	read  bool
}

// ErrNotRead is why a fact that nobody asked for is unknown.
var ErrNotRead = errors.New("not read")

// There is a resource that was found.
func There[T any](id ID, state T) Fact[T] { return Fact[T]{id, &state, nil, true} }

// Absent is a resource that is certainly not there.
func Absent[T any](id ID) Fact[T] { return Fact[T]{id, nil, nil, true} }

// Unknown is a resource that could not be read.
func Unknown[T any](id ID, err error) Fact[T] { return Fact[T]{id, nil, err, true} }

// State returns what was found; nil and no error if it is absent; an error if
// it is unknown.
func (f Fact[T]) State() (*T, error) {
	if !f.read {
		return nil, ErrNotRead
	}
	return f.state, f.err
}

// There says whether it was found.
func (f Fact[T]) There() bool { return f.state != nil }

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
	if !t.done {
		return nil, ErrNotRead
	}
	for _, id := range t.marks[node] {
		fs = append(fs, t.facts[id])
	}
	return fs, t.list
}

// Together runs the reads of one round, at most limit at a time.
func Together(ctx context.Context, limit int, reads ...func(context.Context)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, max(limit, 1))
	for _, read := range reads {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			read(ctx)
		})
	}
	wg.Wait()
}
