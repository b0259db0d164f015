// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/validate"
)

// static asks the rules that need no cloud. old is the configuration that this
// one takes the place of, nil if there is none.
func (a *app) static(c *input.Cluster, old any) (fs []engine.Finding, left []notChecked) {
	fs = slices.Clone(c.Findings)
	if c.Config == nil {
		return fs, nil // the findings say why
	}
	r := byType(a.providers, c.Cloud).rules(c, old)
	return append(fs, ruled(r)...), unasked(r)
}

func ruled(r validate.Report) (fs []engine.Finding) {
	for _, e := range r.Errors {
		fs = append(fs, finding(e, engine.Error))
	}
	for _, e := range r.Warnings {
		fs = append(fs, finding(e, engine.Warning))
	}
	return fs
}

func unasked(r validate.Report) (left []notChecked) {
	for _, n := range r.NotChecked {
		left = append(left, notChecked{n.Code, engine.Clean(n.Reason)})
	}
	return left
}

// finding is a field error as a finding.
func finding(e *field.Error, severity engine.Severity) engine.Finding {
	f := engine.Finding{
		Rule: engine.Rule{
			Code: e.Origin, Severity: severity, Field: engine.Clean(e.Field),
			Type: strings.TrimPrefix(string(e.Type), "FieldValue"),
		},
	}
	problem, fix := validate.Parts(e)
	f.Message, f.Fix = engine.Clean(problem), engine.Clean(fix)
	if f.Message == "" {
		f.Message = e.Type.String()
	}
	switch e.Type {
	case field.ErrorTypeRequired, field.ErrorTypeForbidden, field.ErrorTypeInternal: // these have no value worth printing
	default:
		f.Value = shown(e.BadValue)
	}
	return f
}

// shown is a value as a finding prints it: short, on one line.
func shown(v any) string {
	if v == nil {
		return ""
	}
	text := []rune(engine.Clean(fmt.Sprint(v)))
	if len(text) > 120 {
		text = append(text[:119], '…')
	}
	return string(text)
}

// blocks says whether findings stop the work.
func (o *options) blocks(fs []engine.Finding) bool {
	return slices.ContainsFunc(fs, func(f engine.Finding) bool {
		return f.Severity == engine.Error || f.Severity == engine.Warning && !f.NotChecked && o.failOn == "warning"
	})
}

// accepted turns the errors that the user accepts into warnings.
func (o *options) accepted(fs []engine.Finding) []engine.Finding {
	fs = slices.Clone(fs)
	for i, f := range fs {
		if f.Severity == engine.Error && slices.Contains(o.accept, f.Code) {
			fs[i].Severity = engine.Warning
			fs[i].Message += " (accepted)"
		}
	}
	return fs
}
