// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

func (t *topology) checkTables() {
	for _, u := range t.inUse {
		t.checkWayOut(u)
		if t.c.routed() {
			t.checkRouted(u)
		}
	}
	for _, u := range t.subnets {
		if u.purpose != "nodes" {
			t.checkReach(u)
		}
	}
}

// ask adds a rule about one route table in use.
func (t *topology) ask(u tableUse, r rule, broken func(table RouteTable) engine.Problem) {
	t.require(r, "route-table "+string(u.id), engine.Needs(u.node), func(d engine.Deps) engine.Problem { return broken(u.node.State(d)) })
}

// checkRouted looks at a table that is given to the route controller. Routes to
// machines in a table that we have tagged are the cluster's own.
func (t *topology) checkRouted(u tableUse) {
	t.ask(u, rules.foreignTable, func(table RouteTable) engine.Problem {
		return engine.Unless(table.Owner == "" || table.Owner == t.f.Account, string(u.id), "%s belongs to account %s", u.id, table.Owner)
	})
	t.ask(u, rules.foreignRoutes, func(table RouteTable) engine.Problem {
		var foreign []string
		for _, r := range table.Routes {
			p, ok := prefix(r.Destination)
			inPods := slices.ContainsFunc(family(t.c.Pods, false), func(pods netip.Prefix) bool { return ok && pods.Contains(p.Addr()) })
			if inPods && r.Origin == "CreateRoute" && !(t.weSet(u.id) && isMachine(r.Target)) {
				foreign = append(foreign, r.Destination+" to "+r.Target)
			}
		}
		return engine.Unless(len(foreign) == 0, strings.Join(foreign, ", "), "%s has the routes %s, which begin in the pod network", u.id, strings.Join(foreign, ", "))
	})
	t.ask(u, rules.mainTable, func(RouteTable) engine.Problem {
		return engine.Unless(!u.main, string(u.id), "workers of %s use %s, the main table of the VPC", strings.Join(u.zones, ", "), u.id)
	})
	t.ask(u, rules.sharedTable, func(table RouteTable) engine.Problem {
		others := slices.DeleteFunc(slices.Clone(table.Subnets), func(id engine.ID) bool { return slices.Contains(t.given.subnets(), id) })
		return engine.Unless(len(others) == 0, join(others), "%s is also the table of %s", u.id, join(others))
	})
	t.ask(u, rules.otherTag, func(table RouteTable) engine.Problem {
		others := otherClusters(table.Tags, t.c.clusterKey())
		return engine.Unless(len(others) == 0, strings.Join(others, ", "), "%s bears the tags of %s", u.id, strings.Join(others, ", "))
	})
	t.ask(u, rules.routeRoom, func(table RouteTable) engine.Problem {
		n := len(table.Routes) + t.c.MaxNodes
		quota, known := t.f.routesPerTable()
		return engine.Unless(n <= quota, fmt.Sprint(n), "%s has %d routes, %d nodes are to come, %s", u.id, len(table.Routes), t.c.MaxNodes, known)
	})
}

// tableOf returns the route table that a subnet uses: its own, or the main one.
func (t *topology) tableOf(subnet engine.ID) (table RouteTable, id engine.ID, err error) {
	all, err := t.f.Tables.All()
	for _, f := range all {
		s, serr := f.State()
		switch {
		case serr != nil || s.VPC != t.given.VPC:
		case slices.Contains(s.Subnets, subnet):
			return *s, f.ID, err
		case s.Main:
			table, id = *s, f.ID
		}
	}
	return table, id, err
}

// mostTags is how many tags AWS allows on a resource.
const mostTags = 50

// checkTags asks whether there is room for the tags, and whether those that
// are there are what they look like: once for each thing.
func (t *topology) checkTags() {
	room := t.roomForTags()
	seen := map[engine.ID]bool{}
	for _, w := range t.wanted {
		if seen[w.on] {
			continue
		}
		seen[w.on] = true
		t.askTags(rules.tagRoom, w, func(tags map[string]string) engine.Problem {
			return engine.Unless(len(tags)+room[w.on] <= mostTags, string(w.on), "%s has %d tags, %d are to be added, %d are allowed", w.on, len(tags), room[w.on], mostTags)
		})
		t.askTags(rules.tagSpace, w, func(tags map[string]string) engine.Problem {
			k, ok := lookalike(tags)
			return engine.Unless(!ok, fmt.Sprintf("%q=%q", k, tags[k]), "%s has the tag %q=%q", w.on, k, tags[k])
		})
	}
	for _, w := range t.wanted {
		if w.key != elbTag && w.key != internalTag {
			continue
		}
		r := rules.roleValue
		r.fix = strings.NewReplacer("SUBNET", string(w.on), "KEY", w.key).Replace(r.fix)
		t.askTags(r, w, func(tags map[string]string) engine.Problem {
			v, ok := tags[w.key]
			return engine.Unless(!ok || v == "" || v == "1", v, "%s has the tag %s=%q", w.on, w.key, v)
		})
	}
}

// roomForTags is how many tags are to be added to each thing.
func (t *topology) roomForTags() map[engine.ID]int {
	room := map[engine.ID]int{}
	for _, w := range t.wanted {
		tags, err := t.tagsOf(w)
		if _, there := tags[w.key]; there || err != nil {
			continue // that they are not known is a finding already
		}
		room[w.on]++
		if w.key == elbTag || w.key == internalTag {
			room[w.on]++ // the marker
		}
	}
	return room
}

// askTags adds a rule about the tags of one thing.
func (t *topology) askTags(r rule, w *wantedTag, broken func(tags map[string]string) engine.Problem) {
	t.require(r, string(w.on), engine.Needs(w.node), func(engine.Deps) engine.Problem {
		tags, err := t.tagsOf(w)
		if err != nil {
			return engine.Problem{Unknown: err}
		}
		return broken(tags)
	})
}

// lookalike returns the key of a tag of Kubernetes that white space makes
// another one.
func lookalike(tags map[string]string) (key string, ok bool) {
	for _, k := range slices.Sorted(maps.Keys(tags)) {
		trimmed := strings.TrimSpace(k)
		if strings.HasPrefix(trimmed, "kubernetes.io/") && (k != trimmed || tags[k] != strings.TrimSpace(tags[k])) {
			return k, true
		}
	}
	return "", false
}
