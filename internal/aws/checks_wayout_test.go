// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	sim "github.com/espalier-io/espalier/internal/sim/aws"
)

func allDeviations() []deviation {
	return slices.Concat(givenDeviations, adviceDeviations, ipv6Deviations, wayOutDeviations, zoneDeviations)
}

// leadTo replaces the route of a table to a destination.
func (w *world) leadTo(table string, route *ec2.ReplaceRouteInput) {
	w.t.Helper()
	route.RouteTableId = &table
	_, err := w.ec2.ReplaceRoute(w.t.Context(), route)
	w.must(err)
}

// natIn makes a NAT gateway in a subnet and waits for what becomes of it.
func (w *world) natIn(name, subnet string) string {
	w.t.Helper()
	a, err := w.ec2.AllocateAddress(w.t.Context(), &ec2.AllocateAddressInput{Domain: types.DomainTypeVpc})
	w.must(err)
	n, err := w.ec2.CreateNatGateway(w.t.Context(), &ec2.CreateNatGatewayInput{SubnetId: &subnet, AllocationId: a.AllocationId})
	w.must(err)
	for range 5 {
		_, err = w.ec2.DescribeNatGateways(w.t.Context(), &ec2.DescribeNatGatewaysInput{})
		w.must(err)
	}
	return w.name(name, n.NatGateway.NatGatewayId)
}

var wayOutDeviations = []deviation{
	{"a NAT gateway where there is no way out", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.leadTo(w.private, &ec2.ReplaceRouteInput{DestinationCidrBlock: aws.String(everyIPv4), NatGatewayId: aws.String(w.natIn("nat-inside", w.internals["a"]))})
	}, "EAWS158", "leads to nat-inside, which stands in internal-a, whose table rtb-private has no route to an internet gateway"},
	{"a private NAT gateway", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		n, err := w.ec2.CreateNatGateway(w.t.Context(), &ec2.CreateNatGatewayInput{SubnetId: aws.String(w.internals["a"]), ConnectivityType: types.ConnectivityTypePrivate})
		w.must(err)
		w.leadTo(w.private, &ec2.ReplaceRouteInput{DestinationCidrBlock: aws.String(everyIPv4), NatGatewayId: n.NatGateway.NatGatewayId})
	}, "", ""},
	{"a regional NAT gateway", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		n, err := w.ec2.CreateNatGateway(w.t.Context(), &ec2.CreateNatGatewayInput{VpcId: &w.vpc, AvailabilityMode: types.AvailabilityModeRegional})
		w.must(err)
		w.leadTo(w.private, &ec2.ReplaceRouteInput{DestinationCidrBlock: aws.String(everyIPv4), NatGatewayId: n.NatGateway.NatGatewayId})
	}, "", ""},
	{"a way out through a peering", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.leadTo(w.private, &ec2.ReplaceRouteInput{DestinationCidrBlock: aws.String(everyIPv4), VpcPeeringConnectionId: aws.String("pcx-0123456789abcdef0")})
	}, "EAWS166", "the route 0.0.0.0/0 leads to pcx-0123456789abcdef0"},
	{"the NAT gateways may not be read", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.Deny("a", "ec2:DescribeNatGateways")
	}, "EAWS158", "not checked"},
	{"workers behind an internet gateway", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.leadTo(w.private, &ec2.ReplaceRouteInput{DestinationCidrBlock: aws.String(everyIPv4), GatewayId: &w.igw})
	}, "EAWS159 EAWS150 EAWS150", "leads to igw, and workers-a, workers-b gives nodes no public address"},
	{"workers behind an internet gateway with public addresses", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		z := only(c)
		s := w.subnet("open", "a", "10.0.60.0/24")
		w.associate(w.public, s)
		_, err := w.ec2.ModifySubnetAttribute(w.t.Context(), &ec2.ModifySubnetAttributeInput{SubnetId: &s, MapPublicIpOnLaunch: &types.AttributeBooleanValue{Value: aws.Bool(true)}})
		w.must(err)
		z.WorkersSubnetID = &s
	}, "EAWS144 EAWS163", ""},
	{"an internet gateway that is gone", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		_, err := w.ec2.DeleteNatGateway(w.t.Context(), &ec2.DeleteNatGatewayInput{NatGatewayId: &w.nat})
		w.must(err)
		for range 5 {
			_, err = w.ec2.DescribeNatGateways(w.t.Context(), &ec2.DescribeNatGatewaysInput{})
			w.must(err)
		}
		_, err = w.ec2.DetachInternetGateway(w.t.Context(), &ec2.DetachInternetGatewayInput{InternetGatewayId: &w.igw, VpcId: &w.vpc})
		w.must(err)
	}, "EAWS142 EAWS149 EAWS149", "which is gone"},
	{"a VPC with an egress-only gateway that nothing leads to", func(w *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = dual()
		w.addIPv6(false)
		_, err := w.ec2.DeleteRoute(w.t.Context(), &ec2.DeleteRouteInput{RouteTableId: &w.private, DestinationIpv6CidrBlock: aws.String(everyIPv6)})
		w.must(err)
	}, "EAWS157", "has no route to ::/0"},
	{"a public subnet that reaches the internet in IPv4 only", func(w *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = dual()
		w.addIPv6(false)
		_, err := w.ec2.DeleteRoute(w.t.Context(), &ec2.DeleteRouteInput{RouteTableId: &w.public, DestinationIpv6CidrBlock: aws.String(everyIPv6)})
		w.must(err)
	}, "EAWS149 EAWS149", "has no route of IPv6 to an internet gateway"},
	{"the range of Services overlaps the VPC in IPv6", func(w *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		*k = dual()
		w.addIPv6(false)
		out, err := w.ec2.DescribeVpcs(w.t.Context(), &ec2.DescribeVpcsInput{VpcIds: []string{w.vpc}})
		w.must(err)
		k.Services = append(k.Services, prefixes(*out.Vpcs[0].Ipv6CidrBlockAssociationSet[0].Ipv6CidrBlock)...)
	}, "EAWS122", "a range of pods or services"},
}

var zoneDeviations = []deviation{
	{"a Local Zone", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.must(w.Plant(sim.World{Zones: map[string][]sim.WorldZone{region: {{Name: region + "-ber-1a", Type: "local-zone", Parent: region + "a"}}}}))
		c.Networks.Zones[1].Name = region + "-ber-1a"
		for field, cidr := range map[**string]string{&c.Networks.Zones[1].WorkersSubnetID: "10.0.70.0/24", &c.Networks.Zones[1].InternalSubnetID: "10.0.71.0/24"} {
			s := w.subnet("local", "-ber-1a", cidr)
			w.associate(w.private, s)
			*field = &s
		}
		c.Networks.Zones[1].PublicSubnetID = nil
	}, "EAWS160 EAWS160 EAWS144 EAWS162 EAWS163", "is a Local or Wavelength Zone"},
	{"an Outpost", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		z := only(c)
		s, err := w.ec2.CreateSubnet(w.t.Context(), &ec2.CreateSubnetInput{
			VpcId: &w.vpc, CidrBlock: aws.String("10.0.80.0/24"), AvailabilityZone: aws.String(region + "a"), OutpostArn: aws.String("arn:aws:outposts:eu-central-1:111122223333:outpost/op-0123456789abcdef0"),
		})
		w.must(err)
		z.WorkersSubnetID = s.Subnet.SubnetId
		w.associate(w.private, *s.Subnet.SubnetId)
	}, "EAWS161 EAWS144 EAWS163", "is on arn:aws:outposts"},
	{"a zone without a public subnet", func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.Zones[1].PublicSubnetID = nil
	}, "EAWS162 EAWS163", "there is no public load balancer subnet in eu-central-1b, but there is in eu-central-1a"},
	{"a role tag with a value of its own", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.tag(elbTag, "yes", w.publics["a"])
	}, "EAWS164", `has the tag kubernetes.io/role/elb="yes"`},
	{"a role tag without a value", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.tag(elbTag, "", w.publics["a"])
	}, "", ""},
}

func TestWhatIsAnAvailabilityZone(t *testing.T) {
	for zone, is := range map[string]bool{
		"eu-central-1a": true, "us-gov-west-1b": true, "ap-southeast-2c": true, "us-iso-east-1a": true, "eusc-de-east-1a": true,
		"us-west-2-lax-1a": false, "eu-central-1-ber-1a": false, "us-east-1-wl1-bos-wlz-1": false, "eu-central-1": false, "": false,
	} {
		if got := availabilityZone.MatchString(zone); got != is {
			t.Errorf("%q: %t", zone, got)
		}
	}
}
