// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/internal/engine"
)

// SecurityGroup is a security group.
type SecurityGroup struct {
	Name  string            `plan:"fixed"`
	VPC   engine.ID         `plan:"fixed"`
	Marks map[string]string `plan:"-"`
	Rules engine.Set[Rule]  `plan:"include"` // what others add stays
}

// A Rule is one rule of a security group: EC2 shows several with the same
// protocol and ports as one permission, which is taken apart here.
type Rule struct {
	Direction string // ingress or egress
	Protocol  string // by name; -1: any
	From, To  int32  // ports; 0 with any protocol
	Peer      string // self, a CIDR, a group or a prefix list
}

// String implements fmt.Stringer, in the words of a firewall.
func (r Rule) String() string {
	what := cmp.Or(map[string]string{"-1": "all traffic"}[r.Protocol], r.Protocol)
	switch {
	case r.Protocol == "-1":
	case r.From == r.To:
		what += fmt.Sprintf(" %d", r.From)
	default:
		what += fmt.Sprintf(" %d-%d", r.From, r.To)
	}
	where := "from "
	if r.Direction == "egress" {
		where = "to "
	}
	peer := r.Peer
	if peer == "self" {
		peer = "the group itself"
	}
	return r.Direction + " " + what + " " + where + peer
}

// The ports that Kubernetes gives to Services.
const firstNodePort, lastNodePort = 30000, 32767

type securityGroupReader interface {
	// SecurityGroups returns those of a VPC, with their tags.
	SecurityGroups(ctx context.Context, vpc engine.ID) (map[engine.ID]SecurityGroup, error)
	// SecurityGroupsByID returns those that exist, wherever they are.
	SecurityGroupsByID(ctx context.Context, ids []engine.ID) (map[engine.ID]SecurityGroup, error)
}

type securityGroupWriter interface {
	CreateSecurityGroup(ctx context.Context, want SecurityGroup) (engine.ID, SecurityGroup, error)
	Authorize(ctx context.Context, group engine.ID, direction string, rules []Rule) error
	Revoke(ctx context.Context, group engine.ID, direction string, rules []Rule) error
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

// Update implements engine.Kind. It authorises what is missing, then revokes
// what of ours is not wanted any more: one call a direction.
func (SecurityGroups) Update(ctx context.Context, w Writer, id engine.ID, have, want SecurityGroup) (SecurityGroup, error) {
	for _, direction := range []string{"ingress", "egress"} {
		if add := minus(want.Rules, have.Rules, direction); len(add) > 0 {
			if err := w.Authorize(ctx, id, direction, add); err != nil {
				return have, err
			}
		}
	}
	for _, direction := range []string{"ingress", "egress"} {
		if drop := minus(have.Rules, want.Rules, direction); len(drop) > 0 {
			if err := w.Revoke(ctx, id, direction, drop); err != nil {
				return have, err
			}
		}
	}
	have.Rules = want.Rules
	return have, nil
}

// Delete implements engine.Kind.
func (SecurityGroups) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.DeleteSecurityGroup(ctx, r.ID)
}

// minus returns what of a in one direction is not in b.
func minus(a, b []Rule, direction string) []Rule {
	return slices.DeleteFunc(slices.Clone(a), func(r Rule) bool { return r.Direction != direction || slices.Contains(b, r) })
}

func toRules(direction, group string, permissions []types.IpPermission) (rules []Rule) {
	for _, p := range permissions {
		one := Rule{Direction: direction, Protocol: aws.ToString(p.IpProtocol), From: aws.ToInt32(p.FromPort), To: aws.ToInt32(p.ToPort)}
		if one.Protocol == "-1" {
			one.From, one.To = 0, 0
		}
		add := func(peer string) {
			if peer == group {
				peer = "self"
			}
			one.Peer = peer
			rules = append(rules, one)
		}
		for _, r := range p.IpRanges {
			add(aws.ToString(r.CidrIp))
		}
		for _, r := range p.Ipv6Ranges {
			add(aws.ToString(r.CidrIpv6))
		}
		for _, g := range p.UserIdGroupPairs {
			add(aws.ToString(g.GroupId))
		}
		for _, l := range p.PrefixListIds {
			add(aws.ToString(l.PrefixListId))
		}
	}
	return rules
}

func toPermissions(group engine.ID, rules []Rule) (permissions []types.IpPermission) {
	for _, r := range rules {
		p := types.IpPermission{IpProtocol: aws.String(r.Protocol)}
		if r.Protocol != "-1" {
			p.FromPort, p.ToPort = aws.Int32(r.From), aws.Int32(r.To)
		}
		switch cidr, ok := prefix(r.Peer); {
		case r.Peer == "self":
			p.UserIdGroupPairs = []types.UserIdGroupPair{{GroupId: text(group)}}
		case ok && cidr.Addr().Is6():
			p.Ipv6Ranges = []types.Ipv6Range{{CidrIpv6: aws.String(r.Peer)}}
		default:
			p.IpRanges = []types.IpRange{{CidrIp: aws.String(r.Peer)}}
		}
		permissions = append(permissions, p)
	}
	return permissions
}

func toSecurityGroup(g types.SecurityGroup) SecurityGroup {
	id := aws.ToString(g.GroupId)
	return SecurityGroup{
		Name: aws.ToString(g.GroupName), VPC: engine.ID(aws.ToString(g.VpcId)), Marks: fromTags(g.Tags),
		Rules: slices.Concat(engine.Set[Rule]{}, toRules("ingress", id, g.IpPermissions), toRules("egress", id, g.IpPermissionsEgress)),
	}
}

func (c *Client) securityGroups(ctx context.Context, q []types.Filter) (map[engine.ID]SecurityGroup, error) {
	all := map[engine.ID]SecurityGroup{}
	pages := ec2.NewDescribeSecurityGroupsPaginator(c.ec2, &ec2.DescribeSecurityGroupsInput{Filters: q})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, translate("listing security groups", err)
		}
		for _, g := range page.SecurityGroups {
			all[engine.ID(aws.ToString(g.GroupId))] = toSecurityGroup(g)
		}
	}
	return all, nil
}

// SecurityGroups implements Reader.
func (c *Client) SecurityGroups(ctx context.Context, vpc engine.ID) (map[engine.ID]SecurityGroup, error) {
	return c.securityGroups(ctx, filters("vpc-id", string(vpc)))
}

// SecurityGroupsByID implements Reader.
func (c *Client) SecurityGroupsByID(ctx context.Context, ids []engine.ID) (map[engine.ID]SecurityGroup, error) {
	var values []string
	for _, id := range ids {
		values = append(values, string(id))
	}
	return c.securityGroups(ctx, filters("group-id", values...))
}

// CreateSecurityGroup implements Writer.
func (c *Client) CreateSecurityGroup(ctx context.Context, want SecurityGroup) (engine.ID, SecurityGroup, error) {
	out, err := c.ec2.CreateSecurityGroup(ctx, &ec2.CreateSecurityGroupInput{
		GroupName: aws.String(want.Name), Description: aws.String("Security group for nodes"), VpcId: text(want.VPC),
		TagSpecifications: tagged(types.ResourceTypeSecurityGroup, want.Marks),
	})
	if err != nil {
		return "", SecurityGroup{}, creating("creating security group "+want.Name, err)
	}
	have := want
	have.Rules = engine.Set[Rule]{{"egress", "-1", 0, 0, "0.0.0.0/0"}} // EC2 makes it itself
	return engine.ID(aws.ToString(out.GroupId)), have, nil
}

// Authorize implements Writer. That a rule is there already is no error: an
// earlier attempt, or somebody else, may have made it.
func (c *Client) Authorize(ctx context.Context, group engine.ID, direction string, rules []Rule) error {
	return eachRule(rules, "InvalidPermission.Duplicate", func(some []Rule) (err error) {
		if direction == "ingress" {
			_, err = c.ec2.AuthorizeSecurityGroupIngress(ctx, &ec2.AuthorizeSecurityGroupIngressInput{GroupId: text(group), IpPermissions: toPermissions(group, some)})
		} else {
			_, err = c.ec2.AuthorizeSecurityGroupEgress(ctx, &ec2.AuthorizeSecurityGroupEgressInput{GroupId: text(group), IpPermissions: toPermissions(group, some)})
		}
		return translate("adding "+direction+" rules to security group "+string(group), err)
	})
}

// Revoke implements Writer. That a rule is gone already is no error.
func (c *Client) Revoke(ctx context.Context, group engine.ID, direction string, rules []Rule) error {
	return eachRule(rules, "InvalidPermission.NotFound", func(some []Rule) (err error) {
		if direction == "ingress" {
			_, err = c.ec2.RevokeSecurityGroupIngress(ctx, &ec2.RevokeSecurityGroupIngressInput{GroupId: text(group), IpPermissions: toPermissions(group, some)})
		} else {
			_, err = c.ec2.RevokeSecurityGroupEgress(ctx, &ec2.RevokeSecurityGroupEgressInput{GroupId: text(group), IpPermissions: toPermissions(group, some)})
		}
		return translate("removing "+direction+" rules from security group "+string(group), err)
	})
}

// eachRule makes one call for all rules. EC2 refuses it whole if one of them is
// as it should be already, which done is the code of; then each rule is tried
// by itself.
func eachRule(rules []Rule, done string, call func([]Rule) error) error {
	err := call(rules)
	if codeOf(err) != done || len(rules) == 1 {
		return exceptCode(err, done)
	}
	for i := range rules {
		if err := exceptCode(call(rules[i:i+1]), done); err != nil {
			return err
		}
	}
	return nil
}

func exceptCode(err error, code string) error {
	if codeOf(err) == code {
		return nil
	}
	return err
}

// DeleteSecurityGroup implements Writer.
func (c *Client) DeleteSecurityGroup(ctx context.Context, id engine.ID) error {
	_, err := c.ec2.DeleteSecurityGroup(ctx, &ec2.DeleteSecurityGroupInput{GroupId: text(id)})
	return gone(translate("deleting security group "+string(id), err))
}
