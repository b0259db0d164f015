// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"net/http"
	"time"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
)

// clouds is how a run gets to a cloud.
type clouds interface {
	// open takes up the connection for a cluster. The error is of the kind of
	// package fault and never holds a secret.
	open(ctx context.Context, c *input.Cluster, s *engine.State, how connection) (session, error)
}

// A connection is what flags and environment say of the way to a cloud.
type connection struct {
	osCloud string // entry of clouds.yaml, or empty
	version string // of this program
	wire    func(http.RoundTripper) http.RoundTripper
}

// A session is a cloud as the runs of one command see it.
type session interface {
	// String says which cloud, as whom; no secrets.
	String() string
	// look reads the facts and builds the graph.
	look(ctx context.Context, why purpose) (look, error)
}

// A purpose is what facts are read for.
type purpose int

// The purposes.
const (
	toReconcile purpose = iota // what apply needs
	toPreflight                // also what only warnings need
	toDelete                   // also what a deletion has to sweep
)

// A look is one graph: what there is, what is wanted, and whose it is.
type look interface {
	Check() []engine.Finding
	Plan() (*engine.Plan, error)
	PlanDelete() (*engine.Plan, error)
	// Views are all resources, and Leftovers what is ours and no longer wanted.
	Views() []engine.View
	Leftovers() []engine.View
	// Unsettled names the creates of an earlier run that may still show within
	// window, and until when.
	Unsettled(window time.Duration) (until time.Time, names []string)
	Apply(ctx context.Context, p *engine.Plan, o engine.Options) error
	// Outcome is what consumers may know of the network, nil if there is
	// nothing yet to be known. It marshals to JSON.
	Outcome() (any, error)
}
