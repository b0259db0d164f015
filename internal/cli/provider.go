// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
	"github.com/espalier-io/espalier/internal/validate"
)

// providers are all clouds that there are, the one of the demo first. A cloud
// has a file of its own, and one for what is built in of it; nothing else in the
// command line knows any.
func providers() []provider { return []provider{&openStack{}, &amazon{}} }

// A provider is a cloud as the command line sees it.
type provider interface {
	// form says how its documents look.
	form() input.Form
	// flags adds those that only it has to a verb: those that say how to get to
	// it, and for verbs that plan deletions those about them. Their values are
	// kept in the provider.
	flags(f *pflag.FlagSet, deletes bool)
	// rules asks those that need no cloud. The configurations are of the form's;
	// old is nil if nothing was there before.
	rules(c *input.Cluster, old any) validate.Report
	// explanations are the texts of the rules that need the cloud.
	explanations() []engine.Explanation
	// acceptable says whether the user may accept an error of this code.
	acceptable(code string) bool
	// tool is the name of the cloud's own command line, as advice has it.
	tool() string
	// open takes up the connection for a cluster. The error is of the kind of
	// package fault and never holds a secret.
	open(ctx context.Context, c *input.Cluster, s *engine.State, how connection) (session, error)
	// builtIn is what there is of it without a cloud.
	builtIn() builtIn
}

// clouds is how a run gets to a cloud.
type clouds interface {
	open(ctx context.Context, c *input.Cluster, s *engine.State, how connection) (session, error)
}

// realClouds are those of the user's credentials.
type realClouds []provider

func (all realClouds) open(ctx context.Context, c *input.Cluster, s *engine.State, how connection) (session, error) {
	return byType(all, c.Cloud).open(ctx, c, s, how)
}

// byType finds the provider of documents that were read.
func byType(all []provider, cloud string) provider {
	return all[slices.IndexFunc(all, func(p provider) bool { return p.form().Type == cloud })]
}

// forms are those of all providers.
func forms() (all []input.Form) {
	for _, p := range providers() {
		all = append(all, p.form())
	}
	return all
}

// ofCloud is the annotation of a flag that only one cloud has.
const ofCloud = "cloud"

// providerFlags adds the flags of all clouds to a verb.
func (a *app) providerFlags(cmd *cobra.Command) {
	deletes := cmd.Name() == "delete" || cmd.Name() == "plan"
	for _, p := range a.providers {
		own := pflag.NewFlagSet(p.form().Type, pflag.ContinueOnError)
		p.flags(own, deletes)
		own.VisitAll(func(f *pflag.Flag) { f.Annotations = map[string][]string{ofCloud: {p.form().Type}} })
		cmd.Flags().AddFlagSet(own)
	}
}

// foreign refuses flags of another cloud than the documents are of.
func foreign(cmd *cobra.Command, c *input.Cluster) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if of := f.Annotations[ofCloud]; len(of) > 0 && of[0] != c.Cloud && c.Cloud != "" {
			err = misused(cmd, "--%s is for %s, and the %s is of %s", f.Name, of[0], c.From, c.Cloud)
		}
	})
	return err
}

// as is what a form made, nil if it made nothing.
func as[T any](made any) T {
	t, _ := made.(T)
	return t
}

// ranges are those of the cluster; those that nobody says are empty.
func ranges(n *validate.Networking) (nodes, pods, services []netip.Prefix, err error) {
	if n == nil {
		return nil, nil, nil, nil
	}
	for to, cidr := range map[*[]netip.Prefix]string{&nodes: n.Nodes, &pods: n.Pods, &services: n.Services} {
		if cidr == "" {
			continue
		}
		p, err := netip.ParsePrefix(cidr)
		if err != nil {
			return nil, nil, nil, fault.Errorf(fault.Invalid, "reading the ranges of the cluster: %q is not a CIDR: %w", cidr, err)
		}
		*to = []netip.Prefix{p}
	}
	return nodes, pods, services, nil
}

// A connection is what flags and environment say of the way to a cloud.
type connection struct {
	version string // of this program
	getenv  func(string) string
	// alone says that nothing of this process counts but what getenv says.
	alone bool
	wire  func(http.RoundTripper) http.RoundTripper // nil: as it is
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
	// Remains is what of the cluster stays in things of the user's, after a
	// deletion or else after an apply, because somebody else made it.
	Remains(destroy bool) []remain
	// Outcome is what consumers may know of the network, nil if there is
	// nothing yet to be known. It marshals to JSON.
	Outcome() (any, error)
}

// A remain is something that is not ours to take away, and how its owner may.
type remain struct {
	What    string `json:"what"`
	Command string `json:"command"`
}
