// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
)

func (l *lab) tag(id string, pairs ...string) error {
	_, err := l.ec2.CreateTags(l.ctx, &ec2.CreateTagsInput{Resources: []string{id}, Tags: tags(pairs...)})
	return err
}

func (l *lab) untag(id string, list ...types.Tag) {
	_, err := l.ec2.DeleteTags(l.ctx, &ec2.DeleteTagsInput{Resources: []string{id}, Tags: list})
	l.code("DeleteTags", "", err)
}

func (l *lab) tagsOf(id string) string {
	out, err := l.ec2.DescribeVpcs(l.ctx, &ec2.DescribeVpcsInput{VpcIds: []string{id}})
	var all []string
	for _, t := range get(l, out, err).Vpcs[0].Tags {
		all = append(all, *t.Key+"="+*t.Value)
	}
	return strings.Join(all, " ")
}

var tagTrials = []trial{
	{"a key without a value goes, whatever the value is", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		l.code("CreateTags", "", l.tag(vpc, "a", "1"))
		l.untag(vpc, types.Tag{Key: str("a")})
		l.equal("what is left", l.tagsOf(vpc), "")
	}},
	{"a key with a value goes only if it is the value", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		l.code("CreateTags", "", l.tag(vpc, "a", "1"))
		l.untag(vpc, tags("a", "2")...)
		l.equal("what is left", l.tagsOf(vpc), "a=1")
		l.untag(vpc, tags("a", "1")...)
		l.equal("what is left", l.tagsOf(vpc), "")
	}},
	{"a key with an empty value goes only if the value is empty", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		l.code("CreateTags", "", l.tag(vpc, "a", "1"))
		l.untag(vpc, tags("a", "")...)
		l.equal("what is left", l.tagsOf(vpc), "a=1")
	}},
	{"a key that is not there is no error", func(l *lab) { l.untag(l.vpc("10.0.0.0/16"), tags("a", "1")...) }},
	{"a tag of an unknown subnet is refused, and nothing else tagged", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		_, err := l.ec2.CreateTags(l.ctx, &ec2.CreateTagsInput{Resources: []string{vpc, "subnet-" + absent}, Tags: tags("a", "1")})
		l.code("CreateTags", "InvalidSubnetID.NotFound", err)
		l.equal("the tags of the other", l.tagsOf(vpc), "")
	}},
	{"aws: is reserved", func(l *lab) { l.code("CreateTags", "InvalidParameterValue", l.tag(l.vpc("10.0.0.0/16"), "aws:a", "1")) }},
	{"a resource has fifty tags", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		var pairs []string
		for i := range 50 {
			pairs = append(pairs, fmt.Sprintf("k%d", i), "v")
		}
		l.code("CreateTags", "", l.tag(vpc, pairs...))
		l.code("CreateTags of one more", "TagLimitExceeded", l.tag(vpc, "one", "more"))
	}},
	{"a creation has tags of its own resource type", func(l *lab) {
		_, err := l.ec2.CreateVpc(l.ctx, &ec2.CreateVpcInput{CidrBlock: str("10.0.0.0/16"), TagSpecifications: tagged(types.ResourceTypeSubnet, "a", "1")})
		l.code("CreateVpc", "InvalidParameterValue", err)
	}},
	{"tags are given with the creation", func(l *lab) {
		out, err := l.ec2.CreateVpc(l.ctx, &ec2.CreateVpcInput{CidrBlock: str("10.0.0.0/16"), TagSpecifications: tagged(types.ResourceTypeVpc, "a", "1")})
		l.equal("the tags", l.tagsOf(*get(l, out, err).Vpc.VpcId), "a=1")
	}},
	{"the filters tag-key and tag-value are independent", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		l.code("CreateTags", "", l.tag(vpc, "a", "1", "b", "2"))
		out, err := l.ec2.DescribeVpcs(l.ctx, &ec2.DescribeVpcsInput{Filters: []types.Filter{filter("tag-key", "a"), filter("tag-value", "2")}})
		l.equal("the number of VPCs", len(get(l, out, err).Vpcs), 1)
		out, err = l.ec2.DescribeVpcs(l.ctx, &ec2.DescribeVpcsInput{Filters: []types.Filter{filter("tag:a", "2")}})
		l.equal("the number of VPCs with the pair", len(get(l, out, err).Vpcs), 0)
	}},
	{"a star in a filter stands for any text", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		l.code("CreateTags", "", l.tag(vpc, "kubernetes.io/cluster/x", "owned"))
		out, err := l.ec2.DescribeVpcs(l.ctx, &ec2.DescribeVpcsInput{Filters: []types.Filter{filter("tag-key", "*cluster/*")}})
		l.equal("the number of VPCs", len(get(l, out, err).Vpcs), 1)
	}},
	{"a filter that there is not is refused", func(l *lab) {
		_, err := l.ec2.DescribeVpcs(l.ctx, &ec2.DescribeVpcsInput{Filters: []types.Filter{filter("colour", "red")}})
		l.code("DescribeVpcs", "InvalidParameterValue", err)
	}},
	{"a leading space is part of a key", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		l.code("CreateTags", "", l.tag(vpc, " a", "1"))
		out, err := l.ec2.DescribeVpcs(l.ctx, &ec2.DescribeVpcsInput{Filters: []types.Filter{filter("tag-key", "a")}})
		l.equal("the number of VPCs", len(get(l, out, err).Vpcs), 0)
	}},
}
