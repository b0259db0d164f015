// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
)

const applyHelp = `Makes what the cluster needs of a network, and keeps it as it should be. It
shows the plan and asks; --yes does not ask.

What you own is only referenced. All that is made bears a mark, and is recorded
in the state file before and after each step, so that a run that was cut short
can simply be run again. A second run has nothing to do.

With a plan of plan --out it carries out that plan without asking, or refuses if
the cloud, the state or the input has changed since.

An interrupt (Ctrl-C) stops gracefully: no new call is made, the running ones
end and are recorded. A second one ends at once; also then running it again
goes on where it ended.

Exit codes: 0 done, 1 findings, refused, or failed, 2 it could not run.`

const applyExample = `  espalier apply -f shoot.yaml
  espalier apply -f config.yaml --name shoot--project--cluster --yes
  espalier plan -f shoot.yaml --out plan.json && espalier apply plan.json`

func (a *app) apply() *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{Use: "apply (-f FILE | PLAN)", Short: "Make what the cluster needs", Long: applyHelp, Example: applyExample}
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, k, err := a.toApply(cmd, o, args)
		if err != nil {
			return err
		}
		ctx, cancel := o.limit(cmd.Context())
		defer cancel()
		r, err := a.begin(ctx, o, c, true)
		defer r.close()
		if err != nil {
			return err
		}
		return r.apply(ctx, cmd, k)
	}
	a.outputFlag(cmd)
	o.inputFlags(cmd)
	a.cloudFlags(cmd, o)
	o.checkFlags(cmd)
	o.acceptFlag(cmd)
	o.writeFlags(cmd)
	return cmd
}

// toApply is the cluster that is meant: that of the input, or of a kept plan.
func (a *app) toApply(cmd *cobra.Command, o *options, args []string) (*input.Cluster, *kept, error) {
	switch {
	case len(args) > 1, len(args) == 1 && len(o.files) > 0:
		return nil, nil, misused(cmd, "give one plan, or input with -f, not both")
	case len(args) == 0:
		c, _, err := a.load(cmd, o)
		return c, nil, err
	}
	if err := o.check(cmd); err != nil {
		return nil, nil, err
	}
	k, err := restore(args[0])
	if err != nil {
		return nil, nil, err
	}
	o.facts, o.accept = k.Flags, append(o.accept, k.Accept...)
	if o.state == "" {
		o.state = k.State
	}
	c, err := input.Parse(k.Input, k.Flags, forms()...)
	if err != nil {
		return nil, nil, err
	}
	return c, k, foreign(cmd, c)
}

// apply is the whole of the verb, once the state is held.
func (r *run) apply(ctx context.Context, cmd *cobra.Command, k *kept) error {
	l, fs, p, err := r.planned(ctx, false, true)
	if err != nil {
		return err
	}
	if p == nil {
		return r.refuse("apply", fs)
	}
	if k != nil {
		if err := k.same(r.state, p); err != nil {
			return err
		}
	}
	r.o.yes = r.o.yes || k != nil
	if err := r.approve(ctx, p, fs, "Do this?"); err != nil {
		return err
	}
	if err := remember(r.state, r.c); err != nil {
		return err
	}
	done, err := r.carryOut(ctx, l, p)
	if err != nil {
		return r.unfinished(ctx, "apply", p, fs, done, err)
	}
	status, err := l.Outcome()
	if err != nil {
		return failed{err}
	}
	rest := l.Remains(false)
	rep := report{Verb: "apply", Cluster: r.c.TechnicalID, Outcome: "done", Findings: list(fs), NotChecked: r.left,
		Steps: list(p.Steps), Summary: plus(tally(fs), counts(p)), Remains: rest, Status: status}
	return r.app.emit(rep, func(w canvas) {
		if writes(p) {
			fmt.Fprintf(w, "Done: %s in %s; the state is in %s.\n", done, r.cloud, r.path)
		} else {
			w.findings(fs, nil)
			fmt.Fprintf(w, "Nothing to do: %s in %s is as it should be.\n", r.c.TechnicalID, r.cloud)
		}
		w.remains(rest)
		fmt.Fprintf(w, "Next: %s\n", r.app.next(cmd, "status"))
	})
}

// refuse reports findings that are in the way of a verb that writes.
func (r *run) refuse(verb string, fs []engine.Finding) error {
	rep := report{Verb: verb, Cluster: r.c.TechnicalID, Outcome: "refused", Findings: list(fs), NotChecked: r.left, Summary: tally(fs)}
	err := r.app.emit(rep, func(w canvas) {
		w.findings(fs, nil)
		fmt.Fprintf(w, "%s: nothing was changed.\nNext: mend them and run this again; espalier explain CODE tells more.\n", sum(fs))
	})
	if err != nil {
		return err
	}
	return verdict(exitBad)
}

// carryOut applies a plan with progress, and says what was done.
func (r *run) carryOut(ctx context.Context, l look, p *engine.Plan) (done string, err error) {
	show := r.app.progress()
	r.app.live.Store(show)
	defer r.app.live.Store(nil)
	settle := r.o.settle
	if settle == 0 {
		settle = -1 // as the engine says "not at all"
	}
	err = l.Apply(ctx, p, engine.Options{Limit: atOnce(r.app.env.Getenv), Settle: settle, Events: show.event})
	return show.sum(), err
}

// unfinished is the error of a run that did not get to its end, in words and
// for machines.
func (r *run) unfinished(ctx context.Context, verb string, p *engine.Plan, fs []engine.Finding, done string, err error) error {
	outcome, text := "failed", err.Error()
	if errors.Is(err, engine.ErrStopped) {
		outcome, text = "stopped", strings.TrimSuffix(text, engine.ErrStopped.Error())+fmt.Sprint(context.Cause(ctx))
	}
	trace := "What was done is recorded"
	if r.unsaved.Load() {
		trace = "The last of it could not be recorded, but bears the mark of the cluster and is found again"
	}
	text = fmt.Sprintf("%s\nSo far: %s. %s; run the same command again to go on.", text, done, trace)
	if !r.app.machine() {
		return failed{errors.New(text)}
	}
	rep := report{Verb: verb, Cluster: r.c.TechnicalID, Outcome: outcome, Findings: list(fs), NotChecked: r.left,
		Steps: list(p.Steps), Summary: plus(tally(fs), counts(p)), Error: failureOf(err, text)}
	if err := r.app.emit(rep, nil); err != nil {
		return err
	}
	r.app.note("Error: %s", cleaned(text))
	return verdict(exitBad)
}
