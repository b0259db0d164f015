// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

//go:build killpoints

package cli

import (
	"context"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// This file is only in the build for the kill tests. ESPALIER_KILL says where
// the process kills itself with SIGKILL, by the number of the call or save,
// from 1:
//
//	save-before:N  save-after:N  call-before:N  call-after:N
//
// call-before is before the request is sent, call-after when the answer is
// there and nobody has seen it. ESPALIER_AT_ONCE limits how many writes run at
// a time: with 1 each result has a save of its own, and saves can be counted.

// deathAt returns a function that counts, and kills the process at the place.
func deathAt(getenv func(string) string, place string) func() {
	where, at, _ := strings.Cut(getenv("ESPALIER_KILL"), ":")
	n, err := strconv.Atoi(at)
	if where != place || err != nil {
		return func() {}
	}
	var count atomic.Int64
	return func() {
		if count.Add(1) == int64(n) {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // the signal is on its way
		}
	}
}

func atSave(getenv func(string) string, save func(context.Context, []byte) error) func(context.Context, []byte) error {
	before, after := deathAt(getenv, "save-before"), deathAt(getenv, "save-after")
	return func(ctx context.Context, data []byte) error {
		before()
		err := save(ctx, data)
		after()
		return err
	}
}

type mortal struct {
	http.RoundTripper
	before, after func()
}

func (m mortal) RoundTrip(r *http.Request) (*http.Response, error) {
	m.before()
	answer, err := m.RoundTripper.RoundTrip(r)
	m.after()
	return answer, err
}

func atCall(getenv func(string) string) func(http.RoundTripper) http.RoundTripper {
	if !strings.HasPrefix(getenv("ESPALIER_KILL"), "call-") {
		return nil // what others look at is the way that is always taken
	}
	before, after := deathAt(getenv, "call-before"), deathAt(getenv, "call-after")
	return func(next http.RoundTripper) http.RoundTripper { return mortal{next, before, after} }
}

func atOnce(getenv func(string) string) int {
	n, err := strconv.Atoi(getenv("ESPALIER_AT_ONCE"))
	if err != nil {
		return 0
	}
	return n
}
