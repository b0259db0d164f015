// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
)

func TestTheLifeOfAGatewayEndpoint(t *testing.T) {
	x := planted(t)
	ctx := t.Context()
	made, err := x.ec2.CreateVpcEndpoint(ctx, &ec2.CreateVpcEndpointInput{
		VpcId: str(corp), ServiceName: str("com.amazonaws.eu-central-1.dynamodb"), VpcEndpointType: types.VpcEndpointTypeGateway,
		TagSpecifications: tagged(types.ResourceTypeVpcEndpoint, "k", "v"),
	})
	e := must(x, made, err).VpcEndpoint
	_, err = x.ec2.ModifyVpcEndpoint(ctx, &ec2.ModifyVpcEndpointInput{VpcEndpointId: e.VpcEndpointId, AddRouteTableIds: []string{wTable}})
	must(x, 0, err)
	seen, err := x.ec2.DescribeVpcEndpoints(ctx, &ec2.DescribeVpcEndpointsInput{Filters: []types.Filter{filter("tag:k", "v")}})
	if l := must(x, seen, err).VpcEndpoints; len(l) != 1 || len(l[0].RouteTableIds) != 1 {
		t.Errorf("the endpoints are %+v", l)
	}
	for _, want := range []int{0, 1} {
		gone, err := x.ec2.DeleteVpcEndpoints(ctx, &ec2.DeleteVpcEndpointsInput{VpcEndpointIds: []string{*e.VpcEndpointId}})
		if u := must(x, gone, err).Unsuccessful; len(u) != want || want == 1 && *u[0].Error.Code != "InvalidVpcEndpoint.NotFound" {
			t.Errorf("unsuccessful are %+v", u)
		}
	}
}
