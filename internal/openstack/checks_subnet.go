// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/espalier-io/espalier/internal/engine"
)

// checkSubnets looks at the subnets of the user's, and at the place where ours
// are to be put.
func (t *topology) checkSubnets() {
	if t.given.Subnet != "" {
		t.checkIPv4Subnet()
	} else {
		t.checkPlace(t.subnet, subnetNode, "networks.workers", Subnet{IPVersion: 4, CIDR: t.c.workers()})
	}
	if t.given.SubnetIPv6 != "" {
		t.checkIPv6Subnet()
		return
	}
	for _, s := range []struct {
		n           *engine.Node[Subnet]
		node, field string
	}{
		{t.ipv6.nodes, nodesIPv6Node, "networks.ipv6.nodeCIDR"},
		{t.ipv6.pods, podsIPv6Node, "networks.ipv6.podCIDR"},
		{t.ipv6.services, servicesIPv6Node, "networks.ipv6.serviceCIDR"},
	} {
		if s.n != nil {
			t.checkPlace(s.n, s.node, s.field, t.c.ipv6Range(s.node, Subnet{}))
		}
	}
}

func (t *topology) checkIPv4Subnet() {
	needs, id := engine.Needs(t.subnet), string(t.given.Subnet)
	t.checkMembership(rules.subnetInNetwork, subnetNode, t.subnet, id)
	t.require(rules.ipv4, subnetNode, needs, func(d engine.Deps) engine.Problem {
		return engine.Unless(t.subnet.State(d).IPVersion == 4, id, "subnet %s has IP version %d", id, t.subnet.State(d).IPVersion)
	})
	t.require(rules.insideNodes, subnetNode, needs, func(d engine.Deps) engine.Problem {
		cidr, ok := prefix(t.subnet.State(d).CIDR)
		return engine.Unless(!ok || len(t.c.Nodes) == 0 || contains(t.c.Nodes, cidr), cidr.String(), "subnet %s (%s) is not inside spec.networking.nodes (%s)", id, cidr, join(t.c.Nodes))
	})
	t.require(rules.overlapsPods, subnetNode, needs, func(d engine.Deps) engine.Problem {
		return meets(t.subnet.State(d).CIDR, id, slices.Concat(t.c.Pods, t.c.Services))
	})
	t.require(rules.dhcp, subnetNode, needs, func(d engine.Deps) engine.Problem {
		return engine.Unless(*t.subnet.State(d).DHCP, id, "subnet %s has enable_dhcp false", id)
	})
	t.require(rules.resolvers, subnetNode, needs, func(d engine.Deps) engine.Problem {
		return engine.Unless(len(t.subnet.State(d).DNS) > 0, id, "subnet %s has no dns_nameservers", id)
	})
}

func (t *topology) checkIPv6Subnet() {
	needs, id := engine.Needs(t.ipv6.nodes), string(t.given.SubnetIPv6)
	t.checkMembership(rules.subnetIPv6InNetwork, nodesIPv6Node, t.ipv6.nodes, id)
	t.require(rules.ipv6, nodesIPv6Node, needs, func(d engine.Deps) engine.Problem {
		return engine.Unless(t.ipv6.nodes.State(d).IPVersion == 6, id, "subnet %s has IP version %d", id, t.ipv6.nodes.State(d).IPVersion)
	})
	t.require(rules.overlapsIPv6, nodesIPv6Node, needs, func(d engine.Deps) engine.Problem {
		return meets(t.ipv6.nodes.State(d).CIDR, id, t.c.ipv6Ranges())
	})
	t.require(rules.ipv6Mode, nodesIPv6Node, needs, func(d engine.Deps) engine.Problem {
		return engine.Unless(t.ipv6.nodes.State(d).IPv6Mode != "", id, "subnet %s has no ipv6_address_mode", id)
	})
}

// ipv6Ranges are the IPv6 ranges of pods and Services that the configuration
// spells out.
func (c Config) ipv6Ranges() (out []netip.Prefix) {
	if in := c.infra.Networks.IPv6; in != nil {
		for _, cidr := range []string{in.PodCIDR, in.ServiceCIDR} {
			if p, ok := prefix(cidr); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

// checkMembership sees to it that a subnet is in the given network.
func (t *topology) checkMembership(r rule, node string, subnet *engine.Node[Subnet], id string) {
	t.require(r, node, engine.Needs(t.network, subnet), func(d engine.Deps) engine.Problem {
		in, want := subnet.State(d).Network, t.network.ID(d)
		return engine.Unless(in == want, id, "subnet %s is in network %s, not in %s", id, in, want)
	})
}

// meets says that the range of a subnet shares addresses with pods or Services.
func meets(cidr, id string, ranges []netip.Prefix) engine.Problem {
	p, ok := prefix(cidr)
	if with, hit := overlap(ranges, p); ok && hit {
		return engine.Unless(false, p.String(), "subnet %s (%s) overlaps %s, a range of pods or Services", id, p, with)
	}
	return engine.Problem{}
}

// checkPlace sees to it that a subnet that we make fits where it goes. Once it
// is there Neutron has said so itself.
func (t *topology) checkPlace(n *engine.Node[Subnet], node, field string, want Subnet) {
	if n.Found() != "" {
		return
	}
	if pool := t.poolOf(want); pool != "" {
		t.checkPool(node, want, pool)
	}
	cidr, ok := prefix(want.CIDR)
	if t.given.Network != "" {
		t.checkNeighbours(node, field, cidr, ok, want)
	}
	if !ok || t.given.Router == "" || node == podsIPv6Node || node == servicesIPv6Node {
		return
	}
	r := rules.overlapsInterface
	r.field = field
	t.require(r, node, engine.Needs(t.router), func(engine.Deps) engine.Problem {
		return clash(t.f.OnRouter, t.f.OnRouterErr, cidr, "on the router")
	})
}

// poolOf returns the pool that a subnet is taken from.
func (t *topology) poolOf(want Subnet) engine.ID {
	if p := t.c.infra.Networks.SubnetPool; want.IPVersion == 4 && p != nil {
		return canonical(p.ID)
	}
	return want.Pool
}

func (t *topology) checkNeighbours(node, field string, cidr netip.Prefix, ranged bool, want Subnet) {
	if ranged {
		r := rules.overlapsSubnet
		r.field = field
		t.require(r, node, engine.Needs(t.network), func(engine.Deps) engine.Problem {
			return clash(t.f.InNetwork, t.f.InNetworkErr, cidr, "of the network")
		})
	}
	pool := t.poolOf(want)
	t.require(rules.poolAffinity, node, engine.Needs(t.network), func(engine.Deps) engine.Problem {
		if t.f.InNetworkErr != nil {
			return engine.Problem{Unknown: t.f.InNetworkErr}
		}
		for _, s := range t.f.InNetwork {
			if s.State.IPVersion == want.IPVersion && s.State.Pool != pool {
				return engine.Unless(false, string(s.ID), "a subnet %s is to be made beside subnet %s %q, which is %s", origin(pool), s.ID, s.Name, origin(s.State.Pool))
			}
		}
		return engine.Problem{}
	})
}

func origin(pool engine.ID) string {
	if pool == "" {
		return "from no pool"
	}
	return "from pool " + string(pool)
}

func (t *topology) checkPool(node string, want Subnet, id engine.ID) {
	pool := t.pools[id]
	version := rules.poolVersion
	if want.IPVersion == 6 {
		version.field = "networks.ipv6.subnetPoolID"
	}
	t.require(version, node, engine.Needs(pool), func(d engine.Deps) engine.Problem {
		return engine.Unless(pool.State(d).IPVersion == want.IPVersion, string(id), "pool %s has IP version %d, not %d", id, pool.State(d).IPVersion, want.IPVersion)
	})
	if want.IPVersion == 6 {
		return // the pool's own default length is taken
	}
	length := t.c.infra.Networks.SubnetPool.PrefixLength
	t.require(rules.poolPrefix, node, engine.Needs(pool), func(d engine.Deps) engine.Problem {
		p := pool.State(d)
		return engine.Unless(p.MinPrefix <= length && length <= p.MaxPrefix, fmt.Sprint(length), "pool %s gives /%d to /%d, not /%d", id, p.MinPrefix, p.MaxPrefix, length)
	})
}

// clash returns the subnet whose range overlaps another.
func clash(subnets []Found[Subnet], err error, cidr netip.Prefix, where string) engine.Problem {
	if err != nil {
		return engine.Problem{Unknown: err}
	}
	for _, s := range subnets {
		if p, ok := prefix(s.State.CIDR); ok && p.Overlaps(cidr) {
			return engine.Unless(false, cidr.String(), "%s overlaps subnet %s %q (%s) %s", cidr, s.ID, s.Name, p, where)
		}
	}
	return engine.Problem{}
}
