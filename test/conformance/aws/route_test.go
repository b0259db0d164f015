// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
)

func (l *lab) table(vpc string) string {
	out, err := l.ec2.CreateRouteTable(l.ctx, &ec2.CreateRouteTableInput{VpcId: &vpc})
	return *get(l, out, err).RouteTable.RouteTableId
}

var routeTrials = []trial{
	{"a destination has one route", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		table, gateway := l.table(vpc), l.gateway(vpc)
		in := ec2.CreateRouteInput{RouteTableId: &table, DestinationCidrBlock: str("0.0.0.0/0"), GatewayId: &gateway}
		_, err := l.ec2.CreateRoute(l.ctx, &in)
		l.code("CreateRoute", "", err)
		_, err = l.ec2.CreateRoute(l.ctx, &in)
		l.code("CreateRoute again", "RouteAlreadyExists", err)
		_, err = l.ec2.DeleteRoute(l.ctx, &ec2.DeleteRouteInput{RouteTableId: &table, DestinationCidrBlock: str("0.0.0.0/0")})
		l.code("DeleteRoute", "", err)
		_, err = l.ec2.DeleteRoute(l.ctx, &ec2.DeleteRouteInput{RouteTableId: &table, DestinationCidrBlock: str("0.0.0.0/0")})
		l.code("DeleteRoute again", "InvalidRoute.NotFound", err)
	}},
	{"a route to a gateway that was detached is a black hole", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		table, gateway := l.table(vpc), l.gateway(vpc)
		_, err := l.ec2.CreateRoute(l.ctx, &ec2.CreateRouteInput{RouteTableId: &table, DestinationCidrBlock: str("0.0.0.0/0"), GatewayId: &gateway})
		l.code("CreateRoute", "", err)
		_, err = l.ec2.DetachInternetGateway(l.ctx, &ec2.DetachInternetGatewayInput{InternetGatewayId: &gateway, VpcId: &vpc})
		l.code("DetachInternetGateway", "", err)
		out, err := l.ec2.DescribeRouteTables(l.ctx, &ec2.DescribeRouteTablesInput{RouteTableIds: []string{table}})
		for _, r := range get(l, out, err).RouteTables[0].Routes {
			if *r.DestinationCidrBlock == "0.0.0.0/0" {
				l.equal("the state", r.State, types.RouteStateBlackhole)
			}
		}
	}},
	{"a local route is not deleted", func(l *lab) {
		table := l.table(l.vpc("10.0.0.0/16"))
		_, err := l.ec2.DeleteRoute(l.ctx, &ec2.DeleteRouteInput{RouteTableId: &table, DestinationCidrBlock: str("10.0.0.0/16")})
		l.code("DeleteRoute", "InvalidParameterValue", err)
	}},
	{"a route's target must be there", func(l *lab) {
		table := l.table(l.vpc("10.0.0.0/16"))
		_, err := l.ec2.CreateRoute(l.ctx, &ec2.CreateRouteInput{RouteTableId: &table, DestinationCidrBlock: str("0.0.0.0/0"), NatGatewayId: str("nat-" + absent)})
		l.code("CreateRoute", "InvalidNatGatewayID.NotFound", err)
	}},
	{"a route table that a subnet uses is not deleted", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		table, subnet := l.table(vpc), l.subnet(vpc, "10.0.0.0/24")
		out, err := l.ec2.AssociateRouteTable(l.ctx, &ec2.AssociateRouteTableInput{RouteTableId: &table, SubnetId: &subnet})
		association := get(l, out, err).AssociationId
		_, err = l.ec2.DeleteRouteTable(l.ctx, &ec2.DeleteRouteTableInput{RouteTableId: &table})
		l.code("DeleteRouteTable", "DependencyViolation", err)
		seen, err := l.ec2.DescribeRouteTables(l.ctx, &ec2.DescribeRouteTablesInput{Filters: []types.Filter{filter("association.subnet-id", subnet)}})
		l.equal("the number of tables of the subnet", len(get(l, seen, err).RouteTables), 1)
		_, err = l.ec2.DisassociateRouteTable(l.ctx, &ec2.DisassociateRouteTableInput{AssociationId: association})
		l.code("DisassociateRouteTable", "", err)
		_, err = l.ec2.DeleteRouteTable(l.ctx, &ec2.DeleteRouteTableInput{RouteTableId: &table})
		l.code("DeleteRouteTable", "", err)
	}},
	{"a subnet has one route table", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		one, two, subnet := l.table(vpc), l.table(vpc), l.subnet(vpc, "10.0.0.0/24")
		_, err := l.ec2.AssociateRouteTable(l.ctx, &ec2.AssociateRouteTableInput{RouteTableId: &one, SubnetId: &subnet})
		l.code("AssociateRouteTable", "", err)
		_, err = l.ec2.AssociateRouteTable(l.ctx, &ec2.AssociateRouteTableInput{RouteTableId: &two, SubnetId: &subnet})
		l.code("AssociateRouteTable of another", "Resource.AlreadyAssociated", err)
	}},
	{"an internet gateway is attached once", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		gateway, other := l.gateway(vpc), l.vpc("10.1.0.0/16")
		_, err := l.ec2.AttachInternetGateway(l.ctx, &ec2.AttachInternetGatewayInput{InternetGatewayId: &gateway, VpcId: &other})
		l.code("AttachInternetGateway", "Resource.AlreadyAssociated", err)
		_, err = l.ec2.DeleteInternetGateway(l.ctx, &ec2.DeleteInternetGatewayInput{InternetGatewayId: &gateway})
		l.code("DeleteInternetGateway", "DependencyViolation", err)
		_, err = l.ec2.DetachInternetGateway(l.ctx, &ec2.DetachInternetGatewayInput{InternetGatewayId: &gateway, VpcId: &other})
		l.code("DetachInternetGateway of another VPC", "Gateway.NotAttached", err)
	}},
	{"a NAT gateway becomes available and keeps its address until it is deleted", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		subnet := l.subnet(vpc, "10.0.0.0/24")
		l.gateway(vpc)
		ip, err := l.ec2.AllocateAddress(l.ctx, &ec2.AllocateAddressInput{Domain: types.DomainTypeVpc})
		allocation := get(l, ip, err).AllocationId
		made, err := l.ec2.CreateNatGateway(l.ctx, &ec2.CreateNatGatewayInput{SubnetId: &subnet, AllocationId: allocation})
		nat := *get(l, made, err).NatGateway.NatGatewayId
		state := types.NatGatewayStatePending
		for range 3 {
			out, err := l.ec2.DescribeNatGateways(l.ctx, &ec2.DescribeNatGatewaysInput{NatGatewayIds: []string{nat}})
			state = get(l, out, err).NatGateways[0].State
		}
		l.equal("the state", state, types.NatGatewayStateAvailable)
		_, err = l.ec2.ReleaseAddress(l.ctx, &ec2.ReleaseAddressInput{AllocationId: allocation})
		l.code("ReleaseAddress", "InvalidIPAddress.InUse", err)
		_, err = l.ec2.DeleteSubnet(l.ctx, &ec2.DeleteSubnetInput{SubnetId: &subnet})
		l.code("DeleteSubnet", "DependencyViolation", err)
	}},
	{"a client token makes one NAT gateway", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		subnet := l.subnet(vpc, "10.0.0.0/24")
		var ids []string
		for range 2 {
			out, err := l.ec2.CreateNatGateway(l.ctx, &ec2.CreateNatGatewayInput{
				SubnetId: &subnet, ConnectivityType: types.ConnectivityTypePrivate, ClientToken: str("once"),
			})
			ids = append(ids, *get(l, out, err).NatGateway.NatGatewayId)
		}
		l.equal("the second ID", ids[1], ids[0])
	}},
}
