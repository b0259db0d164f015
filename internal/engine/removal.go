// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import "slices"

// A removal is something of ours that no node stands for.
type removal struct {
	Record
	found Found
	note  string
	stray bool // the state does not know it, nor what it needs
}

func (r removal) key() string { return r.Name + " [" + string(r.ID) + "]" }

// orphans are the records and strays that no node of the graph manages.
func (g *Graph[W]) orphans() (rs []Record) {
	seen := map[ID]bool{}
	for _, r := range append(g.state.Records(), g.strays...) {
		c := g.managed(r.Name)
		live := c != nil
		switch {
		case r.ID == "" && r.Intent != nil:
			r.ID = r.Intent.ID
		case r.Deposed && live:
			live = c.id == r.ID && c.anew != "replace-first" || slices.Contains(c.spares, r.ID)
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
		x := removal{Record: r, found: Recorded, note: "no longer in the configuration"}
		if r.Deposed {
			x.note = "replaced earlier"
		}
		if slices.ContainsFunc(g.strays, func(s Record) bool { return s.ID == r.ID }) {
			x.stray = r.Needs == nil
			if !g.state.has(r.ID) {
				x.found = ByMark
			}
		}
		rs = append(rs, x)
	}
	for _, n := range g.nodes {
		for _, id := range n.core().spares {
			x := removal{Record: n.core().record(), found: ByMark, note: "a second one with our mark"}
			x.ID, x.Deposed = id, true
			if g.state.has(id) {
				x.found, x.note = Recorded, "replaced earlier"
			}
			rs = append(rs, x)
		}
	}
	return rs
}
