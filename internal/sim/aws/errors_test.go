// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
)

// refusal is a call on the world of testdata, and the error code that it gets.
type refusal struct {
	name string
	call func(context.Context, *tester) error
	want string
}

// ask is a call of EC2.
func ask[I, O any](do func(*ec2.Client, context.Context, *I, ...func(*ec2.Options)) (*O, error), in I) func(context.Context, *tester) error {
	return func(ctx context.Context, x *tester) error {
		in := in // the SDK fills in a client token
		_, err := do(x.ec2, ctx, &in)
		return err
	}
}

func runRefusals(t *testing.T, table []refusal) {
	t.Helper()
	x := planted(t)
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) {
			before := string(x.cloud.Snapshot())
			y := *x
			y.T = t
			y.refused(c.want, c.call(t.Context(), &y))
			if string(x.cloud.Snapshot()) != before {
				t.Error("a call that was refused changed something")
			}
		})
	}
}

// The things of the world of testdata.
const (
	corp      = "vpc-00000000000000001"
	workers   = "subnet-00000000000000001"
	gateway   = "igw-00000000000000001"
	mainTable = "rtb-00000000000000001"
	wTable    = "rtb-00000000000000002"
	nodes     = "sg-00000000000000001"
	natted    = "nat-00000000000000001"
	egressIP  = "eipalloc-00000000000000001"
	firewall  = "i-00000000000000001"
	wall      = "eni-00000000000000001"
	absent    = "0ffffffffffffffff"
)

func id(prefix string) *string { return str(prefix + absent) }

// unknownIDs are Describes by an ID that there is not, and by one that is none.
var unknownIDs = []struct {
	prefix, notFound, malformed string
	call                        func(context.Context, *tester, string) error
}{
	{"vpc-", "InvalidVpcID.NotFound", "InvalidVpcID.Malformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeVpcs(ctx, &ec2.DescribeVpcsInput{VpcIds: []string{corp, id}})
		return err
	}},
	{"subnet-", "InvalidSubnetID.NotFound", "InvalidSubnetID.Malformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeSubnets(ctx, &ec2.DescribeSubnetsInput{SubnetIds: []string{workers, id}})
		return err
	}},
	{"rtb-", "InvalidRouteTableID.NotFound", "InvalidRouteTableId.Malformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeRouteTables(ctx, &ec2.DescribeRouteTablesInput{RouteTableIds: []string{id, wTable}})
		return err
	}},
	{"igw-", "InvalidInternetGatewayID.NotFound", "InvalidInternetGatewayId.Malformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeInternetGateways(ctx, &ec2.DescribeInternetGatewaysInput{InternetGatewayIds: []string{id}})
		return err
	}},
	{"eigw-", "", "InvalidEgressOnlyInternetGatewayId.Malformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeEgressOnlyInternetGateways(ctx, &ec2.DescribeEgressOnlyInternetGatewaysInput{EgressOnlyInternetGatewayIds: []string{id}})
		return err
	}},
	{"nat-", "NatGatewayNotFound", "NatGatewayMalformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeNatGateways(ctx, &ec2.DescribeNatGatewaysInput{NatGatewayIds: []string{id}})
		return err
	}},
	{"eipalloc-", "InvalidAllocationID.NotFound", "InvalidAllocationID.NotFound", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeAddresses(ctx, &ec2.DescribeAddressesInput{AllocationIds: []string{egressIP, id}})
		return err
	}},
	{"sg-", "InvalidGroup.NotFound", "InvalidGroupId.Malformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeSecurityGroups(ctx, &ec2.DescribeSecurityGroupsInput{GroupIds: []string{nodes, id}})
		return err
	}},
	{"sgr-", "InvalidSecurityGroupRuleId.NotFound", "InvalidSecurityGroupRuleId.Malformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeSecurityGroupRules(ctx, &ec2.DescribeSecurityGroupRulesInput{SecurityGroupRuleIds: []string{id}})
		return err
	}},
	{"eni-", "InvalidNetworkInterfaceID.NotFound", "InvalidNetworkInterfaceId.Malformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeNetworkInterfaces(ctx, &ec2.DescribeNetworkInterfacesInput{NetworkInterfaceIds: []string{wall, id}})
		return err
	}},
	{"i-", "InvalidInstanceID.NotFound", "InvalidInstanceID.Malformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeInstances(ctx, &ec2.DescribeInstancesInput{InstanceIds: []string{firewall, id}})
		return err
	}},
	{"dopt-", "InvalidDhcpOptionID.NotFound", "InvalidDhcpOptionsId.Malformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeDhcpOptions(ctx, &ec2.DescribeDhcpOptionsInput{DhcpOptionsIds: []string{id}})
		return err
	}},
	{"vpce-", "InvalidVpcEndpointId.NotFound", "InvalidVpcEndpointId.Malformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeVpcEndpoints(ctx, &ec2.DescribeVpcEndpointsInput{VpcEndpointIds: []string{id}})
		return err
	}},
	{"scr-", "InvalidSubnetCidrReservationID.NotFound", "InvalidSubnetCidrReservationID.Malformed", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DeleteSubnetCidrReservation(ctx, &ec2.DeleteSubnetCidrReservationInput{SubnetCidrReservationId: &id})
		return err
	}},
	{"key-", "InvalidKeyPair.NotFound", "InvalidParameterValue", func(ctx context.Context, x *tester, id string) error {
		_, err := x.ec2.DescribeKeyPairs(ctx, &ec2.DescribeKeyPairsInput{KeyPairIds: []string{id}})
		return err
	}},
}

func TestAnUnknownIDFailsTheWholeCall(t *testing.T) {
	x := planted(t)
	for _, c := range unknownIDs {
		t.Run(c.prefix, func(t *testing.T) {
			y := *x
			y.T = t
			y.refused(c.notFound, c.call(t.Context(), &y, c.prefix+absent))
			y.refused(c.malformed, c.call(t.Context(), &y, "nothing"))
			if c.prefix == "eigw-" || c.prefix == "scr-" {
				return
			}
			y.refused(c.notFound, c.call(t.Context(), y.as("b", region), c.prefix+absent))
			_, err := x.ec2.CreateTags(t.Context(), &ec2.CreateTagsInput{Resources: []string{corp, c.prefix + absent}, Tags: tagList("k", "v")})
			y.refused(c.notFound, err)
		})
	}
	vpcs, err := x.ec2.DescribeVpcs(t.Context(), &ec2.DescribeVpcsInput{VpcIds: []string{corp}})
	for _, tag := range must(x, vpcs, err).Vpcs[0].Tags {
		if *tag.Key == "k" {
			t.Error("a call that names one unknown resource tagged the others")
		}
	}
}

func TestWhatBelongsToAnotherAccountOrRegionIsNotThere(t *testing.T) {
	x := planted(t)
	_, err := x.as("b", region).ec2.DescribeSubnets(t.Context(), &ec2.DescribeSubnetsInput{SubnetIds: []string{workers}})
	x.refused("InvalidSubnetID.NotFound", err)
	_, err = x.as("a", "eu-west-1").ec2.DescribeSubnets(t.Context(), &ec2.DescribeSubnetsInput{SubnetIds: []string{workers}})
	x.refused("InvalidSubnetID.NotFound", err)
}

// codeInSource is what looks like an error code in the sources of the cloud.
var codeInSource = regexp.MustCompile(`"(Invalid[A-Za-z]+(?:\.[A-Za-z]+)?|[A-Za-z]+LimitExceeded|[A-Z][A-Za-z]+\.(?:NotFound|Malformed|AlreadyAssociated|NotAttached)|` +
	`Insufficient[A-Za-z]+|Malformed[A-Za-z]+|[A-Za-z]*(?:Denied|NotFound|Violation|Failure|Conflict|Exists|InUse|Mismatch|Exception|NotMatch|NoSuchEntity|NotPermitted|Document|Error|Token|Parameter|Delete))"`)

// noCodes look like codes and are none, or can be seen only if this package is wrong.
var noCodes = []string{"InternalError", "InternalFailure", "Error", "NextToken", "nextToken", "ClientToken", "clientToken", "PolicyDocument", "AssumeRolePolicyDocument"}

func TestEveryErrorCodeHasATest(t *testing.T) {
	read := func(pattern string, tests bool) string {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") == tests {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				all.Write(text)
			}
		}
		return all.String()
	}
	tests := read("*_test.go", true)
	missing := map[string]bool{}
	for _, m := range codeInSource.FindAllStringSubmatch(read("*.go", false), -1) {
		if !slices.Contains(noCodes, m[1]) && !missing[m[1]] && !strings.Contains(tests, `"`+m[1]+`"`) {
			missing[m[1]] = true
			t.Errorf("no test expects %s", m[1])
		}
	}
}
