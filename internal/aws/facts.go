// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// Facts are all that a topology depends on besides the configuration.
type Facts struct {
	State   *engine.State
	Cloud   string // account/region
	Account string
	Purpose Purpose

	VPCs     engine.Table[VPC]
	DHCP     *DHCP // of the VPC; nil: EC2's default, which answers nothing
	DHCPErr  error
	Subnets  engine.Table[Subnet]
	Tables   engine.Table[RouteTable]
	Egress   engine.Table[Gateway]    // egress-only internet gateways
	NATs     engine.Table[NATGateway] // not read if a cluster is there and nobody asks for findings
	Groups   engine.Table[SecurityGroup]
	KeyPairs engine.Table[KeyPair]
	Roles    engine.Table[Role]
	Policies engine.Table[Policy]
	Profiles engine.Table[Profile]
	Members  engine.Table[ProfileRole]

	// Reservations are those of subnets in which one may be ours.
	Reservations engine.Table[CIDRReservation]

	// Routes is how many a table may have.
	Routes    int
	RoutesErr error

	// What may be left of Kubernetes, and why it is not known, list by list.
	Leftovers    [][]Leftover
	LeftoversErr []error

	// Machines are the instances of the cluster and their network interfaces.
	Machines    map[engine.ID]bool
	MachinesErr error
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

const readsAtATime = 16

// Read gathers the facts: one Describe per kind, filtered by the VPC, all at
// once. A second round reads what the first one has named.
// The error is that nobody knows whose credentials these are: then nothing that
// was read means anything.
func Read(ctx context.Context, r Reader, c Config, s *engine.State, purpose Purpose) (*Facts, error) {
	y := &survey{r: r, c: c, f: &Facts{State: s, Purpose: purpose}, given: c.given()}
	one := []func(context.Context){y.account, y.vpc, y.subnets, y.tables, y.groups, y.keyPair, y.role, y.policy, y.profile, y.quota, y.egress, y.nats}
	one = append(one, y.leftovers()...)
	engine.Together(ctx, readsAtATime, one...)
	if y.err != nil {
		return nil, y.err
	}
	engine.Together(ctx, readsAtATime, y.dhcp, y.otherSubnets, y.otherGroups, y.machines, y.reservations)
	return y.f, nil
}

// A survey is one reading of the facts.
type survey struct {
	r     Reader
	c     Config
	f     *Facts
	given Given
	err   error
}

func (s *survey) account(ctx context.Context) {
	s.f.Account, s.err = s.r.Account(ctx)
	s.f.Cloud = s.f.Account + "/" + s.r.Region()
}

func (s *survey) vpc(ctx context.Context) {
	v, err := s.r.VPC(ctx, s.given.VPC)
	s.f.VPCs.Add(s.given.VPC, v, err)
}

func (s *survey) dhcp(ctx context.Context) {
	v, err := s.f.VPCs.Get(s.given.VPC).State()
	if s.f.Purpose == Deletion || err != nil || v == nil || !strings.HasPrefix(string(v.DHCPOptions), "dopt-") {
		s.f.DHCPErr = err
		return
	}
	s.f.DHCP, s.f.DHCPErr = s.r.DHCP(ctx, v.DHCPOptions)
}

func (s *survey) subnets(ctx context.Context) {
	all, err := s.r.Subnets(ctx, s.given.VPC, nil)
	snapshot(&s.f.Subnets, all, err, nil)
}

// otherSubnets looks outside the VPC for what the configuration names.
func (s *survey) otherSubnets(ctx context.Context) {
	var missing []engine.ID
	for _, id := range s.given.subnets() {
		if f := s.f.Subnets.Get(id); !f.There() {
			if _, err := f.State(); err == nil {
				missing = append(missing, id)
			}
		}
	}
	if len(missing) == 0 {
		return
	}
	found, err := s.r.Subnets(ctx, "", missing)
	for _, id := range missing {
		if sub, ok := found[id]; ok {
			s.f.Subnets.Add(id, &sub, nil)
		} else {
			s.f.Subnets.Add(id, nil, err)
		}
	}
}

func (s *survey) tables(ctx context.Context) {
	all, err := s.r.RouteTables(ctx, s.given.VPC)
	snapshot(&s.f.Tables, all, err, nil)
}

func (s *survey) egress(ctx context.Context) {
	if s.c.IPv6 && s.f.Purpose != Deletion {
		all, err := s.r.EgressGateways(ctx)
		snapshot(&s.f.Egress, all, err, nil)
	}
}

// nats reads the state of NAT gateways, before a cluster is there and whenever
// somebody asks: it decides nothing about what is to be done.
func (s *survey) nats(ctx context.Context) {
	first := s.f.Purpose == Reconciliation && len(s.f.State.Records()) == 0
	if s.f.Purpose == Preflight || first {
		all, err := s.r.NATGateways(ctx, s.given.VPC)
		snapshot(&s.f.NATs, all, err, nil)
	}
}

func (s *survey) groups(ctx context.Context) {
	all, err := s.r.SecurityGroups(ctx, s.given.VPC)
	snapshot(&s.f.Groups, all, err, func(g SecurityGroup) string {
		node, _ := s.c.readMark(g.Marks)
		return node
	})
}

// otherGroups looks outside the VPC for the group that the configuration names.
func (s *survey) otherGroups(ctx context.Context) {
	id := s.given.SecurityGroup
	f := s.f.Groups.Get(id)
	if _, err := f.State(); id == "" || err != nil || f.There() {
		return
	}
	found, err := s.r.SecurityGroupsByID(ctx, []engine.ID{id})
	if g, ok := found[id]; ok {
		s.f.Groups.Add(id, &g, nil)
	} else {
		s.f.Groups.Add(id, nil, err)
	}
}

func (s *survey) keyPair(ctx context.Context) {
	if s.c.SSHPublicKey == "" {
		return // there will be none; one that is recorded is deleted from its record
	}
	name := engine.ID(s.c.name("ssh-publickey"))
	k, err := s.r.KeyPair(ctx, name)
	s.f.KeyPairs.Add(name, k, err)
}

func (s *survey) role(ctx context.Context) {
	name := engine.ID(s.c.name("nodes"))
	r, err := s.r.Role(ctx, name)
	s.f.Roles.Add(name, r, err)
}

func (s *survey) policy(ctx context.Context) {
	name := engine.ID(s.c.name("nodes"))
	p, err := s.r.RolePolicy(ctx, name, name)
	s.f.Policies.Add(policyID(name, name), p, err)
}

func (s *survey) profile(ctx context.Context) {
	name := engine.ID(s.c.name("nodes"))
	p, err := s.r.Profile(ctx, name)
	s.f.Profiles.Add(name, p, err)
	if p != nil {
		for _, role := range p.Roles {
			s.f.Members.Add(name+"/"+role, &ProfileRole{name, role}, nil)
		}
	}
	s.f.Members.Rest(err)
}

// snapshot enters all of a kind, the user's and ours; mark says which node
// something is the cluster's for.
func snapshot[T any](t *engine.Table[T], all map[engine.ID]T, err error, mark func(T) string) {
	var items []engine.Item[T]
	for _, id := range slices.Sorted(maps.Keys(all)) {
		item := engine.Item[T]{ID: id, State: all[id]}
		if mark != nil {
			item.Node = mark(all[id])
		}
		items = append(items, item)
	}
	t.AddList(items, err)
	t.Rest(err)
}
