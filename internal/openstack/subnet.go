// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"
	"github.com/gophercloud/gophercloud/v2/pagination"

	"github.com/espalier-io/espalier/internal/engine"
)

// Subnet is a Neutron subnet. The fields that are nil pointers in what is
// wanted are left to Neutron.
type Subnet struct {
	Name         string      // set at creation; who renames it does no harm
	Mark         string      `plan:"-"`
	Network      engine.ID   `plan:"fixed"`
	IPVersion    int         `plan:"fixed"` // 4 or 6
	CIDR         string      `plan:"fixed"` // from a pool: chosen by the cloud
	Pool         engine.ID   `plan:"fixed"` // the subnet pool that it is from; empty: none
	PrefixLength *int        `plan:"fixed"` // of what a pool gives; nil: as the pool says
	IPv6Mode     string      `plan:"fixed"` // how nodes get their IPv6 address, such as slaac; empty: from elsewhere
	Gateway      *string     // the default route's address; empty: none
	DHCP         *bool       // whether DHCP answers
	DNS          []string    // resolvers, in their order; nil: whatever there is
	Pools        [][2]string `plan:"-"` // first and last address of each allocation pool
	Project      string      `plan:"-"`
}

type subnetReader interface {
	Subnets(ctx context.Context, q Query) ([]Found[Subnet], error)
}

type subnetWriter interface {
	CreateSubnet(ctx context.Context, want Subnet) (engine.ID, Subnet, error)
	UpdateSubnet(ctx context.Context, id engine.ID, dns []string) (Subnet, error)
	DeleteSubnet(ctx context.Context, id engine.ID) error
}

// Subnets keeps subnets.
type Subnets struct{}

var _ engine.Kind[Writer, Subnet] = Subnets{}

// Kind implements engine.Kind.
func (Subnets) Kind() string { return "subnet" }

// Create implements engine.Kind.
func (Subnets) Create(ctx context.Context, w Writer, want Subnet) (engine.ID, Subnet, error) {
	return w.CreateSubnet(ctx, want)
}

// Update implements engine.Kind. Only the resolvers can change.
func (Subnets) Update(ctx context.Context, w Writer, id engine.ID, _, want Subnet) (Subnet, error) {
	return w.UpdateSubnet(ctx, id, want.DNS)
}

// Delete implements engine.Kind.
func (Subnets) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.DeleteSubnet(ctx, r.ID)
}

func foundSubnet(s subnets.Subnet) Found[Subnet] {
	state := Subnet{
		Name: s.Name, Mark: s.Description, Network: engine.ID(s.NetworkID), IPVersion: s.IPVersion, CIDR: s.CIDR,
		Pool: engine.ID(s.SubnetPoolID), IPv6Mode: s.IPv6AddressMode, Gateway: &s.GatewayIP, DHCP: &s.EnableDHCP,
		DNS: s.DNSNameservers, Project: s.ProjectID,
	}
	if p, ok := prefix(s.CIDR); ok {
		bits := p.Bits()
		state.PrefixLength = &bits
	}
	for _, p := range s.AllocationPools {
		state.Pools = append(state.Pools, [2]string{p.Start, p.End})
	}
	return Found[Subnet]{engine.ID(s.ID), s.Name, s.Description, s.ProjectID, state}
}

// Subnets implements Reader.
func (c *Client) Subnets(ctx context.Context, q Query) ([]Found[Subnet], error) {
	all, err := list(ctx, c.network, "subnets", q,
		func(r pagination.PageResult) pagination.Page {
			return subnets.SubnetPage{LinkedPageBase: pagination.LinkedPageBase{PageResult: r}}
		}, subnets.ExtractSubnets)
	return found(all, foundSubnet), err
}

// CreateSubnet implements Writer.
func (c *Client) CreateSubnet(ctx context.Context, want Subnet) (engine.ID, Subnet, error) {
	opts := subnets.CreateOpts{
		Name: want.Name, Description: want.Mark, NetworkID: string(want.Network),
		IPVersion: gophercloud.IPVersion(want.IPVersion), CIDR: want.CIDR, SubnetPoolID: string(want.Pool),
		IPv6AddressMode: want.IPv6Mode, IPv6RAMode: want.IPv6Mode,
		GatewayIP: want.Gateway, EnableDHCP: want.DHCP, DNSNameservers: want.DNS,
	}
	if want.PrefixLength != nil {
		opts.Prefixlen = *want.PrefixLength
	}
	s, err := subnets.Create(ctx, c.network, opts).Extract()
	if err != nil {
		return "", Subnet{}, creating("creating subnet "+want.Name, err)
	}
	return engine.ID(s.ID), foundSubnet(*s).State, nil
}

// UpdateSubnet implements Writer.
func (c *Client) UpdateSubnet(ctx context.Context, id engine.ID, dns []string) (Subnet, error) {
	s, err := subnets.Update(ctx, c.network, string(id), subnets.UpdateOpts{DNSNameservers: &dns}).Extract()
	if err != nil {
		return Subnet{}, translate("changing subnet "+string(id), err)
	}
	return foundSubnet(*s).State, nil
}

// DeleteSubnet implements Writer.
func (c *Client) DeleteSubnet(ctx context.Context, id engine.ID) error {
	err := gone(translate("deleting subnet "+string(id), subnets.Delete(ctx, c.network, string(id)).ExtractErr()))
	return c.withHolders(ctx, err, Query{"fixed_ips": {"subnet_id=" + string(id)}})
}
