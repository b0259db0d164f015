// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// CIDRReservation is a reserved block of a subnet. Espalier makes none: it
// takes over the one that Gardener's provider made in a subnet of the user's
// for the IPv6 range of Services, and removes it with the cluster.
type CIDRReservation struct {
	Subnet engine.ID `state:"subnet" plan:"fixed"`
	CIDR   string    `plan:"fixed"`
}

type reservationReader interface {
	// CIDRReservations returns the IPv6 ones of a subnet.
	CIDRReservations(ctx context.Context, subnet engine.ID) (map[engine.ID]CIDRReservation, error)
}

type reservationWriter interface {
	DeleteCIDRReservation(ctx context.Context, id engine.ID) error
}

// CIDRReservations removes reserved blocks.
type CIDRReservations struct{}

var _ engine.Kind[Writer, CIDRReservation] = CIDRReservations{}

// Kind implements engine.Kind.
func (CIDRReservations) Kind() string { return "cidr-reservation" }

// Create implements engine.Kind. It is never asked: only what is there has a node.
func (CIDRReservations) Create(_ context.Context, _ Writer, want CIDRReservation) (engine.ID, CIDRReservation, error) {
	return "", want, engine.ErrRefused
}

// Update implements engine.Kind. It is never asked: all fields are fixed.
func (CIDRReservations) Update(_ context.Context, _ Writer, _ engine.ID, have, _ CIDRReservation) (CIDRReservation, error) {
	return have, nil
}

// Delete implements engine.Kind.
func (CIDRReservations) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.DeleteCIDRReservation(ctx, r.ID)
}

// addReservation keeps the reservation that was taken over, as long as it is
// there. Others are none of ours, whatever they reserve.
func (t *topology) addReservation() {
	all, err := t.f.Reservations.All()
	t.Unsure("reserved blocks", "networks.zones", err, CIDRReservations{})
	for _, f := range all {
		r, err := f.State()
		i := slices.IndexFunc(t.subnets, func(u use) bool { return err == nil && u.id == r.Subnet })
		if i < 0 || !recorded(t.f.State, f.ID) && !t.c.isInheritedRange(r.CIDR) {
			continue
		}
		claim := engine.Inherited(engine.Attached(t.f.State, reservationNode, f), f, func(r CIDRReservation) bool { return t.c.isInheritedRange(r.CIDR) })
		engine.Manage(t.Graph, reservationNode, CIDRReservations{}, claim, engine.Needs(t.subnets[i].node),
			func(engine.Deps, *CIDRReservation) CIDRReservation { return *r }, engine.Because("the range of Services"))
		return
	}
}

// reservations reads the reserved blocks where one of ours may be.
func (s *survey) reservations(ctx context.Context) {
	s.f.Reservations.Rest(nil)
	for _, id := range s.mayBeReservedIn() {
		all, err := s.r.CIDRReservations(ctx, id)
		if fault.Is(err, fault.NotFound) {
			all, err = nil, nil // the subnet is gone, and with it its blocks
		}
		if snapshot(&s.f.Reservations, all, err, nil); err != nil {
			return
		}
	}
}

// mayBeReservedIn are the subnets with a reservation that is recorded, or with
// the range that Gardener's provider has published for Services.
func (s *survey) mayBeReservedIn() (ids []engine.ID) {
	for _, r := range s.f.State.Records() {
		if r.Kind == (CIDRReservations{}).Kind() {
			ids = append(ids, engine.ID(r.Attrs["subnet"]))
		}
	}
	services, ok := s.c.inheritedRange()
	for _, z := range s.given.Zones {
		subnet, err := s.f.Subnets.Get(z.Workers).State()
		if !ok || err != nil || subnet == nil || slices.Contains(ids, z.Workers) {
			continue
		}
		if slices.ContainsFunc(subnet.IPv6CIDRs, func(cidr string) bool { p, ok := prefix(cidr); return ok && p.Contains(services.Addr()) }) {
			ids = append(ids, z.Workers)
		}
	}
	return ids
}

const reservationNode = "cidr-reservation"

// CIDRReservations implements Reader.
func (c *Client) CIDRReservations(ctx context.Context, subnet engine.ID) (map[engine.ID]CIDRReservation, error) {
	all := map[engine.ID]CIDRReservation{}
	in := &ec2.GetSubnetCidrReservationsInput{SubnetId: text(subnet)}
	for {
		page, err := c.ec2.GetSubnetCidrReservations(ctx, in)
		if err != nil {
			return nil, translate("listing the reserved blocks of "+string(subnet), err)
		}
		for _, r := range page.SubnetIpv6CidrReservations {
			all[engine.ID(aws.ToString(r.SubnetCidrReservationId))] = CIDRReservation{engine.ID(aws.ToString(r.SubnetId)), aws.ToString(r.Cidr)}
		}
		if in.NextToken = page.NextToken; aws.ToString(in.NextToken) == "" {
			return all, nil
		}
	}
}

// DeleteCIDRReservation implements Writer.
func (c *Client) DeleteCIDRReservation(ctx context.Context, id engine.ID) error {
	_, err := c.ec2.DeleteSubnetCidrReservation(ctx, &ec2.DeleteSubnetCidrReservationInput{SubnetCidrReservationId: text(id)})
	return gone(translate("deleting the reserved block "+string(id), err))
}
