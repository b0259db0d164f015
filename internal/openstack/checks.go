// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// checks adds the rules about what the user brought, and about what is there
// already where ours is to be put. Each is a pure function of facts.
func (t *topology) checks() {
	t.checkNetwork()
	t.checkSubnet()
	t.checkRouter()
	t.checkRange()
	t.checkGroup()
	t.checkNamesakes()
}

// require adds a rule about nodes.
func (t *topology) require(r rule, resource string, needs []engine.Dependency, broken func(d engine.Deps) engine.Problem) {
	engine.Require(t.Graph, r.engine(), resource, needs, broken)
}

// unless returns a problem if ok is false.
func unless(ok bool, value, format string, args ...any) engine.Problem {
	if ok {
		return engine.Problem{}
	}
	return engine.Problem{Value: value, Message: fmt.Sprintf(format, args...)}
}

func (t *topology) checkNetwork() {
	if t.given.Network == "" {
		return
	}
	needs, id := engine.Needs(t.network), string(t.given.Network)
	t.require(rules.external, networkNode, needs, func(d engine.Deps) engine.Problem {
		return unless(!t.network.State(d).External, id, "network %s is an external network", id)
	})
	t.require(rules.networkDown, networkNode, needs, func(d engine.Deps) engine.Problem {
		return unless(t.network.State(d).AdminStateUp, id, "network %s has admin_state_up false", id)
	})
	t.require(rules.portSecurity, networkNode, needs, func(d engine.Deps) engine.Problem {
		return unless(t.network.State(d).PortSecurity, id, "network %s has port_security_enabled false", id)
	})
	foreign := func(d engine.Deps) bool {
		owner := t.network.State(d).Project
		return owner != "" && owner != t.f.Project
	}
	t.require(rules.sharedNetwork, networkNode, needs, func(d engine.Deps) engine.Problem {
		return unless(!foreign(d) || t.given.Subnet != "", id, "network %s belongs to project %s; a subnet is to be created in it", id, t.network.State(d).Project)
	})
	if !t.c.Overlay {
		t.require(rules.addressPairs, networkNode, needs, func(d engine.Deps) engine.Problem {
			return unless(!foreign(d), id, "network %s belongs to project %s", id, t.network.State(d).Project)
		})
	}
}

func (t *topology) checkSubnet() {
	if t.given.Subnet == "" {
		return
	}
	needs, id := engine.Needs(t.network, t.subnet), string(t.given.Subnet)
	t.require(rules.subnetInNetwork, subnetNode, needs, func(d engine.Deps) engine.Problem {
		in, want := t.subnet.State(d).Network, t.network.ID(d)
		return unless(in == want, id, "subnet %s is in network %s, not in %s", id, in, want)
	})
	needs = engine.Needs(t.subnet)
	t.require(rules.ipv4, subnetNode, needs, func(d engine.Deps) engine.Problem {
		return unless(t.subnet.State(d).IPVersion == 4, id, "subnet %s has IP version %d", id, t.subnet.State(d).IPVersion)
	})
	t.require(rules.insideNodes, subnetNode, needs, func(d engine.Deps) engine.Problem {
		cidr, ok := prefix(t.subnet.State(d).CIDR)
		return unless(!ok || len(t.c.Nodes) == 0 || contains(t.c.Nodes, cidr), cidr.String(), "subnet %s (%s) is not inside spec.networking.nodes (%s)", id, cidr, join(t.c.Nodes))
	})
	t.require(rules.overlapsPods, subnetNode, needs, func(d engine.Deps) engine.Problem {
		cidr, ok := prefix(t.subnet.State(d).CIDR)
		if with, hit := overlap(slices.Concat(t.c.Pods, t.c.Services), cidr); ok && hit {
			return unless(false, cidr.String(), "subnet %s (%s) overlaps %s, a range of pods or services", id, cidr, with)
		}
		return engine.Problem{}
	})
	t.require(rules.dhcp, subnetNode, needs, func(d engine.Deps) engine.Problem {
		return unless(t.subnet.State(d).DHCP, id, "subnet %s has enable_dhcp false", id)
	})
	t.require(rules.resolvers, subnetNode, needs, func(d engine.Deps) engine.Problem {
		return unless(len(t.subnet.State(d).DNS) > 0, id, "subnet %s has no dns_nameservers", id)
	})
}

func (t *topology) checkRouter() {
	if t.given.Router == "" {
		return
	}
	id := string(t.given.Router)
	t.require(rules.floatingIPs, routerNode, engine.Needs(t.router, t.external), func(d engine.Deps) engine.Problem {
		has, want := t.router.State(d).External, t.external.ID(d)
		if has == "" {
			return unless(false, id, "router %s has no external gateway", id)
		}
		return unless(has == want, id, "router %s has its gateway in network %s, not in %s (%s)", id, has, want, t.c.infra.FloatingPoolName)
	})
	if t.c.Overlay {
		return
	}
	needs := engine.Needs(t.router)
	t.require(rules.routerDown, routerNode, needs, func(d engine.Deps) engine.Problem {
		return unless(t.router.State(d).AdminStateUp, id, "router %s has admin_state_up false", id)
	})
	t.require(rules.routesInPods, routerNode, needs, func(d engine.Deps) engine.Problem {
		var hits []string
		for _, r := range t.router.State(d).Routes {
			if dest, ok := prefix(r.Destination); ok && startsOrEndsIn(t.c.Pods, dest) && !t.ownRoute(r) {
				hits = append(hits, r.Destination+" via "+r.NextHop)
			}
		}
		return unless(len(hits) == 0, strings.Join(hits, ", "), "router %s has the routes %s, which begin or end in the pod network", id, strings.Join(hits, ", "))
	})
	if t.given.Subnet == "" {
		return
	}
	t.require(rules.gateway, subnetNode, engine.Needs(t.subnet), func(d engine.Deps) engine.Problem {
		iface, err := t.f.Interfaces.Get(interfaceID(t.given.Router, t.given.Subnet)).State()
		if err != nil || iface == nil {
			return engine.Problem{} // that is a finding already
		}
		gateway := t.subnet.State(d).GatewayIP
		return unless(slices.Contains(iface.Addresses, gateway), gateway, "subnet %s has the gateway %q, the router is %s", t.given.Subnet, gateway, strings.Join(iface.Addresses, ", "))
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

// checkRange sees to it that the subnet that we make fits where it goes. Once
// it is there Neutron has said so itself.
func (t *topology) checkRange() {
	cidr, ok := prefix(t.c.workers())
	if !ok || t.given.Network == "" || t.given.Subnet != "" || t.subnet.Found() != "" {
		return
	}
	t.require(rules.overlapsSubnet, subnetNode, engine.Needs(t.network), func(engine.Deps) engine.Problem {
		if t.f.InNetworkErr != nil {
			return engine.Problem{Unknown: t.f.InNetworkErr}
		}
		for _, f := range t.f.InNetwork {
			other := f.State
			if p, ok := prefix(other.CIDR); ok && p.Overlaps(cidr) {
				return unless(false, cidr.String(), "%s overlaps subnet %s %q (%s) of the network", cidr, f.ID, other.Name, p)
			}
		}
		return engine.Problem{}
	})
	if t.given.Router == "" {
		return
	}
	t.require(rules.overlapsInterface, subnetNode, engine.Needs(t.router), func(engine.Deps) engine.Problem {
		if t.f.OnRouterErr != nil {
			return engine.Problem{Unknown: t.f.OnRouterErr}
		}
		for _, s := range t.f.OnRouter {
			if p, ok := prefix(s.State.CIDR); ok && p.Overlaps(cidr) {
				return unless(false, cidr.String(), "%s overlaps subnet %s %q (%s) on the router", cidr, s.ID, s.Name, p)
			}
		}
		return engine.Problem{}
	})
}

func (t *topology) checkGroup() {
	r := rules.groupName
	if t.given.SecurityGroup == "" {
		r.field, r.fix = "", "rename the other group: machines are given their group by its name"
	}
	t.require(r, groupNode, engine.Needs(t.group), func(d engine.Deps) engine.Problem {
		if t.f.GroupsNamedErr != nil {
			return engine.Problem{Unknown: t.f.GroupsNamedErr}
		}
		var others []string
		for _, g := range t.f.GroupsNamed {
			if g.ID != t.group.Found() && g.Name == t.group.State(d).Name {
				others = append(others, string(g.ID))
			}
		}
		return unless(len(others) == 0, t.group.State(d).Name, "the name %q is also that of %s", t.group.State(d).Name, strings.Join(others, ", "))
	})
	if t.given.SecurityGroup == "" {
		return
	}
	t.require(rules.groupRules, groupNode, engine.Needs(t.group), func(d engine.Deps) engine.Problem {
		missing := missingRules(t.group.State(d).Rules, t.c.neededRules())
		if len(missing) == 0 {
			return engine.Problem{}
		}
		var says, fixes []string
		for _, m := range missing {
			says = append(says, m.String())
			fixes = append(fixes, m.command(string(t.given.SecurityGroup)))
		}
		p := unless(false, string(t.given.SecurityGroup), "missing: %s", strings.Join(says, "; "))
		p.Fix = strings.Join(fixes, "; ")
		return p
	})
}

func (t *topology) checkNamesakes() {
	for _, n := range t.f.Namesakes {
		r, message := rules.namesake, fmt.Sprintf("%s %s is also called %q", n.Kind, n.ID, t.c.TechnicalID)
		if n.UID != "" {
			r, message = rules.otherCluster, fmt.Sprintf("%s %s belongs to a cluster %q with the UID %s; this one has %s", n.Kind, n.ID, t.c.TechnicalID, n.UID, t.c.UID)
		}
		t.require(r, n.Kind+" "+string(n.ID), nil, func(engine.Deps) engine.Problem {
			return engine.Problem{Value: string(n.ID), Message: message}
		})
	}
}

func prefix(s string) (netip.Prefix, bool) {
	p, err := netip.ParsePrefix(s)
	return p.Masked(), err == nil
}

// startsOrEndsIn is how the cloud controller manager tells its own routes: the
// first or the last address lies in a pod network.
func startsOrEndsIn(pods []netip.Prefix, dest netip.Prefix) bool {
	return slices.ContainsFunc(pods, func(p netip.Prefix) bool {
		return p.Contains(dest.Addr()) || p.Contains(last(dest))
	})
}

// last returns the last address of a range.
func last(p netip.Prefix) netip.Addr {
	raw := p.Masked().Addr().AsSlice()
	for bit := p.Bits(); bit < len(raw)*8; bit++ {
		raw[bit/8] |= 1 << (7 - bit%8)
	}
	a, _ := netip.AddrFromSlice(raw)
	return a
}

func join(ps []netip.Prefix) string {
	var out []string
	for _, p := range ps {
		out = append(out, p.String())
	}
	return strings.Join(out, ", ")
}
