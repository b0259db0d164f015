// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/internal/sim/aws"
)

func tag(id string, pairs ...string) func(context.Context, *tester) error {
	return ask((*ec2.Client).CreateTags, ec2.CreateTagsInput{Resources: []string{id}, Tags: tagList(pairs...)})
}

func many(n int) (pairs []string) {
	for i := range n {
		pairs = append(pairs, fmt.Sprintf("k%d", i), "v")
	}
	return pairs
}

var refusedTags = []refusal{
	{"a resource is one of EC2", tag("thing-1", "k", "v"), "InvalidID"},
	{"a resource is named", ask((*ec2.Client).CreateTags, ec2.CreateTagsInput{Resources: []string{}, Tags: tagList("k", "v")}), "MissingParameter"},
	{"a key is not empty", tag(workers, "", "v"), "InvalidParameterValue"},
	{"aws: is reserved", tag(workers, "aws:x", "v"), "InvalidParameterValue"},
	{"AWS: is reserved", tag(workers, "AWS:x", "v"), "InvalidParameterValue"},
	{"a key has 128 characters at most", tag(workers, strings.Repeat("k", 129), "v"), "InvalidParameterValue"},
	{"a value has 256 characters at most", tag(workers, "k", strings.Repeat("v", 257)), "InvalidParameterValue"},
	{"a key is given once", tag(workers, "k", "v", "k", "w"), "InvalidParameterValue"},
	{"a resource has 50 tags, two it has", tag(workers, many(49)...), "TagLimitExceeded"},
	{"tags of AWS are not deleted", ask((*ec2.Client).DeleteTags, ec2.DeleteTagsInput{
		Resources: []string{workers}, Tags: []types.Tag{{Key: str("aws:x")}},
	}), "InvalidParameterValue"},
	{"tags of an unknown resource are not deleted", ask((*ec2.Client).DeleteTags, ec2.DeleteTagsInput{
		Resources: []string{workers, "subnet-" + absent}, Tags: tagList("Name", "workers"),
	}), "InvalidSubnetID.NotFound"},
	{"a creation names its own resource type", ask((*ec2.Client).CreateVpc, ec2.CreateVpcInput{
		CidrBlock: str("10.0.0.0/16"), TagSpecifications: tagged(types.ResourceTypeSubnet, "k", "v"),
	}), "InvalidParameterValue"},
	{"a creation with more than 50 tags", ask((*ec2.Client).CreateVpc, ec2.CreateVpcInput{
		CidrBlock: str("10.0.0.0/16"), TagSpecifications: tagged(types.ResourceTypeVpc, many(51)...),
	}), "TagLimitExceeded"},
}

func TestWhatIsRefusedOfTags(t *testing.T) { runRefusals(t, refusedTags) }

func TestAResourceMayHaveFiftyTagsAndThoseOfAWS(t *testing.T) {
	x := start(t, aws.Options{})
	plant(t, x.cloud, `accounts: {a: {regions: {eu-central-1: {vpcs: [{id: `+corp+`, cidrs: [10.0.0.0/16], tags: {"aws:cloudformation:stack-name": s}}]}}}}`)
	must(x, 0, tag(corp, many(50)...)(t.Context(), x))
	must(x, 0, tag(corp, "k1", "another value")(t.Context(), x))
	x.refused("TagLimitExceeded", tag(corp, "one", "more")(t.Context(), x))
}

// deletions of tags from a thing that has a=1, b=, c=3.
var deletions = []struct {
	name string
	tags []types.Tag
	left string
}{
	{"a key without a value goes, whatever the value is", []types.Tag{{Key: str("a")}}, "b= c=3"},
	{"a key with its value goes", tagList("a", "1"), "b= c=3"},
	{"a key with another value stays", tagList("a", "2"), "a=1 b= c=3"},
	{"a key with an empty value goes only if the value is empty", tagList("a", "", "b", ""), "a=1 c=3"},
	{"a key that is not there is no error", tagList("x", "y"), "a=1 b= c=3"},
	{"without tags all go", nil, ""},
}

func TestDeletingTags(t *testing.T) {
	for _, c := range deletions {
		t.Run(c.name, func(t *testing.T) {
			x := start(t, aws.Options{})
			vpc := x.vpc("10.0.0.0/16")
			must(x, 0, tag(vpc, "a", "1", "b", "", "c", "3")(t.Context(), x))
			_, err := x.ec2.DeleteTags(t.Context(), &ec2.DeleteTagsInput{Resources: []string{vpc}, Tags: c.tags})
			must(x, 0, err)
			out, err := x.ec2.DescribeTags(t.Context(), &ec2.DescribeTagsInput{Filters: []types.Filter{filter("resource-id", vpc), filter("resource-type", "vpc")}})
			var left []string
			for _, tag := range must(x, out, err).Tags {
				left = append(left, *tag.Key+"="+*tag.Value)
			}
			if got := strings.Join(left, " "); got != c.left {
				t.Errorf("left are %q, not %q", got, c.left)
			}
		})
	}
}

// filtered are filters of subnets of the world of testdata, and the names of those that pass.
var filtered = []struct {
	name    string
	filters []types.Filter
	want    string
}{
	{"all of a VPC", []types.Filter{filter("vpc-id", corp)}, "local native post public workers"},
	{"one value of several is enough", []types.Filter{filter("tag:Name", "public", "workers", "none")}, "public workers"},
	{"all filters count", []types.Filter{filter("tag:Name", "public", "workers"), filter("availability-zone", "eu-central-1a"), filter("ipv6-cidr-block-association.ipv6-cidr-block", "2001:db8:1:1::/64")}, "workers"},
	{"a star stands for any text, with slashes", []types.Filter{filter("tag-key", "*role/*")}, "workers"},
	{"a question mark stands for one character", []types.Filter{filter("tag:Name", "l?cal", "w?rker")}, "local"},
	{"case matters", []types.Filter{filter("tag:Name", "PUBLIC")}, ""},
	{"brackets mean themselves", []types.Filter{filter("tag:Name", "[p]ublic*")}, ""},
	{"a backslash takes the meaning of a star", []types.Filter{filter("tag:Name", `pub\*`)}, ""},
	{"key and value are looked at apart", []types.Filter{filter("tag-key", " kubernetes.io/role/elb"), filter("tag-value", "workers")}, "workers"},
	{"a leading space is part of a key", []types.Filter{filter("tag-key", "kubernetes.io/role/elb")}, ""},
	{"a state", []types.Filter{filter("state", "available"), filter("cidr-block", "10.0.2.0/24")}, "public"},
}

func TestFilters(t *testing.T) {
	x := planted(t)
	for _, c := range filtered {
		t.Run(c.name, func(t *testing.T) {
			out, err := x.ec2.DescribeSubnets(t.Context(), &ec2.DescribeSubnetsInput{Filters: c.filters})
			if got := names(must(x, out, err).Subnets); got != c.want {
				t.Errorf("the filter lets %q pass, not %q", got, c.want)
			}
		})
	}
	_, err := x.ec2.DescribeSubnets(t.Context(), &ec2.DescribeSubnetsInput{Filters: []types.Filter{filter("colour", "red")}})
	x.refused("InvalidParameterValue", err)
	_, err = x.ec2.DescribeSubnets(t.Context(), &ec2.DescribeSubnetsInput{SubnetIds: []string{workers}, Filters: []types.Filter{filter("vpc-id", "vpc-0")}})
	x.refused("", err)
}

func names(list []types.Subnet) string {
	var all []string
	for _, s := range list {
		for _, tag := range s.Tags {
			if *tag.Key == "Name" {
				all = append(all, *tag.Value)
			}
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestPages(t *testing.T) {
	x := start(t, aws.Options{})
	vpc := x.vpc("10.0.0.0/16")
	for i := range 12 {
		x.subnet(vpc, fmt.Sprintf("10.0.%d.0/24", i))
	}
	pages := ec2.NewDescribeSubnetsPaginator(x.ec2, &ec2.DescribeSubnetsInput{MaxResults: port(5)})
	seen := map[string]bool{}
	n := 0
	for ; pages.HasMorePages(); n++ {
		out, err := pages.NextPage(t.Context())
		for _, s := range must(x, out, err).Subnets {
			seen[*s.SubnetId] = true
		}
	}
	if n != 3 || len(seen) != 12 {
		t.Errorf("%d pages showed %d subnets", n, len(seen))
	}
	_, err := x.ec2.DescribeSubnets(t.Context(), &ec2.DescribeSubnetsInput{MaxResults: port(4)})
	x.refused("InvalidParameterValue", err)
	_, err = x.ec2.DescribeSubnets(t.Context(), &ec2.DescribeSubnetsInput{NextToken: str("nonsense")})
	x.refused("InvalidNextToken", err)
}
