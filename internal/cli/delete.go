// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/espalier-io/espalier/internal/aws"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/openstack"
)

const deleteHelp = `Takes away all that apply has made, and nothing else. It shows what it will
delete and what stays, and asks; --yes does not ask.

What you own stays, and may be gone already. No rule is in the way of a
deletion. If the state is lost, what bears the mark of the cluster is found
again; then it asks once more, with the list (--delete-marked says yes to that).
When nothing is left the state file is removed too. What others made for the
cluster in things of yours and left behind, such as routes to pods in route
tables, is listed in the end with the commands that remove it.

Exit codes: 0 done, 1 refused or failed, 2 it could not run.`

const deleteExample = `  espalier plan --delete -f shoot.yaml
  espalier delete -f shoot.yaml
  espalier delete -f config.yaml --name shoot--project--cluster --yes`

func (a *app) delete() *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{Use: "delete -f FILE", Short: "Take away what apply has made", Long: deleteHelp, Example: deleteExample}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, _, err := a.load(cmd, o)
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
		return r.delete(ctx)
	}
	a.outputFlag(cmd)
	o.inputFlags(cmd)
	a.cloudFlags(cmd, o)
	o.writeFlags(cmd)
	return cmd
}

// delete is the whole of the verb, once the state is held.
func (r *run) delete(ctx context.Context) error {
	l, fs, p, err := r.planned(ctx, true, true)
	if err != nil {
		return err
	}
	if p == nil {
		return r.refuse("delete", fs)
	}
	if others := namesakes(l.Check()); len(r.state.Records()) == 0 && len(others) > 0 && !r.o.marked {
		return r.others(others)
	}
	if err := r.approve(ctx, p, nil, "Delete this?"); err != nil {
		return err
	}
	done, err := r.carryOut(ctx, l, p)
	if err != nil {
		return r.unfinished(ctx, "delete", p, nil, done, err)
	}
	removed, err := r.forget()
	if err != nil {
		return failed{err}
	}
	rest := l.Remains(true)
	rep := report{Verb: "delete", Cluster: r.c.TechnicalID, Outcome: "done", Findings: list[engine.Finding](nil), Steps: list(p.Steps), Summary: counts(p), Remains: rest}
	return r.app.emit(rep, func(w canvas) {
		if writes(p) {
			fmt.Fprintf(w, "Done: %s in %s; what is yours is as it was.\n", done, r.cloud)
		} else {
			fmt.Fprintf(w, "Nothing to do: there is nothing of %s in %s.\n", r.c.TechnicalID, r.cloud)
		}
		if removed {
			fmt.Fprintf(w, "Nothing is left, so the state file %s is removed.\n", r.path)
		}
		w.remains(rest)
	})
}

// namesakes are the findings that a cluster of the same name has things here.
func namesakes(fs []engine.Finding) []engine.Finding {
	return slices.DeleteFunc(slices.Clone(fs), func(f engine.Finding) bool {
		return f.Code != openstack.OtherCluster && f.Code != aws.OtherCluster
	})
}

// others tells who has no state that there is something of that name with
// another UID: it may be this cluster's, whose UID was lost too.
func (r *run) others(fs []engine.Finding) error {
	rep := report{Verb: "delete", Cluster: r.c.TechnicalID, Outcome: "refused", Findings: list(fs), Summary: tally(fs)}
	err := r.app.emit(rep, func(w canvas) {
		w.findings(fs, nil)
		fmt.Fprintf(w, "Nothing was deleted: no state is there, and what %s has in %s is not of the UID %s.\n", r.c.TechnicalID, r.cloud, r.c.UID)
	})
	if err != nil {
		return err
	}
	return verdict(exitBad)
}

// forget removes the state file if there is nothing left to remember.
func (r *run) forget() (removed bool, err error) {
	if len(r.state.Records()) > 0 || r.file.Data() == nil {
		return false, nil
	}
	return true, r.file.Remove()
}
