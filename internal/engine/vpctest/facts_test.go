// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package vpctest

import (
	"context"

	"github.com/espalier-io/espalier/internal/engine"
)

// Facts are all that a topology depends on besides the configuration.
type Facts struct {
	State     *engine.State
	Cloud     string
	VPCs      engine.Table[VPC]
	Subnets   engine.Table[Subnet]
	Tables    engine.Table[RouteTable]
	Groups    engine.Table[Group]
	Addresses engine.Table[Address]
	NATs      engine.Table[NAT]
	Routes    engine.Table[Route]
	Endpoints engine.Table[Endpoint]
	Tags      engine.Table[Tag]
}

// Read gathers the facts: one Describe call per kind, all at once.
func Read(ctx context.Context, r Reader, c Config, s *engine.State, limit int) *Facts {
	f := &Facts{State: s, Cloud: r.Cloud()}
	reads := []func(context.Context){
		func(ctx context.Context) { snapshot(ctx, r.VPCs, Filter{IDs: []engine.ID{c.VPC}}, &f.VPCs) },
		func(ctx context.Context) {
			for _, i := range snapshot(ctx, r.Subnets, Filter{VPC: c.VPC}, &f.Subnets) {
				f.tags(i.ID, i.Tags)
			}
		},
		func(ctx context.Context) {
			tables := snapshot(ctx, r.RouteTables, Filter{VPC: c.VPC}, &f.Tables)
			for _, i := range tables {
				f.tags(i.ID, i.Tags)
				for dest, via := range i.State.Routes {
					f.Routes.Add(routeID(i.ID, dest), &Route{i.ID, dest, via}, nil)
				}
			}
			_, err := f.Tables.All()
			f.Routes.Rest(err)
		},
		func(ctx context.Context) { snapshot(ctx, r.Groups, Filter{VPC: c.VPC}, &f.Groups) },
		func(ctx context.Context) { snapshot(ctx, r.Addresses, Filter{}, &f.Addresses) },
		func(ctx context.Context) { snapshot(ctx, r.NATs, Filter{VPC: c.VPC}, &f.NATs) },
		func(ctx context.Context) { snapshot(ctx, r.Endpoints, Filter{VPC: c.VPC}, &f.Endpoints) },
	}
	engine.Together(ctx, limit, reads...)
	return f
}

// tagged returns the fact of one tag on a resource; that it is absent is known
// only if the resource itself was read.
func tagged[T any](f *Facts, t *engine.Table[T], on engine.ID, key string) engine.Fact[Tag] {
	if st, err := t.Get(on).State(); err != nil {
		return engine.Unknown[Tag](tagID(on, key), err)
	} else if st == nil {
		return engine.Absent[Tag](tagID(on, key))
	}
	if got := f.Tags.Get(tagID(on, key)); got.There() {
		return got
	}
	return engine.Absent[Tag](tagID(on, key))
}

// tags enters the tags of a resource as facts of their own.
func (f *Facts) tags(on engine.ID, tags map[string]string) {
	for k, v := range tags {
		f.Tags.Add(tagID(on, k), &Tag{on, k, v}, nil)
	}
}

// snapshot reads all of a kind in the VPC, the user's and ours.
func snapshot[T any](ctx context.Context, list func(context.Context, Filter) ([]Item[T], error), filter Filter, t *engine.Table[T]) []Item[T] {
	found, err := list(ctx, filter)
	var items []engine.Item[T]
	for _, i := range found {
		items = append(items, engine.Item[T]{ID: i.ID, Node: i.Mark, State: i.State})
	}
	t.AddList(items, err)
	t.Rest(err)
	return found
}
