// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"image/color"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"charm.land/lipgloss/v2"

	"github.com/espalier-io/espalier/internal/engine"
)

// The colours are those of every terminal's own palette. They only underline
// what the words say already.
var (
	red    = lipgloss.Red
	yellow = lipgloss.Yellow
	green  = lipgloss.Green
	cyan   = lipgloss.Cyan
	faint  = lipgloss.BrightBlack
)

// colours says whether a stream may get colours.
func (a *app) colours(tty bool) bool {
	return tty && !a.noColor && a.env.Getenv("NO_COLOR") == "" && a.env.Getenv("TERM") != "dumb"
}

// A canvas is where a table is printed to.
type canvas struct {
	io.Writer
	colour bool
}

func (a *app) canvas(w io.Writer, tty bool) canvas { return canvas{w, a.colours(tty)} }

// in is a text in a colour, if there are colours.
func (w canvas) in(c color.Color, text string) string {
	if !w.colour {
		return text
	}
	return lipgloss.NewStyle().Foreground(c).Render(text)
}

// findings prints findings, the worst first, each with its place, the
// values seen and the way to mend it.
func (w canvas) findings(fs []engine.Finding, left []notChecked) {
	for _, f := range ranked(fs) {
		word, c := string(f.Severity), faint
		switch {
		case f.NotChecked:
			word = "unknown"
		case f.Severity == engine.Error:
			c = red
		case f.Severity == engine.Warning:
			c = yellow
		case f.Severity == engine.Info:
		}
		place := f.Field
		if f.Resource != "" && f.Resource != f.Field {
			place = strings.TrimSpace(place + " (" + f.Resource + ")")
		}
		head := fmt.Sprintf("%s %s", w.in(c, fmt.Sprintf("%-9s", word)), f.Code)
		if place != "" {
			head += "  " + place
		}
		if f.Value != "" {
			head += " = " + f.Value
		}
		fmt.Fprintln(w, head)
		fmt.Fprintf(w, "          %s\n", f.Message)
		if f.Fix != "" {
			fmt.Fprintf(w, "          Fix: %s\n", f.Fix)
		}
	}
	for _, reason := range reasons(left) {
		fmt.Fprintf(w, "%s %s\n", w.in(faint, "unchecked"), reason)
	}
}

// reasons says what was not checked, once per reason.
func reasons(left []notChecked) (lines []string) {
	codes := map[string][]string{}
	var order []string
	for _, n := range left {
		if codes[n.Reason] == nil {
			order = append(order, n.Reason)
		}
		codes[n.Reason] = append(codes[n.Reason], n.Code)
	}
	for _, reason := range order {
		lines = append(lines, strings.Join(codes[reason], ", ")+": "+reason)
	}
	return lines
}

// ranked returns the findings with the worst first, else in their order.
func ranked(fs []engine.Finding) []engine.Finding {
	rank := func(f engine.Finding) int {
		switch {
		case f.Severity == engine.Error:
			return 0
		case f.NotChecked:
			return 2
		case f.Severity == engine.Warning:
			return 1
		}
		return 3
	}
	fs = slices.Clone(fs)
	slices.SortStableFunc(fs, func(a, b engine.Finding) int { return rank(a) - rank(b) })
	return fs
}

// sum counts the findings: "2 errors, 1 warning".
func sum(fs []engine.Finding) string {
	n := tally(fs)
	var parts []string
	for _, what := range []string{"errors", "warnings", "unknown", "infos"} {
		switch count, one := n[what], strings.TrimSuffix(what, "s"); {
		case count == 1:
			parts = append(parts, "1 "+one)
		case count > 1:
			parts = append(parts, fmt.Sprintf("%d %s", count, what))
		}
	}
	if len(parts) == 0 {
		return "Nothing found"
	}
	return strings.Join(parts, ", ")
}

// tally is the summary of findings.
func tally(fs []engine.Finding) map[string]int {
	n := map[string]int{"errors": 0, "warnings": 0}
	for _, f := range fs {
		switch {
		case f.Severity == engine.Error:
			n["errors"]++
		case f.NotChecked:
			n["unknown"]++
		case f.Severity == engine.Warning:
			n["warnings"]++
		default:
			n["infos"]++
		}
	}
	return n
}

// wish says what is to be done to a resource, in a word.
func wish(act engine.Action) string {
	if act == engine.Reference {
		return "yours"
	}
	return string(act)
}

// present says how a resource is now, in a word.
func present(act engine.Action) string {
	switch act {
	case engine.Keep:
		return "good"
	case engine.Create:
		return "missing"
	case engine.Update, engine.Replace:
		return "differs"
	case engine.Delete:
		return "left over"
	case engine.Blocked:
		return "unknown"
	case engine.Reference:
	}
	return "yours"
}

// steps prints steps: a line per resource, and below it what changes.
func (w canvas) steps(steps []engine.Step, word func(engine.Action) string) {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, s := range steps {
		id := string(s.ID)
		switch {
		case id == "":
			id = "-"
		case told(s.Name, strings.Split(id, "#")...):
			id = ""
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", word(s.Action), s.Name, id, remark(s))
	}
	if err := t.Flush(); err != nil {
		return // a strings.Builder takes everything
	}
	for i, line := range strings.SplitAfter(b.String(), "\n") {
		if i >= len(steps) {
			break
		}
		s := steps[i]
		fmt.Fprintln(w, strings.Replace(strings.TrimRight(line, " \n"), word(s.Action), w.in(shade(s.Action), word(s.Action)), 1))
		for _, c := range s.Changes {
			if c.From == "" && told(s.Name, c.To) {
				continue
			}
			for _, line := range c.Lines() {
				fmt.Fprintf(w, "             %s\n", w.in(faint, line))
			}
		}
		for _, f := range s.Foreign {
			fmt.Fprintf(w, "             not ours, stays: %s\n", f)
		}
	}
}

// remains prints what stays in things of the user's.
func (w canvas) remains(all []remain) {
	if len(all) > 0 {
		fmt.Fprintln(w, "Left alone in things of yours, though the cluster may have no more use for it:")
	}
	for _, r := range all {
		fmt.Fprintf(w, "  %s\n    %s\n", engine.Clean(r.What), engine.Clean(r.Command))
	}
}

// told says that a name tells texts already: each is a word of it, or the part
// of one in front of a slash.
func told(name string, texts ...string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool {
		return text == "" || !strings.HasSuffix(name, " "+text) && !strings.Contains(name, " "+text+"/")
	})
}

// remark is what is to be said of a step besides.
func remark(s engine.Step) string {
	var parts []string
	if s.Owner == engine.Ours && s.Found != "" && s.Found != engine.Recorded {
		parts = append(parts, "found by "+foundBy(s.Found))
	}
	if len(s.Because) > 0 {
		parts = append(parts, "for "+strings.Join(s.Because, ", "))
	}
	if s.Note != "" {
		parts = append(parts, s.Note)
	}
	return strings.Join(parts, "; ")
}

func foundBy(f engine.Found) string {
	switch f {
	case engine.ByMark:
		return "its mark"
	case engine.ByAdoption:
		return "adoption"
	case engine.ByContent:
		return "its content"
	case engine.Recorded:
	}
	return "the state"
}

func shade(act engine.Action) color.Color {
	switch act {
	case engine.Create:
		return green
	case engine.Update, engine.Replace:
		return yellow
	case engine.Delete, engine.Blocked:
		return red
	case engine.Reference:
		return cyan
	case engine.Keep:
	}
	return faint
}

// counted says in one line what a plan does: "3 to create, 1 to delete; 4 of
// yours stay as they are".
func counted(p *engine.Plan) string {
	n := p.Count()
	var parts []string
	for _, act := range []engine.Action{engine.Create, engine.Update, engine.Replace, engine.Delete} {
		if n[act] > 0 {
			parts = append(parts, fmt.Sprintf("%d to %s", n[act], act))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "nothing to do")
	}
	text := strings.Join(parts, ", ")
	if n[engine.Keep] > 0 {
		text += fmt.Sprintf("; %d of ours as they should be", n[engine.Keep])
	}
	if n[engine.Reference] > 0 {
		text += fmt.Sprintf("; %d of yours, not touched", n[engine.Reference])
	}
	if n[engine.Blocked] > 0 {
		text += fmt.Sprintf("; %d blocked, because something could not be read", n[engine.Blocked])
	}
	return text
}
