// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"slices"
	"strings"
)

// An Action is what a plan does to a resource.
type Action string

// The actions, in the words of the trade.
const (
	Reference Action = "reference" // it is the user's: nothing
	Keep      Action = "keep"
	Create    Action = "create"
	Update    Action = "update"
	Replace   Action = "replace"
	Delete    Action = "delete"
)

// A Step is one line of a plan.
type Step struct {
	Name, Kind string
	Action     Action
	ID         ID
	Changes    []Change // for a create, all that is wanted
	Because    []string
	Note       string
}

// A Plan is what Apply will do.
type Plan struct {
	Steps   []Step
	destroy bool
	of      any
}

// Idle says whether there is nothing to write.
func (p *Plan) Idle() bool {
	return !slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Action != Keep && s.Action != Reference })
}

// Plan compares what is wanted with what is there. It is refused while
// something that it would act on or because of is unknown, absent or not ours.
// It does not ask the rules; whether their findings block is the caller's say.
func (g *Graph[W]) Plan() (*Plan, error) {
	p := &Plan{of: g}
	for _, n := range g.nodes {
		p.Steps = append(p.Steps, n.core().step())
	}
	for _, r := range g.removals() {
		p.Steps = append(p.Steps, Step{Name: r.Name, Kind: r.Kind, Action: Delete, ID: r.ID, Note: r.note})
	}
	return p, blocking(g.problems(false))
}

func (c *core) step() Step {
	s := Step{Name: c.name, Kind: c.kind, ID: c.id, Because: c.because, Changes: c.changes}
	switch {
	case !c.ours():
		s.Action = Reference
		if c.managed {
			s.Note = "it was there before us, or is no longer as we made it"
		}
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

// PlanDelete plans the deletion of all that is ours, and of what the sweeps
// found. It asks no rules, and what the user brought may be gone.
func (g *Graph[W]) PlanDelete() (*Plan, error) {
	p := &Plan{of: g, destroy: true}
	for _, s := range g.sweeps {
		for _, r := range s.recs {
			p.Steps = append(p.Steps, Step{Name: s.name + "/" + string(r.ID), Kind: r.Kind, Action: Delete, ID: r.ID, Note: "made by others in what is ours"})
		}
	}
	for _, r := range g.removals() {
		p.Steps = append(p.Steps, Step{Name: r.Name, Kind: r.Kind, Action: Delete, ID: r.ID, Note: r.note})
	}
	for _, n := range slices.Backward(g.nodes) {
		c := n.core()
		s := Step{Name: c.name, Kind: c.kind, ID: c.id, Action: Delete, Because: c.because}
		if !c.ours() {
			s.Action = Reference
			if c.managed {
				s.Note = strings.TrimSpace("stays: it was there before us. " + c.note)
			}
		}
		if c.ours() && c.id == "" {
			continue
		}
		p.Steps = append(p.Steps, s)
	}
	return p, blocking(g.problems(true))
}

// A removal is something of ours that no node stands for.
type removal struct {
	Record
	note  string
	stray bool // the state does not know it, nor what it needs
}

// orphans are the records and strays that no node of the graph manages.
func (g *Graph[W]) orphans() (rs []Record) {
	seen := map[ID]bool{}
	for _, r := range append(g.state.Records(), g.strays...) {
		n := g.byName[r.Name]
		live := n != nil && n.core().managed
		switch {
		case r.ID == "" && r.Intent != nil:
			r.ID = r.Intent.ID
		case r.Deposed && live:
			live = n.core().id == r.ID && n.core().anew != "replace-first" || slices.Contains(n.core().spares, r.ID)
		}
		if !live && r.ID != "" && !seen[r.ID] {
			seen[r.ID] = true
			rs = append(rs, r)
		}
	}
	return rs
}

// removals are the orphans, newest first, and the spares of nodes.
func (g *Graph[W]) removals() (rs []removal) {
	for _, r := range slices.Backward(g.orphans()) {
		note := "no longer in the configuration"
		if r.Deposed {
			note = "replaced earlier"
		}
		stray := slices.ContainsFunc(g.strays, func(s Record) bool { return s.ID == r.ID })
		rs = append(rs, removal{r, note, stray && r.Needs == nil})
	}
	for _, n := range g.nodes {
		for _, id := range n.core().spares {
			spare := n.core().record()
			spare.ID, spare.Deposed = id, true
			rs = append(rs, removal{spare, "a second one with our mark", false})
		}
	}
	return rs
}

func (p *Plan) String() string {
	var b strings.Builder
	for _, s := range p.Steps {
		line := fmt.Sprintf("%-10s%s", s.Action, s.Name)
		if s.ID != "" {
			line += " [" + string(s.ID) + "]"
		}
		if len(s.Because) > 0 {
			line += " (" + strings.Join(s.Because, ", ") + ")"
		}
		if s.Note != "" {
			line += ": " + s.Note
		}
		b.WriteString(line + "\n")
		for _, c := range s.Changes {
			fmt.Fprintf(&b, "            %s\n", c)
		}
	}
	return b.String()
}
