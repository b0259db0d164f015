// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// vpcPlanter plants what is in one VPC.
type vpcPlanter struct {
	planter
	vpc   *vpc
	world WorldVPC
}

func (p planter) vpc(w WorldVPC) error {
	if len(w.CIDRs) == 0 {
		return fmt.Errorf("cidrs: a VPC has an IPv4 block")
	}
	v, err := plant(p, &p.vpcs, w.WorldThing, createVPC, "CidrBlock", w.CIDRs[0])
	if err != nil {
		return err
	}
	v.DNSSupport, v.DNSNames = w.DNSSupport == nil || *w.DNSSupport, w.DNSHostnames == nil || *w.DNSHostnames
	for _, cidr := range w.CIDRs[1:] {
		if _, err := associateVPCBlock(p.request("", "VpcId", v.ID, "CidrBlock", cidr)); err != nil {
			return fmt.Errorf("cidrs: %w", err)
		}
	}
	for _, cidr := range w.IPv6 {
		pairs := []string{"VpcId", v.ID, "Ipv6Pool", "Amazon"}
		if cidr != "amazon" {
			pairs = append(pairs, "Ipv6CidrBlock", cidr)
		}
		if _, err := associateVPCBlock(p.request("", pairs...)); err != nil {
			return fmt.Errorf("ipv6: %w", err)
		}
	}
	settle(v.Blocks6)
	q := vpcPlanter{p, v, w}
	for _, step := range []func() error{
		q.dhcpOptions, q.gateways, q.subnets, q.groups, q.instances, q.interfaces, q.nats, q.tables, q.endpoints, q.balancers,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (q vpcPlanter) dhcpOptions() error {
	if q.world.DHCP == nil {
		return nil
	}
	pairs := []string{}
	for i, key := range slices.Sorted(maps.Keys(q.world.DHCP)) {
		at := fmt.Sprintf("DhcpConfiguration.%d.", i+1)
		pairs = append(pairs, at+"Key", key)
		for n, value := range q.world.DHCP[key] {
			pairs = append(pairs, fmt.Sprintf("%sValue.%d", at, n+1), value)
		}
	}
	if len(pairs) == 0 {
		q.vpc.DHCP = "default"
		return nil
	}
	d, err := plant(q.planter, &q.dhcp, WorldThing{ID: q.world.DHCPID}, createDHCP, pairs...)
	if err != nil {
		return fmt.Errorf("dhcp_options: %w", err)
	}
	q.vpc.DHCP = d.ID
	return nil
}

func (q vpcPlanter) gateways() error {
	if g := q.world.Gateway; g != nil {
		made, err := plant(q.planter, &q.Cloud.gateways, *g, createGateway, "·vpc", q.vpc.ID)
		if err != nil {
			return fmt.Errorf("internet_gateway: %w", err)
		}
		made.VPC = q.vpc.ID
	}
	if g := q.world.Egress; g != nil {
		if _, err := plant(q.planter, &q.egress, *g, createEgress, "VpcId", q.vpc.ID); err != nil {
			return fmt.Errorf("egress_only_internet_gateway: %w", err)
		}
	}
	return nil
}

func yes(b bool) string { return map[bool]string{true: "true"}[b] }

func (q vpcPlanter) subnets() error {
	for i, w := range q.world.Subnets {
		pairs := []string{
			"VpcId", q.vpc.ID, "AvailabilityZone", w.Zone, "CidrBlock", w.CIDR, "Ipv6Native", yes(w.Native6), "OutpostArn", w.Outpost,
		}
		if len(w.IPv6) > 0 {
			pairs = append(pairs, "Ipv6CidrBlock", w.IPv6[0])
		}
		s, err := plant(q.planter, &q.Cloud.subnets, w.WorldThing, createSubnet, pairs...)
		if err != nil {
			return fmt.Errorf("subnets[%d]: %w", i, err)
		}
		for _, cidr := range w.IPv6[min(1, len(w.IPv6)):] {
			if _, err := associateSubnetBlock(q.request("", "SubnetId", s.ID, "Ipv6CidrBlock", cidr)); err != nil {
				return fmt.Errorf("subnets[%d].ipv6: %w", i, err)
			}
		}
		settle(s.Blocks6)
		s.Assign6, s.DNS64, s.PublicOnLaunch, s.Free = w.AutoAssign6 || w.Native6, w.DNS64, w.MapPublicIP, w.Free
		for _, name := range w.SharedWith {
			if q.accounts[name] == nil {
				return fmt.Errorf("subnets[%d].shared_with: there is no account %q", i, name)
			}
		}
		s.shared = w.SharedWith
		for n, r := range w.Reservations {
			if _, err := plant(q.planter, &q.reserved, r.WorldThing, createReservation,
				"SubnetId", s.ID, "Cidr", r.CIDR, "ReservationType", cmp.Or(r.Type, "explicit")); err != nil {
				return fmt.Errorf("subnets[%d].cidr_reservations[%d]: %w", i, n, err)
			}
		}
	}
	return nil
}

func (q vpcPlanter) subnet(ref string) (*subnet, error) {
	s, ok := called(&q.Cloud.subnets, ref, func(s *subnet) bool { return s.VPC == q.vpc.ID })
	if !ok {
		return nil, fmt.Errorf("the VPC has no subnet %q", ref)
	}
	return s, nil
}

// group finds a group by its ID, its tag Name or its group name.
func (q vpcPlanter) group(ref string) (*group, error) {
	for _, g := range q.Cloud.groups.all {
		if g.VPC == q.vpc.ID && (g.ID == ref || g.Name == ref || slices.Contains(g.Tags.values("Name"), ref)) {
			return g, nil
		}
	}
	return nil, fmt.Errorf("the VPC has no security group %q", ref)
}

func (q vpcPlanter) groupIDs(refs []string) (ids []string, err error) {
	for _, ref := range refs {
		g, err := q.group(ref)
		if err != nil {
			return nil, err
		}
		ids = append(ids, g.ID)
	}
	return ids, nil
}

func (q vpcPlanter) groups() error {
	for i, w := range q.world.SecurityGroups {
		w.GroupName = cmp.Or(w.GroupName, w.Name)
		if w.GroupName == "default" {
			g, err := q.group("default")
			if err != nil {
				return err
			}
			g.Tags = w.tags()
			continue
		}
		p := q.planter
		if w.Owner != "" {
			if p.account = q.accounts[w.Owner]; p.account == nil {
				return fmt.Errorf("security_groups[%d].owner: there is no account %q", i, w.Owner)
			}
		}
		if _, err := plant(p, &q.Cloud.groups, w.WorldThing, createGroup,
			"VpcId", q.vpc.ID, "GroupName", w.GroupName, "GroupDescription", cmp.Or(w.Description, w.GroupName)); err != nil {
			return fmt.Errorf("security_groups[%d]: %w", i, err)
		}
	}
	for i, w := range q.world.SecurityGroups { // when all are there
		if err := q.groupRules(w); err != nil {
			return fmt.Errorf("security_groups[%d].%w", i, err)
		}
	}
	return nil
}

func (q vpcPlanter) groupRules(w WorldGroup) error {
	g, err := q.group(cmp.Or(w.ID, w.GroupName, w.Name))
	if err != nil {
		return err
	}
	if w.Bare {
		q.rules.all = slices.DeleteFunc(q.rules.all, func(r *rule) bool { return r.Of == g.ID })
	}
	p := q.planter
	p.account = g.account
	for i, r := range w.Rules {
		pairs := []string{"GroupId", g.ID, "IpPermissions.1.IpProtocol", cmp.Or(r.Protocol, "-1")}
		if r.FromPort != 0 || r.ToPort != 0 {
			pairs = append(pairs, "IpPermissions.1.FromPort", text(r.FromPort), "IpPermissions.1.ToPort", text(r.ToPort))
		}
		set, key, peer := "Groups", "GroupId", r.Peer
		switch {
		case strings.HasPrefix(r.Peer, "pl-"):
			set, key = "PrefixListIds", "PrefixListId"
		case strings.Contains(r.Peer, ":"):
			set, key = "Ipv6Ranges", "CidrIpv6"
		case strings.Contains(r.Peer, "/"):
			set, key = "IpRanges", "CidrIp"
		case r.Peer == "self":
			peer = g.ID
		default:
			other, err := q.group(r.Peer)
			if err != nil {
				return fmt.Errorf("rules[%d].peer: %w", i, err)
			}
			peer = other.ID
		}
		at := "IpPermissions.1." + set + ".1."
		if _, err := authorizeRules(p.request("", append(pairs, at+key, peer, at+"Description", r.Description)...), r.Egress); err != nil {
			return fmt.Errorf("rules[%d]: %w", i, err)
		}
	}
	return nil
}
