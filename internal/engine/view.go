// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

// A Description is what a picture tells of a resource besides its place in the
// graph.
type Description struct {
	// Sort is what sort of thing it is, as a word with hyphens. Empty is the
	// kind of what is managed.
	Sort string
	// Label is what its owner calls it. It may be empty.
	Label string
	// Facts are a few short ones, such as a range of addresses, in a fixed order.
	Facts []string
	// Joined are the IDs of others that it is attached to, besides its needs.
	Joined []ID
}

// A Described state can tell a picture what it is.
type Described interface {
	// Describe must be pure, and must bear the zero value (of a reference that
	// is absent) and placeholders (of what is not known yet).
	Describe() Description
}

// A View is a resource as a picture shows it. Its texts are cleaned.
type View struct {
	Name, Kind string // Kind is empty for a reference
	ID         ID     // empty if it is not there
	Owner      Owner
	Action     Action
	Needs      []string
	// Asked is the ID that a reference names, be it there or not.
	Asked ID
	// Unknown says that it could not be read.
	Unknown bool
	Description
}

// Views returns all resources, each after those that it needs.
func (g *Graph[W]) Views() (vs []View) {
	b := g.blocks(false)
	for _, n := range g.nodes {
		c := n.core()
		s := c.step(b).cleaned()
		v := View{Name: s.Name, Kind: s.Kind, ID: s.ID, Owner: s.Owner, Action: s.Action,
			Asked: ID(Clean(string(c.asked))), Unknown: c.unknown != nil, Description: n.describe().cleaned()}
		for _, need := range c.needs {
			v.Needs = append(v.Needs, Clean(need.name))
		}
		vs = append(vs, v)
	}
	return vs
}

// Leftovers returns what is ours and in the graph no more: what a plan deletes.
func (g *Graph[W]) Leftovers() (vs []View) {
	b := g.blocks(false)
	for _, r := range g.removals() {
		s := r.step(b).cleaned()
		vs = append(vs, View{Name: s.Name, Kind: s.Kind, ID: s.ID, Owner: s.Owner, Action: s.Action})
	}
	return vs
}

// describe tells of what is there or will be there.
func (n *Node[T]) describe() Description {
	var t T
	switch {
	case n.seen != nil:
		t = *n.seen
	case n.have != nil:
		t = *n.have
	}
	if d, ok := any(t).(Described); ok {
		return d.Describe()
	}
	return Description{}
}

func (d Description) cleaned() Description {
	c := Description{Sort: Clean(d.Sort), Label: Clean(d.Label)}
	for _, f := range d.Facts {
		c.Facts = append(c.Facts, Clean(f))
	}
	for _, id := range d.Joined {
		c.Joined = append(c.Joined, ID(Clean(string(id))))
	}
	return c
}
