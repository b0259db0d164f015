// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// checks adds the rules about what the user brought, and about what is there
// already where ours is to be put. Each is a pure function of facts.
func (t *topology) checks() {
	t.checkNetwork()
	t.checkSubnets()
	t.checkRouter()
	t.checkGateway()
	t.checkGroup()
	t.checkShareNetwork()
	t.checkNamesakes()
	if t.f.Purpose == Preflight {
		t.checkRoom()
	}
}

// require adds a rule about nodes.
func (t *topology) require(r rule, resource string, needs []engine.Dependency, broken func(d engine.Deps) engine.Problem) {
	engine.Require(t.Graph, r.engine(), resource, needs, broken)
}

func (t *topology) checkNetwork() {
	if t.given.Network == "" {
		return
	}
	needs, id := engine.Needs(t.network), string(t.given.Network)
	t.require(rules.external, networkNode, needs, func(d engine.Deps) engine.Problem {
		return engine.Unless(!t.network.State(d).External, id, "network %s is an external network", id)
	})
	t.require(rules.networkDown, networkNode, needs, func(d engine.Deps) engine.Problem {
		return engine.Unless(t.network.State(d).AdminStateUp, id, "network %s has admin_state_up false", id)
	})
	t.require(rules.portSecurity, networkNode, needs, func(d engine.Deps) engine.Problem {
		return engine.Unless(t.network.State(d).PortSecurity, id, "network %s has port_security_enabled false", id)
	})
	foreign := func(d engine.Deps) bool {
		owner := t.network.State(d).Project
		return owner != "" && owner != t.f.Project
	}
	t.require(rules.sharedNetwork, networkNode, needs, func(d engine.Deps) engine.Problem {
		return engine.Unless(!foreign(d) || t.given.Subnet != "", id, "network %s belongs to project %s; a subnet is to be created in it", id, t.network.State(d).Project)
	})
	if !t.c.Overlay {
		t.require(rules.addressPairs, networkNode, needs, func(d engine.Deps) engine.Problem {
			return engine.Unless(!foreign(d), id, "network %s belongs to project %s", id, t.network.State(d).Project)
		})
	}
}

func (t *topology) checkRouter() {
	if t.given.Router == "" {
		return
	}
	id := string(t.given.Router)
	t.require(rules.floatingIPs, routerNode, engine.Needs(t.router, t.external), func(d engine.Deps) engine.Problem {
		has, want := t.router.State(d).External, t.external.ID(d)
		if has == "" {
			return engine.Unless(false, id, "router %s has no external gateway", id)
		}
		return engine.Unless(has == want, id, "router %s has its gateway in network %s, not in %s (%s)", id, has, want, t.c.infra.FloatingPoolName)
	})
	if t.c.Overlay {
		return
	}
	needs := engine.Needs(t.router)
	t.require(rules.routerDown, routerNode, needs, func(d engine.Deps) engine.Problem {
		return engine.Unless(t.router.State(d).AdminStateUp, id, "router %s has admin_state_up false", id)
	})
	t.require(rules.routesInPods, routerNode, needs, func(d engine.Deps) engine.Problem {
		var hits []string
		for _, r := range t.router.State(d).Routes {
			if dest, ok := prefix(r.Destination); ok && startsOrEndsIn(t.c.Pods, dest) && !t.ownRoute(r) {
				hits = append(hits, r.Destination+" via "+r.NextHop)
			}
		}
		return engine.Unless(len(hits) == 0, strings.Join(hits, ", "), "router %s has the routes %s, which begin or end in the pod network", id, strings.Join(hits, ", "))
	})
	if t.given.Subnet == "" {
		return
	}
	t.require(rules.gateway, subnetNode, engine.Needs(t.subnet), func(d engine.Deps) engine.Problem {
		iface, err := t.f.Interfaces.Get(interfaceID(t.given.Router, t.given.Subnet)).State()
		if err != nil || iface == nil {
			return engine.Problem{} // that is a finding already
		}
		gateway := *t.subnet.State(d).Gateway
		return engine.Unless(slices.Contains(iface.Addresses, gateway), gateway, "subnet %s has the gateway %q, the router is %s", t.given.Subnet, gateway, strings.Join(iface.Addresses, ", "))
	})
}

// ownRoute says that a route leads to pods of this cluster, which has been made
// already: all of it is inside the pod network, its next hop in the node subnet.
func (t *topology) ownRoute(r Route) bool {
	dest, ok := prefix(r.Destination)
	_, subnet := t.subnet.Now()
	if !ok || subnet == nil || len(t.f.State.Records()) == 0 || !contains(t.c.Pods, dest) {
		return false
	}
	nodes, ok := prefix(subnet.CIDR)
	hop, err := netip.ParseAddr(r.NextHop)
	return ok && err == nil && nodes.Contains(hop)
}
