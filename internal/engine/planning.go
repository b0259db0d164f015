// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Plan compares what is wanted with what is there. What can not be known is
// blocked, with all that depends on it. The plan is refused, with an error
// that holds the findings, if something that it needs is absent, or it would
// have to change what can not be changed or may not be ours. It does not ask
// the rules; whether their findings block is the caller's say.
func (g *Graph[W]) Plan() (*Plan, error) {
	p := &Plan{of: g}
	b := g.blocks(false)
	for _, n := range g.nodes {
		p.add(n.core().step(b))
	}
	for _, r := range g.removals() {
		p.add(r.step(b))
	}
	g.addUnsure(p)
	return p, refusal(g.problems(false))
}

// step tells of a leftover, with all that its record lists.
func (s sweep) step(r Record) Step {
	step := Step{Name: s.name + "/" + string(r.ID), Kind: r.Kind, Action: Delete, ID: r.ID, Owner: Ours, Note: "left over by others, goes first"}
	for _, key := range sortedKeys(r.Elements) {
		step.Changes = append(step.Changes, Change{Field: key, Removed: r.Elements[key]})
	}
	return step
}

// PlanDelete plans the deletion of all that is ours, and of what the sweeps
// found. It asks no rules, and what the user brought may be gone.
func (g *Graph[W]) PlanDelete() (*Plan, error) {
	p := &Plan{of: g, destroy: true}
	b := g.blocks(true)
	for _, s := range g.sweeps {
		for _, r := range s.recs {
			p.add(s.step(r))
		}
	}
	for _, r := range g.removals() {
		p.add(r.step(b))
	}
	for _, n := range slices.Backward(g.nodes) {
		if s, ok := g.deletion(n.core(), b); ok {
			p.add(s)
		}
	}
	g.addUnsure(p)
	return p, refusal(g.problems(true))
}

// addUnsure lists what may have to be done as well, if only it were known.
func (g *Graph[W]) addUnsure(p *Plan) {
	for _, u := range g.unsure {
		p.add(Step{Name: u.Resource, Kind: strings.Join(u.kinds, ", "), Action: Blocked, Owner: Ours, Note: u.because().Error()})
	}
}

func (p *Plan) add(s Step) { p.Steps = append(p.Steps, s.cleaned()) }

// step says what is to be done to a node.
func (c *core) step(b blocks) Step {
	s := Step{Name: c.name, Kind: c.kind, ID: c.id, Owner: c.owner(), Found: c.found, Because: c.because, Changes: c.changes, Foreign: c.foreign}
	switch {
	case !c.ours():
		s.Action = Reference
		if c.managed {
			s.Note = "it was there before us, or is no longer as we made it"
		}
	case b[c.name] != nil:
		s.Action, s.Changes, s.Note = Blocked, nil, b[c.name].Error()
	case c.id == "":
		s.Action = Create
	case c.anew == "replace":
		s.Action, s.Note = Replace, "deleted, then made anew"
	case c.anew == "replace-first":
		s.Action, s.Note = Replace, "the new one first"
	case len(c.changes) > 0:
		s.Action = Update
	default:
		s.Action = Keep
	}
	return s
}

// deletion says what a deletion does to a node, if there is anything to say.
func (g *Graph[W]) deletion(c *core, b blocks) (Step, bool) {
	s := Step{Name: c.name, Kind: c.kind, ID: c.id, Owner: c.owner(), Found: c.found, Action: Delete, Because: c.because}
	switch id := g.intended(c); {
	case !c.ours():
		s.Action = Reference
		if c.managed {
			s.Note = strings.TrimSpace("stays: it was there before us. " + c.note)
		}
	case b[c.name] != nil:
		s.Action, s.Note = Blocked, b[c.name].Error()
	case c.id == "" && id != "":
		s.ID, s.Found, s.Note = id, Recorded, "it does not show, but may be there"
	case c.id == "":
		return s, false
	default:
		s.Note = c.staysIf
	}
	return s, true
}

// intended is the ID of a node that does not show and yet may be there, if
// that is known.
func (g *Graph[W]) intended(c *core) ID {
	rec, _ := g.state.Get(c.name)
	switch {
	case c.id != "":
	case rec.ID == "" && rec.Intent != nil:
		return rec.Intent.ID
	case rec.ID != "" && rec.Made.Add(Settle).After(g.built):
		return rec.ID
	}
	return ""
}

func (r removal) step(b blocks) Step {
	s := Step{Name: r.Name, Kind: r.Kind, Action: Delete, ID: r.ID, Owner: Ours, Found: r.found, Note: r.note}
	if err := b[r.key()]; err != nil {
		s.Action, s.Note = Blocked, fmt.Sprintf("%s; %v", r.note, err)
	}
	return s
}
