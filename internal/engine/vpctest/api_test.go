// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package vpctest is a test of the engine: it carries a cluster's network in
// somebody else's VPC, on a fake that enforces what the real cloud enforces.
//
// What is peculiar to it: tags on the user's things, several clusters on the
// same subnets, resources that are found and not named (the route tables that
// worker subnets use), a chain of which a link is replaced first (elastic IP,
// NAT gateway, route), and tag calls that are joined. Read graph_test.go first.
package vpctest

import (
	"context"

	"github.com/espalier-io/espalier/internal/engine"
)

// An Item is a resource as EC2 describes it, tags included. Mark is the node
// that our mark (a tag) names, if it is this cluster's.
type Item[T any] struct {
	ID    engine.ID
	Mark  string
	Tags  map[string]string
	State T
}

// A Filter selects resources by ID, by VPC or by the mark of a cluster.
type Filter struct {
	IDs  []engine.ID
	VPC  engine.ID
	Mark string
}

// A Reader looks at EC2: one method is one Describe call, paged to the end.
type Reader interface {
	Cloud() string // account and region
	VPCs(ctx context.Context, f Filter) ([]Item[VPC], error)
	Subnets(ctx context.Context, f Filter) ([]Item[Subnet], error)
	RouteTables(ctx context.Context, f Filter) ([]Item[RouteTable], error)
	Groups(ctx context.Context, f Filter) ([]Item[Group], error)
	Addresses(ctx context.Context, f Filter) ([]Item[Address], error)
	NATs(ctx context.Context, f Filter) ([]Item[NAT], error)
	Endpoints(ctx context.Context, f Filter) ([]Item[Endpoint], error)
}

// A Writer changes EC2. The two reads in it are those that a write must not
// be done without.
type Writer interface {
	Tags(ctx context.Context, on ...engine.ID) (map[engine.ID]map[string]string, error)
	NAT(ctx context.Context, id engine.ID) (*NAT, error)

	SetTags(ctx context.Context, tags map[string]string, on ...engine.ID) error
	UnsetTags(ctx context.Context, tags map[string]string, on ...engine.ID) error // only where the value is equal
	CreateGroup(ctx context.Context, g Group) (engine.ID, Group, error)
	ChangeRules(ctx context.Context, id engine.ID, add, remove []string) (Group, error)
	CreateAddress(ctx context.Context, a Address) (engine.ID, Address, error)
	CreateNAT(ctx context.Context, n NAT, token string) (engine.ID, NAT, error)
	CreateRouteTable(ctx context.Context, t RouteTable) (engine.ID, RouteTable, error)
	SetRoute(ctx context.Context, r Route, replace bool) error
	CreateEndpoint(ctx context.Context, e Endpoint) (engine.ID, Endpoint, error)
	Delete(ctx context.Context, kind string, id engine.ID) error
	DeleteRoute(ctx context.Context, r Route) error
}

// Graph is a graph of AWS resources.
type Graph = engine.Graph[Writer]

// kinds are all kinds, in an order of creation.
func kinds() []engine.Remover[Writer] {
	return []engine.Remover[Writer]{Addresses{}, NATs{}, RouteTables{}, Routes{}, Groups{}, Endpoints{}, Tags{}, RoleTags{}}
}

type (
	// VPC is a VPC; we only refer to it in this example.
	VPC struct{ CIDR string }
	// Subnet is a subnet of the user's.
	Subnet struct {
		VPC        engine.ID
		Zone, CIDR string
	}
)
