// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package vpctest

import (
	"context"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

type (
	// Address is an elastic IP.
	Address struct {
		Mark string `plan:"-"`
		IP   string
	}
	// RouteTable is a route table; of the user's we look at the associations.
	RouteTable struct {
		VPC     engine.ID             `plan:"fixed"`
		Mark    string                `plan:"-"`
		Main    bool                  `plan:"-"`
		Subnets engine.Set[engine.ID] `plan:"-"`
		Routes  map[string]engine.ID  `plan:"-"` // destination → target
	}
	// Route is a route in a table of ours. Its ID is table>destination.
	Route struct {
		Table       engine.ID `plan:"fixed"`
		Destination string    `plan:"fixed"`
		Via         engine.ID
	}
	// Endpoint is a gateway endpoint.
	Endpoint struct {
		VPC     engine.ID `plan:"fixed"`
		Mark    string    `plan:"-"`
		Service string    `plan:"fixed"`
	}

	// Addresses, RouteTables, Routes and Endpoints keep these.
	Addresses   struct{}
	RouteTables struct{}
	Routes      struct{}
	Endpoints   struct{}
)

func routeID(table engine.ID, dest string) engine.ID { return table + ">" + engine.ID(dest) }

func (Addresses) Kind() string { return "elastic-ip" }
func (Addresses) Create(ctx context.Context, w Writer, want Address) (engine.ID, Address, error) {
	return w.CreateAddress(ctx, want)
}
func (Addresses) Update(_ context.Context, _ Writer, _ engine.ID, have, _ Address) (Address, error) {
	return have, nil
}
func (Addresses) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.Delete(ctx, r.Kind, r.ID)
}

func (RouteTables) Kind() string { return "route-table" }
func (RouteTables) Create(ctx context.Context, w Writer, want RouteTable) (engine.ID, RouteTable, error) {
	return w.CreateRouteTable(ctx, want)
}
func (RouteTables) Update(_ context.Context, _ Writer, _ engine.ID, have, _ RouteTable) (RouteTable, error) {
	return have, nil
}
func (RouteTables) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.Delete(ctx, r.Kind, r.ID)
}

func (Routes) Kind() string           { return "route" }
func (Routes) IDOf(r Route) engine.ID { return routeID(r.Table, r.Destination) }
func (k Routes) Create(ctx context.Context, w Writer, want Route) (engine.ID, Route, error) {
	if err := w.SetRoute(ctx, want, false); err != nil {
		return "", want, err
	}
	return k.IDOf(want), want, nil
}
func (Routes) Update(ctx context.Context, w Writer, _ engine.ID, _, want Route) (Route, error) {
	return want, w.SetRoute(ctx, want, true)
}
func (Routes) Delete(ctx context.Context, w Writer, r engine.Record) error {
	table, dest, _ := strings.Cut(string(r.ID), ">")
	return w.DeleteRoute(ctx, Route{Table: engine.ID(table), Destination: dest})
}

func (Endpoints) Kind() string { return "endpoint" }
func (Endpoints) Create(ctx context.Context, w Writer, want Endpoint) (engine.ID, Endpoint, error) {
	return w.CreateEndpoint(ctx, want)
}
func (Endpoints) Update(_ context.Context, _ Writer, _ engine.ID, have, _ Endpoint) (Endpoint, error) {
	return have, nil
}
func (Endpoints) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.Delete(ctx, r.Kind, r.ID)
}
