// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"errors"
	"slices"

	"github.com/espalier-io/espalier/internal/engine"
)

// A survey is one reading of the facts.
type survey struct {
	r     Reader
	c     Config
	f     *Facts
	given Given
}

func (s *survey) networks(ctx context.Context) {
	q := Query{"name": {s.c.TechnicalID}}
	if s.given.Network != "" {
		q = withIDs(s.given.Network)
		if known := s.f.State.Known(externalNode); known != "" && known != s.given.Network {
			q.Add("id", string(known)) // one call for both
		}
	}
	all, err := s.r.Networks(ctx, q)
	if s.given.Network != "" {
		all = s.keepExternal(all, err)
	}
	enter(s, "network", &s.f.Networks, all, err, s.given.Network)
}

// keepExternal takes the external network of the floating pool out of a list.
func (s *survey) keepExternal(all []Found[Network], err error) []Found[Network] {
	if err != nil {
		return all
	}
	return slices.DeleteFunc(all, func(n Found[Network]) bool {
		if n.ID != s.given.Network && n.State.External && n.Name == s.c.infra.FloatingPoolName {
			s.f.External = append(s.f.External, n)
		}
		return n.ID != s.given.Network
	})
}

// external looks for the external network unless the list of networks brings it.
func (s *survey) external(ctx context.Context) {
	if s.given.Network == "" || s.f.State.Known(externalNode) == "" {
		s.findExternal(ctx)
	}
}

// externalByName is for a known one that is gone or has another name.
func (s *survey) externalByName(ctx context.Context) {
	if len(s.f.External) == 0 && s.f.ExternalErr == nil && s.given.Network != "" && s.f.State.Known(externalNode) != "" {
		s.findExternal(ctx)
	}
}

func (s *survey) findExternal(ctx context.Context) {
	s.f.External, s.f.ExternalErr = s.r.Networks(ctx, Query{"name": {s.c.infra.FloatingPoolName}, "router:external": {"true"}})
}

func (s *survey) routers(ctx context.Context) {
	q := Query{"name": {s.c.TechnicalID}}
	if s.given.Router != "" {
		q = withIDs(s.given.Router)
	}
	all, err := s.r.Routers(ctx, q)
	enter(s, "router", &s.f.Routers, all, err, s.given.Router)
}

// subnets lists those of the user's network, ours and theirs, or those that
// have our name.
func (s *survey) subnets(ctx context.Context) {
	q := Query{"name": s.c.subnetNames()}
	if s.given.Network != "" {
		q = Query{"network_id": {string(s.given.Network)}}
	}
	all, err := s.r.Subnets(ctx, q)
	if s.given.Network != "" {
		s.f.InNetwork, s.f.InNetworkErr = all, err
	}
	enter(s, "subnet", &s.f.Subnets, all, err, "")
}

// subnetNames are the names of all subnets that we may make.
func (c Config) subnetNames() []string {
	names := []string{c.TechnicalID}
	if c.DualStack {
		names = append(names, c.TechnicalID+"-ipv6", c.TechnicalID+"-ipv6-pod", c.TechnicalID+"-ipv6-svc")
	}
	return names
}

// subnetPools reads the pools that the configuration names.
func (s *survey) subnetPools(ctx context.Context) {
	var ids []engine.ID
	if p := s.c.infra.Networks.SubnetPool; p != nil {
		ids = append(ids, canonical(p.ID))
	}
	if p := s.c.infra.Networks.IPv6; s.c.DualStack && p != nil && p.SubnetPoolID != nil && p.NodeCIDR == "" {
		ids = append(ids, canonical(*p.SubnetPoolID))
	}
	if len(ids) == 0 {
		return
	}
	all, err := s.r.SubnetPools(ctx, withIDs(ids...))
	for _, f := range all {
		s.f.SubnetPools.Add(f.ID, &f.State, nil)
	}
	s.f.SubnetPools.Rest(err)
}

// shareNetworks reads the one that the configuration names, or those that may
// be adopted. A recorded one is read by its ID, whatever its name is now.
func (s *survey) shareNetworks(ctx context.Context) {
	asked, t := s.c.infra.Networks.ShareNetwork, &s.f.ShareNetworks
	var err error
	switch {
	case s.given.ShareNetwork != "":
		var state *ShareNetwork
		state, err = s.r.ShareNetwork(ctx, s.given.ShareNetwork)
		if errors.Is(err, errNoManila) {
			err, s.f.NoManila = nil, true
		}
		t.Add(s.given.ShareNetwork, state, err)
		return
	case asked == nil || !asked.Enabled:
		return
	}
	all, err := s.r.ShareNetworks(ctx, Query{"name": {s.c.TechnicalID}})
	if errors.Is(err, errNoManila) {
		err, s.f.NoManila = nil, true
	}
	enter(s, "share-network", t, all, err, "")
	if rec, ok := s.f.State.Get(shareNode); ok && rec.ID != "" && err == nil && !t.Get(rec.ID).There() {
		state, err := s.r.ShareNetwork(ctx, rec.ID)
		t.Add(rec.ID, state, err)
	}
	t.Rest(err)
}

func (s *survey) groups(ctx context.Context) {
	q := Query{"name": {s.c.TechnicalID}}
	if s.given.SecurityGroup != "" {
		q = withIDs(s.given.SecurityGroup)
	}
	all, err := s.r.SecurityGroups(ctx, q)
	enter(s, "security-group", &s.f.SecurityGroups, all, err, s.given.SecurityGroup)
	if s.given.SecurityGroup == "" {
		s.f.GroupsNamed, s.f.GroupsNamedErr = all, err
	}
}

// groupsNamed lists the groups that have the name of the user's: machines are
// given their group by its name.
func (s *survey) groupsNamed(ctx context.Context) {
	if s.given.SecurityGroup == "" {
		return
	}
	group, err := s.f.SecurityGroups.Get(s.given.SecurityGroup).State()
	if group == nil {
		s.f.GroupsNamedErr = err
		return
	}
	s.f.GroupsNamed, s.f.GroupsNamedErr = s.r.SecurityGroups(ctx, Query{"name": {group.Name}, "fields": {"id", "name", "project_id"}})
}

func (s *survey) keyPairs(ctx context.Context) {
	if s.c.SSHPublicKey == "" {
		return // there will be none; one that is recorded is deleted from its record
	}
	name := engine.ID(s.c.TechnicalID)
	k, err := s.r.KeyPair(ctx, name)
	s.f.KeyPairs.Add(name, k, err)
}

// interfaces reads the interfaces of the router that is known beforehand.
func (s *survey) interfaces(ctx context.Context) {
	if id := s.router(); id != "" {
		s.interfacesOf(ctx, id)
	}
}

// interfacesOfFound reads those of a router that had to be found.
func (s *survey) interfacesOfFound(ctx context.Context) {
	if s.router() != "" {
		return
	}
	found, err := s.f.Routers.Marked(routerNode)
	if len(found) == 0 {
		s.f.Interfaces.Rest(err) // without a router there is no interface
		return
	}
	s.interfacesOf(ctx, found[0].ID)
}

func (s *survey) router() engine.ID {
	if s.given.Router != "" {
		return s.given.Router
	}
	if rec, _ := s.f.State.Get(routerNode); rec.ID != "" {
		return rec.ID
	}
	return s.c.inherited(routerNode)
}

func (s *survey) interfacesOf(ctx context.Context, router engine.ID) {
	all, err := s.r.Ports(ctx, Query{"device_id": {string(router)}})
	for _, p := range all {
		if !p.State.isInterface() {
			continue
		}
		for subnet, addresses := range p.State.Addresses {
			s.f.Interfaces.Add(interfaceID(router, subnet), &Interface{router, subnet, addresses}, nil)
		}
	}
	s.f.Interfaces.Rest(err)
}

// onRouter reads the subnets on the user's router as long as ours is not there.
func (s *survey) onRouter(ctx context.Context) {
	if s.given.Router == "" || s.given.Subnet != "" {
		return
	}
	if ours, err := s.f.Subnets.Marked(subnetNode); err != nil || len(ours) > 0 {
		return
	}
	var ids []engine.ID
	all, err := s.f.Interfaces.All()
	if err != nil {
		s.f.OnRouterErr = err
		return
	}
	for _, f := range all {
		if i, err := f.State(); err == nil && i != nil {
			ids = append(ids, i.Subnet)
		}
	}
	if len(ids) > 0 {
		s.f.OnRouter, s.f.OnRouterErr = s.r.Subnets(ctx, withIDs(ids...))
	}
}
