// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/internal/sim/aws"
	"github.com/espalier-io/espalier/internal/sim/snapshot"
)

var yes = true

var refusedOfVPCs = []refusal{
	{"a VPC needs a block", ask((*ec2.Client).CreateVpc, ec2.CreateVpcInput{}), "MissingParameter"},
	{"a block is a block", ask((*ec2.Client).CreateVpc, ec2.CreateVpcInput{CidrBlock: str("10.0.0.0")}), "InvalidParameterValue"},
	{"a VPC is at most a /16", ask((*ec2.Client).CreateVpc, ec2.CreateVpcInput{CidrBlock: str("10.0.0.0/8")}), "InvalidVpc.Range"},
	{"a VPC with subnets stays", ask((*ec2.Client).DeleteVpc, ec2.DeleteVpcInput{VpcId: str(corp)}), "DependencyViolation"},
	{"an unknown VPC cannot be deleted", ask((*ec2.Client).DeleteVpc, ec2.DeleteVpcInput{VpcId: id("vpc-")}), "InvalidVpcID.NotFound"},
	{"attributes change one at a time", ask((*ec2.Client).ModifyVpcAttribute, ec2.ModifyVpcAttributeInput{
		VpcId: str(corp), EnableDnsSupport: &types.AttributeBooleanValue{Value: &yes}, EnableDnsHostnames: &types.AttributeBooleanValue{Value: &yes},
	}), "InvalidParameterCombination"},
	{"a second block may not overlap the first", ask((*ec2.Client).AssociateVpcCidrBlock, ec2.AssociateVpcCidrBlockInput{
		VpcId: str(corp), CidrBlock: str("10.0.128.0/20"),
	}), "InvalidVpc.Range"},
	{"Amazon gives one IPv6 block", ask((*ec2.Client).AssociateVpcCidrBlock, ec2.AssociateVpcCidrBlockInput{
		VpcId: str(corp), AmazonProvidedIpv6CidrBlock: &yes,
	}), "InvalidParameterValue"},
	{"an unknown association of a VPC", ask((*ec2.Client).DisassociateVpcCidrBlock, ec2.DisassociateVpcCidrBlockInput{
		AssociationId: id("vpc-cidr-assoc-"),
	}), "InvalidVpcCidrBlockAssociationID.NotFound"},
	{"a block with subnets stays", func(ctx context.Context, x *tester) error {
		return disassociate(ctx, x, func(v types.Vpc) *string { return v.CidrBlockAssociationSet[1].AssociationId })
	}, "InvalidCidrBlock.InUse"},
	{"the primary block stays", func(ctx context.Context, x *tester) error {
		return disassociate(ctx, x, func(v types.Vpc) *string { return v.CidrBlockAssociationSet[0].AssociationId })
	}, "OperationNotPermitted"},
	{"DHCP options have values", ask((*ec2.Client).CreateDhcpOptions, ec2.CreateDhcpOptionsInput{
		DhcpConfigurations: []types.NewDhcpConfiguration{},
	}), "MissingParameter"},
	{"there are only some DHCP options", ask((*ec2.Client).CreateDhcpOptions, ec2.CreateDhcpOptionsInput{
		DhcpConfigurations: []types.NewDhcpConfiguration{{Key: str("router"), Values: []string{"10.0.0.1"}}},
	}), "InvalidParameterValue"},
	{"DHCP options in use stay", func(ctx context.Context, x *tester) error {
		out, err := x.ec2.DescribeVpcs(ctx, &ec2.DescribeVpcsInput{VpcIds: []string{corp}})
		_, err = x.ec2.DeleteDhcpOptions(ctx, &ec2.DeleteDhcpOptionsInput{DhcpOptionsId: must(x, out, err).Vpcs[0].DhcpOptionsId})
		return err
	}, "DependencyViolation"},
}

func disassociate(ctx context.Context, x *tester, which func(types.Vpc) *string) error {
	out, err := x.ec2.DescribeVpcs(ctx, &ec2.DescribeVpcsInput{VpcIds: []string{corp}})
	_, err = x.ec2.DisassociateVpcCidrBlock(ctx, &ec2.DisassociateVpcCidrBlockInput{AssociationId: which(must(x, out, err).Vpcs[0])})
	return err
}

func TestWhatIsRefusedOfVPCs(t *testing.T) { runRefusals(t, refusedOfVPCs) }

var refusedOfSubnets = []refusal{
	{"a subnet lies in the VPC", ask((*ec2.Client).CreateSubnet, ec2.CreateSubnetInput{VpcId: str(corp), CidrBlock: str("10.9.0.0/24")}), "InvalidSubnet.Range"},
	{"a subnet is at least a /28", ask((*ec2.Client).CreateSubnet, ec2.CreateSubnetInput{VpcId: str(corp), CidrBlock: str("10.0.9.0/29")}), "InvalidSubnet.Range"},
	{"subnets do not overlap", ask((*ec2.Client).CreateSubnet, ec2.CreateSubnetInput{VpcId: str(corp), CidrBlock: str("10.0.1.128/25")}), "InvalidSubnet.Conflict"},
	{"IPv6 blocks do not overlap", ask((*ec2.Client).CreateSubnet, ec2.CreateSubnetInput{
		VpcId: str(corp), CidrBlock: str("10.0.9.0/24"), Ipv6CidrBlock: str("2001:db8:1:1::/64"),
	}), "InvalidSubnet.Conflict"},
	{"an IPv6 block lies in one of the VPC", ask((*ec2.Client).AssociateSubnetCidrBlock, ec2.AssociateSubnetCidrBlockInput{
		SubnetId: str(workers), Ipv6CidrBlock: str("2001:db8:2:1::/64"),
	}), "InvalidSubnet.Range"},
	{"a subnet needs a block", ask((*ec2.Client).CreateSubnet, ec2.CreateSubnetInput{VpcId: str(corp)}), "MissingParameter"},
	{"a zone must be there", ask((*ec2.Client).CreateSubnet, ec2.CreateSubnetInput{
		VpcId: str(corp), CidrBlock: str("10.0.9.0/24"), AvailabilityZone: str("eu-central-1z"),
	}), "InvalidParameterValue"},
	{"an IPv6-native subnet has no IPv4 block", ask((*ec2.Client).CreateSubnet, ec2.CreateSubnetInput{
		VpcId: str(corp), CidrBlock: str("10.0.9.0/24"), Ipv6Native: &yes,
	}), "InvalidParameterCombination"},
	{"a subnet with interfaces stays", ask((*ec2.Client).DeleteSubnet, ec2.DeleteSubnetInput{SubnetId: str(workers)}), "DependencyViolation"},
	{"only where there is IPv6 it is assigned", func(ctx context.Context, x *tester) error {
		out, err := x.ec2.DescribeSubnets(ctx, &ec2.DescribeSubnetsInput{Filters: []types.Filter{filter("tag:Name", "public")}})
		_, err = x.ec2.ModifySubnetAttribute(ctx, &ec2.ModifySubnetAttributeInput{
			SubnetId: must(x, out, err).Subnets[0].SubnetId, AssignIpv6AddressOnCreation: &types.AttributeBooleanValue{Value: &yes},
		})
		return err
	}, "InvalidParameterValue"},
	{"an unknown association of a subnet", ask((*ec2.Client).DisassociateSubnetCidrBlock, ec2.DisassociateSubnetCidrBlockInput{
		AssociationId: id("subnet-cidr-assoc-"),
	}), "InvalidSubnetCidrBlockAssociationID.NotFound"},
	{"a reservation lies in its subnet", reserve("10.0.2.0/28"), "InvalidParameterValue"},
	{"reservations do not overlap", reserve("2001:db8:1:1::1:0/120"), "InvalidCidr.Conflict"},
}

func reserve(cidr string) func(context.Context, *tester) error {
	return ask((*ec2.Client).CreateSubnetCidrReservation, ec2.CreateSubnetCidrReservationInput{
		SubnetId: str(workers), Cidr: &cidr, ReservationType: types.SubnetCidrReservationTypeExplicit,
	})
}

func TestWhatIsRefusedOfSubnets(t *testing.T) { runRefusals(t, refusedOfSubnets) }

var refusedOfGateways = []refusal{
	{"a gateway is attached once", ask((*ec2.Client).AttachInternetGateway, ec2.AttachInternetGatewayInput{
		InternetGatewayId: str(gateway), VpcId: str(corp),
	}), "Resource.AlreadyAssociated"},
	{"a VPC has one gateway", func(ctx context.Context, x *tester) error {
		out, err := x.ec2.DescribeInternetGateways(ctx, &ec2.DescribeInternetGatewaysInput{Filters: []types.Filter{filter("tag:Name", "spare")}})
		_, err = x.ec2.AttachInternetGateway(ctx, &ec2.AttachInternetGatewayInput{
			InternetGatewayId: must(x, out, err).InternetGateways[0].InternetGatewayId, VpcId: str(corp),
		})
		return err
	}, "InvalidParameterValue"},
	{"a gateway that is attached stays", ask((*ec2.Client).DeleteInternetGateway, ec2.DeleteInternetGatewayInput{InternetGatewayId: str(gateway)}), "DependencyViolation"},
	{"a gateway with addresses behind it stays attached", ask((*ec2.Client).DetachInternetGateway, ec2.DetachInternetGatewayInput{
		InternetGatewayId: str(gateway), VpcId: str(corp),
	}), "DependencyViolation"},
	{"what is not attached cannot be detached", func(ctx context.Context, x *tester) error {
		out, err := x.ec2.DescribeInternetGateways(ctx, &ec2.DescribeInternetGatewaysInput{Filters: []types.Filter{filter("tag:Name", "spare")}})
		_, err = x.ec2.DetachInternetGateway(ctx, &ec2.DetachInternetGatewayInput{
			InternetGatewayId: must(x, out, err).InternetGateways[0].InternetGatewayId, VpcId: str(corp),
		})
		return err
	}, "Gateway.NotAttached"},
	{"an unknown egress-only gateway cannot be deleted", ask((*ec2.Client).DeleteEgressOnlyInternetGateway, ec2.DeleteEgressOnlyInternetGatewayInput{
		EgressOnlyInternetGatewayId: id("eigw-"),
	}), "InvalidGatewayID.NotFound"},
	{"an address is for one NAT gateway", ask((*ec2.Client).CreateNatGateway, ec2.CreateNatGatewayInput{
		SubnetId: str(workers), AllocationId: str(egressIP),
	}), "Resource.AlreadyAssociated"},
	{"a public NAT gateway needs an address", ask((*ec2.Client).CreateNatGateway, ec2.CreateNatGatewayInput{SubnetId: str(workers)}), "MissingParameter"},
	{"an unknown NAT gateway cannot be deleted", ask((*ec2.Client).DeleteNatGateway, ec2.DeleteNatGatewayInput{NatGatewayId: id("nat-")}), "NatGatewayNotFound"},
	{"an address in use is not released", ask((*ec2.Client).ReleaseAddress, ec2.ReleaseAddressInput{AllocationId: str(egressIP)}), "InvalidIPAddress.InUse"},
	{"an unknown address", ask((*ec2.Client).DescribeAddresses, ec2.DescribeAddressesInput{PublicIps: []string{"192.0.2.1"}}), "InvalidAddress.NotFound"},
	{"an address in use is not taken", ask((*ec2.Client).AssociateAddress, ec2.AssociateAddressInput{
		AllocationId: str(egressIP), NetworkInterfaceId: str(wall),
	}), "Resource.AlreadyAssociated"},
	{"the address of a NAT gateway is not taken away", func(ctx context.Context, x *tester) error {
		out, err := x.ec2.DescribeAddresses(ctx, &ec2.DescribeAddressesInput{AllocationIds: []string{egressIP}})
		_, err = x.ec2.DisassociateAddress(ctx, &ec2.DisassociateAddressInput{AssociationId: must(x, out, err).Addresses[0].AssociationId})
		return err
	}, "AuthFailure"},
	{"an unknown association of an address", ask((*ec2.Client).DisassociateAddress, ec2.DisassociateAddressInput{
		AssociationId: id("eipassoc-"),
	}), "InvalidAssociationID.NotFound"},
	{"an endpoint is of a service that there is", ask((*ec2.Client).CreateVpcEndpoint, ec2.CreateVpcEndpointInput{
		VpcId: str(corp), ServiceName: str("com.example.s3"),
	}), "InvalidServiceName"},
	{"an interface in use stays", ask((*ec2.Client).DeleteNetworkInterface, ec2.DeleteNetworkInterfaceInput{NetworkInterfaceId: str(wall)}), "InvalidNetworkInterface.InUse"},
}

func TestWhatIsRefusedOfGateways(t *testing.T) { runRefusals(t, refusedOfGateways) }

func TestAddressesComeToAnEnd(t *testing.T) {
	x := start(t, aws.Options{})
	ctx := t.Context()
	subnet := x.subnet(x.vpc("10.0.0.0/16"), "10.0.0.0/28")
	x.cloud.SetQuota("a", region, "L-FE5A380F", 100)
	x.cloud.SetQuota("a", region, "L-0263D0A3", 1000)
	private := ask((*ec2.Client).CreateNatGateway, ec2.CreateNatGatewayInput{SubnetId: &subnet, ConnectivityType: types.ConnectivityTypePrivate})
	for range 11 {
		must(x, 0, private(ctx, x))
	}
	x.refused("InsufficientFreeAddressesInSubnet", private(ctx, x))
	out, err := x.ec2.DescribeSubnets(ctx, &ec2.DescribeSubnetsInput{SubnetIds: []string{subnet}})
	if n := *must(x, out, err).Subnets[0].AvailableIpAddressCount; n != 0 {
		t.Errorf("%d addresses are free", n)
	}
	for err == nil {
		_, err = x.ec2.AllocateAddress(ctx, &ec2.AllocateAddressInput{})
	}
	x.refused("InsufficientAddressCapacity", err)
}

func TestANATGatewayWithoutAnInternetGatewayFails(t *testing.T) {
	x := start(t, aws.Options{})
	ctx := t.Context()
	subnet := x.subnet(x.vpc("10.0.0.0/16"), "10.0.0.0/28")
	ip, err := x.ec2.AllocateAddress(ctx, &ec2.AllocateAddressInput{})
	made, err := x.ec2.CreateNatGateway(ctx, &ec2.CreateNatGatewayInput{SubnetId: &subnet, AllocationId: must(x, ip, err).AllocationId})
	nat := *must(x, made, err).NatGateway.NatGatewayId
	for _, want := range []types.NatGatewayState{types.NatGatewayStatePending, types.NatGatewayStateFailed} {
		out, err := x.ec2.DescribeNatGateways(ctx, &ec2.DescribeNatGatewaysInput{NatGatewayIds: []string{nat}})
		if n := must(x, out, err).NatGateways[0]; n.State != want || want == types.NatGatewayStateFailed && *n.FailureCode != "Gateway.NotAttached" {
			t.Errorf("the NAT gateway is %+v, not %s", n, want)
		}
	}
	_, err = x.ec2.ReleaseAddress(ctx, &ec2.ReleaseAddressInput{AllocationId: ip.AllocationId})
	must(x, 0, err)
}

func TestADeletedNATGatewayLetsGo(t *testing.T) {
	x := planted(t)
	ctx := t.Context()
	for _, want := range []string{"", ""} { // a second deletion is no error
		_, err := x.ec2.DeleteNatGateway(ctx, &ec2.DeleteNatGatewayInput{NatGatewayId: str(natted)})
		x.refused(want, err)
	}
	release := ask((*ec2.Client).ReleaseAddress, ec2.ReleaseAddressInput{AllocationId: str(egressIP)})
	for _, want := range []types.NatGatewayState{types.NatGatewayStateDeleting, types.NatGatewayStateDeleted, types.NatGatewayStateDeleted} {
		out, err := x.ec2.DescribeNatGateways(ctx, &ec2.DescribeNatGatewaysInput{NatGatewayIds: []string{natted}})
		if n := must(x, out, err).NatGateways[0]; n.State != want {
			t.Errorf("the NAT gateway is %s, not %s", n.State, want)
		}
		if want == types.NatGatewayStateDeleting {
			x.refused("InvalidIPAddress.InUse", release(ctx, x))
		}
	}
	must(x, 0, release(ctx, x))
	_, err := x.ec2.DeleteNatGateway(ctx, &ec2.DeleteNatGatewayInput{NatGatewayId: str(natted)})
	x.refused("NatGatewayNotFound", err)
	held, err := snapshot.Read(x.cloud.Snapshot())
	if must(x, held, err)["nat_gateways"][natted] != nil {
		t.Error("a snapshot holds a NAT gateway that is gone")
	}
}
