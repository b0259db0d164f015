// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"net/netip"
	"slices"
)

// reservation is a block of a subnet that EC2 does not assign addresses of by itself.
type reservation struct {
	std
	Subnet, Type, Description string
	Block                     netip.Prefix
}

var reservations = &kind[*reservation]{
	resource: "subnet-cidr-reservation", prefix: "scr-", noun: "subnet CIDR reservation ID",
	notFound: "InvalidSubnetCidrReservationID.NotFound", malformed: "InvalidSubnetCidrReservationID.Malformed",
	of:   func(c *Cloud) *table[*reservation] { return &c.reserved },
	show: showReservation,
}

func showReservation(c *call, r *reservation) object {
	return object{
		{"subnetCidrReservationId", r.ID}, {"subnetId", r.Subnet}, {"cidr", r.Block.String()}, {"reservationType", r.Type},
		{"ownerId", r.account.id}, {"description", some(r.Description)}, {"tagSet", c.tagsOf(r.self())},
	}
}

var reservationOperations = operations{
	"ec2 GetSubnetCidrReservations":   {"SubnetId Filter MaxResults NextToken", getReservations},
	"ec2 CreateSubnetCidrReservation": {"SubnetId Cidr ReservationType Description TagSpecification", createReservation},
	"ec2 DeleteSubnetCidrReservation": {"SubnetCidrReservationId", deleteReservation},
}

func getReservations(c *call) (object, error) {
	s, err := subnets.param(c, "SubnetId")
	if err != nil {
		return nil, err
	}
	v4, v6 := []object{}, []object{}
	list, err := reservations.filtered(c, c.cloud.reserved.where(func(r *reservation) bool { return r.Subnet == s.ID }))
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		if r.Block.Addr().Is4() {
			v4 = append(v4, showReservation(c, r))
		} else {
			v6 = append(v6, showReservation(c, r))
		}
	}
	return object{{"subnetIpv4CidrReservationSet", v4}, {"subnetIpv6CidrReservationSet", v6}}, nil
}

func createReservation(c *call) (object, error) {
	s, err := subnets.own(c, "SubnetId")
	if err != nil {
		return nil, err
	}
	if t := c.str("ReservationType"); t != "prefix" && t != "explicit" {
		return nil, invalid("Value (%s) for parameter reservationType is invalid.", t)
	}
	p, err := netip.ParsePrefix(c.str("Cidr"))
	if err != nil {
		return nil, invalid("Value (%s) for parameter cidr is invalid. This is not a valid CIDR block.", c.str("Cidr"))
	}
	p = p.Masked()
	outer := living(s.Blocks6)
	if s.Block.IsValid() {
		outer = append(outer, s.Block)
	}
	if !slices.ContainsFunc(outer, func(o netip.Prefix) bool { return within(o, p) }) {
		return nil, invalid("The CIDR '%s' is not in the subnet '%s'", p, s.ID)
	}
	if c.cloud.reserved.any(func(r *reservation) bool { return r.Subnet == s.ID && r.Block.Overlaps(p) }) {
		return nil, refuse("InvalidCidr.Conflict", "The CIDR '%s' overlaps another reservation of the subnet '%s'", p, s.ID)
	}
	r := &reservation{Subnet: s.ID, Type: c.str("ReservationType"), Description: c.str("Description"), Block: p}
	if r.std, err = reservations.begin(c); err != nil {
		return nil, err
	}
	c.cloud.reserved.add(r)
	return object{{"subnetCidrReservation", showReservation(c, r)}}, nil
}

func deleteReservation(c *call) (object, error) {
	r, err := reservations.own(c, "SubnetCidrReservationId")
	if err != nil {
		return nil, err
	}
	c.cloud.reserved.remove(r)
	return object{{"deletedSubnetCidrReservation", showReservation(c, r)}}, nil
}
