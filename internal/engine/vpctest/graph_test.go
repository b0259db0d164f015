// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package vpctest

import (
	"fmt"
	"slices"

	"github.com/espalier-io/espalier/internal/engine"
)

// Config is what the user asks for: here, subnets that the user brings, and a
// small chain of our own.
type Config struct {
	Cluster   string
	VPC       engine.ID
	GroupID   engine.ID // empty: ours
	Zones     []Zone
	Overlay   bool
	Egress    *Egress
	Endpoints []string
}

// Zone is an availability zone.
type Zone struct {
	Name                      string
	Workers, Public, Internal engine.ID
}

// Egress is a NAT gateway with a route to it in a table of ours.
type Egress struct {
	Subnet  engine.ID
	Address engine.ID // empty: ours
}

// Topology describes the cluster's network. It is a pure function. Whether a
// resource is the user's is decided here, once, and nowhere else.
func Topology(c Config, f *Facts) *Graph {
	g := engine.New(f.State, f.Cloud, kinds()...)
	vpc := engine.Refer(g, "vpc "+string(c.VPC), missing("AWS101", "networks.vpc.id"), f.VPCs.Get(c.VPC), nil)
	t := &tags{c: c, f: f, on: map[engine.ID]engine.Dependency{}, role: map[engine.ID]bool{}}
	var balanced []*engine.Node[Subnet]
	seen := map[engine.ID]*engine.Node[Subnet]{}
	for i, z := range c.Zones {
		for _, use := range []struct {
			id                engine.ID
			what, field, role string
		}{
			{z.Workers, "workers", "workersSubnetID", ""},
			{z.Public, "public", "publicSubnetID", "kubernetes.io/role/elb"},
			{z.Internal, "internal", "internalSubnetID", "kubernetes.io/role/internal-elb"},
		} {
			if use.id == "" {
				continue
			}
			n := seen[use.id]
			if n == nil {
				n = subnet(g, f, vpc, z.Name, use.id, fmt.Sprintf("networks.zones[%d].%s", i, use.field))
				seen[use.id] = n
			}
			if use.role != "" {
				balanced = append(balanced, n)
				reason := use.what + " of " + z.Name
				t.add(use.id, n, clusterTag+c.Cluster, reason)
				t.add(use.id, n, use.role, reason)
				t.role[tagID(use.id, use.role)] = true
			}
		}
		if !c.Overlay {
			t.table(g, z, vpc)
		}
	}
	if !c.Overlay {
		_, err := f.Tables.All()
		g.Unsure("route tables", "networks.vpc.id", err, Tags{})
	}
	egress(g, c, f, vpc)
	group(g, c, f, vpc, balanced)
	for _, service := range c.Endpoints {
		name := "endpoint " + service
		engine.Manage(g, name, Endpoints{}, engine.Marked(f.State, name, &f.Endpoints), engine.Needs(vpc),
			func(d engine.Deps, _ *Endpoint) Endpoint { return Endpoint{vpc.ID(d), name, service} })
	}
	t.manage(g)
	engine.Stray(g, Addresses{}, &f.Addresses)
	engine.Stray(g, NATs{}, &f.NATs)
	engine.Stray(g, RouteTables{}, &f.Tables)
	engine.Stray(g, Groups{}, &f.Groups)
	engine.Stray(g, Endpoints{}, &f.Endpoints)
	return g
}

func missing(code, field string) engine.Rule {
	return engine.Rule{Code: code, Severity: engine.Error, Field: field, Fix: "name one that exists in this account and region"}
}

func subnet(g *Graph, f *Facts, vpc *engine.Node[VPC], zone string, id engine.ID, field string) *engine.Node[Subnet] {
	n := engine.Refer(g, "subnet "+string(id), missing("AWS102", field), f.Subnets.Get(id), engine.Needs(vpc))
	rule := engine.Rule{Code: "AWS103", Severity: engine.Error, Field: field, Fix: "name a subnet of that VPC and zone"}
	engine.Require(g, rule, "subnet "+string(id), engine.Needs(vpc, n), func(d engine.Deps) engine.Problem {
		if s := n.State(d); s.VPC != vpc.ID(d) || s.Zone != zone {
			return engine.Problem{Message: fmt.Sprintf("subnet %s is in %s, zone %s, not in %s, zone %s", id, s.VPC, s.Zone, vpc.ID(d), zone)}
		}
		return engine.Problem{}
	})
	return n
}

// tags are the tags that we put on the user's things: one node per resource
// and key, however many reasons there are.
type tags struct {
	c       Config
	f       *Facts
	order   []engine.ID
	reasons map[engine.ID][]string
	on      map[engine.ID]engine.Dependency // tag → what it is on
	role    map[engine.ID]bool
}

func (t *tags) add(on engine.ID, n engine.Dependency, key, reason string) {
	id := tagID(on, key)
	if t.on[id] == nil {
		t.order = append(t.order, id)
		t.on[id] = n
	}
	if t.reasons == nil {
		t.reasons = map[engine.ID][]string{}
	}
	if !slices.Contains(t.reasons[id], reason) {
		t.reasons[id] = append(t.reasons[id], reason)
	}
}

// table adds the tag of the route table that a worker subnet uses now: its
// own, or else the main one of the VPC.
func (t *tags) table(g *Graph, z Zone, vpc engine.Dependency) {
	all, _ := t.f.Tables.All() // Topology looks at the error
	var uses engine.Fact[RouteTable]
	for _, table := range all {
		st, _ := table.State()
		if slices.Contains(st.Subnets, z.Workers) {
			uses = table
			break
		}
		if st.Main {
			uses = table
		}
	}
	if !uses.There() {
		return
	}
	name := "route-table " + string(uses.ID)
	id := tagID(uses.ID, clusterTag+t.c.Cluster)
	n := t.on[id]
	if n == nil {
		n = engine.Refer(g, name, missing("AWS104", "networks.vpc.id"), uses, engine.Needs(vpc))
	}
	t.add(uses.ID, n, clusterTag+t.c.Cluster, "workers of "+z.Name)
}

func (t *tags) manage(g *Graph) {
	cluster := map[engine.ID]engine.Dependency{}
	for _, id := range t.order { // the cluster tag of a resource comes before its roles
		on, key := cutTag(id)
		kind, fact := "subnet", engine.Fact[Tag]{}
		if t.f.Tables.Get(on).There() {
			kind, fact = "route-table", tagged(t.f, &t.f.Tables, on, key)
		} else {
			fact = tagged(t.f, &t.f.Subnets, on, key)
		}
		name := fmt.Sprintf("%s %s/tag %s", kind, on, key)
		because := engine.Because(t.reasons[id]...)
		if t.role[id] {
			t.manageRole(g, name, on, key, fact, cluster[on], because)
			continue
		}
		byHand := engine.ByHand(fmt.Sprintf("If it is this cluster's: aws ec2 delete-tags --resources %s --tags Key=%s,Value=shared", on, key))
		cluster[on] = engine.Manage(g, name, Tags{}, engine.Attached(t.f.State, name, fact), engine.Needs(t.on[id]),
			func(engine.Deps, *Tag) Tag { return Tag{on, key, "shared"} }, because, byHand)
	}
}

// manageRole adds a role tag: ours if we set it, or Gardener did for another
// cluster, which its marker says.
func (t *tags) manageRole(g *Graph, name string, on engine.ID, key string, tag engine.Fact[Tag], cluster engine.Dependency, because engine.Option) {
	fact := engine.Absent[RoleTag](tag.ID)
	if st, err := tag.State(); err != nil {
		fact = engine.Unknown[RoleTag](tag.ID, err)
	} else if st != nil {
		m, _ := t.f.Tags.Get(tagID(on, marker)).State()
		fact = engine.There(tag.ID, RoleTag{on, key, st.Value, m != nil && m.Value == key})
	}
	claim := engine.Shared(t.f.State, name, fact, func(r RoleTag) bool { return r.Marked && r.Value == "1" })
	engine.Manage(g, name, RoleTags{}, claim, engine.Needs(t.on[tag.ID], engine.First(cluster)),
		func(engine.Deps, *RoleTag) RoleTag { return RoleTag{On: on, Key: key, Value: "1"} }, because)
}

func egress(g *Graph, c Config, f *Facts, vpc *engine.Node[VPC]) {
	if c.Egress == nil {
		return
	}
	var address *engine.Node[Address]
	if id := c.Egress.Address; id != "" {
		address = engine.Refer(g, "elastic-ip "+string(id), missing("AWS105", "networks.zones[0].elasticIPAllocationID"), f.Addresses.Get(id), nil)
	} else {
		address = engine.Manage(g, "elastic-ip", Addresses{}, engine.Marked(f.State, "elastic-ip", &f.Addresses), nil,
			func(engine.Deps, *Address) Address { return Address{"elastic-ip", engine.Chosen} })
	}
	nat := engine.Manage(g, "nat-gateway", NATs{}, engine.Marked(f.State, "nat-gateway", &f.NATs), engine.Needs(address),
		func(d engine.Deps, _ *NAT) NAT {
			return NAT{"nat-gateway", c.Egress.Subnet, address.ID(d), "available"}
		})
	table := engine.Manage(g, "route-table", RouteTables{}, engine.Marked(f.State, "route-table", &f.Tables), engine.Needs(vpc),
		func(d engine.Deps, _ *RouteTable) RouteTable { return RouteTable{VPC: vpc.ID(d), Mark: "route-table"} })
	engine.Manage(g, "route-table/route 0.0.0.0/0", Routes{}, engine.Contained(table, f.Routes.Get(routeID(table.Found(), "0.0.0.0/0"))), engine.Needs(table, nat),
		func(d engine.Deps, _ *Route) Route { return Route{table.ID(d), "0.0.0.0/0", nat.ID(d)} })
}

func group(g *Graph, c Config, f *Facts, vpc *engine.Node[VPC], balanced []*engine.Node[Subnet]) {
	if c.GroupID != "" {
		engine.Refer(g, "security-group", missing("AWS106", "networks.nodesSecurityGroupID"), f.Groups.Get(c.GroupID), engine.Needs(vpc))
		return
	}
	needs := engine.Needs(vpc)
	for _, n := range balanced {
		needs = append(needs, n)
	}
	engine.Manage(g, "security-group", Groups{}, engine.Marked(f.State, "security-group", &f.Groups), needs,
		func(d engine.Deps, _ *Group) Group {
			rules := engine.Set[string]{"in self", "out all"}
			for _, n := range balanced {
				rules = append(rules, "in nodeports "+n.State(d).CIDR)
			}
			return Group{vpc.ID(d), c.Cluster + "-nodes", "security-group", rules}
		})
}
