// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/espalier-io/espalier/internal/sim/aws"
	"github.com/espalier-io/espalier/internal/sim/snapshot"
)

func plant(t testing.TB, c *aws.Cloud, text string) {
	t.Helper()
	w, err := aws.ParseWorld([]byte(text))
	if err == nil {
		err = c.Plant(w)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// planted is a cloud with the world of testdata.
func planted(t *testing.T) *tester {
	x := start(t, aws.Options{Seed: "s", Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }})
	text, err := os.ReadFile("testdata/world.yaml")
	if err != nil {
		t.Fatal(err)
	}
	plant(t, x.cloud, string(text))
	return x
}

func TestTheSameWorldIsTheSameBytes(t *testing.T) {
	one, two := planted(t).cloud.Snapshot(), planted(t).cloud.Snapshot()
	if !bytes.Equal(one, two) {
		t.Error("two clouds with one seed and one world differ")
	}
	if n, err := snapshot.Count(one); err != nil || n < 50 {
		t.Errorf("there are only %d things: %v", n, err)
	}
}

func TestASnapshotOfAnAccountHasOnlyWhatItOwns(t *testing.T) {
	x := planted(t)
	of := string(x.cloud.Snapshot("b"))
	if strings.Contains(of, "00000000000000001") || !strings.Contains(of, `"owner": "b"`) {
		t.Errorf("the snapshot of b is %s", of)
	}
}

func TestAChangedTagIsOneDifference(t *testing.T) {
	x := planted(t)
	before := x.cloud.Snapshot("a")
	_, err := x.ec2.CreateTags(t.Context(), &ec2.CreateTagsInput{Resources: []string{"subnet-00000000000000001"}, Tags: tagList("k", "v")})
	must(x, 0, err)
	all, err := snapshot.Compare(before, x.cloud.Snapshot("a"))
	if len(must(x, all, err)) != 1 || all[0].String() != `subnets subnet-00000000000000001 (workers): tag:k was null and is "v"` {
		t.Errorf("the differences are %v", all)
	}
}

func TestWhatAWorldSaysOfSubnetsIsThere(t *testing.T) {
	x := planted(t)
	out, err := x.ec2.DescribeSubnets(t.Context(), &ec2.DescribeSubnetsInput{Filters: []types.Filter{filter("vpc-id", "vpc-00000000000000001")}})
	by := map[string]types.Subnet{}
	for _, s := range must(x, out, err).Subnets {
		for _, tag := range s.Tags {
			if *tag.Key == "Name" {
				by[*tag.Value] = s
			}
		}
	}
	w := by["workers"]
	if !*w.AssignIpv6AddressOnCreation || !*w.EnableDns64 || w.Ipv6CidrBlockAssociationSet[0].Ipv6CidrBlockState.State != types.SubnetCidrBlockStateCodeAssociated {
		t.Errorf("the subnet of the workers is %+v", w)
	}
	if *by["public"].AvailableIpAddressCount != 7 || *by["native"].Ipv6Native != true || by["native"].CidrBlock != nil {
		t.Errorf("public is %+v, native is %+v", by["public"], by["native"])
	}
	if *by["local"].AvailabilityZone != "eu-central-1-ber-1a" || !strings.HasPrefix(*by["post"].OutpostArn, "arn:aws:outposts") {
		t.Errorf("local is %+v, post is %+v", by["local"], by["post"])
	}
	zones, err := x.ec2.DescribeAvailabilityZones(t.Context(), &ec2.DescribeAvailabilityZonesInput{ZoneNames: []string{"eu-central-1-ber-1a"}})
	if z := must(x, zones, err).AvailabilityZones[0]; *z.ZoneType != "local-zone" || *z.ParentZoneName != "eu-central-1a" {
		t.Errorf("the Local Zone is %+v", z)
	}
}

func TestWhatAWorldSaysOfRoutesIsThere(t *testing.T) {
	x := planted(t)
	out, err := x.ec2.DescribeRouteTables(t.Context(), &ec2.DescribeRouteTablesInput{RouteTableIds: []string{"rtb-00000000000000002"}})
	var got []string
	for _, r := range must(x, out, err).RouteTables[0].Routes {
		var words []string
		for _, p := range []*string{
			r.DestinationCidrBlock, r.DestinationIpv6CidrBlock, r.GatewayId, r.NatGatewayId, r.TransitGatewayId, r.InstanceId, r.NetworkInterfaceId,
		} {
			if p != nil {
				words = append(words, *p)
			}
		}
		if r.EgressOnlyInternetGatewayId != nil {
			words = append(words, "eigw")
		}
		got = append(got, strings.Join(append(words, string(r.State), string(r.Origin)), " "))
	}
	want := []string{
		"10.0.0.0/16 local active CreateRouteTable", "10.1.0.0/16 local active CreateRouteTable", "2001:db8:1::/56 local active CreateRouteTable",
		"0.0.0.0/0 nat-00000000000000001 active CreateRoute", "::/0 eigw active CreateRoute", "64:ff9b::/96 nat-00000000000000001 active CreateRoute",
		"192.168.0.0/16 tgw-00000000000000001 active CreateRoute",
		"100.64.0.0/24 i-00000000000000001 eni-00000000000000001 active CreateRoute", "100.64.1.0/24 i-00000000000000009 blackhole CreateRoute",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the routes are\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAnAccountSeesWhatIsSharedWithIt(t *testing.T) {
	x := planted(t).as("b", region)
	ctx := t.Context()
	subnets, err := x.ec2.DescribeSubnets(ctx, &ec2.DescribeSubnetsInput{Filters: []types.Filter{filter("vpc-id", "vpc-00000000000000001")}})
	list := must(x, subnets, err).Subnets
	if len(list) != 1 || *list[0].OwnerId != "111122223333" || list[0].Tags != nil {
		t.Fatalf("b sees %+v", list)
	}
	vpcs, err := x.ec2.DescribeVpcs(ctx, &ec2.DescribeVpcsInput{VpcIds: []string{"vpc-00000000000000001"}})
	if v := must(x, vpcs, err).Vpcs[0]; *v.OwnerId != "111122223333" {
		t.Errorf("the VPC is %+v", v)
	}
	tables, err := x.ec2.DescribeRouteTables(ctx, &ec2.DescribeRouteTablesInput{Filters: []types.Filter{filter("vpc-id", "vpc-00000000000000001")}})
	if l := must(x, tables, err).RouteTables; len(l) != 1 || *l[0].RouteTableId != "rtb-00000000000000001" {
		t.Errorf("b sees the route tables %+v", l)
	}
	x.cloud.Deny("b")
	_, err = x.ec2.CreateTags(ctx, &ec2.CreateTagsInput{Resources: []string{*list[0].SubnetId}, Tags: tagList("k", "v")})
	x.refused("UnauthorizedOperation", err)
	_, err = x.ec2.DeleteSubnet(ctx, &ec2.DeleteSubnetInput{SubnetId: list[0].SubnetId})
	x.refused("UnauthorizedOperation", err)
}

func TestAnAccountHasItsAccessKeysAndRoles(t *testing.T) {
	x := planted(t).as("AKIAEXAMPLE", region)
	r, err := x.iam.GetRole(t.Context(), &iam.GetRoleInput{RoleName: str("corp")})
	if role := must(x, r, err).Role; *role.Arn != "arn:aws:iam::111122223333:role/corp" || *role.Tags[0].Value != "net" {
		t.Errorf("the role is %+v", role)
	}
	p, err := x.iam.GetInstanceProfile(t.Context(), &iam.GetInstanceProfileInput{InstanceProfileName: str("corp")})
	if l := must(x, p, err).InstanceProfile.Roles; len(l) != 1 || *l[0].RoleName != "corp" {
		t.Errorf("the profile has the roles %+v", l)
	}
}
