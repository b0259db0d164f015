// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/internal/sim/aws"
)

var refusedOfRoutes = []refusal{
	{"a destination has one route", ask((*ec2.Client).CreateRoute, ec2.CreateRouteInput{
		RouteTableId: str(wTable), DestinationCidrBlock: str("0.0.0.0/0"), GatewayId: str(gateway),
	}), "RouteAlreadyExists"},
	{"a local route has no other", ask((*ec2.Client).CreateRoute, ec2.CreateRouteInput{
		RouteTableId: str(wTable), DestinationCidrBlock: str("10.0.0.0/16"), GatewayId: str(gateway),
	}), "RouteAlreadyExists"},
	{"a route has a destination", ask((*ec2.Client).CreateRoute, ec2.CreateRouteInput{RouteTableId: str(wTable), GatewayId: str(gateway)}), "MissingParameter"},
	{"a route has a target", ask((*ec2.Client).CreateRoute, ec2.CreateRouteInput{
		RouteTableId: str(wTable), DestinationCidrBlock: str("172.16.0.0/12"),
	}), "InvalidParameterCombination"},
	{"an internet gateway must be there", ask((*ec2.Client).CreateRoute, ec2.CreateRouteInput{
		RouteTableId: str(wTable), DestinationCidrBlock: str("172.16.0.0/12"), GatewayId: id("igw-"),
	}), "InvalidGatewayID.NotFound"},
	{"a NAT gateway must be there", ask((*ec2.Client).CreateRoute, ec2.CreateRouteInput{
		RouteTableId: str(wTable), DestinationCidrBlock: str("172.16.0.0/12"), NatGatewayId: id("nat-"),
	}), "InvalidNatGatewayID.NotFound"},
	{"an interface must be there", ask((*ec2.Client).CreateRoute, ec2.CreateRouteInput{
		RouteTableId: str(wTable), DestinationCidrBlock: str("172.16.0.0/12"), NetworkInterfaceId: id("eni-"),
	}), "InvalidNetworkInterfaceID.NotFound"},
	{"an instance without an interface takes no route", func(ctx context.Context, x *tester) error {
		out, err := x.ec2.DescribeInstances(ctx, &ec2.DescribeInstancesInput{Filters: []types.Filter{filter("instance-state-name", "terminated")}})
		gone := must(x, out, err).Reservations[0].Instances[0].InstanceId
		_, err = x.ec2.CreateRoute(ctx, &ec2.CreateRouteInput{RouteTableId: str(wTable), DestinationCidrBlock: str("172.16.0.0/12"), InstanceId: gone})
		return err
	}, "InvalidInstanceID"},
	{"a gateway of another VPC is no target", func(ctx context.Context, x *tester) error {
		out, err := x.ec2.DescribeInternetGateways(ctx, &ec2.DescribeInternetGatewaysInput{Filters: []types.Filter{filter("tag:Name", "spare")}})
		_, err = x.ec2.CreateRoute(ctx, &ec2.CreateRouteInput{
			RouteTableId: str(wTable), DestinationCidrBlock: str("172.16.0.0/12"), GatewayId: must(x, out, err).InternetGateways[0].InternetGatewayId,
		})
		return err
	}, "InvalidParameterValue"},
	{"only a route that is there is replaced", ask((*ec2.Client).ReplaceRoute, ec2.ReplaceRouteInput{
		RouteTableId: str(wTable), DestinationCidrBlock: str("172.16.0.0/12"), GatewayId: str(gateway),
	}), "InvalidParameterValue"},
	{"only a route that is there is deleted", ask((*ec2.Client).DeleteRoute, ec2.DeleteRouteInput{
		RouteTableId: str(wTable), DestinationCidrBlock: str("172.16.0.0/12"),
	}), "InvalidRoute.NotFound"},
	{"a local route stays", ask((*ec2.Client).DeleteRoute, ec2.DeleteRouteInput{
		RouteTableId: str(wTable), DestinationCidrBlock: str("10.0.0.0/16"),
	}), "InvalidParameterValue"},
	{"a subnet has one table", ask((*ec2.Client).AssociateRouteTable, ec2.AssociateRouteTableInput{
		RouteTableId: str(mainTable), SubnetId: str(workers),
	}), "Resource.AlreadyAssociated"},
	{"a table with subnets stays", ask((*ec2.Client).DeleteRouteTable, ec2.DeleteRouteTableInput{RouteTableId: str(wTable)}), "DependencyViolation"},
	{"the main table stays", ask((*ec2.Client).DeleteRouteTable, ec2.DeleteRouteTableInput{RouteTableId: str(mainTable)}), "DependencyViolation"},
	{"an unknown association", ask((*ec2.Client).DisassociateRouteTable, ec2.DisassociateRouteTableInput{AssociationId: id("rtbassoc-")}), "InvalidAssociationID.NotFound"},
	{"the main association stays", func(ctx context.Context, x *tester) error {
		out, err := x.ec2.DescribeRouteTables(ctx, &ec2.DescribeRouteTablesInput{RouteTableIds: []string{mainTable}})
		_, err = x.ec2.DisassociateRouteTable(ctx, &ec2.DisassociateRouteTableInput{
			AssociationId: must(x, out, err).RouteTables[0].Associations[0].RouteTableAssociationId,
		})
		return err
	}, "InvalidParameterValue"},
}

func TestWhatIsRefusedOfRoutes(t *testing.T) { runRefusals(t, refusedOfRoutes) }

func state(t *tester, table, destination string) types.RouteState {
	t.Helper()
	out, err := t.ec2.DescribeRouteTables(t.Context(), &ec2.DescribeRouteTablesInput{RouteTableIds: []string{table}})
	for _, r := range must(t, out, err).RouteTables[0].Routes {
		if r.DestinationCidrBlock != nil && *r.DestinationCidrBlock == destination {
			return r.State
		}
	}
	return "absent"
}

func TestARouteIsABlackHoleWhenItsTargetIsGone(t *testing.T) {
	x := planted(t)
	ctx := t.Context()
	_, err := x.ec2.DeleteNatGateway(ctx, &ec2.DeleteNatGatewayInput{NatGatewayId: str(natted)})
	must(x, 0, err)
	if got := state(x, wTable, "0.0.0.0/0"); got != types.RouteStateBlackhole {
		t.Errorf("the route to a NAT gateway that goes is %s", got)
	}
	if got := state(x, wTable, "100.64.0.0/24"); got != types.RouteStateActive {
		t.Errorf("the route to an instance is %s", got)
	}
}

func TestACIDRIsMadeCanonical(t *testing.T) {
	x := planted(t)
	_, err := x.ec2.CreateRoute(t.Context(), &ec2.CreateRouteInput{RouteTableId: str(wTable), DestinationCidrBlock: str("172.16.3.9/16"), GatewayId: str(gateway)})
	must(x, 0, err)
	if got := state(x, wTable, "172.16.0.0/16"); got != types.RouteStateActive {
		t.Errorf("the route is %s", got)
	}
}

func TestQuotasAreEnforced(t *testing.T) {
	x := planted(t)
	ctx := t.Context()
	for code, call := range map[string]struct {
		limit string
		do    func(context.Context, *tester) error
	}{
		"L-93826ACB": {"RouteLimitExceeded", ask((*ec2.Client).CreateRoute, ec2.CreateRouteInput{
			RouteTableId: str(wTable), DestinationCidrBlock: str("172.16.0.0/12"), GatewayId: str(gateway),
		})},
		"L-F678F1CE": {"VpcLimitExceeded", ask((*ec2.Client).CreateVpc, ec2.CreateVpcInput{CidrBlock: str("10.0.0.0/16")})},
		"L-407747CB": {"SubnetLimitExceeded", ask((*ec2.Client).CreateSubnet, ec2.CreateSubnetInput{VpcId: str(corp), CidrBlock: str("10.0.9.0/24")})},
		"L-589F43AA": {"RouteTableLimitExceeded", ask((*ec2.Client).CreateRouteTable, ec2.CreateRouteTableInput{VpcId: str(corp)})},
		"L-A4707A72": {"InternetGatewayLimitExceeded", ask((*ec2.Client).CreateInternetGateway, ec2.CreateInternetGatewayInput{})},
		"L-45FE3B85": {"EgressOnlyInternetGatewayLimitExceeded", ask((*ec2.Client).CreateEgressOnlyInternetGateway, ec2.CreateEgressOnlyInternetGatewayInput{
			VpcId: str(corp),
		})},
		"L-FE5A380F": {"NatGatewayLimitExceeded", ask((*ec2.Client).CreateNatGateway, ec2.CreateNatGatewayInput{SubnetId: str(workers)})},
		"L-0263D0A3": {"AddressLimitExceeded", ask((*ec2.Client).AllocateAddress, ec2.AllocateAddressInput{})},
		"L-E79EC296": {"SecurityGroupLimitExceeded", ask((*ec2.Client).CreateSecurityGroup, ec2.CreateSecurityGroupInput{
			GroupName: str("g"), Description: str("g"), VpcId: str(corp),
		})},
		"L-0EA8095F": {"RulesPerSecurityGroupLimitExceeded", ask((*ec2.Client).AuthorizeSecurityGroupIngress, ec2.AuthorizeSecurityGroupIngressInput{
			GroupId: str(nodes), IpPermissions: []types.IpPermission{open("udp", 53)},
		})},
	} {
		if !x.cloud.SetQuota("a", region, code, 1) {
			t.Errorf("there is no quota %s", code)
		}
		x.refused(call.limit, call.do(ctx, x))
	}
}

func open(protocol string, port int32) types.IpPermission {
	return types.IpPermission{IpProtocol: &protocol, FromPort: &port, ToPort: &port, IpRanges: []types.IpRange{{CidrIp: str("0.0.0.0/0")}}}
}

func TestAClientTokenMakesOneThing(t *testing.T) {
	x := start(t, aws.Options{})
	ctx := t.Context()
	vpc := x.vpc("10.0.0.0/16")
	in := &ec2.CreateRouteTableInput{VpcId: &vpc, ClientToken: str("once")}
	one, err := x.ec2.CreateRouteTable(ctx, in)
	must(x, one, err)
	two, err := x.ec2.CreateRouteTable(ctx, in)
	if a, b := *one.RouteTable.RouteTableId, *must(x, two, err).RouteTable.RouteTableId; a != b {
		t.Errorf("one token made %s and %s", a, b)
	}
	in.TagSpecifications = tagged(types.ResourceTypeRouteTable, "k", "v")
	_, err = x.ec2.CreateRouteTable(ctx, in)
	x.refused("IdempotentParameterMismatch", err)
}
