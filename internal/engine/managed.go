// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	create(ctx context.Context, w W, record func() error) error
	update(ctx context.Context, w W, record func() error) error
}

func (n *managed[W, T]) wanted() T {
	d := &deps{of: &n.c}
	defer func() { d.over = true }()
	return n.want(d, n.have)
}

// create makes the resource. It calls record as soon as there is an ID, and
// then sees to what the cloud does not take at creation.
func (n *managed[W, T]) create(ctx context.Context, w W, record func() error) error {
	n.have = nil
	want, err := toSend(nil, n.wanted())
	if err != nil {
		return err
	}
	id, st, err := n.kind.Create(ctx, w, want)
	if id == "" && err == nil {
		err = fmt.Errorf("created without an ID")
	}
	if id == "" {
		return err
	}
	n.c.id, n.c.anew, n.c.attrs = id, "", attrs(want)
	if err == nil {
		n.c.attrs = attrs(st)
	}
	if rerr := record(); rerr != nil || err != nil {
		return errors.Join(err, rerr)
	}
	n.have, n.seen = &st, nil
	if err := n.ready(ctx, w); err != nil {
		return err
	}
	return n.update(ctx, w, record)
}

// update makes the resource as it is wanted, and sees to it that it then is.
func (n *managed[W, T]) update(ctx context.Context, w W, record func() error) error {
	want, err := toSend(n.have, n.wanted())
	if err != nil {
		return err
	}
	changes := Diff(n.have, want)
	if i := slices.IndexFunc(changes, func(c Change) bool { return c.Tag != "" }); i >= 0 {
		return fmt.Errorf("%s is not as planned, run again: %s", n.c.id, changes[i])
	}
	if len(changes) == 0 {
		n.seen = nil
		return nil
	}
	st, err := n.kind.Update(ctx, w, n.c.id, *n.have, want)
	if err != nil {
		return err
	}
	n.have, n.seen = &st, nil
	if err := n.ready(ctx, w); err != nil {
		return err
	}
	if left := Diff(n.have, want); len(left) > 0 {
		return fmt.Errorf("the update did not take: %v", left)
	}
	n.c.attrs = attrs(*n.have)
	return record()
}

func (n *managed[W, T]) ready(ctx context.Context, w W) error {
	k, ok := any(n.kind).(Waiter[W, T])
	if !ok {
		return nil
	}
	return Poll(ctx, func(ctx context.Context) (bool, error) {
		st, err := k.Ready(ctx, w, n.c.id)
		if st != nil {
			n.have = st
		}
		return st != nil, err
	})
}
