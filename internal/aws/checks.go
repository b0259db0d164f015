// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"net/netip"
	"regexp"
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
			return engine.Unless(false, join(c.ids), "%s bear the tag %s for zone %s", join(c.ids), c.role, c.zone)
		})
	}
	t.checkNamesakes()
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
		return engine.Unless(len(off) == 0, id, "%s of %s: false", strings.Join(off, " and "), id)
	})
	if t.c.IPv6 {
		t.require(rules.ipv6VPC, name, needs, func(d engine.Deps) engine.Problem {
			return engine.Unless(len(t.vpc.State(d).IPv6CIDRs) > 0, id, "%s has no associated IPv6 block", id)
		})
	}
	ours := t.insideRanges()
	t.require(rules.overlap, name, needs, func(d engine.Deps) engine.Problem {
		v := t.vpc.State(d)
		for _, cidr := range slices.Concat(v.CIDRs, v.IPv6CIDRs) {
			p, ok := prefix(cidr)
			i := slices.IndexFunc(ours, func(r netip.Prefix) bool { return ok && r.Overlaps(p) })
			if i >= 0 {
				return engine.Unless(false, cidr, "the range %s of %s overlaps %s, a range of pods or services", cidr, id, ours[i])
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
		return engine.Unless(false, strings.Join(d.DomainName, " "), "domain-name is %q, not %s", strings.Join(d.DomainName, " "), domain)
	}
	own := len(d.DomainNameServers) == 0 || slices.Equal(d.DomainNameServers, []string{"AmazonProvidedDNS"})
	return engine.Unless(own, strings.Join(d.DomainNameServers, " "), "domain-name-servers are %s, not AmazonProvidedDNS", strings.Join(d.DomainNameServers, ", "))
}

func (t *topology) checkSubnet(u use) {
	id, needs, name := u.id, engine.Needs(u.node), "subnet "+string(u.id)
	ask := func(r rule, broken func(s Subnet) engine.Problem) {
		t.require(r.at(u.field), name, needs, func(d engine.Deps) engine.Problem { return broken(u.node.State(d)) })
	}
	ask(rules.subnetVPC, func(s Subnet) engine.Problem {
		return engine.Unless(s.VPC == t.given.VPC, string(id), "subnet %s is in %s, not in %s", id, s.VPC, t.given.VPC)
	})
	ask(rules.subnetZone, func(s Subnet) engine.Problem {
		return engine.Unless(s.Zone == u.zone, string(id), "subnet %s is in zone %s, not in %s", id, s.Zone, u.zone)
	})
	if t.c.IPv6 {
		ask(rules.subnetIPv6, func(s Subnet) engine.Problem {
			return engine.Unless(len(s.IPv6CIDRs) > 0, string(id), "subnet %s has no associated IPv6 block", id)
		})
	}
	ask(rules.otherAccount, func(s Subnet) engine.Problem {
		if s.Owner == "" || s.Owner == t.f.Account {
			return engine.Problem{}
		}
		return engine.Problem{Value: string(id), Message: fmt.Sprintf("subnet %s belongs to account %s", id, s.Owner), Fix: t.ownersCommand(id)}
	})
	ask(rules.localZone, func(Subnet) engine.Problem {
		return engine.Unless(availabilityZone.MatchString(u.zone), u.zone, "zone %s of subnet %s is a Local or Wavelength Zone", u.zone, id)
	})
	ask(rules.outpost, func(s Subnet) engine.Problem {
		return engine.Unless(s.Outpost == "", s.Outpost, "subnet %s is on %s", id, s.Outpost)
	})
	if u.purpose != "nodes" {
		ask(rules.balancerIPv4, func(s Subnet) engine.Problem {
			return engine.Unless(s.CIDR != "" && !s.Native, string(id), "subnet %s has no IPv4 range", id)
		})
		ask(rules.fewAddresses, func(s Subnet) engine.Problem {
			return engine.Unless(s.Free >= forBalancer, string(id), "subnet %s has %d free addresses, a load balancer wants %d", id, s.Free, forBalancer)
		})
		return
	}
	t.checkWorkers(ask, string(id))
}

// ownersCommand is what the owner of a shared subnet has to run, so that all
// who use it see the tags.
func (t *topology) ownersCommand(subnet engine.ID) string {
	var tags []string
	for _, w := range t.wanted {
		if w.on == subnet {
			tags = append(tags, fmt.Sprintf("Key=%s,Value=%s", w.key, w.value))
		}
	}
	if len(tags) == 0 {
		return "nothing, if its owner knows of the cluster: it gets no tags"
	}
	return fmt.Sprintf("its owner has to run: aws ec2 create-tags --resources %s --tags %s", subnet, strings.Join(tags, " "))
}

// availabilityZone is the form of the name of an ordinary zone: a region and a
// letter. Source: AWS Regions and Availability Zones, "Local Zones", "Wavelength Zones".
var availabilityZone = regexp.MustCompile(`^[a-z]+(-[a-z]+)+-\d+[a-z]$`)

// forBalancer is how many addresses a load balancer may take of a subnet.
const forBalancer = 8

func (t *topology) checkWorkers(ask func(rule, func(Subnet) engine.Problem), id string) {
	if t.c.IPv6 {
		ask(rules.autoIPv6, func(s Subnet) engine.Problem {
			return engine.Unless(s.AutoIPv6, id, "subnet %s has AssignIpv6AddressOnCreation false", id)
		})
	}
	if t.c.IPv4 {
		ask(rules.native, func(s Subnet) engine.Problem {
			return engine.Unless(s.CIDR != "" && !s.Native, id, "subnet %s is IPv6-native", id)
		})
		ask(rules.insideNodes, func(s Subnet) engine.Problem {
			p, ok := prefix(s.CIDR)
			nodes := family(t.c.Nodes, false)
			return engine.Unless(!ok || len(nodes) == 0 || contains(nodes, p), s.CIDR, "subnet %s (%s) is not inside spec.networking.nodes (%s)", id, s.CIDR, join(nodes))
		})
		ask(rules.fewAddresses, func(s Subnet) engine.Problem {
			need := max(t.c.MaxNodes/max(len(t.given.Zones), 1), forBalancer)
			return engine.Unless(s.CIDR == "" || s.Free >= need, id, "subnet %s has %d free addresses, about %d nodes are to come", id, s.Free, need)
		})
		return
	}
	ask(rules.dns64, func(s Subnet) engine.Problem {
		return engine.Unless(s.DNS64, id, "subnet %s has EnableDns64 false", id)
	})
}
