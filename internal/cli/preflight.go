// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/espalier-io/espalier/internal/engine"
)

const preflightHelp = `Checks whether the network will carry the cluster: that what the configuration
names is there, fits together, and leaves nothing that is certain to fail later.
It only reads; credentials that may only read are enough. What they may not see
is reported as unknown, and nothing is concluded from it.

With -o html it is one page that stands alone, to be sent to whoever owns the
network: verdict, findings with what to do, and a picture.

Exit codes: 0 no errors, 1 errors (or warnings, with --fail-on warning), 2 it
could not run.`

const preflightExample = `  espalier preflight -f shoot.yaml
  espalier preflight -f shoot.yaml -o html > preflight.html
  espalier preflight -f config.yaml --name shoot--project--cluster --fail-on warning`

func (a *app) preflight() *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{Use: "preflight -f FILE", Short: "Check whether a network will carry the cluster", Long: preflightHelp, Example: preflightExample}
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
		fs, left := r.static, r.left
		var l look
		if !hasErrors(fs) {
			if fs, l, err = r.preflight(ctx); err != nil {
				return err
			}
		}
		if a.output == "html" {
			return o.verdict(fs, r.html(cmd, l, fs))
		}
		out := report{Verb: "preflight", Cluster: c.TechnicalID, Findings: list(fs), NotChecked: left, Summary: tally(fs)}
		err = a.emit(out, func(w canvas) {
			w.findings(fs, left)
			switch {
			case hasErrors(r.static):
				fmt.Fprintf(w, "%s. The cloud was not asked.\nNext: mend the configuration and run this again.\n", sum(fs))
			case o.blocks(fs):
				fmt.Fprintf(w, "%s in %s.\nNext: mend them and run this again; espalier explain CODE tells more.\n", sum(fs), r.cloud)
			default:
				fmt.Fprintf(w, "%s in %s.\nNext: %s\n", sum(fs), r.cloud, a.next(cmd, "plan"))
			}
		})
		return o.verdict(fs, err)
	}
	a.outputFlag(cmd, "html")
	o.inputFlags(cmd)
	a.cloudFlags(cmd, o)
	o.checkFlags(cmd)
	o.acceptFlag(cmd)
	return cmd
}

// preflight asks the cloud, and all rules.
func (r *run) preflight(ctx context.Context) ([]engine.Finding, look, error) {
	if err := r.connect(ctx); err != nil {
		return nil, nil, err
	}
	l, err := r.look(ctx, toPreflight, false)
	if err != nil {
		return nil, nil, err
	}
	return r.found(l), l, nil
}

// found are all findings, those of the static rules first.
func (r *run) found(l look) []engine.Finding {
	return r.o.accepted(slices.Concat(r.static, l.Check()))
}

func hasErrors(fs []engine.Finding) bool {
	return slices.ContainsFunc(fs, func(f engine.Finding) bool { return f.Severity == engine.Error })
}
