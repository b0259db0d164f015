// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

const (
	everyIPv4 = "0.0.0.0/0"
	everyIPv6 = "::/0"
	// nat64 is what DNS64 makes of IPv4 addresses. Source: RFC 6052, section 2.1.
	nat64 = "64:ff9b::/96"
)

// checkWayOut asks where traffic of worker subnets goes that is not for the
// VPC. Any target will do, if it is alive: a transit gateway, a firewall or an
// instance is as good as a NAT gateway.
func (t *topology) checkWayOut(u tableUse) {
	where := fmt.Sprintf("%s, the table of the workers of %s", u.id, strings.Join(u.zones, ", "))
	destinations := t.c.anywhere()
	for _, d := range destinations {
		t.checkDefault(u, where, d)
		t.checkWhereTo(u, where, d)
	}
	if t.c.IPv6 && !t.c.IPv4 {
		destinations = append(destinations, nat64)
		t.ask(u, rules.dns64, func(table RouteTable) engine.Problem {
			route, ok := table.to(nat64)
			return engine.Unless(ok && strings.HasPrefix(route.Target, "nat-"), nat64, "%s has no route of %s to a NAT gateway", where, nat64)
		})
	}
	for _, d := range destinations {
		t.checkTarget(u, where, d)
	}
	if t.c.IPv4 {
		t.checkPublicWorkers(u, where)
	}
}

// checkDefault asks for a route to a destination.
func (t *topology) checkDefault(u tableUse, where, destination string) {
	r := rules.noDefault
	if destination == everyIPv6 {
		r = rules.noEgress6
	}
	t.ask(u, r, func(table RouteTable) engine.Problem {
		_, ok := table.to(destination)
		p := engine.Unless(ok, destination, "%s has no route to %s", where, destination)
		if eigw := t.egressGateway(); !ok && destination == everyIPv6 && eigw != "" {
			p.Fix = fmt.Sprintf("aws ec2 create-route --route-table-id %s --destination-ipv6-cidr-block ::/0 --egress-only-internet-gateway-id %s", u.id, eigw)
		}
		return p
	})
}

// checkTarget asks whether a route that is there leads anywhere.
func (t *topology) checkTarget(u tableUse, where, destination string) {
	t.ask(u, rules.deadDefault, func(table RouteTable) engine.Problem {
		route, ok := table.to(destination)
		return engine.Unless(!ok || !route.Blackhole, destination, "in %s the route %s leads to %s, which is gone", where, destination, route.Target)
	})
	t.ask(u, rules.natReach, func(table RouteTable) engine.Problem {
		route, _ := table.to(destination)
		if route.Blackhole {
			return engine.Problem{} // that is a finding already
		}
		return t.natProblem(engine.ID(route.Target), where, destination)
	})
}

// ownWaysOut are the beginnings of IDs of AWS's own ways to the internet.
var ownWaysOut = []string{"nat-", "igw-", "eigw-"}

// checkWhereTo tells of a way out that is not AWS's own.
func (t *topology) checkWhereTo(u tableUse, where, destination string) {
	t.ask(u, rules.otherWayOut, func(table RouteTable) engine.Problem {
		route, ok := table.to(destination)
		own := slices.ContainsFunc(ownWaysOut, func(p string) bool { return strings.HasPrefix(route.Target, p) })
		return engine.Unless(!ok || own || route.Blackhole, route.Target, "in %s the route %s leads to %s", where, destination, route.Target)
	})
}

// natProblem says why a NAT gateway that a live route leads to carries nothing
// to the internet. One that has failed or is gone makes the route a blackhole.
func (t *topology) natProblem(id engine.ID, where, destination string) engine.Problem {
	if !strings.HasPrefix(string(id), "nat-") {
		return engine.Problem{}
	}
	nat, err := t.f.NATs.Get(id).State()
	switch {
	case errors.Is(err, engine.ErrNotRead):
		return engine.Problem{}
	case err != nil:
		return engine.Problem{Unknown: err}
	case nat == nil:
		return engine.Problem{} // it went between two calls
	case nat.Private || nat.Subnet == "":
		return engine.Problem{} // where it leads to is the user's business; or it is regional and AWS's
	}
	table, tableID, err := t.tableOf(nat.Subnet)
	if err != nil {
		return engine.Problem{Unknown: err}
	}
	return engine.Unless(table.reachesInternet(everyIPv4), string(id), "in %s the route %s leads to %s, which stands in %s, whose table %s has no route to an internet gateway", where, destination, id, nat.Subnet, tableID)
}

// checkPublicWorkers asks whether nodes whose way out is an internet gateway
// get the public address that it takes.
func (t *topology) checkPublicWorkers(u tableUse, where string) {
	needs := engine.Needs(u.node)
	var workers []*engine.Node[Subnet]
	for _, s := range t.subnets {
		if s.purpose == "nodes" && slices.Contains(u.zones, s.zone) {
			needs = append(needs, s.node)
			workers = append(workers, s.node)
		}
	}
	t.require(rules.noPublicIPv4, "route-table "+string(u.id), needs, func(d engine.Deps) engine.Problem {
		route, _ := u.node.State(d).to(everyIPv4)
		if !strings.HasPrefix(route.Target, "igw-") {
			return engine.Problem{}
		}
		var without []engine.ID
		for _, n := range workers {
			if !n.State(d).PublicIPv4 {
				without = append(without, n.ID(d))
			}
		}
		return engine.Unless(len(without) == 0, join(without), "in %s the route %s leads to %s, and %s gives nodes no public address", where, everyIPv4, route.Target, join(without))
	})
}

// checkReach asks whether load balancer subnets reach the internet, or do not,
// in each IP family.
func (t *topology) checkReach(u use) {
	r := rules.publicReach
	if u.purpose == "internal" {
		r = rules.internalReach
	}
	id := u.id
	t.require(r.at(u.field), "subnet "+string(id), engine.Needs(u.node), func(d engine.Deps) engine.Problem {
		table, tableID, err := t.tableOf(id)
		switch {
		case err != nil:
			return engine.Problem{Unknown: err}
		case u.node.State(d).VPC != t.given.VPC:
			return engine.Problem{} // that is a finding already
		}
		for _, family := range t.c.anywhere() {
			switch reaches := table.reachesInternet(family); {
			case u.purpose == "internal" && reaches:
				return engine.Unless(false, string(id), "table %s of subnet %s has a route of %s to an internet gateway", tableID, id, familyOf(family))
			case u.purpose != "internal" && !reaches:
				return engine.Unless(false, string(id), "table %s of subnet %s has no route of %s to an internet gateway", tableID, id, familyOf(family))
			}
		}
		return engine.Problem{}
	})
}

// reachesInternet says that a table has a live route to an internet gateway in
// the IP family of a CIDR. Which destination it has is left to the user: half
// of the internet in each of two routes is all of it.
func (t RouteTable) reachesInternet(family string) bool {
	return slices.ContainsFunc(t.Routes, func(r Route) bool {
		return strings.HasPrefix(r.Target, "igw-") && !r.Blackhole && familyOf(r.Destination) == familyOf(family)
	})
}

func familyOf(cidr string) string {
	if strings.Contains(cidr, ":") {
		return "IPv6"
	}
	return "IPv4"
}

// to returns the route to a destination.
func (t RouteTable) to(destination string) (Route, bool) {
	i := slices.IndexFunc(t.Routes, func(r Route) bool { return r.Destination == destination })
	if i < 0 {
		return Route{}, false
	}
	return t.Routes[i], true
}
