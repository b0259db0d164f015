// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package fault says of what kind an error is, in words that are the same for
// all clouds.
//
// The kinds are a closed set. Each cloud's package translates the errors of
// its SDK in one file; everything else asks for the kind and never looks into
// a text. Exit codes, Gardener's error codes and the advice that a user gets
// are chosen at the edge, from the kind.
package fault

import (
	"errors"
	"fmt"
)

// Kind is what sort of thing went wrong.
type Kind string

const (
	// Unclassified is an error that nobody translated.
	Unclassified Kind = ""
	// NotFound: what the call names is not there, or not visible to these credentials.
	NotFound Kind = "not found"
	// Denied: the credentials are good, but may not do this.
	Denied Kind = "denied"
	// Unauthenticated: the credentials are not accepted.
	Unauthenticated Kind = "unauthenticated"
	// Quota: a limit of the project or account is reached.
	Quota Kind = "quota exceeded"
	// Throttled: too many calls; the same call may work later.
	Throttled Kind = "throttled"
	// InUse: something else still needs it.
	InUse Kind = "in use"
	// Conflict: it is not as the call supposed, or exists already.
	Conflict Kind = "conflict"
	// Exhausted: the cloud has none left to give (addresses, capacity).
	Exhausted Kind = "exhausted"
	// Invalid: the call itself is wrong and will never work as it is.
	Invalid Kind = "invalid"
	// Unavailable: no answer, or an answer that says nothing of the effect.
	Unavailable Kind = "unavailable"
)

// Kinds returns all kinds that an error can have, in a fixed order.
func Kinds() []Kind {
	return []Kind{NotFound, Denied, Unauthenticated, Quota, Throttled, InUse, Conflict, Exhausted, Invalid, Unavailable}
}

// An Error is an error of a known kind.
type Error struct {
	Kind Kind
	Op   string // what was tried, in words: "creating subnet"; may be empty
	Err  error  // the cause; never nil
}

// New returns an error of the kind, or nil if err is nil.
func New(kind Kind, op string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{kind, op, err}
}

// Errorf returns an error of the kind with a text; %w works as in fmt.Errorf.
func Errorf(kind Kind, format string, args ...any) error {
	return &Error{Kind: kind, Err: fmt.Errorf(format, args...)}
}

// Error implements error.
func (e *Error) Error() string {
	if e.Op == "" {
		return e.Err.Error()
	}
	return e.Op + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the outermost fault in err, or Unclassified.
// Of joined errors it is that of the first that has one.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Unclassified
}

// Is says whether err is of the kind.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }
