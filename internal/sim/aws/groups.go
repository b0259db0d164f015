// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// group is a security group. Its rules are in a table of their own.
type group struct {
	std
	VPC, Name, Description string
}

var groups = &kind[*group]{
	resource: "security-group", prefix: "sg-", noun: "security group", notFound: "InvalidGroup.NotFound", malformed: "InvalidGroupId.Malformed",
	of: func(c *Cloud) *table[*group] { return &c.groups }, ids: "GroupId", set: "securityGroupInfo",
	filters: map[string]func(*call, *group) []string{
		"vpc-id":      one(func(g *group) string { return g.VPC }),
		"group-id":    one(func(g *group) string { return g.ID }),
		"group-name":  one(func(g *group) string { return g.Name }),
		"description": one(func(g *group) string { return g.Description }),
		"ip-permission.group-id": func(c *call, g *group) (all []string) {
			for _, r := range c.cloud.rulesOf(g, false) {
				all = append(all, r.Group)
			}
			return all
		},
		"egress.ip-permission.group-id": func(c *call, g *group) (all []string) {
			for _, r := range c.cloud.rulesOf(g, true) {
				all = append(all, r.Group)
			}
			return all
		},
	},
	show: showGroup,
}

func (g *group) arn() string {
	return "arn:aws:ec2:" + g.region + ":" + g.account.id + ":security-group/" + g.ID
}

func showGroup(c *call, g *group) object {
	return object{
		{"groupId", g.ID}, {"groupName", g.Name}, {"groupDescription", g.Description}, {"ownerId", g.account.id}, {"vpcId", g.VPC},
		{"ipPermissions", merge(c.cloud, c.cloud.rulesOf(g, false))}, {"ipPermissionsEgress", merge(c.cloud, c.cloud.rulesOf(g, true))},
		{"tagSet", c.tagsOf(g.self())}, {"securityGroupArn", g.arn()},
	}
}

// merge shows rules as EC2 does: one permission for all rules of a protocol and a range of ports.
func merge(c *Cloud, list []*rule) []object {
	type ports struct {
		protocol string
		from, to int
	}
	var order []ports
	merged := map[ports]map[string][]object{}
	for _, r := range list {
		k := ports{r.Protocol, r.From, r.To}
		if merged[k] == nil {
			merged[k] = map[string][]object{}
			order = append(order, k)
		}
		set, peer := r.peer(c)
		merged[k][set] = append(merged[k][set], peer.with("description", some(r.Description)))
	}
	all := []object{}
	for _, k := range order {
		o := object{{"ipProtocol", k.protocol}}
		if k.protocol != "-1" {
			o = append(o, object{{"fromPort", k.from}, {"toPort", k.to}}...)
		}
		for _, set := range []string{"groups", "ipRanges", "ipv6Ranges", "prefixListIds"} {
			list := merged[k][set]
			if list == nil {
				list = []object{}
			}
			o = o.with(set, list)
		}
		all = append(all, o)
	}
	return all
}

var groupOperations = operations{
	"ec2 DescribeSecurityGroups": {"GroupId GroupName Filter MaxResults NextToken", describeGroups},
	"ec2 CreateSecurityGroup":    {"GroupName GroupDescription VpcId TagSpecification", createGroup},
	"ec2 DeleteSecurityGroup":    {"GroupId GroupName", deleteGroup},
}

func describeGroups(c *call) (object, error) {
	if c.has("GroupName") {
		return nil, invalid("Group names are only for the default VPC, which there is not; use the filter group-name")
	}
	return groups.describe(c)
}

const groupNameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ._-:/()#,@[]+=&;{}!$*"

// groupWords reads name and description of a group that is made.
func (c *call) groupWords() (name, text string, err error) {
	name, text = c.str("GroupName"), c.str("GroupDescription")
	for what, value := range map[string]string{"groupName": name, "groupDescription": text} {
		switch {
		case value == "":
			return "", "", missing(what)
		case utf8.RuneCountInString(value) > 255 || strings.Trim(value, groupNameChars) != "":
			return "", "", invalid("Value (%s) for parameter %s is invalid. Character sets beyond ASCII are not supported.", value, what)
		}
	}
	switch {
	case strings.HasPrefix(name, "sg-"):
		return "", "", invalid("invalid value '%s' for groupName; it may not begin with sg-", name)
	case name == "default":
		return "", "", refuse("InvalidGroup.Reserved", "The name 'default' is reserved, and cannot be used to create a new security group.")
	}
	return name, text, nil
}

func createGroup(c *call) (object, error) {
	name, text, err := c.groupWords()
	if err != nil {
		return nil, err
	}
	v, err := vpcs.param(c, "VpcId") // participants make groups in the VPCs of others
	if err != nil {
		return nil, err
	}
	if c.cloud.groups.any(func(g *group) bool { return g.VPC == v.ID && g.Name == name && g.account == c.account }) {
		return nil, refuse("InvalidGroup.Duplicate", "The security group '%s' already exists for VPC '%s'", name, v.ID)
	}
	if err := c.within("L-E79EC296", len(groups.mine(c)),
		"SecurityGroupLimitExceeded", "The maximum number of security groups has been reached."); err != nil {
		return nil, err
	}
	s, err := groups.begin(c)
	if err != nil {
		return nil, err
	}
	g := c.addGroup(v, name, text, &group{std: s}, false)
	return object{{"return", true}, {"groupId", g.ID}, {"tagSet", g.Tags.shown()}, {"securityGroupArn", g.arn()}}, nil
}

// addGroup makes a group, which lets everything out. The default group of a VPC lets
// in what comes from itself.
func (c *call) addGroup(v *vpc, name, text string, g *group, isDefault bool) *group {
	if g == nil {
		g = &group{std: std{ID: c.cloud.newID("sg-", v.ID, name), account: v.account, region: v.region, made: c.now}}
	}
	g.VPC, g.Name, g.Description = v.ID, name, text
	c.cloud.groups.add(g)
	if isDefault {
		c.cloud.addRule(g, rule{Protocol: "-1", From: -1, To: -1, Group: g.ID})
	}
	c.cloud.addRule(g, rule{Egress: true, Protocol: "-1", From: -1, To: -1, CIDR: "0.0.0.0/0"})
	if len(living(v.Blocks6)) > 0 {
		c.cloud.addRule(g, rule{Egress: true, Protocol: "-1", From: -1, To: -1, CIDR6: "::/0"})
	}
	return g
}

// removeGroup takes a group and its rules away.
func (c *Cloud) removeGroup(g *group) {
	c.rules.all = slices.DeleteFunc(c.rules.all, func(r *rule) bool { return r.Of == g.ID })
	c.groups.remove(g)
}

func deleteGroup(c *call) (object, error) {
	c.cloud.ageInterfaces()
	g, err := groups.own(c, "GroupId")
	if err != nil {
		return nil, err
	}
	if g.Name == "default" {
		return nil, refuse("CannotDelete", "the specified group: \"%s\" name: \"default\" cannot be deleted by a user", g.ID)
	}
	if c.cloud.interfaces.any(func(i *networkInterface) bool { return slices.Contains(i.Groups, g.ID) }) ||
		c.cloud.rules.any(func(r *rule) bool { return r.Group == g.ID && r.Of != g.ID }) {
		return nil, refuse("DependencyViolation", "resource %s has a dependent object", g.ID)
	}
	c.cloud.removeGroup(g)
	return object{{"return", true}, {"groupId", g.ID}}, nil
}
