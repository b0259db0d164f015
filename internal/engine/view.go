// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

// A View is a resource as a picture shows it.
type View struct {
	Name, Kind string
	ID         ID
	Action     Action
	Needs      []string
}

// Views returns all resources, each after those that it needs.
func (g *Graph[W]) Views() (vs []View) {
	for _, n := range g.nodes {
		c := n.core()
		v := View{Name: c.name, Kind: c.kind, ID: c.id, Action: c.step().Action}
		for _, need := range c.needs {
			v.Needs = append(v.Needs, need.name)
		}
		vs = append(vs, v)
	}
	return vs
}
