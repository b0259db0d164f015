// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package vpctest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/espalier-io/espalier/internal/engine"
)

// ec2 is an EC2 in memory. It enforces what EC2 enforces.
type ec2 struct {
	mu      sync.Mutex
	latency time.Duration
	next    map[string]int
	calls   []string
	hook    func(cluster string)
	denied  map[string]error
	tokens  map[string]engine.ID
	things  map[engine.ID]any
	mark    map[engine.ID][2]string // cluster, node
	tags    map[engine.ID]map[string]string
	ops     int
	killAt  int
	pending map[engine.ID]int // reads until a NAT gateway is available
}

// client is what one cluster sees of it.
type client struct {
	*ec2
	cluster string
}

func (f *ec2) call(cluster, name string) (func(), error) {
	if f.hook != nil {
		f.hook(cluster)
	}
	time.Sleep(f.latency) //nolint:forbidigo // the bubble's clock
	f.mu.Lock()
	if err := f.op(); err != nil {
		return f.mu.Unlock, err
	}
	f.calls = append(f.calls, name)
	return f.mu.Unlock, f.denied[strings.Fields(name)[0]]
}

// op counts operations; from the killAt-th on the process is dead.
func (f *ec2) op() error {
	if f.ops++; f.killAt > 0 && f.ops >= f.killAt {
		return errDead
	}
	return nil
}

func list[T any](c client, call string, keep func(engine.ID, T) bool) (out []Item[T], _ error) {
	unlock, err := c.call(c.cluster, "Describe"+call)
	defer unlock()
	if err != nil {
		return nil, err
	}
	for _, id := range slices.SortedFunc(maps.Keys(c.things), func(a, b engine.ID) int { return strings.Compare(string(a), string(b)) }) {
		if t, ok := c.things[id].(T); ok && keep(id, t) {
			i := Item[T]{ID: id, State: t, Tags: maps.Clone(c.tags[id])}
			if m := c.mark[id]; m[0] == c.cluster {
				i.Mark = m[1]
			}
			out = append(out, i)
		}
	}
	return out, nil
}

func (c client) Cloud() string { return "account/region" }
func (c client) VPCs(_ context.Context, f Filter) ([]Item[VPC], error) {
	return list(c, "Vpcs", func(id engine.ID, _ VPC) bool { return slices.Contains(f.IDs, id) })
}
func (c client) Subnets(_ context.Context, f Filter) ([]Item[Subnet], error) {
	return list(c, "Subnets", func(_ engine.ID, s Subnet) bool { return s.VPC == f.VPC })
}
func (c client) RouteTables(_ context.Context, f Filter) ([]Item[RouteTable], error) {
	return list(c, "RouteTables", func(_ engine.ID, t RouteTable) bool { return t.VPC == f.VPC })
}
func (c client) Groups(_ context.Context, f Filter) ([]Item[Group], error) {
	return list(c, "SecurityGroups", func(_ engine.ID, g Group) bool { return g.VPC == f.VPC })
}
func (c client) Addresses(context.Context, Filter) ([]Item[Address], error) {
	return list(c, "Addresses", func(engine.ID, Address) bool { return true })
}
func (c client) NATs(context.Context, Filter) ([]Item[NAT], error) {
	return list(c, "NatGateways", func(engine.ID, NAT) bool { return true })
}
func (c client) Endpoints(_ context.Context, f Filter) ([]Item[Endpoint], error) {
	return list(c, "VpcEndpoints", func(_ engine.ID, e Endpoint) bool { return e.VPC == f.VPC })
}

func make1[T any](c client, call, prefix, mark string, t T) (engine.ID, T, error) {
	unlock, err := c.call(c.cluster, call)
	defer unlock()
	if err != nil {
		return "", t, err
	}
	if e, ok := any(t).(Endpoint); ok {
		prefix += "-" + e.Service
	}
	c.next[prefix]++
	id := engine.ID(fmt.Sprintf("%s-%d", prefix, c.next[prefix]))
	switch a := any(t).(type) {
	case Address:
		a.IP = "203.0.113.1"
		t = any(a).(T)
	case NAT:
		a.State, c.pending[id] = "pending", 3
		t = any(a).(T)
	case RouteTable:
		a.Routes = map[string]engine.ID{}
		t = any(a).(T)
	case Group:
		a.Rules = engine.Set[string]{"out all"} // EC2 makes it itself
		t = any(a).(T)
	}
	c.things[id], c.mark[id] = t, [2]string{c.cluster, mark}
	return id, t, nil
}

func (c client) CreateGroup(_ context.Context, g Group) (engine.ID, Group, error) {
	return make1(c, "CreateSecurityGroup", "sg", g.Mark, g)
}
func (c client) CreateAddress(_ context.Context, a Address) (engine.ID, Address, error) {
	return make1(c, "AllocateAddress", "eip", a.Mark, a)
}
func (c client) CreateNAT(_ context.Context, n NAT, token string) (engine.ID, NAT, error) {
	c.mu.Lock()
	id, ok := c.tokens[token]
	c.mu.Unlock()
	if ok {
		return id, c.things[id].(NAT), nil
	}
	id, n, err := make1(c, "CreateNatGateway", "nat", n.Mark, n)
	if err == nil {
		c.mu.Lock()
		c.tokens[token] = id
		c.mu.Unlock()
	}
	return id, n, err
}
func (c client) NAT(_ context.Context, id engine.ID) (*NAT, error) {
	unlock, err := c.call(c.cluster, "DescribeNatGateway "+string(id))
	defer unlock()
	if err != nil {
		return nil, err
	}
	n := c.things[id].(NAT)
	if c.pending[id]--; c.pending[id] <= 0 {
		n.State = "available"
		c.things[id] = n
	}
	return &n, err
}
func (c client) CreateRouteTable(_ context.Context, t RouteTable) (engine.ID, RouteTable, error) {
	return make1(c, "CreateRouteTable", "rtb", t.Mark, t)
}
func (c client) CreateEndpoint(_ context.Context, e Endpoint) (engine.ID, Endpoint, error) {
	return make1(c, "CreateVpcEndpoint", "vpce", e.Mark, e)
}
func (c client) SetRoute(_ context.Context, r Route, replace bool) error {
	unlock, err := c.call(c.cluster, fmt.Sprintf("SetRoute %s %s %v", r.Table, r.Via, replace))
	defer unlock()
	if err != nil {
		return err
	}
	if n, ok := c.things[r.Via].(NAT); !ok || n.State != "available" {
		return fmt.Errorf("route to %s, which is not available", r.Via)
	}
	c.things[r.Table].(RouteTable).Routes[r.Destination] = r.Via
	return err
}
func (c client) DeleteRoute(_ context.Context, r Route) error {
	unlock, err := c.call(c.cluster, "DeleteRoute "+string(r.Table))
	defer unlock()
	if err != nil {
		return err
	}
	if t, ok := c.things[r.Table].(RouteTable); ok {
		delete(t.Routes, r.Destination)
	}
	return err
}
func (c client) ChangeRules(_ context.Context, id engine.ID, add, remove []string) (Group, error) {
	unlock, err := c.call(c.cluster, fmt.Sprintf("ChangeRules %s +%q -%q", id, add, remove))
	defer unlock()
	if err != nil {
		return Group{}, err
	}
	g := c.things[id].(Group)
	for _, r := range add {
		if slices.Contains(g.Rules, r) {
			return g, fmt.Errorf("rule %q is there already", r)
		}
	}
	g.Rules = append(slices.DeleteFunc(slices.Clone(g.Rules), func(r string) bool { return slices.Contains(remove, r) }), add...)
	slices.Reverse(g.Rules) // in an order of its own
	c.things[id] = g
	return g, err
}
func (c client) Tags(_ context.Context, on ...engine.ID) (map[engine.ID]map[string]string, error) {
	unlock, err := c.call(c.cluster, fmt.Sprintf("DescribeTags %s", on))
	defer unlock()
	out := map[engine.ID]map[string]string{}
	for _, id := range on {
		out[id] = maps.Clone(c.tags[id])
	}
	return out, err
}
func (c client) SetTags(_ context.Context, tags map[string]string, on ...engine.ID) error {
	unlock, err := c.call(c.cluster, fmt.Sprintf("CreateTags %s %v", on, tags))
	defer unlock()
	if err != nil {
		return err
	}
	for _, id := range on {
		if _, ok := c.things[id]; !ok {
			return fmt.Errorf("%s not found", id)
		}
	}
	for _, id := range on {
		if c.tags[id] == nil {
			c.tags[id] = map[string]string{}
		}
		maps.Copy(c.tags[id], tags)
	}
	return err
}
func (c client) UnsetTags(_ context.Context, tags map[string]string, on ...engine.ID) error {
	unlock, err := c.call(c.cluster, fmt.Sprintf("DeleteTags %s %v", on, tags))
	defer unlock()
	if err != nil {
		return err
	}
	for _, id := range on {
		maps.DeleteFunc(c.tags[id], func(k, v string) bool { w, ok := tags[k]; return ok && w == v })
	}
	return err
}
func (c client) Delete(_ context.Context, kind string, id engine.ID) error {
	unlock, err := c.call(c.cluster, "Delete "+string(id))
	defer unlock()
	if err != nil {
		return err
	}
	for other, t := range c.things {
		if n, ok := t.(NAT); ok && n.Address == id {
			return fmt.Errorf("%s uses %s", other, id)
		}
		if rt, ok := t.(RouteTable); ok && slices.Contains(slices.Collect(maps.Values(rt.Routes)), id) {
			return fmt.Errorf("%s blackholed in %s", id, other) // EC2 allows it; we must not
		}
	}
	if err == nil {
		delete(c.things, id)
		delete(c.tags, id)
		delete(c.mark, id)
	}
	return err
}

func world() *ec2 {
	f := &ec2{next: map[string]int{}, things: map[engine.ID]any{}, mark: map[engine.ID][2]string{}, tags: map[engine.ID]map[string]string{},
		pending: map[engine.ID]int{}, tokens: map[string]engine.ID{}, denied: map[string]error{}}
	f.things["vpc-1"] = VPC{"10.0.0.0/16"}
	for i, z := range []string{"a", "b", "c"} {
		for j, use := range []string{"w", "p", "i"} {
			id := engine.ID("s-" + use + z)
			f.things[id] = Subnet{"vpc-1", z, fmt.Sprintf("10.0.%d.0/24", 10*i+j)}
			f.tags[id] = map[string]string{"Name": "theirs"}
		}
	}
	f.things["rtb-main"] = RouteTable{VPC: "vpc-1", Main: true, Routes: map[string]engine.ID{"10.0.0.0/16": "local"}}
	f.things["rtb-ab"] = RouteTable{VPC: "vpc-1", Subnets: engine.Set[engine.ID]{"s-wa", "s-wb"}, Routes: map[string]engine.ID{"0.0.0.0/0": "tgw-1"}}
	f.tags["rtb-ab"] = map[string]string{"Name": "theirs"}
	f.things["eip-theirs"] = Address{"", "198.51.100.1"}
	return f
}

// theirs prints what the user has, tags included.
func (f *ec2) theirs() string {
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(f.things)) {
		if _, ours := f.mark[id]; !ours {
			fmt.Fprintln(&b, id, f.things[id], f.tags[id])
		}
	}
	return b.String()
}

func (f *ec2) writes() (n int) {
	for _, c := range f.calls {
		if !strings.HasPrefix(c, "Describe") {
			n++
		}
	}
	return n
}

// writer is the client with tag calls joined, except where calls go one by one.
func (c client) writer() Writer {
	if c.hook != nil {
		return c
	}
	return Join(c, time.Millisecond)
}

var errDead = errors.New("dead")

var errDenied = errors.New("denied")
