// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/espalier-io/espalier/internal/draw"
	"github.com/espalier-io/espalier/internal/engine"
)

//go:embed page/preflight.html.tmpl
var preflightText string

var preflightPage = template.Must(template.New("preflight").Parse(preflightText))

// A page is what preflight found, as one HTML document that stands alone. It
// holds no time, so that the same findings give the same bytes.
type page struct {
	Cluster, Cloud      string // Cloud is empty if it was not asked
	Class, Verdict, Sum string
	Groups              []pageGroup
	NotChecked          []string
	Picture             template.HTML // from package draw, which escapes
	Next, Command       string
	Version             string
}

type pageGroup struct {
	Title, Class, Word string
	Findings           []pageFinding
}

type pageFinding struct {
	Code, Title, Field, Resource, Value, Message string
	Fix                                          []fragment
	Text                                         string // why there is such a rule
}

// A fragment is a part of an advice: words, or a command to be copied.
type fragment struct {
	Text    string
	Command bool
}

// html prints the result of a preflight as a page; l is nil if the cloud was
// not asked.
func (r *run) html(cmd *cobra.Command, l look, fs []engine.Finding) error {
	a := r.app
	p := page{Cluster: r.c.TechnicalID, Sum: sum(fs) + ".", Groups: grouped(fs), NotChecked: reasons(r.left), Version: a.env.Version}
	switch {
	case l == nil:
		p.Class, p.Verdict, p.Sum = "error", "The configuration has errors", sum(fs)+". The cloud was not asked."
	case r.o.blocks(fs):
		p.Class, p.Verdict = "error", "The network will not carry the cluster yet"
	case tally(fs)["unknown"] > 0:
		p.Class, p.Verdict = "warning", "The network will carry the cluster, as far as could be seen"
	case tally(fs)["warnings"] > 0:
		p.Class, p.Verdict = "warning", "The network will carry the cluster; some things are worth a look"
	default:
		p.Class, p.Verdict = "good", "The network will carry the cluster"
	}
	if p.Class == "error" {
		p.Next, p.Command = "Mend what stands in the way, and look again:", a.next(cmd, "preflight")
	} else {
		p.Next, p.Command = "See what would be made:", a.next(cmd, "plan")
	}
	if l != nil {
		p.Cloud = r.cloud.String()
		p.Picture = template.HTML(draw.New("", resources(l), fs).SVG()) // #nosec G203: it is escaped there
	}
	var b bytes.Buffer
	if err := preflightPage.Execute(&b, p); err != nil {
		return fmt.Errorf("printing the result: %w", err)
	}
	_, err := a.env.Out.Write(b.Bytes())
	return err
}

// grouped are the findings by what they mean, the worst first.
func grouped(fs []engine.Finding) (groups []pageGroup) {
	for _, g := range []pageGroup{
		{Title: "Errors: they stand in the way", Class: "error", Word: "error"},
		{Title: "Warnings: worth a look", Class: "warning", Word: "warning"},
		{Title: "Not known: it could not be read", Class: "unknown", Word: "unknown"},
		{Title: "For information", Class: "info", Word: "info"},
	} {
		for _, f := range fs {
			if wordOf(f) == g.Word {
				g.Findings = append(g.Findings, onPage(f))
			}
		}
		if len(g.Findings) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// wordOf says in a word what a finding means.
func wordOf(f engine.Finding) string {
	if f.NotChecked && f.Severity != engine.Error {
		return "unknown"
	}
	return string(f.Severity)
}

func onPage(f engine.Finding) pageFinding {
	p := pageFinding{Code: f.Code, Field: f.Field, Value: f.Value, Message: f.Message, Fix: advice(f.Fix)}
	if f.Resource != f.Field {
		p.Resource = f.Resource
	}
	if e, ok := explanationOf(f.Code); ok {
		p.Title, p.Text = e.Title, e.Text
	}
	return p
}

// command finds commands in an advice: at its start, or after a colon or a
// semicolon, up to the next semicolon or a comma that a blank follows.
var command = func() *regexp.Regexp {
	tools := []string{"espalier"}
	for _, p := range providers() {
		tools = append(tools, p.tool())
	}
	return regexp.MustCompile(`(^|[:;] )((?:` + strings.Join(tools, "|") + `) (?:[^;,]|,\S)+)`)
}()

// advice takes the commands out of an advice.
func advice(fix string) (fragments []fragment) {
	add := func(text string, isCommand bool) {
		if text = strings.TrimSpace(text); text != "" && strings.Trim(text, ";:, ") != "" {
			fragments = append(fragments, fragment{text, isCommand})
		}
	}
	from := 0
	for _, at := range command.FindAllStringSubmatchIndex(fix, -1) {
		add(strings.TrimSuffix(strings.TrimSpace(fix[from:at[4]]), ";"), false)
		add(fix[at[4]:at[5]], true)
		from = at[5]
	}
	add(strings.TrimLeft(fix[from:], ";, "), false)
	return fragments
}
