// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Require adds a rule about resources. broken says what is wrong with the
// values that it saw; it must be pure. It is not asked while a need is absent
// (that is a finding already); if one is unknown the finding is "not checked".
func Require[W any](g *Graph[W], rule Rule, resource string, needs []Dependency, broken func(d Deps) Problem) {
	c := &core{name: "rule " + rule.Code}
	for _, d := range needs {
		need, _ := d.dependency()
		c.needs = append(c.needs, need)
	}
	notChecked := func(format string, args ...any) *Finding {
		r := Rule{Code: rule.Code, Severity: Info, Type: rule.Type, Field: rule.Field}
		return &Finding{Rule: r, Resource: resource, Message: "not checked: " + fmt.Sprintf(format, args...), NotChecked: true}
	}
	g.rules = append(g.rules, func() *Finding {
		for _, n := range c.needs {
			if n.unknown != nil {
				return notChecked("%s: %v", n.name, n.unknown)
			}
			if n.id == "" && n.theirs {
				return nil
			}
		}
		d := &deps{of: c}
		defer func() { d.over = true }()
		p := broken(d)
		switch {
		case p.Unknown != nil:
			return notChecked("%v", p.Unknown)
		case p == (Problem{}):
			return nil
		}
		r := rule
		r.Fix = cmp.Or(p.Fix, r.Fix)
		return &Finding{Rule: r, Resource: resource, Value: p.Value, Message: p.Message}
	})
}

// Check returns all that is to be said before a plan, in the order of the
// graph. Text that comes from the cloud is cleaned.
func (g *Graph[W]) Check() []Finding {
	fs := g.problems(false)
	for _, r := range g.rules {
		if f := r(); f != nil {
			fs = append(fs, *f)
		}
	}
	for i := range fs {
		fs[i] = fs[i].cleaned()
	}
	return fs
}

// find returns what the engine itself has found.
func find(code, field, resource, value, format string, args ...any) Finding {
	r := general[code]
	r.Field = field
	return Finding{Rule: r, Resource: resource, Value: value, Message: fmt.Sprintf(format, args...), NotChecked: code == unread}
}

func (g *Graph[W]) refuse(f Finding) { g.refusals = append(g.refusals, f) }

// problems are the findings of the engine itself; of these a deletion minds
// only those that would make it wrong.
func (g *Graph[W]) problems(destroy bool) (fs []Finding) {
	if c := g.state.Cloud(); c != "" && c != g.cloud {
		fs = append(fs, find(otherCloud, "", "state", c, "the state belongs to %s, the credentials to %s", c, g.cloud))
	}
	b := g.blocks(destroy)
	for _, f := range g.refusals {
		// What a blocked node would have to change is not known.
		if f.Code == recordedOurs || !destroy && (f.Code != fixedField || b[f.Resource] == nil) {
			fs = append(fs, f)
		}
	}
	for _, u := range g.unsure {
		fs = append(fs, u.Finding)
	}
	for _, n := range g.nodes {
		fs = append(fs, n.core().problems(destroy)...)
	}
	for _, r := range g.orphans() {
		if g.kinds[r.Kind] == nil {
			fs = append(fs, find(noRemover, "", r.Name, string(r.ID), "%s: no one knows how to delete a %q", r.ID, r.Kind))
		}
	}
	return fs
}

func (c *core) problems(destroy bool) (fs []Finding) {
	if !c.managed {
		return nil
	}
	if c.unknown != nil {
		fs = append(fs, find(unread, "", c.name, "", "%v", c.unknown))
	}
	for _, need := range c.needs {
		if !destroy && need.theirs && need.unknown == nil && need.id == "" {
			fs = append(fs, find(absentNeed, "", c.name, need.name, "needs %s, which is absent", need.name))
		}
	}
	return fs
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
