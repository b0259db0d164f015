// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package kill

import (
	"context"
	"net/http"
	"slices"

	"github.com/espalier-io/espalier/internal/sim/traffic"
	"github.com/espalier-io/espalier/test/estate"
)

// A house is a cloud with the ways to bring a network to it.
type house struct {
	name     string
	variants []variant
}

// houses are all clouds.
func houses() []house { return []house{openStack(), amazon()} }

// A variant is one way to bring a network.
type variant struct {
	name   string
	verbs  []string               // those that are cut short
	config func() ([]byte, error) // what the user writes
	flags  func(verb string) []string
	open   func() (ground, error) // makes a cloud of its own, with the estate in it
}

// A ground is an embedded cloud with the estate in it, whatever cloud it is.
type ground struct {
	cloud
	// env are the variables of the user, if the cloud listens at a URL.
	env func(url string) map[string]string
	// compare says what has happened to the estate since the ground was opened.
	compare func() (estate.Change, error)
	// settle lets go what the cloud takes away by itself a moment later.
	settle func(context.Context) error
	// recordID is the ID under which a thing of ours is in the state.
	recordID func(estate.Thing) string
}

// A phase is a moment of a call.
type phase = traffic.Phase

// A call is one in the log of a cloud.
type call struct {
	n     int
	says  string // what it asks for, the same in every run
	write bool
	// once: how often it comes depends on how fast the machine is, since it is
	// made of several that come together, or tried until it works. It is one
	// point, and the first is where it is.
	once bool
}

// A cloud is what goes on between it and processes.
type cloud struct {
	http.Handler
	calls   func() []call
	forget  func() // empties the log
	hook    func(func(call, phase))
	drop    func(func(call) bool) // one call gets neither effect nor answer; nil: none
	unknown func() []string       // calls that the cloud does not know
}

// simulated is what the embedded clouds have in common.
type simulated[C any] interface {
	http.Handler
	Calls() []C
	ClearCalls()
	ClearFaults()
	Hook(func(C, phase))
	Inject(...traffic.Fault[C])
	Unknown() []string
}

// plainly makes all clouds alike. Plain reads one of a cloud's calls.
func plainly[C any](c simulated[C], plain func(C) call) cloud {
	return cloud{
		Handler: c,
		calls: func() (all []call) {
			for _, one := range c.Calls() {
				all = append(all, plain(one))
			}
			return all
		},
		forget: c.ClearCalls,
		hook: func(told func(call, phase)) {
			if told == nil {
				c.Hook(nil)
				return
			}
			c.Hook(func(one C, p phase) { told(plain(one), p) })
		},
		drop: func(is func(call) bool) {
			c.ClearFaults()
			if is == nil {
				return
			}
			c.Inject(traffic.Fault[C]{Match: func(one C) bool { return is(plain(one)) }})
		},
		unknown: c.Unknown,
	}
}

// writes are those calls that may have changed something.
func writes(calls []call) []call {
	return slices.DeleteFunc(calls, func(c call) bool { return !c.write })
}
