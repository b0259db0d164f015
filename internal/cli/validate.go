// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"maps"

	"github.com/spf13/cobra"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
	"github.com/espalier-io/espalier/internal/statefile"
)

const validateHelp = `Checks a configuration against all rules that need no cloud, those of Gardener
among them. It needs no credentials and changes nothing.

With --old it also checks that nothing changes that may not. Without --old, and
if there is a state file of the cluster, that is checked against what was
applied last.

Exit codes: 0 no errors, 1 errors (or warnings, with --fail-on warning), 2 it
could not run.`

const validateExample = `  espalier validate -f shoot.yaml
  espalier validate -f shoot.yaml --cloud-profile profile.yaml
  espalier validate -f new.yaml --old old.yaml -o json`

func (a *app) validate() *cobra.Command {
	o := &options{}
	var old string
	cmd := &cobra.Command{Use: "validate -f FILE", Short: "Check a configuration without a cloud", Long: validateHelp, Example: validateExample}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, _, err := a.load(cmd, o)
		if err != nil {
			return err
		}
		was, err := a.before(o, c, old)
		if err != nil {
			return err
		}
		fs, left := a.static(c, was)
		r := report{Verb: "validate", Cluster: c.TechnicalID, Findings: list(fs), NotChecked: left, Summary: tally(fs)}
		err = a.emit(r, func(w canvas) {
			w.findings(fs, left)
			if o.blocks(fs) {
				fmt.Fprintf(w, "%s in %s.\nNext: mend them and run this again; espalier explain CODE tells more.\n", sum(fs), c.From)
				return
			}
			next := a.next(cmd, "preflight")
			if c.TechnicalID == "" {
				next += " --name shoot--project--cluster"
			}
			fmt.Fprintf(w, "%s in %s.\nNext: %s\n", sum(fs), c.From, next)
		})
		return o.verdict(fs, err)
	}
	a.outputFlag(cmd)
	o.inputFlags(cmd)
	o.checkFlags(cmd)
	cmd.Flags().StringVar(&old, "old", "", "the configuration that this one is to replace")
	cmd.Flags().StringVar(&o.state, "state", "", "state file (default: NAME.espalier.json beside the input)")
	return cmd
}

// before is the configuration that c takes the place of: the file old, else
// what the state says was applied last, else nil.
func (a *app) before(o *options, c *input.Cluster, old string) (any, error) {
	if old != "" {
		return a.older(c, old)
	}
	if o.state == "" && c.TechnicalID == "" {
		return nil, nil
	}
	data, err := c.State, error(nil)
	if path := o.state; data == nil || path != "" {
		if path == "" {
			path = beside(c)
		}
		if data, _, err = statefile.Read(path); err != nil {
			return nil, err
		}
	}
	state, err := engine.LoadState(data, nil)
	if err != nil {
		return nil, err
	}
	if c.TechnicalID == "" {
		return nil, c.Named()
	}
	return a.applied(state, c)
}

// older reads the configuration in the file that --old names. It may have been
// good for an older version, so that unknown fields do not matter.
func (a *app) older(c *input.Cluster, name string) (any, error) {
	sources, err := input.Read([]string{name}, a.env.In)
	if err != nil {
		return nil, err
	}
	was, err := input.Parse(sources, input.Flags{}, forms()...)
	if err != nil {
		return nil, err
	}
	switch {
	case was.Config == nil:
		return nil, fault.Errorf(fault.Invalid, "--old %s can not be read: %s", name, was.Findings[len(was.Findings)-1].Message)
	case was.Cloud != c.Cloud && c.Config != nil:
		return nil, fault.Errorf(fault.Invalid, "--old %s is of %s, and the %s is of %s", name, was.Cloud, c.From, c.Cloud)
	}
	return was.Config, nil
}

// verdict ends a command that only checks.
func (o *options) verdict(fs []engine.Finding, err error) error {
	if err == nil && o.blocks(fs) {
		return verdict(exitBad)
	}
	return err
}

// list is a list that is there even if it is empty.
func list[T any](ts []T) *[]T {
	if ts == nil {
		ts = []T{}
	}
	return &ts
}

// plus is the sum of two summaries.
func plus(a, b map[string]int) map[string]int {
	c := maps.Clone(a)
	maps.Copy(c, b)
	return c
}
