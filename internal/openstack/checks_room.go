// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// preflight reads what is only worth a warning.
func (s *survey) preflight(ctx context.Context) {
	engine.Together(ctx, readsAtATime,
		func(ctx context.Context) { s.f.Quotas, s.f.QuotasErr = s.r.Quotas(ctx) },
		func(ctx context.Context) {
			if s.given.Subnet != "" {
				s.f.OnSubnet, s.f.OnSubnetErr = s.r.Ports(ctx, Query{"fixed_ips": {"subnet_id=" + string(s.given.Subnet)}})
			}
		})
}

// checkRoom asks whether there is room for what is to come: in the quotas of
// the project, in the node subnet, and in the router's table.
func (t *topology) checkRoom() {
	t.checkQuotas()
	t.checkAddresses()
	t.checkRoutes()
	t.checkOthers()
}

func (t *topology) checkQuotas() {
	need := t.toMake()
	for _, name := range slices.Sorted(maps.Keys(need)) {
		t.require(rules.quota, "quota "+name, nil, func(engine.Deps) engine.Problem {
			if t.f.QuotasErr != nil {
				return engine.Problem{Unknown: t.f.QuotasErr}
			}
			q, known := t.f.Quotas[name]
			left, limited := q.left()
			return engine.Unless(!known || !limited || left >= need[name], fmt.Sprintf("%d of %d", q.Used, q.Limit),
				"%d of kind %s are to be made; the project has %d of at most %d", need[name], name, q.Used, q.Limit)
		})
	}
}

// toMake counts what a plan would make, by the names of the quotas. A router
// with a gateway and an interface are a port each.
func (t *topology) toMake() map[string]int {
	need := map[string]int{}
	for _, v := range t.Views() {
		if v.Action != engine.Create {
			continue
		}
		switch v.Kind {
		case Networks{}.Kind():
			need["network"]++
		case Subnets{}.Kind():
			need["subnet"]++
		case Routers{}.Kind():
			need["router"]++
			need["port"]++
		case Interfaces{}.Kind():
			need["port"]++
		case SecurityGroups{}.Kind():
			need["security_group"]++
			need["security_group_rule"] += len(t.c.groupRules())
		}
	}
	return need
}

// spare are addresses that are wanted besides those of nodes: for load
// balancers, which take up to three each, and whatever else.
const spare = 8

func (t *topology) checkAddresses() {
	needed := t.c.MaxNodes + spare
	if t.given.Subnet == "" {
		cidr, ok := prefix(t.c.workers())
		if !ok || t.subnet.Found() != "" {
			return
		}
		r := rules.addresses
		r.field, r.fix = "networks.workers", "choose a larger range, or fewer nodes"
		t.require(r, subnetNode, nil, func(engine.Deps) engine.Problem {
			free := size(cidr) - 4 // network, broadcast, gateway, DHCP
			return engine.Unless(free >= needed, cidr.String(), "%s has room for %d addresses; %d nodes and %d others are to come", cidr, max(free, 0), t.c.MaxNodes, spare)
		})
		return
	}
	t.require(rules.addresses, subnetNode, engine.Needs(t.subnet), func(d engine.Deps) engine.Problem {
		switch {
		case t.f.OnSubnetErr != nil:
			return engine.Problem{Unknown: t.f.OnSubnetErr}
		case t.subnet.State(d).IPVersion != 4:
			return engine.Problem{} // that is a finding already
		}
		free := freeAddresses(t.subnet.State(d).Pools, t.f.OnSubnet, t.given.Subnet)
		return engine.Unless(free >= needed, fmt.Sprint(free), "subnet %s has %d free addresses; %d nodes and %d others are to come", t.given.Subnet, free, t.c.MaxNodes, spare)
	})
}

// freeAddresses counts the addresses of allocation pools that no port has.
// Neutron tells the figure only to administrators.
func freeAddresses(pools [][2]string, ports []Found[Port], subnet engine.ID) int {
	total := 0
	inPool := func(a netip.Addr) bool {
		return slices.ContainsFunc(pools, func(p [2]string) bool {
			first, ferr := netip.ParseAddr(p[0])
			last, lerr := netip.ParseAddr(p[1])
			return ferr == nil && lerr == nil && first.Compare(a) <= 0 && a.Compare(last) <= 0
		})
	}
	for _, p := range pools {
		total += between(p[0], p[1])
	}
	for _, p := range ports {
		for _, s := range p.State.Addresses[subnet] {
			if a, err := netip.ParseAddr(s); err == nil && inPool(a) {
				total--
			}
		}
	}
	return total
}

// between counts the IPv4 addresses from first to last.
func between(first, last string) int {
	a, aerr := netip.ParseAddr(first)
	b, berr := netip.ParseAddr(last)
	if aerr != nil || berr != nil || !a.Is4() || !b.Is4() {
		return 0
	}
	lo, hi := a.As4(), b.As4()
	return max(int(binary.BigEndian.Uint32(hi[:]))-int(binary.BigEndian.Uint32(lo[:]))+1, 0)
}

// size is how many addresses an IPv4 range has.
func size(p netip.Prefix) int { return 1 << (p.Addr().BitLen() - p.Bits()) }

// maxRoutes is Neutron's limit of routes per router where nobody has changed
// it; no API tells it. Source: Neutron, option max_routes.
const maxRoutes = 30

func (t *topology) checkRoutes() {
	if t.c.Overlay || t.c.MaxNodes == 0 {
		return
	}
	t.require(rules.routeRoom, routerNode, engine.Needs(t.router), func(engine.Deps) engine.Problem {
		have := 0
		if _, router := t.router.Now(); router != nil {
			for _, r := range router.Routes {
				if !t.ownRoute(r) {
					have++
				}
			}
		}
		need := t.c.MaxNodes * len(t.c.families())
		return engine.Unless(have+need <= maxRoutes, fmt.Sprint(have+need), "%d nodes need %d routes, the router has %d others", t.c.MaxNodes, need, have)
	})
}

// checkOthers tells who else is on the user's subnet: other routers and the
// machines of other clusters.
func (t *topology) checkOthers() {
	if t.given.Subnet == "" {
		return
	}
	t.require(rules.others, subnetNode, engine.Needs(t.subnet), func(engine.Deps) engine.Problem {
		if t.f.OnSubnetErr != nil {
			return engine.Problem{Unknown: t.f.OnSubnetErr}
		}
		found := map[string]bool{}
		for _, p := range t.f.OnSubnet {
			if p.State.isInterface() && p.State.Device != string(t.given.Router) {
				found["router "+p.State.Device] = true
			}
			for _, tag := range p.State.Tags {
				if c, ok := strings.CutPrefix(tag, "kubernetes.io-cluster-"); ok && c != t.c.TechnicalID {
					found["cluster "+c] = true
				}
			}
		}
		list := strings.Join(slices.Sorted(maps.Keys(found)), ", ")
		return engine.Unless(list == "", list, "on subnet %s there are also %s", t.given.Subnet, list)
	})
}
