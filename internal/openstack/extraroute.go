// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/extraroutes"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"

	"github.com/espalier-io/espalier/internal/engine"
)

// String implements fmt.Stringer: "destination via next hop".
func (r Route) String() string { return r.Destination + " via " + r.NextHop }

func parseRoute(s string) (Route, bool) {
	dest, hop, ok := strings.Cut(s, " via ")
	return Route{dest, hop}, ok
}

type routeWriter interface {
	// RemoveRoutes takes routes off a router and leaves all others.
	RemoveRoutes(ctx context.Context, router engine.ID, routes []Route) error
}

// ExtraRoutes removes the routes to pods that the cloud controller manager left
// on a router. The record's ID is the router's, its element "route" lists them.
type ExtraRoutes struct{}

var _ engine.Remover[Writer] = ExtraRoutes{}

// Kind implements engine.Remover.
func (ExtraRoutes) Kind() string { return "extra-routes" }

// Delete implements engine.Remover.
func (ExtraRoutes) Delete(ctx context.Context, w Writer, r engine.Record) error {
	var routes []Route
	for _, e := range r.Elements["route"] {
		if route, ok := parseRoute(e); ok {
			routes = append(routes, route)
		}
	}
	router, _, _ := strings.Cut(string(r.ID), "/")
	return w.RemoveRoutes(ctx, engine.ID(router), routes)
}

// leftRoutes are all routes of a router of ours, whose interfaces they hold; of
// the user's router those that lead to our pods: all of the destination is
// inside a pod network, and the next hop is an address of a node subnet that
// nothing else than a node of this cluster has.
func (t *topology) leftRoutes() (left []Route) {
	_, router := t.router.Now()
	switch {
	case router == nil:
		return nil
	case t.router.Ours():
		return slices.SortedFunc(slices.Values(router.Routes), compareRoutes)
	}
	for _, r := range router.Routes {
		dest, ok := prefix(r.Destination)
		hop, err := netip.ParseAddr(r.NextHop)
		if !ok || err != nil || !contains(t.podRanges, dest) || !t.inNodeSubnet(hop) {
			continue
		}
		if owner, taken := t.f.HopPorts[r.NextHop]; taken && !owner {
			continue // a machine of somebody else
		}
		left = append(left, r)
	}
	slices.SortFunc(left, compareRoutes)
	return left
}

func compareRoutes(a, b Route) int { return strings.Compare(a.String(), b.String()) }

// allPodRanges are the pod networks of both IP families.
func (t *topology) allPodRanges() []netip.Prefix {
	ranges := slices.Clone(t.c.Pods)
	if in := t.c.infra.Networks.IPv6; in != nil {
		if p, ok := prefix(in.PodCIDR); ok {
			ranges = append(ranges, p)
		}
	}
	if t.ipv6.pods != nil {
		if _, s := t.ipv6.pods.Now(); s != nil {
			if p, ok := prefix(s.CIDR); ok {
				ranges = append(ranges, p)
			}
		}
	}
	return ranges
}

func (t *topology) inNodeSubnet(hop netip.Addr) bool {
	for _, n := range []*engine.Node[Subnet]{t.subnet, t.ipv6.nodes} {
		if n == nil {
			continue
		}
		if _, s := n.Now(); s != nil {
			if p, ok := prefix(s.CIDR); ok && p.Contains(hop) {
				return true
			}
		}
	}
	return false
}

// sweepRoutes lists them; they go before the interfaces that they need.
func (t *topology) sweepRoutes() {
	t.podRanges = t.allPodRanges()
	if _, router := t.router.Now(); router != nil {
		for _, r := range router.Routes {
			t.routes = append(t.routes, routeID(string(t.router.Found()), r.Destination, r.NextHop))
		}
	}
	left := t.leftRoutes()
	if t.f.HopPortsErr != nil {
		t.Unsure("whose next hops the routes of the router have", "", t.f.HopPortsErr, ExtraRoutes{})
		return
	}
	if len(left) == 0 {
		return
	}
	var texts []string
	for _, r := range left {
		texts = append(texts, r.String())
		t.swept[routeID(string(t.router.Found()), r.Destination, r.NextHop)] = true
	}
	id := t.router.Found() + "/pod-routes"
	t.Sweep("routes", []engine.Record{{Kind: ExtraRoutes{}.Kind(), ID: id, Elements: map[string][]string{"route": texts}}}, t.holders()...)
}

// hopPorts reads which of the next hops of the user's router are addresses of
// ports, and whether these are nodes of this cluster.
func (s *survey) hopPorts(ctx context.Context) {
	if s.given.Router == "" {
		return // on our router there is nobody else
	}
	router, err := s.f.Routers.Get(s.given.Router).State()
	if err != nil || router == nil || len(router.Routes) == 0 {
		return
	}
	var hops []string
	for _, r := range router.Routes {
		hops = append(hops, "ip_address="+r.NextHop)
	}
	slices.Sort(hops)
	s.f.HopPorts = map[string]bool{}
	for some := range slices.Chunk(slices.Compact(hops), hopsAtATime) {
		ports, err := s.r.Ports(ctx, Query{"fixed_ips": some})
		if err != nil {
			s.f.HopPortsErr = err
			return
		}
		for _, p := range ports {
			ours := slices.Contains(p.State.Tags, "kubernetes.io-cluster-"+s.c.TechnicalID)
			for _, a := range slices.Concat(slices.Collect(maps.Values(p.State.Addresses))...) {
				s.f.HopPorts[a] = ours
			}
		}
	}
}

// hopsAtATime keeps the query below what a URL may be long.
const hopsAtATime = 50

// RemoveRoutes implements Writer, with the atomic extension. Where Neutron does
// not have it, the list is set anew without the routes, and only if the router
// is still as it was read.
func (c *Client) RemoveRoutes(ctx context.Context, router engine.ID, routes []Route) error {
	list := make([]routers.Route, 0, len(routes))
	for _, r := range routes {
		list = append(list, routers.Route{DestinationCIDR: r.Destination, NextHop: r.NextHop})
	}
	_, err := extraroutes.Remove(ctx, c.network, string(router), extraroutes.Opts{Routes: &list}).Extract()
	op := "removing routes from router " + string(router)
	if statusOf(err) != http.StatusNotFound || typeOf(translate(op, err)) == "RouterNotFound" {
		return gone(translate(op, err))
	}
	return c.setRoutes(ctx, router, list)
}

// setRoutes is for a Neutron without the atomic extension.
func (c *Client) setRoutes(ctx context.Context, id engine.ID, remove []routers.Route) error {
	op := "setting the routes of router " + string(id)
	r, err := routers.Get(ctx, c.network, string(id)).Extract()
	if err != nil {
		return gone(translate(op, err))
	}
	rest := slices.DeleteFunc(r.Routes, func(have routers.Route) bool { return slices.Contains(remove, have) })
	_, err = routers.Update(ctx, c.network, string(id), routers.UpdateOpts{Routes: &rest, RevisionNumber: &r.RevisionNumber}).Extract()
	return translate(op, err)
}
