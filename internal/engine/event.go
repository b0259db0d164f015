// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

// A Phase is how far a call is.
type Phase string

// The phases. Each call has one Started, then any number of Waiting, then one
// of Done and Failed.
const (
	Started Phase = "started"
	Waiting Phase = "waiting" // the call is made; Detail says what it waits for
	Done    Phase = "done"
	Failed  Phase = "failed"
)

// An Event is a step of progress.
type Event struct {
	Name   string // the node; of something removed that has none, as the plan prints it
	Kind   string
	Action Action
	Phase  Phase
	ID     ID     // empty as long as there is none
	Detail string // of Waiting
	Err    error  // of Failed
}
