// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/espalier-io/espalier/internal/engine"
)

// Facts are all that a topology depends on besides the configuration.
type Facts struct {
	State   *engine.State
	Cloud   string
	Project string // the ID of ours
	Purpose Purpose

	Networks          engine.Table[Network]
	External          []Found[Network] // external networks of the name of the floating pool
	ExternalErr       error
	GatewaySubnets    []engine.ID // of the external network, that fit the pattern
	GatewaySubnetsErr error
	Subnets           engine.Table[Subnet]
	InNetwork         []Found[Subnet] // all of the user's network
	InNetworkErr      error
	Routers           engine.Table[Router]
	Interfaces        engine.Table[Interface]
	OnRouter          []Found[Subnet] // on the user's router, if our subnet is to be put there
	OnRouterErr       error
	SecurityGroups    engine.Table[SecurityGroup]
	GroupsNamed       []Found[SecurityGroup] // those that have the name of the nodes' group
	GroupsNamedErr    error
	KeyPairs          engine.Table[KeyPair]
	SubnetPools       engine.Table[SubnetPool]
	ShareNetworks     engine.Table[ShareNetwork]
	NoManila          bool // the cloud has no shared file systems

	// For a deletion: what Kubernetes may have left.
	LoadBalancers    []Found[LoadBalancer] // of the cluster's Services
	LoadBalancersErr error
	HopPorts         map[string]bool // next hops of the user's router that ports have: whether they are our nodes
	HopPortsErr      error

	// For a preflight: what is only worth a warning.
	Quotas      map[string]Quota
	QuotasErr   error
	OnSubnet    []Found[Port] // on the node subnet of the user's
	OnSubnetErr error

	mu        sync.Mutex
	Namesakes []Namesake
}

// A Namesake has the name of this cluster and not its mark: another cluster's,
// or somebody's who likes the name.
type Namesake struct {
	Kind string
	ID   engine.ID
	Name string
	UID  string // of the cluster whose mark it bears; empty: no mark
}

const (
	externalNode = "external-network"
	routerNode   = "router"
	networkNode  = "network"
	subnetNode   = "subnet"
	groupNode    = "security-group"
	keyPairNode  = "key-pair"
)

// Read gathers the facts: one list per kind, all in one round. A second round
// reads what had to be found first, which is the rule only if state is lost.
func Read(ctx context.Context, r Reader, c Config, s *engine.State, cloud, project string, purpose Purpose) *Facts {
	f := &Facts{State: s, Cloud: cloud, Project: project, Purpose: purpose}
	y := &survey{r: r, c: c, f: f, given: c.given()}
	one := []func(context.Context){y.networks, y.routers, y.subnets, y.groups, y.keyPairs, y.interfaces, y.shareNetworks}
	two := []func(context.Context){y.unreadNetworks, y.unreadRouters, y.unreadSubnets, y.unreadGroups, y.interfacesOfFound}
	if purpose == Deletion {
		one = append(one, y.loadBalancers)
		two = append(two, y.hopPorts)
	} else { // what is only looked at
		one = append(one, y.external, y.subnetPools)
		two = append(two, y.externalByName, y.groupsNamed, y.onRouter, y.gatewaySubnets)
	}
	if purpose == Preflight {
		one = append(one, y.preflight)
	}
	engine.Together(ctx, readsAtATime, one...)
	engine.Together(ctx, readsAtATime, two...)
	slices.SortFunc(f.Namesakes, func(a, b Namesake) int { return strings.Compare(a.Kind+string(a.ID), b.Kind+string(b.ID)) })
	return f
}

// A Purpose is what a look at the cloud is for. It decides what is read.
type Purpose int

// The purposes.
const (
	// Reconciliation reads what decides about a plan and what would block it.
	Reconciliation Purpose = iota
	// Preflight also reads what is only worth a warning.
	Preflight
	// Deletion reads what is ours.
	Deletion
)

const readsAtATime = 8

// ours says that an ID is recorded, or that the state of Gardener's provider
// names it: such a thing bears no mark of ours and is no namesake.
func (s *survey) ours(id engine.ID) bool {
	return s.c.isInherited(id) || slices.ContainsFunc(s.f.State.Records(), func(r engine.Record) bool { return r.ID == id })
}

// enter puts a list into its table: what bears our mark as ours, what has our
// name without it as a namesake, and a given one that is not in it as absent.
func enter[T any](s *survey, kind string, t *engine.Table[T], all []Found[T], err error, given engine.ID) {
	items := make([]engine.Item[T], 0, len(all))
	for _, f := range all {
		node, other := s.c.readMark(f.Description)
		if f.Project != s.f.Project {
			node = "" // a copy of our mark in another project is none
		}
		if node == "" && f.ID != given && slices.Contains(s.c.subnetNames(), f.Name) && !s.ours(f.ID) {
			s.f.mu.Lock()
			s.f.Namesakes = append(s.f.Namesakes, Namesake{kind, f.ID, f.Name, other})
			s.f.mu.Unlock()
		}
		items = append(items, engine.Item[T]{ID: f.ID, Node: node, State: f.State})
	}
	t.AddList(items, err)
	if given != "" && !slices.ContainsFunc(all, func(f Found[T]) bool { return f.ID == given }) {
		t.Add(given, nil, err)
	}
}

func (s *survey) unreadNetworks(ctx context.Context) {
	unread(ctx, s, "network", &s.f.Networks, s.r.Networks)
}
func (s *survey) unreadRouters(ctx context.Context) {
	unread(ctx, s, "router", &s.f.Routers, s.r.Routers)
}
func (s *survey) unreadSubnets(ctx context.Context) {
	unread(ctx, s, "subnet", &s.f.Subnets, s.r.Subnets, s.given.Subnet, s.given.SubnetIPv6)
}
func (s *survey) unreadGroups(ctx context.Context) {
	unread(ctx, s, "security-group", &s.f.SecurityGroups, s.r.SecurityGroups)
}

// unread reads by their IDs what the lists did not bring: what is recorded but
// was renamed or is in another network, and what the configuration names.
func unread[T any](ctx context.Context, s *survey, kind string, t *engine.Table[T], list func(context.Context, Query) ([]Found[T], error), given ...engine.ID) {
	var ids []engine.ID
	want := func(id engine.ID) {
		if _, err := t.Get(id).State(); id != "" && errors.Is(err, engine.ErrNotRead) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, id := range given {
		want(id)
	}
	for _, id := range s.c.inheritedOfKind(kind) {
		want(id)
	}
	for _, r := range s.f.State.Records() {
		if r.Kind == kind {
			want(r.ID)
		}
	}
	if len(ids) == 0 {
		return
	}
	all, err := list(ctx, withIDs(ids...))
	for _, id := range ids {
		if i := slices.IndexFunc(all, func(f Found[T]) bool { return f.ID == id }); i >= 0 {
			t.Add(id, &all[i].State, nil)
		} else {
			t.Add(id, nil, err)
		}
	}
}
