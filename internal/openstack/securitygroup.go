// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	secrules "github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/rules"
	"github.com/gophercloud/gophercloud/v2/pagination"

	"github.com/espalier-io/espalier/internal/engine"
)

// SecurityGroup is a Neutron security group.
type SecurityGroup struct {
	Name    string           // set at creation; who renames it does no harm
	Mark    string           `plan:"-"`
	Rules   engine.Set[Rule] `plan:"include"` // what others add stays
	Project string           `plan:"-"`
	IDs     map[Rule]string  `plan:"-" json:"-"` // the rules' IDs
}

// A Rule is a security group rule. Two that mean the same are equal.
type Rule struct {
	Direction string // ingress or egress
	EtherType string // IPv4 or IPv6
	Protocol  string // by name; empty: any
	From, To  int    // ports; 0: any
	Remote    string // self, the ID of another group, a CIDR; empty: anyone
}

// String implements fmt.Stringer, in the words of a firewall.
func (r Rule) String() string {
	what := cmp.Or(r.Protocol, "any protocol")
	switch {
	case r.From == 0 && r.To == 0:
	case r.From == r.To:
		what += fmt.Sprintf(" %d", r.From)
	default:
		what += fmt.Sprintf(" %d-%d", r.From, r.To)
	}
	where := "from "
	if r.Direction == "egress" {
		where = "to "
	}
	peer := cmp.Or(r.Remote, "anyone")
	if r.Remote == "self" {
		peer = "the group itself"
	}
	return fmt.Sprintf("%s %s %s %s%s", r.Direction, r.EtherType, what, where, peer)
}

// nodePorts are the ports that Kubernetes gives to Services.
const firstNodePort, lastNodePort = 30000, 32767

// nodeRules are the rules of a group of ours: all between the nodes, NodePorts
// from anywhere, everything out. The two egress rules are in every new group.
func nodeRules(families ...string) (rs engine.Set[Rule]) {
	rs = engine.Set[Rule]{{"egress", "IPv4", "", 0, 0, ""}, {"egress", "IPv6", "", 0, 0, ""}}
	for _, f := range families {
		rs = append(rs,
			Rule{"ingress", f, "", 0, 0, "self"},
			Rule{"ingress", f, "tcp", firstNodePort, lastNodePort, ""},
			Rule{"ingress", f, "udp", firstNodePort, lastNodePort, ""})
	}
	return rs
}

type securityGroupReader interface {
	SecurityGroups(ctx context.Context, q Query) ([]Found[SecurityGroup], error)
}

type securityGroupWriter interface {
	CreateSecurityGroup(ctx context.Context, want SecurityGroup) (engine.ID, SecurityGroup, error)
	// AddRules adds all of the rules or none.
	AddRules(ctx context.Context, group engine.ID, mark string, add []Rule) (map[Rule]string, error)
	DeleteRule(ctx context.Context, id engine.ID) error
	DeleteSecurityGroup(ctx context.Context, id engine.ID) error
}

// SecurityGroups keeps security groups with the rules that nodes need.
type SecurityGroups struct{}

var _ engine.Kind[Writer, SecurityGroup] = SecurityGroups{}

// Kind implements engine.Kind.
func (SecurityGroups) Kind() string { return "security-group" }

// Create implements engine.Kind. It leaves the rules to Update.
func (SecurityGroups) Create(ctx context.Context, w Writer, want SecurityGroup) (engine.ID, SecurityGroup, error) {
	return w.CreateSecurityGroup(ctx, want)
}

// Update implements engine.Kind. It adds the rules that are missing, then
// removes those of ours that are not wanted any more.
func (SecurityGroups) Update(ctx context.Context, w Writer, id engine.ID, have, want SecurityGroup) (SecurityGroup, error) {
	missing, obsolete := minus(want.Rules, have.Rules), minus(have.Rules, want.Rules)
	have.IDs = maps.Clone(have.IDs)
	if len(missing) > 0 {
		ids, err := w.AddRules(ctx, id, want.Mark, missing)
		if err != nil {
			return have, err
		}
		maps.Copy(have.IDs, ids)
	}
	for _, r := range obsolete {
		if err := w.DeleteRule(ctx, engine.ID(have.IDs[r])); err != nil {
			return have, err
		}
		delete(have.IDs, r)
	}
	have.Rules = append(minus(have.Rules, obsolete), missing...)
	return have, nil
}

// minus returns what of a is not in b.
func minus(a, b []Rule) engine.Set[Rule] {
	return slices.DeleteFunc(slices.Clone(a), func(r Rule) bool { return slices.Contains(b, r) })
}

// Delete implements engine.Kind.
func (SecurityGroups) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.DeleteSecurityGroup(ctx, r.ID)
}

// protocols are those that Neutron also takes by number.
var protocols = map[string]string{"1": "icmp", "6": "tcp", "17": "udp", "58": "ipv6-icmp", "any": "", "0": "", "icmpv6": "ipv6-icmp"}

// toRule makes one of all spellings of a rule that mean the same.
func toRule(r secrules.SecGroupRule, group string) Rule {
	protocol, ok := protocols[r.Protocol]
	if !ok {
		protocol = r.Protocol
	}
	remote := cmp.Or(r.RemoteGroupID, r.RemoteAddressGroupID, r.RemoteIPPrefix)
	if p, err := netip.ParsePrefix(remote); err == nil {
		if remote = p.Masked().String(); p.Bits() == 0 {
			remote = ""
		}
	}
	if remote == group {
		remote = "self"
	}
	from, to := r.PortRangeMin, r.PortRangeMax
	if (protocol == "tcp" || protocol == "udp") && from <= 1 && to == 65535 {
		from, to = 0, 0
	}
	return Rule{r.Direction, r.EtherType, protocol, from, to, remote}
}

func foundSecurityGroup(g groups.SecGroup) Found[SecurityGroup] {
	state := SecurityGroup{Name: g.Name, Mark: g.Description, Rules: engine.Set[Rule]{}, Project: g.ProjectID, IDs: map[Rule]string{}}
	for _, r := range g.Rules {
		rule := toRule(r, g.ID)
		state.Rules = append(state.Rules, rule)
		state.IDs[rule] = r.ID
	}
	return Found[SecurityGroup]{engine.ID(g.ID), g.Name, g.Description, g.ProjectID, state}
}

// SecurityGroups implements Reader.
func (c *Client) SecurityGroups(ctx context.Context, q Query) ([]Found[SecurityGroup], error) {
	all, err := list(ctx, c.network, "security-groups", q,
		func(r pagination.PageResult) pagination.Page {
			return groups.SecGroupPage{LinkedPageBase: pagination.LinkedPageBase{PageResult: r}}
		}, groups.ExtractGroups)
	return found(all, foundSecurityGroup), err
}

// CreateSecurityGroup implements Writer.
func (c *Client) CreateSecurityGroup(ctx context.Context, want SecurityGroup) (engine.ID, SecurityGroup, error) {
	g, err := groups.Create(ctx, c.network, groups.CreateOpts{Name: want.Name, Description: want.Mark}).Extract()
	if err != nil {
		return "", SecurityGroup{}, creating("creating security group "+want.Name, err)
	}
	return engine.ID(g.ID), foundSecurityGroup(*g).State, nil
}

// AddRules implements Writer: one call, of which Neutron does all or nothing.
func (c *Client) AddRules(ctx context.Context, group engine.ID, mark string, add []Rule) (map[Rule]string, error) {
	var opts []secrules.CreateOpts
	for _, r := range add {
		o := secrules.CreateOpts{
			SecGroupID: string(group), Description: mark, Direction: secrules.RuleDirection(r.Direction), EtherType: secrules.RuleEtherType(r.EtherType),
			Protocol: secrules.RuleProtocol(r.Protocol), PortRangeMin: r.From, PortRangeMax: r.To,
		}
		if r.Remote == "self" {
			o.RemoteGroupID = string(group)
		} else {
			o.RemoteIPPrefix = r.Remote
		}
		opts = append(opts, o)
	}
	made, err := secrules.CreateBulk(ctx, c.network, opts).Extract()
	if err != nil {
		return nil, creating("adding rules to security group "+string(group), err)
	}
	ids := map[Rule]string{}
	for _, r := range made {
		ids[toRule(r, string(group))] = r.ID
	}
	return ids, nil
}

// DeleteRule implements Writer.
func (c *Client) DeleteRule(ctx context.Context, id engine.ID) error {
	return gone(translate("deleting security group rule "+string(id), secrules.Delete(ctx, c.network, string(id)).ExtractErr()))
}

// DeleteSecurityGroup implements Writer.
func (c *Client) DeleteSecurityGroup(ctx context.Context, id engine.ID) error {
	err := gone(translate("deleting security group "+string(id), groups.Delete(ctx, c.network, string(id)).ExtractErr()))
	return c.withHolders(ctx, err, Query{"security_groups": {string(id)}})
}
