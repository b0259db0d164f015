// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/espalier-io/espalier/internal/fault"
)

// A Kind can write one kind of resource. T says both what we want and what is
// there, so that a plan is no more than the difference of the two. W is what
// the cloud is written with. A Kind must be safe for parallel use.
type Kind[W, T any] interface {
	Remover[W]

	// Create makes the resource, with our mark in the same call, and returns
	// the state that the cloud answered. If it fails half way it returns the
	// ID with the error, and the ID is recorded. It may use [Nonce] to be
	// idempotent.
	Create(ctx context.Context, w W, want T) (ID, T, error)

	// Update makes the changes between have and want and returns the state
	// that the cloud answered. It must not touch what does not differ.
	Update(ctx context.Context, w W, id ID, have, want T) (T, error)
}

// A Remover can delete one kind of resource from its record alone.
type Remover[W any] interface {
	// Kind is the name that records bear. It never changes.
	Kind() string
	// Delete deletes the resource. That it is gone already is no error.
	Delete(ctx context.Context, w W, r Record) error
}

// A Waiter is a Kind whose resources are of use only some time after a write.
type Waiter[W, T any] interface {
	// Ready returns the state once the resource is usable and shows what was
	// written, nil as long as it is not. That it can not be found yet is no
	// error. The ID is recorded before the wait starts.
	Ready(ctx context.Context, w W, id ID) (*T, error)
}

// A Namer is a Kind whose IDs follow from what is wanted. The intent then holds
// the ID, so that a create without a result can be taken back even if the
// resource has left the graph.
type Namer[T any] interface {
	IDOf(want T) ID
}

// An Idempotent is a Kind whose Create, given the same [Nonce], makes nothing
// twice. It need not wait for an earlier attempt to show.
type Idempotent interface{ Idempotent() }

// ErrRefused is wrapped by an error of Create if the cloud certainly did not
// create anything. The intent is then dropped at once.
var ErrRefused = errors.New("refused")

// ErrUnsettled is why a create is not tried again so soon: the one before may
// still show. Run again later.
var ErrUnsettled = fault.Errorf(fault.Unavailable, "an earlier attempt may still show")

// ErrStopped is why a call was not started: the run was told to stop.
var ErrStopped = errors.New("stopped")

// errNotStarted is why a call was not started: an earlier one had no good end.
var errNotStarted = errors.New("not started")

type ctxKey int

const (
	nonceKey ctxKey = iota
	stopKey
	tellKey
)

// Nonce returns the token of the intent that a Create call carries out. It is
// the same in every attempt, also after a crash.
func Nonce(ctx context.Context) string {
	s, _ := ctx.Value(nonceKey).(string)
	return s
}

// misuse is a slip of the programmer in building a graph. The first test finds it.
func misuse(format string, args ...any) {
	panic("engine: " + fmt.Sprintf(format, args...)) //nolint:forbidigo // found while a graph is built
}
