// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/internal/sim/aws"
)

// A user's network, made step by step as the user would, shows what it was made with.
func TestANetworkMadeStepByStep(t *testing.T) {
	x := start(t, aws.Options{})
	ctx := t.Context()
	yes := true
	made, err := x.ec2.CreateVpc(ctx, &ec2.CreateVpcInput{
		CidrBlock: str("10.0.0.0/16"), AmazonProvidedIpv6CidrBlock: &yes, TagSpecifications: tagged(types.ResourceTypeVpc, "Name", "mine"),
	})
	vpc := *must(x, made, err).Vpc.VpcId
	_, err = x.ec2.ModifyVpcAttribute(ctx, &ec2.ModifyVpcAttributeInput{VpcId: &vpc, EnableDnsHostnames: &types.AttributeBooleanValue{Value: &yes}})
	must(x, 0, err)
	seen, err := x.ec2.DescribeVpcs(ctx, &ec2.DescribeVpcsInput{VpcIds: []string{vpc}})
	v := must(x, seen, err).Vpcs[0]
	if v.State != types.VpcStateAvailable || *v.Tags[0].Value != "mine" || *v.CidrBlock != "10.0.0.0/16" || len(v.Ipv6CidrBlockAssociationSet) != 1 {
		t.Errorf("the VPC is %+v", v)
	}
	attribute, err := x.ec2.DescribeVpcAttribute(ctx, &ec2.DescribeVpcAttributeInput{VpcId: &vpc, Attribute: types.VpcAttributeNameEnableDnsHostnames})
	if !*must(x, attribute, err).EnableDnsHostnames.Value {
		t.Error("host names are off")
	}
	subnet := x.subnet(vpc, "10.0.1.0/24")
	gateway, err := x.ec2.CreateInternetGateway(ctx, &ec2.CreateInternetGatewayInput{})
	igw := must(x, gateway, err).InternetGateway.InternetGatewayId
	_, err = x.ec2.AttachInternetGateway(ctx, &ec2.AttachInternetGatewayInput{InternetGatewayId: igw, VpcId: &vpc})
	must(x, 0, err)
	address, err := x.ec2.AllocateAddress(ctx, &ec2.AllocateAddressInput{})
	nat, err := x.ec2.CreateNatGateway(ctx, &ec2.CreateNatGatewayInput{SubnetId: &subnet, AllocationId: must(x, address, err).AllocationId})
	id := *must(x, nat, err).NatGateway.NatGatewayId
	for _, want := range []types.NatGatewayState{types.NatGatewayStatePending, types.NatGatewayStateAvailable} {
		nats, err := x.ec2.DescribeNatGateways(ctx, &ec2.DescribeNatGatewaysInput{Filter: []types.Filter{filter("vpc-id", vpc)}})
		if got := must(x, nats, err).NatGateways[0]; got.State != want || *got.NatGatewayAddresses[0].PublicIp != *address.PublicIp {
			t.Errorf("the NAT gateway is %+v, not %s", got, want)
		}
	}
	table, err := x.ec2.CreateRouteTable(ctx, &ec2.CreateRouteTableInput{VpcId: &vpc})
	rtb := must(x, table, err).RouteTable.RouteTableId
	_, err = x.ec2.CreateRoute(ctx, &ec2.CreateRouteInput{RouteTableId: rtb, DestinationCidrBlock: str("0.0.0.0/0"), NatGatewayId: &id})
	must(x, 0, err)
	_, err = x.ec2.AssociateRouteTable(ctx, &ec2.AssociateRouteTableInput{RouteTableId: rtb, SubnetId: &subnet})
	must(x, 0, err)
	tables, err := x.ec2.DescribeRouteTables(ctx, &ec2.DescribeRouteTablesInput{Filters: []types.Filter{filter("association.subnet-id", subnet)}})
	got := must(x, tables, err).RouteTables
	if len(got) != 1 || len(got[0].Routes) != 3 || *got[0].Routes[2].NatGatewayId != id || got[0].Routes[2].State != types.RouteStateActive {
		t.Errorf("the route tables of the subnet are %+v", got)
	}
	main, err := x.ec2.DescribeRouteTables(ctx, &ec2.DescribeRouteTablesInput{Filters: []types.Filter{filter("vpc-id", vpc), filter("association.main", "true")}})
	if n := len(must(x, main, err).RouteTables); n != 1 {
		t.Errorf("there are %d main route tables", n)
	}
}
