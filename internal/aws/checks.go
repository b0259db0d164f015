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

// checks adds the rules about what the user brought. Each is a pure function
// of facts.
func (t *topology) checks() {
	t.checkVPC()
	for _, u := range t.subnets {
		if !u.found {
			t.checkSubnet(u)
		}
	}
	for _, c := range t.clashes {
		t.require(rules.ambiguous.at(c.field), "zone "+c.zone, nil, func(engine.Deps) engine.Problem {
			return unless(false, join(c.ids), "%s bear the tag %s for zone %s", join(c.ids), c.role, c.zone)
		})
	}
	t.checkTables()
	t.checkBalancers()
	t.checkGroup()
	t.checkTags()
}

// require adds a rule about nodes.
func (t *topology) require(r rule, resource string, needs []engine.Dependency, broken func(d engine.Deps) engine.Problem) {
	engine.Require(t.Graph, r.engine(), resource, needs, broken)
}

func (t *topology) checkVPC() {
	id, needs, name := string(t.given.VPC), engine.Needs(t.vpc), "vpc "+string(t.given.VPC)
	t.require(rules.dns, name, needs, func(d engine.Deps) engine.Problem {
		var off []string
		v := t.vpc.State(d)
		if !v.DNSSupport {
			off = append(off, "enableDnsSupport")
		}
		if !v.DNSHostnames {
			off = append(off, "enableDnsHostnames")
		}
		return unless(len(off) == 0, id, "%s of %s: false", strings.Join(off, " and "), id)
	})
	if t.c.IPv6 {
		t.require(rules.ipv6VPC, name, needs, func(d engine.Deps) engine.Problem {
			return unless(len(t.vpc.State(d).IPv6CIDRs) > 0, id, "%s has no associated IPv6 block", id)
		})
	}
	t.require(rules.overlap, name, needs, func(d engine.Deps) engine.Problem {
		for _, cidr := range t.vpc.State(d).CIDRs {
			p, ok := prefix(cidr)
			i := slices.IndexFunc(slices.Concat(family(t.c.Pods, false), family(t.c.Services, false)), func(r netip.Prefix) bool { return ok && r.Overlaps(p) })
			if i >= 0 {
				return unless(false, cidr, "the range %s of %s overlaps %s, a range of pods or services", cidr, id, slices.Concat(family(t.c.Pods, false), family(t.c.Services, false))[i])
			}
		}
		return engine.Problem{}
	})
	t.require(rules.dhcp, name, needs, func(engine.Deps) engine.Problem {
		if t.f.DHCPErr != nil {
			return engine.Problem{Unknown: t.f.DHCPErr}
		}
		return t.c.dhcpProblem(t.f.DHCP)
	})
}

// dhcpProblem says what of DHCP options is not as AWS's own would be.
func (c Config) dhcpProblem(d *DHCP) engine.Problem {
	if d == nil {
		return engine.Problem{} // EC2's defaults count
	}
	domain := c.Region + ".compute.internal"
	if c.Region == "us-east-1" {
		domain = "ec2.internal"
	}
	if !slices.Equal(d.DomainName, []string{domain}) {
		return unless(false, strings.Join(d.DomainName, " "), "domain-name is %q, not %s", strings.Join(d.DomainName, " "), domain)
	}
	own := len(d.DomainNameServers) == 0 || slices.Equal(d.DomainNameServers, []string{"AmazonProvidedDNS"})
	return unless(own, strings.Join(d.DomainNameServers, " "), "domain-name-servers are %s, not AmazonProvidedDNS", strings.Join(d.DomainNameServers, ", "))
}

func (t *topology) checkSubnet(u use) {
	id, needs, name := u.id, engine.Needs(u.node), "subnet "+string(u.id)
	ask := func(r rule, broken func(s Subnet) engine.Problem) {
		t.require(r.at(u.field), name, needs, func(d engine.Deps) engine.Problem { return broken(u.node.State(d)) })
	}
	ask(rules.subnetVPC, func(s Subnet) engine.Problem {
		return unless(s.VPC == t.given.VPC, string(id), "subnet %s is in %s, not in %s", id, s.VPC, t.given.VPC)
	})
	ask(rules.subnetZone, func(s Subnet) engine.Problem {
		return unless(s.Zone == u.zone, string(id), "subnet %s is in zone %s, not in %s", id, s.Zone, u.zone)
	})
	if t.c.IPv6 {
		ask(rules.subnetIPv6, func(s Subnet) engine.Problem {
			return unless(len(s.IPv6CIDRs) > 0, string(id), "subnet %s has no associated IPv6 block", id)
		})
	}
	ask(rules.otherAccount, func(s Subnet) engine.Problem {
		return unless(s.Owner == "" || s.Owner == t.f.Account, string(id), "subnet %s belongs to account %s", id, s.Owner)
	})
	if u.purpose != "nodes" {
		ask(rules.balancerIPv4, func(s Subnet) engine.Problem {
			return unless(s.CIDR != "" && !s.Native, string(id), "subnet %s has no IPv4 range", id)
		})
		ask(rules.fewAddresses, func(s Subnet) engine.Problem {
			return unless(s.Free >= forBalancer, string(id), "subnet %s has %d free addresses, a load balancer wants %d", id, s.Free, forBalancer)
		})
		return
	}
	t.checkWorkers(ask, string(id))
}

// forBalancer is how many addresses a load balancer may take of a subnet.
const forBalancer = 8

func (t *topology) checkWorkers(ask func(rule, func(Subnet) engine.Problem), id string) {
	if t.c.IPv6 {
		ask(rules.autoIPv6, func(s Subnet) engine.Problem {
			return unless(s.AutoIPv6, id, "subnet %s has AssignIpv6AddressOnCreation false", id)
		})
	}
	if t.c.IPv4 {
		ask(rules.native, func(s Subnet) engine.Problem {
			return unless(s.CIDR != "" && !s.Native, id, "subnet %s is IPv6-native", id)
		})
		ask(rules.insideNodes, func(s Subnet) engine.Problem {
			p, ok := prefix(s.CIDR)
			nodes := family(t.c.Nodes, false)
			return unless(!ok || len(nodes) == 0 || contains(nodes, p), s.CIDR, "subnet %s (%s) is not inside spec.networking.nodes (%s)", id, s.CIDR, join(nodes))
		})
		ask(rules.fewAddresses, func(s Subnet) engine.Problem {
			need := max(t.c.MaxNodes/max(len(t.given.Zones), 1), forBalancer)
			return unless(s.CIDR == "" || s.Free >= need, id, "subnet %s has %d free addresses, about %d nodes are to come", id, s.Free, need)
		})
		return
	}
	ask(rules.dns64, func(s Subnet) engine.Problem {
		return unless(s.DNS64, id, "subnet %s has EnableDns64 false", id)
	})
}

// checkBalancers looks at which kinds of load balancer subnets there are.
func (t *topology) checkBalancers() {
	has := map[string]bool{}
	for _, u := range t.subnets {
		has[u.purpose] = true
	}
	t.require(rules.noBalancers, "load balancers", nil, func(engine.Deps) engine.Problem {
		return unless(has["public"] || has["internal"], "", "no zone has a public or an internal subnet")
	})
	t.require(rules.partBalancers, "load balancers", nil, func(engine.Deps) engine.Problem {
		missing := "public"
		if has["public"] {
			missing = "internal"
		}
		return unless(has["public"] == has["internal"], missing, "there are no %s load balancer subnets", missing)
	})
}

func (t *topology) checkGroup() {
	id := string(t.given.SecurityGroup)
	if id == "" {
		return
	}
	needs := engine.Needs(t.group)
	t.require(rules.groupVPC, groupNode, needs, func(d engine.Deps) engine.Problem {
		return unless(t.group.State(d).VPC == t.given.VPC, id, "group %s is in %s, not in %s", id, t.group.State(d).VPC, t.given.VPC)
	})
	t.require(rules.groupRules, groupNode, needs, func(d engine.Deps) engine.Problem {
		var says, fixes []string
		for _, want := range t.c.neededRules() {
			if !slices.ContainsFunc(t.group.State(d).Rules, func(have Rule) bool { return have.covers(want) }) {
				says = append(says, want.String())
				fixes = append(fixes, want.command(id))
			}
		}
		p := unless(len(says) == 0, id, "missing: %s", strings.Join(says, "; "))
		p.Fix = strings.Join(fixes, "; ")
		return p
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

// covers says that a rule lets through all that w is there for.
func (r Rule) covers(w Rule) bool {
	if r.Direction != w.Direction || r.Protocol != "-1" && r.Protocol != w.Protocol {
		return false
	}
	if r.Peer == w.Peer || r.Peer == "0.0.0.0/0" && w.Peer == "self" {
		return true
	}
	have, ok := prefix(r.Peer)
	want, wok := prefix(w.Peer)
	return ok && wok && contains([]netip.Prefix{have}, want)
}

// command is how the rule is added by hand.
func (r Rule) command(group string) string {
	peer := fmt.Sprintf("IpRanges=[{CidrIp=%s}]", r.Peer)
	if p, ok := prefix(r.Peer); ok && p.Addr().Is6() {
		peer = fmt.Sprintf("Ipv6Ranges=[{CidrIpv6=%s}]", r.Peer)
	} else if !ok {
		peer = fmt.Sprintf("UserIdGroupPairs=[{GroupId=%s}]", group)
	}
	return fmt.Sprintf("aws ec2 authorize-security-group-%s --group-id %s --ip-permissions 'IpProtocol=%s,%s'", r.Direction, group, r.Protocol, peer)
}
