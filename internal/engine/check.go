// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Severity says what a finding means for a plan.
type Severity string

// An Error stands in the way of a plan.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// A Rule is what a finding is about, whatever the values are.
type Rule struct {
	Code     string
	Severity Severity
	Field    string // the path in the configuration
	Fix      string
}

// A Finding is a rule that is broken, or that could not be checked.
type Finding struct {
	Rule
	Resource string // the node
	Message  string
}

func (f Finding) String() string {
	return fmt.Sprintf("%s %s: %s: %s: %s", f.Severity, f.Code, f.Field, f.Resource, f.Message)
}

// Require adds a rule about resources. broken says what is wrong with the
// values that it saw, or nothing. It is not asked while a need is absent (that
// is a finding already); if one is unknown the finding says "not checked".
func Require[W any](g *Graph[W], rule Rule, resource string, needs []Dependency, broken func(d Deps) string) {
	c := &core{name: "rule " + rule.Code}
	for _, d := range needs {
		need, _ := d.dependency()
		c.needs = append(c.needs, need)
	}
	g.rules = append(g.rules, func() *Finding {
		for _, n := range c.needs {
			if n.unknown != nil {
				return &Finding{Rule{rule.Code, Info, rule.Field, ""}, resource, fmt.Sprintf("not checked: %s: %v", n.name, n.unknown)}
			}
			if n.id == "" && n.theirs {
				return nil
			}
		}
		d := &deps{of: c}
		defer func() { d.over = true }()
		if m := broken(d); m != "" {
			return &Finding{rule, resource, m}
		}
		return nil
	})
}

// Check returns all that is to be said before a plan, in the order of the graph.
func (g *Graph[W]) Check() []Finding {
	fs := g.problems(false)
	for _, r := range g.rules {
		if f := r(); f != nil {
			fs = append(fs, *f)
		}
	}
	return fs
}

func (g *Graph[W]) refuse(code, field, resource, message, fix string) {
	g.refusals = append(g.refusals, Finding{Rule{code, Error, field, fix}, resource, message})
}

// problems are the findings of the engine itself; of these a deletion minds
// only those that would make it wrong.
func (g *Graph[W]) problems(destroy bool) (fs []Finding) {
	if c := g.state.doc.Cloud; c != "" && c != g.cloud {
		fs = append(fs, Finding{Rule{"other-cloud", Error, "", "use the credentials and region of that cloud"}, "state",
			fmt.Sprintf("the state belongs to %s, the credentials to %s", c, g.cloud)})
	}
	for _, f := range g.refusals {
		if !destroy || f.Code == "recorded-as-ours" {
			fs = append(fs, f)
		}
	}
	fs = append(fs, g.unsure...)
	for _, n := range g.nodes {
		c := n.core()
		if c.managed && c.unknown != nil {
			fs = append(fs, Finding{Rule{"unknown", Error, "", "grant the right to read it, or try again"}, c.name, c.unknown.Error()})
		}
		for _, need := range c.needs {
			if !destroy && c.managed && need.theirs && (need.unknown != nil || need.id == "") {
				fs = append(fs, Finding{Rule{"needs", Error, "", ""}, c.name, fmt.Sprintf("needs %s, which is absent or unknown", need.name)})
			}
		}
	}
	for _, r := range g.orphans() {
		if g.kinds[r.Kind] == nil {
			fs = append(fs, Finding{Rule{"no-remover", Error, "", "use the version of Espalier that made it"}, r.Name,
				fmt.Sprintf("%s: no one knows how to delete a %q", r.ID, r.Kind)})
		}
	}
	return fs
}

func blocking(fs []Finding) error {
	var errs []error
	for _, f := range fs {
		if f.Severity == Error {
			errs = append(errs, errors.New(f.String()))
		}
	}
	return errors.Join(errs...)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
