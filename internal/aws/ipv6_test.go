// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
)

// addIPv6 gives the world what the recipe for clusters with IPv6 asks for: a
// block for the VPC and for each subnet, an egress-only internet gateway, and
// the routes.
func (w *world) addIPv6(dns64 bool) {
	ctx := w.t.Context()
	_, err := w.ec2.AssociateVpcCidrBlock(ctx, &ec2.AssociateVpcCidrBlockInput{VpcId: &w.vpc, AmazonProvidedIpv6CidrBlock: aws.Bool(true)})
	w.must(err)
	w.addIPv6ToSubnets(dns64, 0)
}

// addIPv6ToSubnets does it with one of the blocks that the VPC has.
func (w *world) addIPv6ToSubnets(dns64 bool, which int) {
	ctx := w.t.Context()
	out, err := w.ec2.DescribeVpcs(ctx, &ec2.DescribeVpcsInput{VpcIds: []string{w.vpc}})
	w.must(err)
	block := netip.MustParsePrefix(aws.ToString(out.Vpcs[0].Ipv6CidrBlockAssociationSet[which].Ipv6CidrBlock))
	n := 0
	for _, zone := range []string{"a", "b"} {
		for _, subnet := range []string{w.workers[zone], w.publics[zone], w.internals[zone]} {
			raw := block.Addr().As16()
			raw[7] = byte(n)
			n++
			cidr := netip.PrefixFrom(netip.AddrFrom16(raw), 64).String()
			_, err = w.ec2.AssociateSubnetCidrBlock(ctx, &ec2.AssociateSubnetCidrBlockInput{SubnetId: &subnet, Ipv6CidrBlock: &cidr})
			w.must(err)
		}
		yes := &types.AttributeBooleanValue{Value: aws.Bool(true)}
		_, err = w.ec2.ModifySubnetAttribute(ctx, &ec2.ModifySubnetAttributeInput{SubnetId: aws.String(w.workers[zone]), AssignIpv6AddressOnCreation: yes})
		w.must(err)
		if dns64 {
			_, err = w.ec2.ModifySubnetAttribute(ctx, &ec2.ModifySubnetAttributeInput{SubnetId: aws.String(w.workers[zone]), EnableDns64: yes})
			w.must(err)
		}
	}
	e, err := w.ec2.CreateEgressOnlyInternetGateway(ctx, &ec2.CreateEgressOnlyInternetGatewayInput{VpcId: &w.vpc})
	w.must(err)
	id := w.name("eigw", e.EgressOnlyInternetGateway.EgressOnlyInternetGatewayId)
	for _, r := range []*ec2.CreateRouteInput{
		{RouteTableId: &w.private, DestinationIpv6CidrBlock: aws.String("::/0"), EgressOnlyInternetGatewayId: &id},
		{RouteTableId: &w.private, DestinationIpv6CidrBlock: aws.String("64:ff9b::/96"), NatGatewayId: &w.nat},
		{RouteTableId: &w.public, DestinationIpv6CidrBlock: aws.String("::/0"), GatewayId: &w.igw},
	} {
		_, err = w.ec2.CreateRoute(ctx, r)
		w.must(err)
	}
}

func six() Cluster {
	k := rose()
	k.IPv4, k.IPv6 = false, true
	return k
}

func dual() Cluster {
	k := rose()
	k.IPv6, k.Nodes, k.Pods, k.Services = true, prefixes("10.0.0.0/16"), prefixes("100.64.0.0/11"), prefixes("100.104.0.0/13")
	return k
}

var ipv6Variants = []variant{
	{"dual-stack", dual, func(w *world) v1alpha1.InfrastructureConfig { w.addIPv6(false); return w.infra("a", "b") }},
	{"ipv6-only", six, func(w *world) v1alpha1.InfrastructureConfig { w.addIPv6(true); return w.infra("a", "b") }},
}

// blocks are the ranges that AWS chooses from its own.
func (w *world) blocks(s string) string {
	out, err := w.ec2.DescribeVpcs(w.t.Context(), &ec2.DescribeVpcsInput{VpcIds: []string{w.vpc}})
	w.must(err)
	block := netip.MustParsePrefix(aws.ToString(out.Vpcs[0].Ipv6CidrBlockAssociationSet[0].Ipv6CidrBlock))
	raw := block.Addr().As16()
	return strings.ReplaceAll(s, fmt.Sprintf("%x:%x:%x:", uint(raw[0])<<8|uint(raw[1]), uint(raw[2])<<8|uint(raw[3]), uint(raw[4])<<8|uint(raw[5])), "2001:db8:‹vpc›:")
}

func TestIPv6Variants(t *testing.T) {
	for _, v := range ipv6Variants {
		t.Run(v.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				infra := v.infra(w)
				golden(t, v.name, w.blocks(life(w, w.run(infra, v.cluster()))))
			})
		})
	}
}

var ipv6Deviations = []deviation{
	{"the VPC and the subnets have no IPv6 block", func(_ *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) { *k = dual() },
		"EAWS103 EAWS114 EAWS115 EAWS114 EAWS114 EAWS114 EAWS115 EAWS114 EAWS114 EAWS157 EAWS149 EAWS149", "vpc has no associated IPv6 block"},
	{"nodes are given no IPv6 address", func(w *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = dual()
		w.addIPv6(false)
		_, err := w.ec2.ModifySubnetAttribute(w.t.Context(), &ec2.ModifySubnetAttributeInput{SubnetId: aws.String(w.workers["b"]), AssignIpv6AddressOnCreation: &types.AttributeBooleanValue{Value: aws.Bool(false)}})
		w.must(err)
	}, "EAWS115", "subnet workers-b has AssignIpv6AddressOnCreation false"},
	{"IPv6-only nodes do not reach IPv4", func(w *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = six()
		w.addIPv6(false)
	}, "EAWS156 EAWS156", "has EnableDns64 false"},
	{"a worker subnet that has no IPv4", func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = dual()
		w.addIPv6(false)
		only(c).WorkersSubnetID = aws.String(w.nativeSubnet())
	}, "EAWS116 EAWS144 EAWS163", "is IPv6-native"},
	{"a load balancer subnet that has no IPv4", func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = six()
		w.addIPv6(true)
		only(c).InternalSubnetID = aws.String(w.nativeSubnet())
	}, "EAWS118 EAWS151 EAWS163", "has no IPv4 range"},
}

// nativeSubnet is an IPv6-native subnet in zone a.
func (w *world) nativeSubnet() string {
	out, err := w.ec2.DescribeVpcs(w.t.Context(), &ec2.DescribeVpcsInput{VpcIds: []string{w.vpc}})
	w.must(err)
	raw := netip.MustParsePrefix(aws.ToString(out.Vpcs[0].Ipv6CidrBlockAssociationSet[0].Ipv6CidrBlock)).Addr().As16()
	raw[7] = 0x77
	cidr := netip.PrefixFrom(netip.AddrFrom16(raw), 64).String()
	s, err := w.ec2.CreateSubnet(w.t.Context(), &ec2.CreateSubnetInput{VpcId: &w.vpc, Ipv6CidrBlock: &cidr, Ipv6Native: aws.Bool(true), AvailabilityZone: aws.String(region + "a")})
	w.must(err)
	w.associate(w.private, *s.Subnet.SubnetId)
	return w.name("native", s.Subnet.SubnetId)
}

// Every code of this package is the answer to some deviation.
func TestEveryCodeIsTested(t *testing.T) {
	tested := map[string]bool{}
	for _, d := range allDeviations() {
		for _, c := range strings.Fields(d.codes) {
			tested[c] = true
		}
	}
	for _, r := range Rules() {
		if !tested[r.Code] {
			t.Errorf("no test shows %s (%s)", r.Code, r.Severity)
		}
	}
}

// The range of Services follows from the UID: the same one every time, another
// one for another cluster, inside the unique local addresses.
func TestTheServiceRange(t *testing.T) {
	none, err := engine.LoadState(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b := Config{Cluster: Cluster{UID: "a"}}, Config{Cluster: Cluster{UID: "b"}}
	p := a.serviceRange(none)
	if p != a.serviceRange(none) || p == b.serviceRange(none) || p.Bits() != 108 || !netip.MustParsePrefix("fd00::/8").Contains(p.Addr()) || p != p.Masked() {
		t.Errorf("%s, %s", p, b.serviceRange(none))
	}
	a.Services = prefixes("100.104.0.0/13", "2001:db8::/108")
	if got := a.serviceRange(none).String(); got != "2001:db8::/108" {
		t.Errorf("the configured range counts: %s", got)
	}
}
