// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Severity says what a finding means for a plan.
type Severity string

// An [Error] stands in the way of an apply; a [Warning] is worth a look; an
// [Info] only tells.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// A Rule is what a finding is about, whatever the values are.
type Rule struct {
	// Code is stable for ever and never used for another rule.
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	// Type is a field error type such as NotFound or Invalid; it may be empty.
	Type string `json:"type,omitempty"`
	// Field is the path in the configuration; empty if no field is to blame.
	Field string `json:"path,omitempty"`
	// Fix says in one sentence how to mend it.
	Fix string `json:"fix,omitempty"`
	// Absent is what [Refer] says of a resource that is not there; empty is
	// that it does not exist or can not be seen.
	Absent string `json:"-"`
}

// A Finding is a rule that is broken, or that could not be checked.
type Finding struct {
	Rule
	// Resource is the name of the node that it is about.
	Resource string `json:"resource,omitempty"`
	// Value is what was seen, if it is one value.
	Value   string `json:"value,omitempty"`
	Message string `json:"message"`
	// NotChecked says that something that the rule asks for is unknown: the
	// finding is then no statement about the resource.
	NotChecked bool `json:"not_checked,omitempty"`
}

// A Problem is what a rule has to say of the values that it saw. The zero
// Problem says that all is well. A Fix takes the place of the rule's. Unknown
// is why something that no node stands for could not be seen: the rule is then
// not checked.
type Problem struct {
	Value, Message, Fix string
	Unknown             error
}

// Unless returns the Problem of a value and what is to be said of it; the zero
// Problem if ok.
func Unless(ok bool, value, format string, args ...any) Problem {
	if ok {
		return Problem{}
	}
	return Problem{Value: value, Message: fmt.Sprintf(format, args...)}
}

// String is the finding in one line, without its fix.
func (f Finding) String() string {
	parts := []string{string(f.Severity) + " " + f.Code, f.Field, f.Resource, f.Message}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ": ")
}

// cleaned returns the finding as it may be printed.
func (f Finding) cleaned() Finding {
	f.Field, f.Fix = Clean(f.Field), Clean(f.Fix)
	f.Resource, f.Value, f.Message = Clean(f.Resource), Clean(f.Value), Clean(f.Message)
	return f
}

// A Refusal is the error of a plan that is not made: the findings that are
// errors.
type Refusal []Finding

// Error implements error: a line for each.
func (r Refusal) Error() string {
	var lines []string
	for _, f := range r {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// refusal picks the errors among the findings.
func refusal(fs []Finding) error {
	var r Refusal
	for _, f := range fs {
		if f.Severity == Error {
			r = append(r, f.cleaned())
		}
	}
	if r == nil {
		return nil
	}
	return r
}

// Clean makes a text that may come from a cloud fit to be printed: line breaks
// and tabs become spaces; other control characters, those that turn the
// direction of writing or show as nothing, and broken UTF-8 are left out.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case r == unicode.ReplacementChar || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
}
