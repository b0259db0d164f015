// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
)

func trials() []trial {
	return slices.Concat(networkTrials, routeTrials, groupTrials, tagTrials, identityTrials)
}

const absent = "0ffffffffffffffff"

func filter(name string, values ...string) types.Filter {
	return types.Filter{Name: &name, Values: values}
}

func tagged(resource types.ResourceType, pairs ...string) []types.TagSpecification {
	return []types.TagSpecification{{ResourceType: resource, Tags: tags(pairs...)}}
}

func tags(pairs ...string) (all []types.Tag) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, types.Tag{Key: &pairs[i], Value: &pairs[i+1]})
	}
	return all
}

func (l *lab) vpc(cidr string) string {
	out, err := l.ec2.CreateVpc(l.ctx, &ec2.CreateVpcInput{CidrBlock: &cidr})
	return *get(l, out, err).Vpc.VpcId
}

func (l *lab) subnet(vpc, cidr string) string {
	out, err := l.ec2.CreateSubnet(l.ctx, &ec2.CreateSubnetInput{VpcId: &vpc, CidrBlock: &cidr, AvailabilityZone: str("eu-central-1a")})
	return *get(l, out, err).Subnet.SubnetId
}

func (l *lab) gateway(vpc string) string {
	out, err := l.ec2.CreateInternetGateway(l.ctx, &ec2.CreateInternetGatewayInput{})
	id := get(l, out, err).InternetGateway.InternetGatewayId
	_, err = l.ec2.AttachInternetGateway(l.ctx, &ec2.AttachInternetGatewayInput{InternetGatewayId: id, VpcId: &vpc})
	return *get(l, id, err)
}

var networkTrials = []trial{
	{"a new VPC has DNS support and no DNS host names", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		out, err := l.ec2.DescribeVpcAttribute(l.ctx, &ec2.DescribeVpcAttributeInput{VpcId: &vpc, Attribute: types.VpcAttributeNameEnableDnsSupport})
		l.equal("enableDnsSupport", *get(l, out, err).EnableDnsSupport.Value, true)
		out, err = l.ec2.DescribeVpcAttribute(l.ctx, &ec2.DescribeVpcAttributeInput{VpcId: &vpc, Attribute: types.VpcAttributeNameEnableDnsHostnames})
		l.equal("enableDnsHostnames", *get(l, out, err).EnableDnsHostnames.Value, false)
	}},
	{"a new VPC has a main route table, a default security group and DHCP options", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		tables, err := l.ec2.DescribeRouteTables(l.ctx, &ec2.DescribeRouteTablesInput{Filters: []types.Filter{filter("vpc-id", vpc)}})
		t := get(l, tables, err).RouteTables
		l.equal("the number of route tables", len(t), 1)
		l.equal("main", *t[0].Associations[0].Main, true)
		l.equal("the route", *t[0].Routes[0].DestinationCidrBlock+" "+*t[0].Routes[0].GatewayId+" "+string(t[0].Routes[0].Origin), "10.0.0.0/16 local CreateRouteTable")
		groups, err := l.ec2.DescribeSecurityGroups(l.ctx, &ec2.DescribeSecurityGroupsInput{Filters: []types.Filter{filter("vpc-id", vpc)}})
		l.equal("the group", *get(l, groups, err).SecurityGroups[0].GroupName, "default")
		vpcs, err := l.ec2.DescribeVpcs(l.ctx, &ec2.DescribeVpcsInput{VpcIds: []string{vpc}})
		options := *get(l, vpcs, err).Vpcs[0].DhcpOptionsId
		sets, err := l.ec2.DescribeDhcpOptions(l.ctx, &ec2.DescribeDhcpOptionsInput{DhcpOptionsIds: []string{options}})
		var words []string
		for _, c := range get(l, sets, err).DhcpOptions[0].DhcpConfigurations {
			words = append(words, *c.Key+"="+*c.Values[0].Value)
		}
		slices.Sort(words)
		l.equal("the DHCP options", strings.Join(words, " "), "domain-name-servers=AmazonProvidedDNS domain-name=eu-central-1.compute.internal")
	}},
	{"a VPC that has a subnet is not deleted", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		subnet := l.subnet(vpc, "10.0.0.0/24")
		_, err := l.ec2.DeleteVpc(l.ctx, &ec2.DeleteVpcInput{VpcId: &vpc})
		l.code("DeleteVpc", "DependencyViolation", err)
		_, err = l.ec2.DeleteSubnet(l.ctx, &ec2.DeleteSubnetInput{SubnetId: &subnet})
		l.code("DeleteSubnet", "", err)
		_, err = l.ec2.DeleteVpc(l.ctx, &ec2.DeleteVpcInput{VpcId: &vpc})
		l.code("DeleteVpc", "", err)
	}},
	{"a describe by IDs of which one is unknown fails whole", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		subnet := l.subnet(vpc, "10.0.0.0/24")
		_, err := l.ec2.DescribeVpcs(l.ctx, &ec2.DescribeVpcsInput{VpcIds: []string{vpc, "vpc-" + absent}})
		l.code("DescribeVpcs", "InvalidVpcID.NotFound", err)
		_, err = l.ec2.DescribeSubnets(l.ctx, &ec2.DescribeSubnetsInput{SubnetIds: []string{subnet, "subnet-" + absent}})
		l.code("DescribeSubnets", "InvalidSubnetID.NotFound", err)
		_, err = l.ec2.DescribeRouteTables(l.ctx, &ec2.DescribeRouteTablesInput{RouteTableIds: []string{"rtb-" + absent}})
		l.code("DescribeRouteTables", "InvalidRouteTableID.NotFound", err)
		_, err = l.ec2.DescribeSecurityGroups(l.ctx, &ec2.DescribeSecurityGroupsInput{GroupIds: []string{"sg-" + absent}})
		l.code("DescribeSecurityGroups", "InvalidGroup.NotFound", err)
		_, err = l.ec2.DescribeInternetGateways(l.ctx, &ec2.DescribeInternetGatewaysInput{InternetGatewayIds: []string{"igw-" + absent}})
		l.code("DescribeInternetGateways", "InvalidInternetGatewayID.NotFound", err)
		_, err = l.ec2.DescribeAddresses(l.ctx, &ec2.DescribeAddressesInput{AllocationIds: []string{"eipalloc-" + absent}})
		l.code("DescribeAddresses", "InvalidAllocationID.NotFound", err)
	}},
	{"a describe of NAT gateways by an unknown ID fails", func(l *lab) {
		_, err := l.ec2.DescribeNatGateways(l.ctx, &ec2.DescribeNatGatewaysInput{NatGatewayIds: []string{"nat-" + absent}})
		l.code("DescribeNatGateways", "NatGatewayNotFound", err)
	}},
	{"a describe of egress-only internet gateways leaves unknown IDs out", func(l *lab) {
		out, err := l.ec2.DescribeEgressOnlyInternetGateways(l.ctx, &ec2.DescribeEgressOnlyInternetGatewaysInput{
			EgressOnlyInternetGatewayIds: []string{"eigw-" + absent},
		})
		l.equal("the number of gateways", len(get(l, out, err).EgressOnlyInternetGateways), 0)
	}},
	{"subnets lie in the VPC and do not overlap", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		l.subnet(vpc, "10.0.0.0/24")
		_, err := l.ec2.CreateSubnet(l.ctx, &ec2.CreateSubnetInput{VpcId: &vpc, CidrBlock: str("10.0.0.128/25")})
		l.code("an overlap", "InvalidSubnet.Conflict", err)
		_, err = l.ec2.CreateSubnet(l.ctx, &ec2.CreateSubnetInput{VpcId: &vpc, CidrBlock: str("10.1.0.0/24")})
		l.code("a block outside", "InvalidSubnet.Range", err)
	}},
	{"five addresses of a subnet are AWS's own", func(l *lab) {
		subnet := l.subnet(l.vpc("10.0.0.0/16"), "10.0.0.0/28")
		out, err := l.ec2.DescribeSubnets(l.ctx, &ec2.DescribeSubnetsInput{SubnetIds: []string{subnet}})
		l.equal("the free addresses", *get(l, out, err).Subnets[0].AvailableIpAddressCount, 11)
	}},
	{"an IPv6 block of a subnet is associated", func(l *lab) {
		yes := true
		out, err := l.ec2.CreateVpc(l.ctx, &ec2.CreateVpcInput{CidrBlock: str("10.0.0.0/16"), AmazonProvidedIpv6CidrBlock: &yes})
		vpc := *get(l, out, err).Vpc.VpcId
		seen, err := l.ec2.DescribeVpcs(l.ctx, &ec2.DescribeVpcsInput{VpcIds: []string{vpc}})
		set := get(l, seen, err).Vpcs[0].Ipv6CidrBlockAssociationSet
		l.equal("the number of blocks", len(set), 1)
		block := strings.Replace(*set[0].Ipv6CidrBlock, "/56", "/64", 1)
		_, err = l.ec2.CreateSubnet(l.ctx, &ec2.CreateSubnetInput{VpcId: &vpc, CidrBlock: str("10.0.0.0/24"), Ipv6CidrBlock: &block})
		l.code("CreateSubnet", "", err)
		subnets, err := l.ec2.DescribeSubnets(l.ctx, &ec2.DescribeSubnetsInput{Filters: []types.Filter{filter("vpc-id", vpc)}})
		l.equal("the state", get(l, subnets, err).Subnets[0].Ipv6CidrBlockAssociationSet[0].Ipv6CidrBlockState.State, "associated")
	}},
	{"a CIDR reservation is in its subnet until it is deleted", func(l *lab) {
		subnet := l.subnet(l.vpc("10.0.0.0/16"), "10.0.0.0/24")
		made, err := l.ec2.CreateSubnetCidrReservation(l.ctx, &ec2.CreateSubnetCidrReservationInput{
			SubnetId: &subnet, Cidr: str("10.0.0.16/28"), ReservationType: types.SubnetCidrReservationTypeExplicit,
		})
		id := get(l, made, err).SubnetCidrReservation.SubnetCidrReservationId
		for _, want := range []int{1, 0} {
			out, err := l.ec2.GetSubnetCidrReservations(l.ctx, &ec2.GetSubnetCidrReservationsInput{SubnetId: &subnet})
			l.equal("the number of reservations", len(get(l, out, err).SubnetIpv4CidrReservations), want)
			if want == 1 {
				_, err = l.ec2.DeleteSubnetCidrReservation(l.ctx, &ec2.DeleteSubnetCidrReservationInput{SubnetCidrReservationId: id})
				l.code("DeleteSubnetCidrReservation", "", err)
			}
		}
	}},
	{"DHCP options that a VPC has are not deleted", func(l *lab) {
		made, err := l.ec2.CreateDhcpOptions(l.ctx, &ec2.CreateDhcpOptionsInput{DhcpConfigurations: []types.NewDhcpConfiguration{
			{Key: str("domain-name"), Values: []string{"corp.example"}},
		}})
		id, vpc := get(l, made, err).DhcpOptions.DhcpOptionsId, l.vpc("10.0.0.0/16")
		_, err = l.ec2.AssociateDhcpOptions(l.ctx, &ec2.AssociateDhcpOptionsInput{DhcpOptionsId: id, VpcId: &vpc})
		l.code("AssociateDhcpOptions", "", err)
		_, err = l.ec2.DeleteDhcpOptions(l.ctx, &ec2.DeleteDhcpOptionsInput{DhcpOptionsId: id})
		l.code("DeleteDhcpOptions", "DependencyViolation", err)
	}},
	{"pages hold no more than was asked for", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		for _, n := range []string{"0", "1", "2", "3", "4", "5", "6"} {
			l.subnet(vpc, "10.0."+n+".0/24")
		}
		size := int32(5)
		out, err := l.ec2.DescribeSubnets(l.ctx, &ec2.DescribeSubnetsInput{MaxResults: &size, Filters: []types.Filter{filter("vpc-id", vpc)}})
		l.equal("the size of the page", len(get(l, out, err).Subnets), 5)
		out, err = l.ec2.DescribeSubnets(l.ctx, &ec2.DescribeSubnetsInput{MaxResults: &size, Filters: []types.Filter{filter("vpc-id", vpc)}, NextToken: out.NextToken})
		l.equal("the size of the last page", len(get(l, out, err).Subnets), 2)
	}},
	{"a dry run says that it would have succeeded", func(l *lab) {
		yes := true
		_, err := l.ec2.CreateVpc(l.ctx, &ec2.CreateVpcInput{CidrBlock: str("10.0.0.0/16"), DryRun: &yes})
		l.code("CreateVpc", "DryRunOperation", err)
	}},
}
