// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/espalier-io/espalier/internal/fault"
)

// managed is a node that we own, or would if it had not been there before us.
type managed[W, T any] struct {
	Node[T]
	kind Kind[W, T]
	want func(d Deps, have *T) T
}

// A writable is a node that Apply can write.
type writable[W any] interface {
	node[W]
	create(ctx context.Context, p pen[W]) error
	update(ctx context.Context, p pen[W]) error
}

// A pen is what a node writes with: the cloud's Writer, and its line in the state.
type pen[W any] struct {
	w      W
	intend func(id ID) error // saves which ID the create is going to have
	record func() error      // saves what is there
}

// wanted is what is wanted now, with what others put into include fields.
func (n *managed[W, T]) wanted() T {
	d := &deps{of: &n.c}
	defer func() { d.over = true }()
	want, foreign, included := include(n.have, n.want(d, n.have), n.c.elements)
	n.c.foreign, n.c.included = foreign, included
	return want
}

// create makes the resource. It records it as soon as there is an ID, and then
// sees to what the cloud does not take at creation.
func (n *managed[W, T]) create(ctx context.Context, p pen[W]) error {
	n.have, n.c.elements = nil, nil
	want, err := toSend(nil, n.wanted())
	if err != nil {
		return err
	}
	if namer, ok := any(n.kind).(Namer[T]); ok {
		if err := p.intend(namer.IDOf(want)); err != nil {
			return err
		}
	}
	id, st, err := n.kind.Create(ctx, p.w, want)
	if id == "" && err == nil {
		err = fault.Errorf(fault.Unavailable, "created without an ID")
	}
	if id == "" {
		return err
	}
	n.c.id, n.c.anew, n.c.attrs, n.c.elements, n.c.made = id, "", attrs(want), n.c.included, time.Now()
	if err == nil {
		n.c.attrs = attrs(st)
	}
	if rerr := p.record(); rerr != nil || err != nil {
		return errors.Join(err, rerr)
	}
	n.have, n.seen = &st, nil
	if err := n.ready(ctx, p.w); err != nil {
		return err
	}
	return n.update(ctx, p)
}

// update makes the resource as it is wanted, and sees to it that it then is.
func (n *managed[W, T]) update(ctx context.Context, p pen[W]) error {
	want, err := toSend(n.have, n.wanted())
	if err != nil {
		return err
	}
	changes := Diff(n.have, want)
	if i := slices.IndexFunc(changes, func(c Change) bool { return c.Tag != "" }); i >= 0 {
		return fault.Errorf(fault.Conflict, "%s is not as planned, run again: %s", n.c.id, changes[i])
	}
	if len(changes) == 0 {
		n.seen = nil
		return nil
	}
	st, err := n.kind.Update(ctx, p.w, n.c.id, *n.have, want)
	if err != nil {
		return err
	}
	n.have, n.seen = &st, nil
	if err := n.ready(ctx, p.w); err != nil {
		return err
	}
	if want, err = toSend(n.have, n.wanted()); err != nil {
		return err
	}
	if left := Diff(n.have, want); len(left) > 0 {
		return fault.Errorf(fault.Conflict, "the update did not take: %v", left)
	}
	n.c.attrs, n.c.elements = attrs(*n.have), n.c.included
	return p.record()
}

// ready waits until a resource of a [Waiter] can be used.
func (n *managed[W, T]) ready(ctx context.Context, w W) error {
	k, ok := any(n.kind).(Waiter[W, T])
	if !ok {
		return nil
	}
	return Poll(ctx, fmt.Sprintf("%s to be ready", n.c.id), func(ctx context.Context) (bool, error) {
		st, err := k.Ready(ctx, w, n.c.id)
		if st != nil {
			n.have = st
		}
		return st != nil, err
	})
}
