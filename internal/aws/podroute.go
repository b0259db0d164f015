// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"

	"github.com/espalier-io/espalier/internal/engine"
)

// A PodRoute is a route into the pod networks that is in a table of the
// user's. The route controller makes one for each node, and does not always
// remove it.
type PodRoute struct {
	Table       engine.ID
	Destination string // CIDR
	Target      string
	Blackhole   bool
	// Ours: it leads to a machine of this cluster or to one that is gone, so that
	// a deletion may remove it. All others are somebody's.
	Ours bool
}

// String implements fmt.Stringer.
func (r PodRoute) String() string {
	state := "active"
	if r.Blackhole {
		state = "blackhole"
	}
	return fmt.Sprintf("%s: %s via %s (%s)", r.Table, r.Destination, r.Target, state)
}

// Command removes the route.
func (r PodRoute) Command() string {
	option := "--destination-cidr-block"
	if p, ok := prefix(r.Destination); ok && p.Addr().Is6() {
		option = "--destination-ipv6-cidr-block"
	}
	return fmt.Sprintf("aws ec2 delete-route --route-table-id %s %s %s", r.Table, option, r.Destination)
}

// PodRoutes returns the routes into the pod networks of all tables of the VPC,
// in the order of tables and destinations. What is not known is left out.
func (l *Layout) PodRoutes() []PodRoute { return l.podRoutes }

func (t *topology) findPodRoutes() (found []PodRoute) {
	all, _ := t.f.Tables.All() // that they are not known is said already
	for _, f := range all {
		table, err := f.State()
		if err != nil || table.VPC != t.given.VPC {
			continue
		}
		for _, r := range table.Routes {
			dest, ok := prefix(r.Destination)
			if !ok || r.Origin != "CreateRoute" || !contains(t.c.Pods, dest) {
				continue
			}
			ours := isMachine(r.Target) && (r.Blackhole || t.f.Machines[engine.ID(r.Target)])
			found = append(found, PodRoute{f.ID, r.Destination, r.Target, r.Blackhole, ours})
		}
	}
	slices.SortFunc(found, func(a, b PodRoute) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Destination, b.Destination))
	})
	return found
}

// isMachine says that a target is an instance or the interface of one, and no
// gateway, endpoint or peering.
func isMachine(target string) bool {
	return strings.HasPrefix(target, "i-") || strings.HasPrefix(target, "eni-")
}

// machines reads which instances are nodes of this cluster, if a route leads
// to one.
func (s *survey) machines(ctx context.Context) {
	if s.f.Purpose != Deletion || !s.c.RemovePodRoutes {
		return
	}
	all, _ := s.f.Tables.All()
	leads := slices.ContainsFunc(all, func(f engine.Fact[RouteTable]) bool {
		table, err := f.State()
		return err == nil && slices.ContainsFunc(table.Routes, func(r Route) bool { return isMachine(r.Target) && !r.Blackhole })
	})
	if leads {
		s.f.Machines, s.f.MachinesErr = s.r.Machines(ctx, s.given.VPC, s.c.clusterKey())
	}
}

type podRouteReader interface {
	// Machines returns the instances in a VPC that bear a tag, and their network
	// interfaces.
	Machines(ctx context.Context, vpc engine.ID, tag string) (map[engine.ID]bool, error)
}

type podRouteWriter interface {
	// DeleteRoute removes the route to a CIDR. One that is gone is no error.
	DeleteRoute(ctx context.Context, table engine.ID, destination string) error
}

// PodRoutes removes routes to pods. The ID is that of the table and the
// destination.
type PodRoutes struct{}

var _ engine.Remover[Writer] = PodRoutes{}

// Kind implements engine.Remover.
func (PodRoutes) Kind() string { return "pod-route" }

// Delete implements engine.Remover.
func (PodRoutes) Delete(ctx context.Context, w Writer, r engine.Record) error {
	table, destination, _ := strings.Cut(string(r.ID), "#")
	return w.DeleteRoute(ctx, engine.ID(table), destination)
}

// routeID names a route of a table.
func routeID(table engine.ID, destination string) engine.ID {
	return table + "#" + engine.ID(destination)
}

// sweepPodRoutes lists those that a deletion removes, if the user wants that:
// the tables are theirs, and only they know who else relies on a route.
func (t *topology) sweepPodRoutes() {
	t.podRoutes = t.findPodRoutes()
	if t.f.Purpose != Deletion || !t.c.RemovePodRoutes {
		return
	}
	t.Unsure("which routes lead to machines of the cluster", "", t.f.MachinesErr, PodRoutes{})
	var left []engine.Record
	for _, r := range t.podRoutes {
		if r.Ours {
			id := routeID(r.Table, r.Destination)
			t.swept[string(id)] = true
			left = append(left, engine.Record{Kind: PodRoutes{}.Kind(), Name: r.Destination + " via " + r.Target, ID: id})
		}
	}
	if len(left) > 0 {
		t.Sweep("pod-routes", left)
	}
}

// Machines implements Reader.
func (c *Client) Machines(ctx context.Context, vpc engine.ID, tag string) (map[engine.ID]bool, error) {
	found := map[engine.ID]bool{}
	pages := ec2.NewDescribeInstancesPaginator(c.ec2, &ec2.DescribeInstancesInput{Filters: append(filters("vpc-id", string(vpc)), filters("tag-key", tag)...)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, translate("listing instances", err)
		}
		for _, r := range page.Reservations {
			for _, i := range r.Instances {
				found[engine.ID(aws.ToString(i.InstanceId))] = true
				for _, n := range i.NetworkInterfaces {
					found[engine.ID(aws.ToString(n.NetworkInterfaceId))] = true
				}
			}
		}
	}
	return found, nil
}

// DeleteRoute implements Writer.
func (c *Client) DeleteRoute(ctx context.Context, table engine.ID, destination string) error {
	in := &ec2.DeleteRouteInput{RouteTableId: text(table), DestinationCidrBlock: &destination}
	if p, ok := prefix(destination); ok && p.Addr().Is6() {
		in.DestinationCidrBlock, in.DestinationIpv6CidrBlock = nil, &destination
	}
	_, err := c.ec2.DeleteRoute(ctx, in)
	return gone(translate("deleting the route to "+destination+" in "+string(table), err))
}
