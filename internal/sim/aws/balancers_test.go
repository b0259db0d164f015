// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	elb "github.com/aws/aws-sdk-go-v2/service/elasticloadbalancing"
	"github.com/aws/aws-sdk-go-v2/service/elasticloadbalancingv2"
	"github.com/aws/aws-sdk-go-v2/service/servicequotas"
)

// held counts the interfaces of load balancers.
func held(t *tester) int {
	t.Helper()
	out, err := t.ec2.DescribeNetworkInterfaces(t.Context(), &ec2.DescribeNetworkInterfacesInput{
		Filters: []ec2types.Filter{filter("vpc-id", corp), filter("description", "ELB *")},
	})
	return len(must(t, out, err).NetworkInterfaces)
}

func TestClassicLoadBalancers(t *testing.T) {
	x := planted(t)
	ctx := t.Context()
	out, err := x.elb.DescribeLoadBalancers(ctx, &elb.DescribeLoadBalancersInput{})
	if l := must(x, out, err).LoadBalancerDescriptions; len(l) != 1 || *l[0].LoadBalancerName != "old" || *l[0].VPCId != corp || len(l[0].SecurityGroups) != 1 {
		t.Errorf("the load balancers are %+v", l)
	}
	tags, err := x.elb.DescribeTags(ctx, &elb.DescribeTagsInput{LoadBalancerNames: []string{"old"}})
	if l := must(x, tags, err).TagDescriptions; len(l) != 1 || *l[0].Tags[0].Value != "owned" {
		t.Errorf("the tags are %+v", l)
	}
	_, err = x.elb.DescribeTags(ctx, &elb.DescribeTagsInput{LoadBalancerNames: []string{"old", "none"}})
	x.refused("LoadBalancerNotFound", err)
	_, err = x.elb.DescribeTags(ctx, &elb.DescribeTagsInput{LoadBalancerNames: make([]string, 21)})
	x.refused("ValidationError", err)
	before := held(x)
	for range 2 { // also if there is none
		_, err = x.elb.DeleteLoadBalancer(ctx, &elb.DeleteLoadBalancerInput{LoadBalancerName: str("old")})
		must(x, 0, err)
	}
	if a, b := held(x), held(x); a != before || b != before-1 {
		t.Errorf("of %d interfaces %d and then %d are left", before, a, b)
	}
}

func TestLoadBalancers(t *testing.T) {
	x := planted(t)
	ctx := t.Context()
	out, err := x.elbv2.DescribeLoadBalancers(ctx, &elasticloadbalancingv2.DescribeLoadBalancersInput{})
	l := must(x, out, err).LoadBalancers
	if len(l) != 1 || l[0].Type != "network" || l[0].Scheme != "internal" || *l[0].VpcId != corp || *l[0].AvailabilityZones[0].SubnetId != workers {
		t.Fatalf("the load balancers are %+v", l)
	}
	arn := l[0].LoadBalancerArn
	tags, err := x.elbv2.DescribeTags(ctx, &elasticloadbalancingv2.DescribeTagsInput{ResourceArns: []string{*arn}})
	if d := must(x, tags, err).TagDescriptions; *d[0].Tags[0].Key != "kubernetes.io/cluster/x" {
		t.Errorf("the tags are %+v", d)
	}
	groups, err := x.elbv2.DescribeTargetGroups(ctx, &elasticloadbalancingv2.DescribeTargetGroupsInput{LoadBalancerArn: arn})
	g := must(x, groups, err).TargetGroups
	if len(g) != 1 || *g[0].TargetGroupName != "new-80" {
		t.Fatalf("the target groups are %+v", g)
	}
	_, err = x.elbv2.DeleteTargetGroup(ctx, &elasticloadbalancingv2.DeleteTargetGroupInput{TargetGroupArn: g[0].TargetGroupArn})
	x.refused("ResourceInUse", err)
	for range 2 { // also if there is none
		_, err = x.elbv2.DeleteLoadBalancer(ctx, &elasticloadbalancingv2.DeleteLoadBalancerInput{LoadBalancerArn: arn})
		must(x, 0, err)
		_, err = x.elbv2.DeleteTargetGroup(ctx, &elasticloadbalancingv2.DeleteTargetGroupInput{TargetGroupArn: g[0].TargetGroupArn})
		must(x, 0, err)
	}
	_, err = x.elbv2.DescribeTags(ctx, &elasticloadbalancingv2.DescribeTagsInput{ResourceArns: []string{*arn}})
	x.refused("LoadBalancerNotFound", err)
	_, err = x.elbv2.DescribeTargetGroups(ctx, &elasticloadbalancingv2.DescribeTargetGroupsInput{TargetGroupArns: []string{*g[0].TargetGroupArn}})
	x.refused("TargetGroupNotFound", err)
}

func TestAProtectedLoadBalancerStays(t *testing.T) {
	x := planted(t)
	plant(t, x.cloud, `accounts: {a: {regions: {eu-central-1: {vpcs: [{cidrs: [10.7.0.0/16], load_balancers: [{name: p, type: network, subnets: [], deletion_protection: true}]}]}}}}`)
	out, err := x.elbv2.DescribeLoadBalancers(t.Context(), &elasticloadbalancingv2.DescribeLoadBalancersInput{Names: []string{"p"}})
	_, err = x.elbv2.DeleteLoadBalancer(t.Context(), &elasticloadbalancingv2.DeleteLoadBalancerInput{LoadBalancerArn: must(x, out, err).LoadBalancers[0].LoadBalancerArn})
	x.refused("OperationNotPermitted", err)
}

func TestServiceQuotas(t *testing.T) {
	x := planted(t)
	ctx := t.Context()
	out, err := x.quotas.GetServiceQuota(ctx, &servicequotas.GetServiceQuotaInput{ServiceCode: str("vpc"), QuotaCode: str("L-93826ACB")})
	if q := must(x, out, err).Quota; *q.Value != 100 || *q.QuotaName != "Routes per route table" {
		t.Errorf("the quota is %+v", q)
	}
	initial, err := x.quotas.GetAWSDefaultServiceQuota(ctx, &servicequotas.GetAWSDefaultServiceQuotaInput{ServiceCode: str("vpc"), QuotaCode: str("L-93826ACB")})
	if q := must(x, initial, err).Quota; *q.Value != 500 {
		t.Errorf("the quota of a new account is %+v", q)
	}
	n := 0
	pages := servicequotas.NewListServiceQuotasPaginator(x.quotas, &servicequotas.ListServiceQuotasInput{ServiceCode: str("vpc"), MaxResults: port(4)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		n += len(must(x, page, err).Quotas)
	}
	if n != 10 {
		t.Errorf("there are %d quotas of VPCs", n)
	}
	_, err = x.quotas.GetServiceQuota(ctx, &servicequotas.GetServiceQuotaInput{ServiceCode: str("vpc"), QuotaCode: str("L-00000000")})
	x.refused("NoSuchResourceException", err)
	_, err = x.quotas.ListServiceQuotas(ctx, &servicequotas.ListServiceQuotasInput{ServiceCode: str("none")})
	x.refused("NoSuchResourceException", err)
	_, err = x.quotas.ListServiceQuotas(ctx, &servicequotas.ListServiceQuotasInput{ServiceCode: str("vpc"), NextToken: str("x")})
	x.refused("InvalidPaginationTokenException", err)
}
