// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
)

const planHelp = `Says what apply would do, without doing it. It only reads.

Each resource has a line: "yours" is not touched, "keep" is ours and as it
should be, and create, update, replace and delete say what would be done.
"blocked" means that something could not be read, so that nothing is done to it.

With --out the plan is kept in a file, and apply FILE carries out exactly that
plan, or refuses if the cloud, the state or the input has changed since.
With --delete it says what delete would do.

Exit codes: 0 good, 1 findings of severity error, 2 it could not run. With
--detailed-exitcode: 0 nothing to do, 2 changes, 1 everything else.`

const planExample = `  espalier plan -f shoot.yaml
  espalier plan -f shoot.yaml --out plan.json && espalier apply plan.json
  espalier plan -f config.yaml --name shoot--project--cluster -o json --detailed-exitcode`

func (a *app) plan() *cobra.Command {
	o, w := &options{}, &wanted{}
	cmd := &cobra.Command{Use: "plan -f FILE", Short: "Say what apply would do", Long: planHelp, Example: planExample}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if w.destroy && w.out != "" {
			return misused(cmd, "--out is for plans that apply can carry out; delete makes its own")
		}
		c, sources, err := a.load(cmd, o)
		if err != nil {
			return err
		}
		if w.out != "" && c.UID == "" {
			if c.UID, err = a.fresh(o, c); err != nil {
				return err
			}
			o.facts.UID = c.UID
		}
		ctx, cancel := o.limit(cmd.Context())
		defer cancel()
		r, err := a.begin(ctx, o, c, false)
		defer r.close()
		if err != nil {
			return err
		}
		return r.plan(ctx, cmd, w, sources)
	}
	a.outputFlag(cmd)
	o.inputFlags(cmd)
	a.cloudFlags(cmd, o)
	o.checkFlags(cmd)
	o.acceptFlag(cmd)
	cmd.Flags().StringVar(&w.out, "out", "", "keep the plan in this file, for apply FILE")
	cmd.Flags().BoolVar(&w.detailed, "detailed-exitcode", false, "0 nothing to do, 2 changes, 1 everything else")
	cmd.Flags().BoolVar(&w.destroy, "delete", false, "say what delete would do")
	return cmd
}

// wanted is what the flags of plan say besides.
type wanted struct {
	out               string
	detailed, destroy bool
}

// plan is the whole of the verb.
func (r *run) plan(ctx context.Context, cmd *cobra.Command, want *wanted, sources []input.Source) error {
	l, fs, p, err := r.planned(ctx, want.destroy, false)
	if err != nil {
		return err
	}
	rep := report{Verb: "plan", Cluster: r.c.TechnicalID, Findings: list(fs), NotChecked: r.left, Summary: tally(fs)}
	if p == nil {
		err := r.app.emit(rep, func(w canvas) {
			w.findings(fs, nil)
			fmt.Fprintf(w, "%s: there is no plan.\nNext: mend them and run this again.\n", sum(fs))
		})
		return r.o.verdict(fs, err)
	}
	if want.out != "" {
		if err := keep(want.out, r, sources, p); err != nil {
			return err
		}
	}
	rep.Steps, rep.Summary, rep.Remains = list(p.Steps), plus(rep.Summary, counts(p)), l.Remains(want.destroy)
	err = r.app.emit(rep, func(w canvas) {
		r.print(w, p, fs)
		w.remains(rep.Remains)
		if next := r.app.after(cmd, p, want); next != "" {
			fmt.Fprintf(w, "Next: %s\n", next)
		}
	})
	if err != nil {
		return err
	}
	if want.detailed && !p.Idle() {
		return verdict(exitChanges)
	}
	return nil
}

// fresh is the UID that a plan is made with whose cluster has none: that of the
// state, or a new one.
func (a *app) fresh(o *options, c *input.Cluster) (string, error) {
	r := &run{app: a, o: o, c: c}
	if err := c.Named(); err != nil {
		return "", err
	}
	if err := r.loadState(false); err != nil {
		return "", err
	}
	if uid := r.state.UID(); uid != "" {
		return uid, nil
	}
	return uuid.NewString(), nil
}

// planned asks all rules and makes the plan; it is nil if findings are in the
// way. A deletion asks no rules but those of the engine. With settle it waits
// first for what an earlier run may still have made.
func (r *run) planned(ctx context.Context, destroy, settle bool) (l look, fs []engine.Finding, p *engine.Plan, err error) {
	if r.c.Config == nil || !destroy && r.o.blocks(r.static) {
		return nil, r.static, nil, nil
	}
	if err := r.connect(ctx); err != nil {
		return nil, nil, nil, err
	}
	why := toReconcile
	if destroy {
		why = toDelete
	}
	if l, err = r.look(ctx, why, settle); err != nil {
		return nil, nil, nil, err
	}
	if destroy {
		p, err = l.PlanDelete()
		return l, nil, p, broke(err)
	}
	if fs = r.found(l); r.o.blocks(fs) {
		return l, fs, nil, nil
	}
	p, err = l.Plan()
	return l, fs, p, broke(err)
}

// print prints a plan with what is to be known before it.
func (r *run) print(w canvas, p *engine.Plan, fs []engine.Finding) {
	w.findings(fs, nil)
	fmt.Fprintf(w, "Plan for %s in %s:\n", r.c.TechnicalID, r.cloud)
	w.steps(p.Steps, wish)
	fmt.Fprintf(w, "%s.\n", upper(counted(p)))
}

// after is what to do with a plan.
func (a *app) after(cmd *cobra.Command, p *engine.Plan, want *wanted) string {
	switch {
	case p.Idle() && want.destroy:
		return ""
	case p.Idle():
		return a.next(cmd, "status")
	case want.destroy:
		return a.next(cmd, "delete")
	case want.out != "":
		return "espalier apply " + quote(want.out)
	}
	return a.next(cmd, "apply")
}

// counts are the steps per action, every action with its number.
func counts(p *engine.Plan) map[string]int {
	n := p.Count()
	c := map[string]int{}
	for _, act := range []engine.Action{engine.Reference, engine.Keep, engine.Create, engine.Update, engine.Replace, engine.Delete, engine.Blocked} {
		c[string(act)] = n[act]
	}
	return c
}

// writes says whether a plan has anything to write.
func writes(p *engine.Plan) bool {
	return slices.ContainsFunc(p.Steps, func(s engine.Step) bool {
		return s.Action != engine.Keep && s.Action != engine.Reference && s.Action != engine.Blocked
	})
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
