// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// checkGroup looks at a security group of the user's.
func (t *topology) checkGroup() {
	id := string(t.given.SecurityGroup)
	if id == "" {
		return
	}
	needs := engine.Needs(t.group)
	t.require(rules.groupVPC, groupNode, needs, func(d engine.Deps) engine.Problem {
		return engine.Unless(t.group.State(d).VPC == t.given.VPC, id, "group %s is in %s, not in %s", id, t.group.State(d).VPC, t.given.VPC)
	})
	t.require(rules.groupRules, groupNode, needs, func(d engine.Deps) engine.Problem {
		return lacking(id, t.group.State(d).Rules, t.c.neededRules())
	})
	var balanced []*engine.Node[Subnet]
	for _, u := range t.subnets {
		if u.purpose != "nodes" && !slices.Contains(balanced, u.node) {
			balanced = append(balanced, u.node)
			needs = append(needs, u.node)
		}
	}
	t.require(rules.groupNodePorts, groupNode, needs, func(d engine.Deps) engine.Problem {
		var want []Rule
		for _, n := range balanced {
			want = append(want, t.c.nodePortRules(n.State(d))...)
		}
		return lacking(id, t.group.State(d).Rules, want)
	})
}

// neededRules are what a group of the user's must let through at the least.
func (c Config) neededRules() []Rule {
	rs := []Rule{{"ingress", "-1", 0, 0, "self"}}
	for _, cidr := range c.anywhere() {
		rs = append(rs, Rule{"egress", "-1", 0, 0, cidr})
	}
	return rs
}

// lacking says which rules a group does not have, not even as part of a wider
// one, and how each of them is added.
func lacking(group string, have, want []Rule) engine.Problem {
	var says, fixes []string
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h Rule) bool { return h.covers(w) }) {
			says = append(says, w.String())
			fixes = append(fixes, w.command(group)+" (Terraform: "+w.terraform(group)+")")
		}
	}
	p := engine.Unless(len(says) == 0, group, "missing: %s", strings.Join(says, "; "))
	p.Fix = strings.Join(fixes, "; ")
	return p
}

// covers says that a rule lets through all that w is there for.
func (r Rule) covers(w Rule) bool {
	switch {
	case r.Direction != w.Direction || r.Protocol != "-1" && r.Protocol != w.Protocol:
		return false
	case r.Protocol != "-1" && (r.From > w.From || r.To < w.To):
		return false
	case r.Peer == w.Peer || r.Peer == everyIPv4 && w.Peer == "self":
		return true
	}
	have, ok := prefix(r.Peer)
	want, wok := prefix(w.Peer)
	return ok && wok && contains([]netip.Prefix{have}, want)
}

// command is how the rule is added by hand.
func (r Rule) command(group string) string {
	ports := ""
	if r.Protocol != "-1" {
		ports = fmt.Sprintf("FromPort=%d,ToPort=%d,", r.From, r.To)
	}
	peer := r.peer(group, "UserIdGroupPairs=[{GroupId=%s}]", "IpRanges=[{CidrIp=%s}]", "Ipv6Ranges=[{CidrIpv6=%s}]")
	return fmt.Sprintf("aws ec2 authorize-security-group-%s --group-id %s --ip-permissions 'IpProtocol=%s,%s%s'", r.Direction, group, r.Protocol, ports, peer)
}

// terraform is how the rule is written down for the AWS provider of Terraform.
func (r Rule) terraform(group string) string {
	ports := ""
	if r.Protocol != "-1" {
		ports = fmt.Sprintf(", from_port = %d, to_port = %d", r.From, r.To)
	}
	peer := r.peer(group, "referenced_security_group_id = %q", "cidr_ipv4 = %q", "cidr_ipv6 = %q")
	return fmt.Sprintf("aws_vpc_security_group_%s_rule with security_group_id = %q, ip_protocol = %q%s, %s", r.Direction, group, r.Protocol, ports, peer)
}

// peer writes the other side in the format for what it is: the group itself, an
// IPv4 or an IPv6 range.
func (r Rule) peer(group, self, ipv4, ipv6 string) string {
	switch p, ok := prefix(r.Peer); {
	case !ok:
		return fmt.Sprintf(self, group)
	case p.Addr().Is6():
		return fmt.Sprintf(ipv6, r.Peer)
	}
	return fmt.Sprintf(ipv4, r.Peer)
}
