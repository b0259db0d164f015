// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/internal/engine"
)

// Gateway is an egress-only internet gateway.
type Gateway struct{ VPCs []engine.ID }

// NATGateway is a NAT gateway of the user's. We only look at it.
type NATGateway struct {
	Subnet  engine.ID // empty: a regional one, which stands in no subnet
	Private bool      // it leads to other networks, not to the internet
}

type gatewayReader interface {
	EgressGateways(ctx context.Context) (map[engine.ID]Gateway, error)
	// NATGateways returns those of a VPC, deleted ones as long as EC2 shows them.
	NATGateways(ctx context.Context, vpc engine.ID) (map[engine.ID]NATGateway, error)
}

// EgressGateways implements Reader. EC2 has no filter by VPC for them.
func (c *Client) EgressGateways(ctx context.Context) (map[engine.ID]Gateway, error) {
	all := map[engine.ID]Gateway{}
	pages := ec2.NewDescribeEgressOnlyInternetGatewaysPaginator(c.ec2, &ec2.DescribeEgressOnlyInternetGatewaysInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, translate("listing egress-only internet gateways", err)
		}
		for _, g := range page.EgressOnlyInternetGateways {
			all[engine.ID(aws.ToString(g.EgressOnlyInternetGatewayId))] = toGateway(g.Attachments)
		}
	}
	return all, nil
}

func toGateway(as []types.InternetGatewayAttachment) (g Gateway) {
	for _, a := range as {
		g.VPCs = append(g.VPCs, engine.ID(aws.ToString(a.VpcId)))
	}
	return g
}

// NATGateways implements Reader.
func (c *Client) NATGateways(ctx context.Context, vpc engine.ID) (map[engine.ID]NATGateway, error) {
	all := map[engine.ID]NATGateway{}
	pages := ec2.NewDescribeNatGatewaysPaginator(c.ec2, &ec2.DescribeNatGatewaysInput{Filter: filters("vpc-id", string(vpc))})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, translate("listing NAT gateways", err)
		}
		for _, n := range page.NatGateways {
			all[engine.ID(aws.ToString(n.NatGatewayId))] = NATGateway{
				Subnet: engine.ID(aws.ToString(n.SubnetId)), Private: n.ConnectivityType == types.ConnectivityTypePrivate,
			}
		}
	}
	return all, nil
}
