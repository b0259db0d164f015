// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/espalier-io/espalier/internal/engine"
)

// A Layout is the graph of a cluster's network, and those of its parts that
// the status tells others about.
type Layout struct {
	*Graph
	c         Config
	vpc       *engine.Node[VPC]
	subnets   []use
	services  netip.Prefix // the IPv6 range of Services
	group     *engine.Node[SecurityGroup]
	keyPair   *engine.Node[KeyPair] // nil without a public key
	role      *engine.Node[Role]
	profile   *engine.Node[Profile]
	podRoutes []PodRoute
	swept     map[string]bool   // IDs of what a deletion removes of what Kubernetes has left
	tags      map[string]string // the tags that a plan may set or remove: resource#key → value
}

// A use is what a zone uses a subnet for.
type use struct {
	zone    string
	purpose string // nodes, public or internal, as the status calls it
	id      engine.ID
	node    *engine.Node[Subnet]
	field   string
	found   bool // by its tags: the configuration does not name it
}

// kinds are all kinds that were ever managed, in an order of creation.
func kinds() []engine.Remover[Writer] {
	return []engine.Remover[Writer]{SecurityGroups{}, KeyPairs{}, Roles{}, Policies{}, Profiles{}, ProfileRoles{}, Tags{}, RoleTags{}, ServiceRanges{}, CIDRReservations{},
		ClassicBalancers{}, LoadBalancers{}, TargetGroups{}, LeftGroups{}, PodRoutes{}}
}

// Given are the IDs that the configuration names: the user's.
type Given struct {
	VPC, SecurityGroup engine.ID
	Zones              []GivenZone
}

// GivenZone are the subnets of one zone; any but Workers may be empty.
type GivenZone struct {
	Name                      string
	Workers, Public, Internal engine.ID
}

// subnets are all that are named, each once.
func (g Given) subnets() (out []engine.ID) {
	for _, z := range g.Zones {
		for _, id := range []engine.ID{z.Workers, z.Public, z.Internal} {
			if id != "" && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

func (c Config) given() (g Given) {
	id := func(s *string) engine.ID {
		if s == nil {
			return ""
		}
		return engine.ID(*s)
	}
	g.VPC, g.SecurityGroup = id(c.infra.Networks.VPC.ID), id(c.infra.Networks.NodesSecurityGroupID)
	for _, z := range c.infra.Networks.Zones {
		g.Zones = append(g.Zones, GivenZone{z.Name, id(z.WorkersSubnetID), id(z.PublicSubnetID), id(z.InternalSubnetID)})
	}
	return g
}

// byo says that the subnets of the nodes are the user's. Static validation has
// seen to it that either all or none are.
func (c Config) byo() bool {
	zones := c.given().Zones
	return len(zones) > 0 && !slices.ContainsFunc(zones, func(z GivenZone) bool { return z.Workers == "" })
}

// Topology describes the cluster's network. It is a pure function. Whether a
// resource is the user's is decided here, once, and nowhere else: what the
// configuration names is referred to, and what is added to it is managed as a
// tag of its own.
func Topology(c Config, f *Facts) *Layout {
	t := &topology{c: c, f: f, given: c.given(), Layout: Layout{Graph: engine.New(f.State, f.Cloud, kinds()...), c: c, services: c.serviceRange(f.State), tags: map[string]string{}, swept: map[string]bool{}}}
	t.vpc = engine.Refer(t.Graph, "vpc "+string(t.given.VPC), rules.vpc.engine(), f.VPCs.Get(t.given.VPC), nil)
	t.addSubnets()
	t.addTables()
	t.addEgressGateway()
	t.group = t.addGroup()
	t.keyPair = t.addKeyPair()
	t.addIAM()
	t.addServiceRange()
	t.addReservation()
	t.manageTags()
	t.checks()
	t.sweep()
	t.sweepPodRoutes()
	engine.Stray(t.Graph, SecurityGroups{}, &f.Groups)
	return &t.Layout
}

// topology is a Layout in the making.
type topology struct {
	Layout
	c       Config
	f       *Facts
	given   Given
	wanted  []*wantedTag // in the order in which they were asked for
	inUse   []tableUse
	clashes []clash
}

// addSubnets refers to the subnets that the configuration names, and to the
// load balancer subnets that are found by their tags.
func (t *topology) addSubnets() {
	seen := map[engine.ID]*engine.Node[Subnet]{}
	for i, z := range t.given.Zones {
		for _, s := range []struct {
			id                   engine.ID
			purpose, field, role string
		}{
			{z.Workers, "nodes", "workersSubnetID", ""},
			{z.Public, "public", "publicSubnetID", elbTag},
			{z.Internal, "internal", "internalSubnetID", internalTag},
		} {
			field, found := fmt.Sprintf("networks.zones[%d].%s", i, s.field), false
			if s.id == "" && s.role != "" {
				s.id = t.discover(z.Name, s.role, field)
				found = true
			}
			if s.id == "" {
				continue
			}
			n := seen[s.id]
			if n == nil {
				rule := rules.subnet.engine()
				rule.Field = field
				n = engine.Refer(t.Graph, "subnet "+string(s.id), rule, t.f.Subnets.Get(s.id), engine.Needs(t.vpc))
				seen[s.id] = n
			}
			t.subnets = append(t.subnets, use{z.Name, s.purpose, s.id, n, field, found})
			if s.role != "" && !found { // the tags of what was found are the user's
				reason := s.purpose + " of " + z.Name
				t.want(s.id, n, t.c.clusterKey(), sharedWithUs, reason)
				t.want(s.id, n, s.role, "1", reason)
			}
		}
	}
}

// discover returns the subnet of a zone in use that the user's tags name for a
// role. Several are a finding, before anything is written; none is nothing.
// Source: proposal, "LB Subnet Discovery via Tags".
func (t *topology) discover(zone, role, field string) engine.ID {
	all, err := t.f.Subnets.All()
	t.Unsure("subnets with tags", "networks.vpc.id", err, Tags{}, RoleTags{})
	var found []engine.ID
	for _, f := range all {
		s, serr := f.State()
		_, ours := s.Tags[t.c.clusterKey()]
		if serr == nil && s.VPC == t.given.VPC && s.Zone == zone && s.Tags[role] == "1" && ours && !t.weSet(f.ID) {
			found = append(found, f.ID)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	if len(found) > 1 {
		t.clashes = append(t.clashes, clash{zone, role, field, found})
	}
	return ""
}

// weSet says that the cluster tag of a subnet or a table is recorded as ours: it
// says nothing of what the user wants.
func (t *topology) weSet(id engine.ID) bool {
	return recorded(t.f.State, tagID(id, t.c.clusterKey()))
}

// A clash are several subnets that the tags name for one zone and role.
type clash struct {
	zone, role, field string
	ids               []engine.ID
}

// A tableUse is a route table that worker subnets use.
type tableUse struct {
	id    engine.ID
	node  *engine.Node[RouteTable]
	zones []string
	main  bool // for want of an association
}

// addTables refers to the route tables that worker subnets use now: their own,
// or else the main one of the VPC.
func (t *topology) addTables() {
	_, err := t.f.Tables.All()
	t.Unsure("route tables", "networks.vpc.id", err, Tags{})
	for _, z := range t.given.Zones {
		if s, serr := t.f.Subnets.Get(z.Workers).State(); serr == nil && (s == nil || s.VPC != t.given.VPC) {
			continue // that is a finding already, and no table is its own
		}
		if table, id, _ := t.tableOf(z.Workers); id != "" {
			t.useTable(id, z.Name, !slices.Contains(table.Subnets, z.Workers))
		}
	}
}

func (t *topology) useTable(id engine.ID, zone string, implicit bool) {
	i := slices.IndexFunc(t.inUse, func(u tableUse) bool { return u.id == id })
	if i < 0 {
		n := engine.Refer(t.Graph, "route-table "+string(id), rules.vpc.engine(), t.f.Tables.Get(id), engine.Needs(t.vpc))
		t.inUse = append(t.inUse, tableUse{id: id, node: n})
		i = len(t.inUse) - 1
	}
	t.inUse[i].zones = append(t.inUse[i].zones, zone)
	t.inUse[i].main = t.inUse[i].main || implicit
	if t.c.routed() {
		t.want(id, t.inUse[i].node, t.c.clusterKey(), sharedWithUs, "workers of "+zone)
	}
}

// addEgressGateway refers to the VPC's egress-only internet gateway, if it has
// one: with subnets of the user's none is ever made.
func (t *topology) addEgressGateway() {
	if id := t.egressGateway(); id != "" {
		engine.Refer(t.Graph, "egress-only-internet-gateway "+string(id), rules.vpc.engine(), t.f.Egress.Get(id), engine.Needs(t.vpc))
	}
}

// egressGateway returns the one of the VPC; it has one at the most.
func (t *topology) egressGateway() engine.ID {
	all, _ := t.f.Egress.All()
	for _, f := range all {
		if g, err := f.State(); err == nil && slices.Contains(g.VPCs, t.given.VPC) {
			return f.ID
		}
	}
	return ""
}

func (t *topology) addGroup() *engine.Node[SecurityGroup] {
	if id := t.given.SecurityGroup; id != "" {
		return engine.Refer(t.Graph, groupNode, rules.group.engine(), t.f.Groups.Get(id), engine.Needs(t.vpc))
	}
	needs := engine.Needs(t.vpc)
	var balanced []*engine.Node[Subnet]
	for _, u := range t.subnets {
		if u.purpose != "nodes" && !slices.Contains(balanced, u.node) {
			balanced = append(balanced, u.node)
			needs = append(needs, u.node)
		}
	}
	return engine.Manage(t.Graph, groupNode, SecurityGroups{}, t.claimGroup(), needs,
		func(d engine.Deps, have *SecurityGroup) SecurityGroup {
			name := t.c.name("nodes")
			want := SecurityGroup{Name: name, VPC: t.vpc.ID(d), Marks: t.c.marks(groupNode, name), Rules: t.c.nodeRules(have)}
			for _, n := range balanced {
				want.Rules = append(want.Rules, t.c.nodePortRules(n.State(d))...)
			}
			return want
		})
}

// claimGroup claims what bears our mark, or was inherited and has the tag that
// Gardener's provider gives to what it makes for the cluster.
func (t *topology) claimGroup() engine.Claim[SecurityGroup] {
	claim := engine.Marked(t.f.State, groupNode, &t.f.Groups)
	if id := t.c.inherited(groupNode); id != "" {
		return engine.Inherited(claim, t.f.Groups.Get(id), func(g SecurityGroup) bool { return g.VPC == t.given.VPC && t.c.ofCluster(g.Marks) })
	}
	return claim
}

const (
	groupNode   = "security-group"
	keyPairNode = "key-pair"
	roleNode    = "iam-role"
	policyNode  = "iam-role/policy"
	profileNode = "iam-instance-profile"
	memberNode  = "iam-instance-profile/role"
)

// nodeRules are the rules of a group of ours: all between the nodes, NodePorts
// from anywhere, everything out. What EC2 has added for a family that the
// cluster does not have stays as it is, and is not missed.
func (c Config) nodeRules(have *SecurityGroup) engine.Set[Rule] {
	rs := engine.Set[Rule]{{"ingress", "-1", 0, 0, "self"}}
	for _, cidr := range c.anywhere() {
		rs = append(rs, nodePorts(cidr)...)
		rs = append(rs, Rule{"egress", "-1", 0, 0, cidr})
	}
	for _, cidr := range []string{everyIPv4, everyIPv6} { // EC2 gives them to a new group by itself
		r := Rule{"egress", "-1", 0, 0, cidr}
		there := have == nil && cidr == everyIPv4 || have != nil && slices.Contains(have.Rules, r)
		if there && !slices.Contains(rs, r) {
			rs = append(rs, r)
		}
	}
	return rs
}

func nodePorts(peer string) []Rule {
	return []Rule{{"ingress", "tcp", firstNodePort, lastNodePort, peer}, {"ingress", "udp", firstNodePort, lastNodePort, peer}}
}

// nodePortRules open the NodePorts to the real ranges of a load balancer subnet.
func (c Config) nodePortRules(s Subnet) (rs []Rule) {
	if c.IPv4 && s.CIDR != "" {
		rs = append(rs, nodePorts(s.CIDR)...)
	}
	if c.IPv6 {
		for _, cidr := range s.IPv6CIDRs {
			rs = append(rs, nodePorts(cidr)...)
		}
	}
	return rs
}

func (t *topology) addKeyPair() *engine.Node[KeyPair] {
	key := publicKey(t.c.SSHPublicKey)
	if key == "" {
		return nil
	}
	name := t.c.name("ssh-publickey")
	fact := t.f.KeyPairs.Get(engine.ID(name))
	claim := engine.Named(t.f.State, keyPairNode, fact, func(k KeyPair) bool {
		inherited := t.c.inherited(keyPairNode) == engine.ID(name) && t.c.ofCluster(k.Marks)
		return k.PublicKey == key || t.marked(k.Marks) || inherited
	})
	return engine.Manage(t.Graph, keyPairNode, KeyPairs{}, claim, nil,
		func(engine.Deps, *KeyPair) KeyPair {
			return KeyPair{name, key, t.c.marks(keyPairNode, name)}
		})
}

// marked says that tags are this cluster's.
func (t *topology) marked(tags map[string]string) bool {
	node, _ := t.c.readMark(tags)
	return node != ""
}

// addIAM adds the chain role → policy, role and profile → role in profile.
func (t *topology) addIAM() {
	name := t.c.name("nodes")
	id := engine.ID(name)
	claim := engine.Named(t.f.State, roleNode, t.f.Roles.Get(id), func(r Role) bool { return t.marked(r.Marks) || t.c.inherited(roleNode) == id })
	t.role = engine.Manage(t.Graph, roleNode, Roles{}, claim, nil,
		func(engine.Deps, *Role) Role { return Role{Name: name, Marks: t.c.marks(roleNode, name)} })
	ecr := t.c.infra.EnableECRAccess == nil || *t.c.infra.EnableECRAccess
	engine.Manage(t.Graph, policyNode, Policies{}, engine.Contained(t.role, t.f.Policies.Get(policyID(id, id))), engine.Needs(t.role),
		func(d engine.Deps, _ *Policy) Policy { return Policy{t.role.ID(d), name, nodePolicy(ecr)} })
	pclaim := engine.Named(t.f.State, profileNode, t.f.Profiles.Get(id), func(p Profile) bool { return t.marked(p.Marks) || t.c.inherited(profileNode) == id })
	t.profile = engine.Manage(t.Graph, profileNode, Profiles{}, pclaim, nil,
		func(engine.Deps, *Profile) Profile { return Profile{Name: name, Marks: t.c.marks(profileNode, name)} })
	engine.Manage(t.Graph, memberNode, ProfileRoles{}, engine.Contained(t.profile, t.f.Members.Get(id+"/"+id)), engine.Needs(t.role, t.profile),
		func(d engine.Deps, _ *ProfileRole) ProfileRole { return ProfileRole{t.profile.ID(d), t.role.ID(d)} })
}
