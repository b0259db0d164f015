// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/internal/engine"
)

// VPC is a VPC of the user's, with the attributes and DHCP options that nodes
// depend on.
type VPC struct {
	Owner        string // the account
	CIDRs        []string
	IPv6CIDRs    []string // associated ones only
	DNSSupport   bool
	DNSHostnames bool
	DHCPOptions  engine.ID
}

// DHCP are DHCP options.
type DHCP struct{ DomainName, DomainNameServers []string }

// Subnet is a subnet. We only look at subnets.
type Subnet struct {
	VPC, Table engine.ID // Table: nothing here, see RouteTable
	Owner      string
	Zone       string
	CIDR       string   // empty: IPv6-native
	IPv6CIDRs  []string // associated ones only
	AutoIPv6   bool     // gives an IPv6 address to what is launched
	Native     bool     // IPv6 only
	PublicIPv4 bool     // gives a public IPv4 address to what is launched
	DNS64      bool
	Free       int // free IPv4 addresses
	Outpost    string
	Tags       map[string]string
}

// RouteTable is a route table. We only look at route tables.
type RouteTable struct {
	VPC     engine.ID
	Owner   string
	Main    bool
	Subnets []engine.ID // associated explicitly
	Routes  []Route
	Tags    map[string]string
}

// Route is a route of a table.
type Route struct {
	Destination string // a CIDR, or a prefix list
	Target      string // what it leads to: an ID
	Blackhole   bool
	Origin      string // CreateRoute, CreateRouteTable, EnableVgwRoutePropagation
}

type networkReader interface {
	VPC(ctx context.Context, id engine.ID) (*VPC, error)
	DHCP(ctx context.Context, id engine.ID) (*DHCP, error)
	// Subnets returns those of a VPC and, wherever they are, those of the IDs.
	Subnets(ctx context.Context, vpc engine.ID, ids []engine.ID) (map[engine.ID]Subnet, error)
	RouteTables(ctx context.Context, vpc engine.ID) (map[engine.ID]RouteTable, error)
}

// VPC implements Reader: three calls at once.
func (c *Client) VPC(ctx context.Context, id engine.ID) (*VPC, error) {
	var v *VPC
	var dnsSupport, dnsHostnames bool
	var errs [3]error
	attribute := func(i int, name types.VpcAttributeName, value *bool) func(context.Context) {
		return func(ctx context.Context) { *value, errs[i] = c.vpcAttribute(ctx, id, name) }
	}
	engine.Together(ctx, len(errs),
		func(ctx context.Context) { v, errs[0] = c.vpc(ctx, id) },
		attribute(1, types.VpcAttributeNameEnableDnsSupport, &dnsSupport),
		attribute(2, types.VpcAttributeNameEnableDnsHostnames, &dnsHostnames))
	if v == nil || errs[0] != nil {
		return nil, errs[0] // then the attributes say nothing either
	}
	v.DNSSupport, v.DNSHostnames = dnsSupport, dnsHostnames
	if err := cmp.Or(errs[1], errs[2]); err != nil {
		return nil, err
	}
	return v, nil
}

// vpc reads a VPC without its attributes; nil if there is none.
func (c *Client) vpc(ctx context.Context, id engine.ID) (*VPC, error) {
	out, err := c.ec2.DescribeVpcs(ctx, &ec2.DescribeVpcsInput{Filters: filters("vpc-id", string(id))})
	if err != nil || len(out.Vpcs) == 0 {
		return nil, translate("reading VPC "+string(id), err)
	}
	found := out.Vpcs[0]
	v := &VPC{Owner: aws.ToString(found.OwnerId), DHCPOptions: engine.ID(aws.ToString(found.DhcpOptionsId))}
	for _, a := range found.CidrBlockAssociationSet {
		if a.CidrBlockState == nil || a.CidrBlockState.State == types.VpcCidrBlockStateCodeAssociated {
			v.CIDRs = append(v.CIDRs, aws.ToString(a.CidrBlock))
		}
	}
	for _, a := range found.Ipv6CidrBlockAssociationSet {
		if a.Ipv6CidrBlockState != nil && a.Ipv6CidrBlockState.State == types.VpcCidrBlockStateCodeAssociated {
			v.IPv6CIDRs = append(v.IPv6CIDRs, aws.ToString(a.Ipv6CidrBlock))
		}
	}
	return v, nil
}

func (c *Client) vpcAttribute(ctx context.Context, id engine.ID, name types.VpcAttributeName) (bool, error) {
	out, err := c.ec2.DescribeVpcAttribute(ctx, &ec2.DescribeVpcAttributeInput{VpcId: text(id), Attribute: name})
	if err != nil {
		return false, translate("reading "+string(name)+" of VPC "+string(id), err)
	}
	a := cmp.Or(out.EnableDnsSupport, out.EnableDnsHostnames)
	return a != nil && aws.ToBool(a.Value), nil
}

// DHCP implements Reader.
func (c *Client) DHCP(ctx context.Context, id engine.ID) (*DHCP, error) {
	out, err := c.ec2.DescribeDhcpOptions(ctx, &ec2.DescribeDhcpOptionsInput{Filters: filters("dhcp-options-id", string(id))})
	if err != nil || len(out.DhcpOptions) == 0 {
		return nil, translate("reading DHCP options "+string(id), err)
	}
	d := &DHCP{}
	for _, conf := range out.DhcpOptions[0].DhcpConfigurations {
		var values []string
		for _, v := range conf.Values {
			values = append(values, aws.ToString(v.Value))
		}
		switch aws.ToString(conf.Key) {
		case "domain-name":
			d.DomainName = values
		case "domain-name-servers":
			d.DomainNameServers = values
		}
	}
	return d, nil
}

// Subnets implements Reader. IDs are asked for by a filter: an ID that does not
// exist would make the whole call fail.
func (c *Client) Subnets(ctx context.Context, vpc engine.ID, ids []engine.ID) (map[engine.ID]Subnet, error) {
	all := map[engine.ID]Subnet{}
	queries := [][]types.Filter{filters("vpc-id", string(vpc))}
	if vpc == "" {
		var values []string
		for _, id := range ids {
			values = append(values, string(id))
		}
		queries = [][]types.Filter{filters("subnet-id", values...)}
	}
	for _, q := range queries {
		pages := ec2.NewDescribeSubnetsPaginator(c.ec2, &ec2.DescribeSubnetsInput{Filters: q})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return nil, translate("listing subnets", err)
			}
			for _, s := range page.Subnets {
				all[engine.ID(aws.ToString(s.SubnetId))] = toSubnet(s)
			}
		}
	}
	return all, nil
}

func toSubnet(s types.Subnet) Subnet {
	out := Subnet{
		VPC: engine.ID(aws.ToString(s.VpcId)), Owner: aws.ToString(s.OwnerId), Zone: aws.ToString(s.AvailabilityZone),
		CIDR: aws.ToString(s.CidrBlock), AutoIPv6: aws.ToBool(s.AssignIpv6AddressOnCreation), Native: aws.ToBool(s.Ipv6Native),
		DNS64: aws.ToBool(s.EnableDns64), Free: int(aws.ToInt32(s.AvailableIpAddressCount)), Outpost: aws.ToString(s.OutpostArn), Tags: fromTags(s.Tags),
		PublicIPv4: aws.ToBool(s.MapPublicIpOnLaunch),
	}
	for _, a := range s.Ipv6CidrBlockAssociationSet {
		if a.Ipv6CidrBlockState != nil && a.Ipv6CidrBlockState.State == types.SubnetCidrBlockStateCodeAssociated {
			out.IPv6CIDRs = append(out.IPv6CIDRs, aws.ToString(a.Ipv6CidrBlock))
		}
	}
	return out
}

// RouteTables implements Reader.
func (c *Client) RouteTables(ctx context.Context, vpc engine.ID) (map[engine.ID]RouteTable, error) {
	all := map[engine.ID]RouteTable{}
	pages := ec2.NewDescribeRouteTablesPaginator(c.ec2, &ec2.DescribeRouteTablesInput{Filters: filters("vpc-id", string(vpc))})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, translate("listing route tables", err)
		}
		for _, t := range page.RouteTables {
			out := RouteTable{VPC: engine.ID(aws.ToString(t.VpcId)), Owner: aws.ToString(t.OwnerId), Tags: fromTags(t.Tags)}
			for _, a := range t.Associations {
				if a.SubnetId != nil {
					out.Subnets = append(out.Subnets, engine.ID(*a.SubnetId))
				}
				out.Main = out.Main || aws.ToBool(a.Main)
			}
			for _, r := range t.Routes {
				out.Routes = append(out.Routes, toRoute(r))
			}
			slices.Sort(out.Subnets)
			slices.SortFunc(out.Routes, func(a, b Route) int { return strings.Compare(a.Destination, b.Destination) })
			all[engine.ID(aws.ToString(t.RouteTableId))] = out
		}
	}
	return all, nil
}

func toRoute(r types.Route) Route {
	first := func(all ...*string) string {
		for _, s := range all {
			if aws.ToString(s) != "" {
				return *s
			}
		}
		return ""
	}
	return Route{
		Destination: first(r.DestinationCidrBlock, r.DestinationIpv6CidrBlock, r.DestinationPrefixListId),
		Target: first(r.NatGatewayId, r.GatewayId, r.EgressOnlyInternetGatewayId, r.TransitGatewayId, r.VpcPeeringConnectionId,
			r.InstanceId, r.NetworkInterfaceId, r.LocalGatewayId, r.CarrierGatewayId, r.CoreNetworkArn),
		Blackhole: r.State == types.RouteStateBlackhole, Origin: string(r.Origin),
	}
}
