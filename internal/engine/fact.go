// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import "errors"

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
