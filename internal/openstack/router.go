// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/pagination"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// Router is a Neutron router.
type Router struct {
	Name     string    // set at creation; who renames it does no harm
	Mark     string    `plan:"-"`
	External engine.ID `plan:"fixed"` // the network of its gateway; empty: none
	// GatewaySubnets are those of the external network in which the gateway may
	// be, tried in this order until one has an address left; nil: any.
	GatewaySubnets []engine.ID
	SNAT           *bool    // whether it translates what goes out; nil: as Neutron has it, or does not tell
	AdminStateUp   bool     `plan:"-"`
	ExternalIPs    []string `plan:"-"` // the addresses of its gateway
	Routes         []Route  `plan:"-"`
	Project        string   `plan:"-"`
}

// Route is an extra route of a router.
type Route struct{ Destination, NextHop string }

type routerReader interface {
	Routers(ctx context.Context, q Query) ([]Found[Router], error)
}

type routerWriter interface {
	CreateRouter(ctx context.Context, want Router) (engine.ID, Router, error)
	SetSNAT(ctx context.Context, id, external engine.ID, on bool) (Router, error)
	DeleteRouter(ctx context.Context, id engine.ID) error
}

// Routers keeps routers.
type Routers struct{}

var _ engine.Kind[Writer, Router] = Routers{}

// Kind implements engine.Kind.
func (Routers) Kind() string { return "router" }

// Create implements engine.Kind. While a subnet for the gateway has no address
// left the next one is tried.
func (Routers) Create(ctx context.Context, w Writer, want Router) (id engine.ID, have Router, err error) {
	subnets := want.GatewaySubnets
	for {
		want.GatewaySubnets = subnets[:min(1, len(subnets))]
		id, have, err = w.CreateRouter(ctx, want)
		if id != "" || len(subnets) < 2 || !fault.Is(err, fault.Exhausted) {
			return id, have, err
		}
		subnets = subnets[1:]
	}
}

// Update implements engine.Kind. Only SNAT can change.
func (Routers) Update(ctx context.Context, w Writer, id engine.ID, have, want Router) (Router, error) {
	if want.SNAT == nil {
		return have, nil
	}
	return w.SetSNAT(ctx, id, want.External, *want.SNAT)
}

// Delete implements engine.Kind.
func (Routers) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.DeleteRouter(ctx, r.ID)
}

func foundRouter(r routers.Router) Found[Router] {
	state := Router{
		Name: r.Name, Mark: r.Description, External: engine.ID(r.GatewayInfo.NetworkID),
		SNAT: r.GatewayInfo.EnableSNAT, AdminStateUp: r.AdminStateUp, Project: r.ProjectID,
	}
	for _, ip := range r.GatewayInfo.ExternalFixedIPs {
		state.ExternalIPs = append(state.ExternalIPs, ip.IPAddress)
	}
	for _, route := range r.Routes {
		state.Routes = append(state.Routes, Route{route.DestinationCIDR, route.NextHop})
	}
	return Found[Router]{engine.ID(r.ID), r.Name, r.Description, r.ProjectID, state}
}

// Routers implements Reader.
func (c *Client) Routers(ctx context.Context, q Query) ([]Found[Router], error) {
	all, err := list(ctx, c.network, "routers", q,
		func(r pagination.PageResult) pagination.Page {
			return routers.RouterPage{LinkedPageBase: pagination.LinkedPageBase{PageResult: r}}
		}, routers.ExtractRouters)
	return found(all, foundRouter), err
}

// CreateRouter implements Writer. The gateway is part of the same call.
func (c *Client) CreateRouter(ctx context.Context, want Router) (engine.ID, Router, error) {
	gateway := &routers.GatewayInfo{NetworkID: string(want.External), EnableSNAT: want.SNAT}
	for _, subnet := range want.GatewaySubnets {
		gateway.ExternalFixedIPs = append(gateway.ExternalFixedIPs, routers.ExternalFixedIP{SubnetID: string(subnet)})
	}
	r, err := routers.Create(ctx, c.network, routers.CreateOpts{Name: want.Name, Description: want.Mark, GatewayInfo: gateway}).Extract()
	if err != nil {
		return "", Router{}, creating("creating router "+want.Name, err)
	}
	return engine.ID(r.ID), foundRouter(*r).State, nil
}

// SetSNAT implements Writer. The gateway keeps its addresses.
func (c *Client) SetSNAT(ctx context.Context, id, external engine.ID, on bool) (Router, error) {
	r, err := routers.Update(ctx, c.network, string(id), routers.UpdateOpts{
		GatewayInfo: &routers.GatewayInfo{NetworkID: string(external), EnableSNAT: &on},
	}).Extract()
	if err != nil {
		return Router{}, translate("changing router "+string(id), err)
	}
	return foundRouter(*r).State, nil
}

// DeleteRouter implements Writer.
func (c *Client) DeleteRouter(ctx context.Context, id engine.ID) error {
	err := gone(translate("deleting router "+string(id), routers.Delete(ctx, c.network, string(id)).ExtractErr()))
	return c.withHolders(ctx, err, Query{"device_id": {string(id)}})
}
