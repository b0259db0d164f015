// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
	"github.com/espalier-io/espalier/internal/validate"
)

const explainHelp = `Tells more about the code of a finding: what the rule is, why there is one, and
where it comes from. Without a code it lists all.`

const explainExample = `  espalier explain
  espalier explain EOS101`

// An explanation is the long text about a code.
type explanation struct {
	Code   string `json:"code"`
	Title  string `json:"title"`
	Text   string `json:"text"`
	Source string `json:"source"`
	// Acceptable says that --accept turns it into a warning.
	Acceptable bool `json:"acceptable,omitempty"`
}

// explanations are those of all codes, in the order of the codes.
func explanations() (all []explanation) {
	for _, e := range slices.Concat(input.Explanations(), engine.Explanations()) {
		all = append(all, explanation{e.Code, e.Title, e.Text, e.Source, false})
	}
	for _, p := range providers() {
		for _, e := range p.explanations() {
			all = append(all, explanation{e.Code, e.Title, e.Text, e.Source, p.acceptable(e.Code)})
		}
	}
	for _, e := range validate.Explanations() {
		all = append(all, explanation{e.Code, e.Title, e.Text, e.Source, false})
	}
	slices.SortFunc(all, func(a, b explanation) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

func explanationOf(code string) (explanation, bool) {
	all := explanations()
	i, ok := slices.BinarySearchFunc(all, code, func(e explanation, code string) int { return cmp.Compare(e.Code, code) })
	if !ok {
		return explanation{}, false
	}
	return all[i], true
}

func (a *app) explain() *cobra.Command {
	cmd := &cobra.Command{Use: "explain [CODE]", Short: "Tell more about the code of a finding", Long: explainHelp, Example: explainExample}
	cmd.Args = cobra.MaximumNArgs(1)
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) (codes []string, _ cobra.ShellCompDirective) {
		for _, e := range explanations() {
			codes = append(codes, e.Code+"\t"+e.Title)
		}
		return codes, cobra.ShellCompDirectiveNoFileComp
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			all := explanations()
			return a.emit(report{Verb: "explain", Codes: all}, func(w canvas) {
				for _, e := range all {
					fmt.Fprintf(w, "%-8s %s\n", e.Code, e.Title)
				}
			})
		}
		code := strings.ToUpper(args[0])
		e, ok := explanationOf(code)
		if !ok {
			return fault.Errorf(fault.NotFound, "there is no code %q: espalier explain lists all", engine.Clean(args[0]))
		}
		return a.emit(report{Verb: "explain", Codes: []explanation{e}}, func(w canvas) {
			fmt.Fprintf(w, "%s: %s\n\n%s\n\nSource: %s\n", e.Code, e.Title, wrap(e.Text, 80), e.Source)
			if e.Acceptable {
				fmt.Fprintf(w, "If you know better: --accept %s\n", e.Code)
			}
		})
	}
	a.outputFlag(cmd)
	return cmd
}

// wrap breaks a text into lines.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		switch n := len([]rune(word)); {
		case column == 0:
			column = n
		case column+1+n > width:
			b.WriteByte('\n')
			column = n
		default:
			b.WriteByte(' ')
			column += 1 + n
		}
		b.WriteString(word)
	}
	return b.String()
}
