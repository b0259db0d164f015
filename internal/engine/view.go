// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

// A View is a resource as a picture shows it.
type View struct {
	Name, Kind string
	ID         ID
	Owner      Owner
	Action     Action
	Needs      []string
}

// Views returns all resources, each after those that it needs.
func (g *Graph[W]) Views() (vs []View) {
	b := g.blocks(false)
	for _, n := range g.nodes {
		c := n.core()
		s := c.step(b).cleaned()
		v := View{Name: s.Name, Kind: s.Kind, ID: s.ID, Owner: s.Owner, Action: s.Action}
		for _, need := range c.needs {
			v.Needs = append(v.Needs, Clean(need.name))
		}
		vs = append(vs, v)
	}
	return vs
}
