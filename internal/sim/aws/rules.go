// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"slices"
	"strconv"
)

// rule is one rule of a security group, with one peer.
type rule struct {
	std
	Of                       string // group
	Egress                   bool
	Protocol                 string // tcp, udp, icmp, icmpv6, a number; -1 is all
	From, To                 int    // -1 without ports
	CIDR, CIDR6, Group, List string // one of them
	Description              string
}

// same says whether two rules allow the same; descriptions do not count.
func (r *rule) same(o *rule) bool {
	return r.Of == o.Of && r.Egress == o.Egress && r.Protocol == o.Protocol && r.From == o.From && r.To == o.To &&
		r.CIDR == o.CIDR && r.CIDR6 == o.CIDR6 && r.Group == o.Group && r.List == o.List
}

var rules = &kind[*rule]{
	resource: "security-group-rule", prefix: "sgr-", noun: "security group rule ID",
	notFound: "InvalidSecurityGroupRuleId.NotFound", malformed: "InvalidSecurityGroupRuleId.Malformed",
	of: func(c *Cloud) *table[*rule] { return &c.rules }, ids: "SecurityGroupRuleId", set: "securityGroupRuleSet",
	filters: map[string]func(*call, *rule) []string{
		"group-id":               one(func(r *rule) string { return r.Of }),
		"security-group-rule-id": one(func(r *rule) string { return r.ID }),
	},
	show: showRule,
}

// peer is the set of a permission that a rule goes into, and how it is shown there.
func (r *rule) peer(c *Cloud) (set string, o object) {
	switch {
	case r.CIDR != "":
		return "ipRanges", object{{"cidrIp", r.CIDR}}
	case r.CIDR6 != "":
		return "ipv6Ranges", object{{"cidrIpv6", r.CIDR6}}
	case r.List != "":
		return "prefixListIds", object{{"prefixListId", r.List}}
	}
	owner := r.account.id
	if g, ok := c.groups.get(r.Group); ok {
		owner = g.account.id
	}
	return "groups", object{{"userId", owner}, {"groupId", r.Group}}
}

func showRule(c *call, r *rule) object {
	o := object{
		{"securityGroupRuleId", r.ID}, {"groupId", r.Of}, {"groupOwnerId", r.account.id}, {"isEgress", r.Egress}, {"ipProtocol", r.Protocol},
		{"fromPort", -1}, {"toPort", -1}, {"cidrIpv4", some(r.CIDR)}, {"cidrIpv6", some(r.CIDR6)}, {"prefixListId", some(r.List)},
		{"description", some(r.Description)},
	}
	if r.Protocol != "-1" {
		o[5].value, o[6].value = r.From, r.To
	}
	if r.Group != "" {
		_, peer := r.peer(c.cloud)
		o = o.with("referencedGroupInfo", peer)
	}
	return o.with("tagSet", c.tagsOf(r.self()))
}

func (c *Cloud) rulesOf(g *group, egress bool) []*rule {
	return c.rules.where(func(r *rule) bool { return r.Of == g.ID && r.Egress == egress })
}

// addRule adds a rule to a group.
func (c *Cloud) addRule(g *group, like rule) *rule {
	r := &like
	r.Of, r.account, r.region = g.ID, g.account, g.region
	r.ID = c.newID("sgr-", g.ID, fmt.Sprint(r.Egress, r.Protocol, r.From, r.To, r.CIDR, r.CIDR6, r.Group, r.List))
	c.rules.add(r)
	return r
}

const ruleParams = "GroupId IpPermissions IpProtocol FromPort ToPort CidrIp SourceSecurityGroupName SourceSecurityGroupOwnerId"

var ruleOperations = operations{
	"ec2 DescribeSecurityGroupRules":    {"SecurityGroupRuleId Filter MaxResults NextToken", rules.describe},
	"ec2 AuthorizeSecurityGroupIngress": {ruleParams + " TagSpecification", func(c *call) (object, error) { return authorizeRules(c, false) }},
	"ec2 AuthorizeSecurityGroupEgress":  {ruleParams + " TagSpecification", func(c *call) (object, error) { return authorizeRules(c, true) }},
	"ec2 RevokeSecurityGroupIngress":    {ruleParams + " SecurityGroupRuleId", func(c *call) (object, error) { return revokeRules(c, false) }},
	"ec2 RevokeSecurityGroupEgress":     {ruleParams + " SecurityGroupRuleId", func(c *call) (object, error) { return revokeRules(c, true) }},
}

// asked are the rules that a request spells out.
func (c *call) asked(g *group, egress bool) (all []*rule, err error) {
	permissions := c.list("IpPermissions")
	if c.has("IpProtocol") { // the short form of one rule
		if c.has("SourceSecurityGroupName") {
			return nil, refuse("InvalidParameterCombination", "SourceSecurityGroupName is only for the default VPC")
		}
		one := &params{}
		for _, name := range []string{"IpProtocol", "FromPort", "ToPort"} {
			*one.child(name) = *c.at(name)
		}
		*one.child("IpRanges").child("1").child("CidrIp") = *c.at("CidrIp")
		permissions = append(permissions, one)
	}
	if len(permissions) == 0 {
		return nil, missing("ipPermissions")
	}
	for _, p := range permissions {
		base := rule{Of: g.ID, Egress: egress}
		if err := base.ports(p); err != nil {
			return nil, err
		}
		peers, err := c.peers(g, p)
		if err != nil {
			return nil, err
		}
		for _, peer := range peers {
			peer.Of, peer.Egress, peer.Protocol, peer.From, peer.To = g.ID, egress, base.Protocol, base.From, base.To
			all = append(all, peer)
		}
	}
	return all, nil
}

// protocolNames are those that EC2 shows by name.
var protocolNames = map[string]string{"6": "tcp", "17": "udp", "1": "icmp", "58": "icmpv6", "tcp": "tcp", "udp": "udp", "icmp": "icmp", "icmpv6": "icmpv6"}

// ports reads the protocol and the ports; a protocol that is not by name has none.
func (r *rule) ports(p *params) (err error) {
	r.Protocol, r.From, r.To = p.str("IpProtocol"), -1, -1
	if r.Protocol == "" {
		return missing("ipProtocol")
	}
	name, known := protocolNames[r.Protocol]
	if !known {
		if number, bad := strconv.Atoi(r.Protocol); bad != nil || number < -1 || number > 255 {
			return invalid("Invalid value '%s' for IP protocol. Unknown protocol.", r.Protocol)
		}
		return nil
	}
	r.Protocol = name
	if r.From, err = p.number("FromPort", -1); err != nil {
		return err
	}
	if r.To, err = p.number("ToPort", -1); err != nil {
		return err
	}
	if (name == "tcp" || name == "udp") && !r.inOrder() {
		return invalid("Invalid value '%s' for portRange. Must specify both from and to ports with TCP/UDP.", p.str("FromPort"))
	}
	return nil
}

// inOrder says whether the ports are ports.
func (r *rule) inOrder() bool { return r.From >= 0 && r.From <= r.To && r.To <= 65535 }

// peers are the rules of a permission, one for each range, group or list.
func (c *call) peers(g *group, p *params) (all []*rule, err error) {
	for _, r := range p.list("IpRanges") {
		b, err := blockV4("cidrIp", r.str("CidrIp"))
		if err != nil {
			return nil, invalid("CIDR block %s is malformed", r.str("CidrIp"))
		}
		all = append(all, &rule{CIDR: b.String(), Description: r.str("Description")})
	}
	for _, r := range p.list("Ipv6Ranges") {
		b, err := blockV6("cidrIpv6", r.str("CidrIpv6"))
		if err != nil {
			return nil, invalid("CIDR block %s is malformed", r.str("CidrIpv6"))
		}
		all = append(all, &rule{CIDR6: b.String(), Description: r.str("Description")})
	}
	for _, r := range p.list("PrefixListIds") {
		all = append(all, &rule{List: r.str("PrefixListId"), Description: r.str("Description")})
	}
	for _, r := range p.list("Groups") {
		if err := groups.check(r.str("GroupId")); err != nil {
			return nil, err
		}
		other, ok := c.cloud.groups.get(r.str("GroupId"))
		if !ok || other.VPC != g.VPC {
			return nil, groups.missing(r.str("GroupId"))
		}
		all = append(all, &rule{Group: other.ID, Description: r.str("Description")})
	}
	if len(all) == 0 {
		return nil, missing("ipRanges, ipv6Ranges, prefixListIds or groups")
	}
	return all, nil
}

func authorizeRules(c *call, egress bool) (object, error) {
	g, err := groups.own(c, "GroupId")
	if err != nil {
		return nil, err
	}
	asked, err := c.asked(g, egress)
	if err != nil {
		return nil, err
	}
	set, err := c.tagSpecification("security-group-rule")
	if err != nil {
		return nil, err
	}
	for i, r := range asked {
		twice := slices.ContainsFunc(asked[:i], r.same)
		if twice || c.cloud.rules.any(r.same) {
			return nil, refuse("InvalidPermission.Duplicate", "the specified rule \"peer: %s, %s, from port: %d, to port: %d, ALLOW\" already exists",
				r.CIDR+r.CIDR6+r.Group+r.List, r.Protocol, r.From, r.To)
		}
	}
	if err := c.within("L-0EA8095F", len(c.cloud.rulesOf(g, egress))+len(asked)-1,
		"RulesPerSecurityGroupLimitExceeded", "The maximum number of rules per security group has been reached."); err != nil {
		return nil, err
	}
	shown := []object{}
	for _, like := range asked {
		like.Tags = set
		shown = append(shown, showRule(c, c.cloud.addRule(g, *like)))
	}
	return object{{"return", true}, {"securityGroupRuleSet", shown}}, nil
}

// revokeRules takes rules away; all of them must be there.
func revokeRules(c *call, egress bool) (object, error) {
	g, err := groups.own(c, "GroupId")
	if err != nil {
		return nil, err
	}
	var doomed []*rule
	for _, id := range c.strs("SecurityGroupRuleId") {
		r, err := rules.find(c, id)
		if err != nil {
			return nil, err
		}
		if r.Of != g.ID || r.Egress != egress {
			return nil, rules.missing(id)
		}
		doomed = append(doomed, r)
	}
	if len(doomed) == 0 {
		asked, err := c.asked(g, egress)
		if err != nil {
			return nil, err
		}
		for _, a := range asked {
			i := slices.IndexFunc(c.cloud.rules.all, a.same)
			if i < 0 {
				return nil, refuse("InvalidPermission.NotFound", "The specified rule does not exist in this security group.")
			}
			doomed = append(doomed, c.cloud.rules.all[i])
		}
	}
	for _, r := range doomed {
		c.cloud.rules.remove(r)
	}
	return object{{"return", true}}, nil
}
