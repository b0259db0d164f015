// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// Poll asks done until it says yes, with pauses from 100 ms to 5 s, for at
// most ten minutes. Within Apply it ends at once with [ErrStopped] when the
// run is told to stop.
func Poll(ctx context.Context, done func(context.Context) (bool, error)) error {
	stop, _ := ctx.Value(stopKey).(<-chan struct{})
	timeout := time.After(10 * time.Minute)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		if ok, err := done(ctx); ok || err != nil {
			return err
		}
		select {
		case <-time.After(pause):
		case <-stop:
			return ErrStopped
		case <-ctx.Done():
			return ctx.Err()
		case <-timeout:
			return errors.New("still not ready after ten minutes")
		}
	}
}

// running returns the context of a call that has started: it outlives a stop
// of ctx by grace.
func running(ctx context.Context, grace time.Duration) (context.Context, func()) {
	call, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(ctx), stopKey, ctx.Done()))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
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
