// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"cmp"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// A place is a layer of the picture, from the outside world inward. What is
// beside them carries no traffic.
type place int

const (
	outside place = iota
	gateway
	link // connects a gateway with what is inside
	inside
	ground // what the things inside lie in
	beside
	placesEnd
)

func (p place) String() string {
	return [...]string{"outside", "gateway", "interfaces", "subnets", "network", "besides"}[p]
}

// places says where things belong, by their sort. A sort that is not in it is
// drawn beside.
var places = map[string]place{
	"external-network":             outside,
	"internet-gateway":             outside,
	"egress-only-internet-gateway": outside,
	"router":                       gateway,
	"nat-gateway":                  gateway,
	"router-interface":             link,
	"subnet":                       inside,
	"network":                      ground,
	"vpc":                          ground,
}

// sortOf says what sort of thing a view is. The name counts where it is itself
// a sort, since a reference that is absent may know no better.
func sortOf(v engine.View) (string, place) {
	name, _, _ := strings.Cut(v.Name, " ")
	for _, s := range []string{v.Name, v.Sort, v.Kind} {
		if p, ok := places[s]; ok {
			return s, p
		}
	}
	return cmp.Or(v.Sort, v.Kind, name), beside
}

// outer says whether p is further out than q.
func (p place) outer(q place) bool { return p < q }

// relation says in a word how a thing stands to one that it needs. What it is
// joined with in truth may be something else: then it only should.
func relation(it, to item) string {
	is, should := "needs", "needs"
	switch {
	case to.place == outside:
		is, should = "leads to", "should lead to"
	case to.place == ground && it.place == inside:
		is, should = "lies in", "should lie in"
	case it.place == inside && to.place == beside:
		return "from"
	case to.place == ground, to.place == inside:
		return "on"
	}
	if it.astray(to) {
		return should
	}
	return is
}
