// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/espalier-io/espalier/internal/fault"
)

const pollFor = 10 * time.Minute

// Poll asks done until it says yes, with pauses from 100 ms to 5 s, for at
// most ten minutes; then the error is [fault.Unavailable]. Within Apply it
// ends at once with [ErrStopped] when the run is told to stop, and what is
// told as the progress; it completes "waiting for".
func Poll(ctx context.Context, what string, done func(context.Context) (bool, error)) error {
	stop, _ := ctx.Value(stopKey).(<-chan struct{})
	tell, _ := ctx.Value(tellKey).(func(string))
	timeout := time.After(pollFor)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		if ok, err := done(ctx); ok || err != nil {
			return err
		}
		if tell != nil {
			tell(what)
			tell = nil
		}
		select {
		case <-time.After(pause):
		case <-stop:
			return ErrStopped
		case <-ctx.Done():
			return ctx.Err()
		case <-timeout:
			return fault.Errorf(fault.Unavailable, "waited %s for %s", pollFor, what)
		}
	}
}

// running returns the context of a call that has started: it outlives a stop
// of ctx by grace.
func running(ctx context.Context, grace time.Duration, tell func(string)) (context.Context, func()) {
	call, cancel := context.WithCancel(context.WithoutCancel(ctx))
	call = context.WithValue(context.WithValue(call, stopKey, ctx.Done()), tellKey, tell)
	stop := context.AfterFunc(ctx, func() {
		t := time.AfterFunc(grace, cancel)
		context.AfterFunc(call, func() { t.Stop() })
	})
	return call, func() { stop(); cancel() }
}

// guard turns a panic of fn into an error.
func guard(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return fn()
}
