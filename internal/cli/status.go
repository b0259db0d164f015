// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/espalier-io/espalier/internal/engine"
)

const statusHelp = `Says what there is now: each resource, whose it is, and whether it is as it
should be, and what the state holds. With -o json or yaml also what consumers may
know of the network (InfrastructureStatus). It only reads.

Exit codes: 0 good, 1 something could not be looked at, 2 it could not run.`

const statusExample = `  espalier status -f shoot.yaml
  espalier status -f config.yaml --name shoot--project--cluster -o json`

func (a *app) status() *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{Use: "status -f FILE", Short: "Say what there is now", Long: statusHelp, Example: statusExample}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, _, err := a.load(cmd, o)
		if err != nil {
			return err
		}
		ctx, cancel := o.limit(cmd.Context())
		defer cancel()
		r, err := a.begin(ctx, o, c, false)
		defer r.close()
		if err != nil {
			return err
		}
		return r.status(ctx, cmd)
	}
	a.outputFlag(cmd)
	o.inputFlags(cmd)
	a.cloudFlags(cmd, o)
	return cmd
}

func (r *run) status(ctx context.Context, cmd *cobra.Command) error {
	if r.c.Config == nil {
		return r.refuse("status", r.static)
	}
	if err := r.connect(ctx); err != nil {
		return err
	}
	l, err := r.look(ctx, toReconcile, false)
	if err != nil {
		return err
	}
	fs := r.found(l)
	p, problem := l.Plan() // with a problem it still says what there is
	if p == nil {
		return failed{problem}
	}
	outcome, err := l.Outcome()
	if err != nil {
		return failed{err}
	}
	view := &stateView{File: r.path, Serial: r.state.Serial(), UID: r.state.UID(), Cloud: r.state.Cloud(), Records: len(r.state.Records())}
	rep := report{Verb: "status", Cluster: r.c.TechnicalID, Outcome: condition(p), Findings: list(fs), NotChecked: r.left,
		Steps: list(p.Steps), Summary: plus(tally(fs), counts(p)), State: view, Status: outcome}
	err = r.app.emit(rep, func(w canvas) {
		w.findings(fs, nil)
		fmt.Fprintf(w, "%s in %s:\n", r.c.TechnicalID, r.cloud)
		w.steps(bare(p.Steps), present)
		fmt.Fprintf(w, "State: %s, %d recorded.\n", r.where(), view.Records)
		fmt.Fprintf(w, "%s.\n", upper(conditions[condition(p)]))
		if !p.Idle() {
			fmt.Fprintf(w, "Next: %s\n", r.app.next(cmd, "plan"))
		}
	})
	if err == nil && p.Count()[engine.Blocked] > 0 {
		return verdict(exitBad)
	}
	return err
}

// conditions are what status finds, in words.
var conditions = map[string]string{
	"ready":   "all is as it should be",
	"absent":  "nothing has been made yet",
	"differs": "not all is as it should be",
	"unknown": "something could not be read, so it is not known whether all is as it should be",
}

// condition says in a word how things stand.
func condition(p *engine.Plan) string {
	n := p.Count()
	switch {
	case n[engine.Blocked] > 0:
		return "unknown"
	case p.Idle():
		return "ready"
	case n[engine.Create] > 0 && n[engine.Keep]+n[engine.Update]+n[engine.Replace]+n[engine.Delete] == 0:
		return "absent"
	}
	return "differs"
}

// bare are the steps without what a resource that is missing will hold.
func bare(steps []engine.Step) (out []engine.Step) {
	for _, s := range steps {
		if s.Action == engine.Create {
			s.Changes = nil
		}
		out = append(out, s)
	}
	return out
}
