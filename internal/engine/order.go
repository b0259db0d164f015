// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import "slices"

// edges say what of the nodes comes before what.
type edges struct {
	names []string            // all nodes
	anew  []string            // those that are deleted before they are made anew
	needs map[string][]string // what a node needs
	users map[string][]string // who needs it, or did until now
}

func (g *Graph[W]) edges() edges {
	e := edges{needs: map[string][]string{}, users: map[string][]string{}}
	for _, n := range g.nodes {
		c := n.core()
		e.names = append(e.names, c.name)
		if c.ours() && c.id != "" && c.anew == "replace" {
			e.anew = append(e.anew, c.name)
		}
		for _, need := range c.needs {
			e.needs[c.name] = append(e.needs[c.name], need.name)
			e.users[need.name] = append(e.users[need.name], c.name)
		}
	}
	for _, rec := range g.state.Records() {
		for _, need := range rec.Needs {
			e.users[need] = append(e.users[need], rec.Name)
		}
	}
	return e
}

// An order says what has to go before what.
type order struct {
	keys     []string
	before   map[string][]string
	removals map[string]removal // by key
	nodes    map[string]*core
	swept    map[string]Record
}

// order says what of the removals has to go before what.
func (g *Graph[W]) order(rs []removal) order {
	o := order{before: map[string][]string{}, removals: map[string]removal{}, nodes: map[string]*core{}, swept: map[string]Record{}}
	for _, x := range rs {
		o.keys = append(o.keys, x.key())
		o.removals[x.key()] = x
		for _, y := range rs {
			switch {
			case slices.Contains(y.After, x.Name):
				o.put(x.key(), y.key())
			case slices.Contains(y.Needs, x.Name), (x.stray || y.stray) && g.ranks[y.Kind] > g.ranks[x.Kind]:
				o.put(y.key(), x.key())
			}
		}
	}
	return o
}

func (o *order) put(first, then string) { o.before[then] = append(o.before[then], first) }

// destruction is the order in which all that is ours goes: each before what it
// needs, and what others made in it first of all.
func (g *Graph[W]) destruction() order {
	o := g.order(g.removals())
	removals := slices.Clone(o.keys)
	for _, n := range g.nodes {
		c := n.core()
		o.keys = append(o.keys, c.name)
		o.nodes[c.name] = c
		for _, need := range c.needs {
			if c.after[need] {
				o.put(need.name, c.name)
			} else {
				o.put(c.name, need.name)
			}
		}
		for _, k := range removals {
			g.orderBeside(&o, c, k)
		}
	}
	for _, s := range g.sweeps {
		for _, rec := range s.recs {
			k := s.name + "/" + string(rec.ID)
			o.keys = append(o.keys, k)
			o.swept[k] = rec
			for _, need := range s.needs {
				o.put(k, need)
			}
		}
	}
	return o
}

// orderBeside says whether a removal goes before a node, or after it. Of what
// the state does not know only the kind says.
func (g *Graph[W]) orderBeside(o *order, c *core, k string) {
	x := o.removals[k]
	later := !c.managed || g.ranks[x.Kind] > g.ranks[c.kind]
	switch {
	case slices.Contains(x.Needs, c.name), x.stray && later:
		o.put(k, c.name)
	case x.stray && g.ranks[x.Kind] < g.ranks[c.kind]:
		o.put(c.name, k)
	}
}
