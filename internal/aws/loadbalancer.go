// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	elb "github.com/aws/aws-sdk-go-v2/service/elasticloadbalancingv2"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// LoadBalancers removes Application and Network Load Balancers that Kubernetes
// has left, with their listeners. Their ID is their ARN.
type LoadBalancers struct{}

var _ engine.Remover[Writer] = LoadBalancers{}

// Kind implements engine.Remover.
func (LoadBalancers) Kind() string { return "load-balancer" }

// Delete implements engine.Remover. It returns when the network interfaces are
// gone, because they hold subnets and security groups until then.
func (LoadBalancers) Delete(ctx context.Context, w Writer, r engine.Record) error {
	if err := w.DeleteLoadBalancer(ctx, r.ID); err != nil {
		return err
	}
	_, short, _ := strings.Cut(string(r.ID), ":loadbalancer/")
	return interfacesGone(ctx, w, short)
}

// TargetGroups removes target groups that Kubernetes has left. Their ID is
// their ARN.
type TargetGroups struct{}

var _ engine.Remover[Writer] = TargetGroups{}

// Kind implements engine.Remover.
func (TargetGroups) Kind() string { return "target-group" }

// Delete implements engine.Remover. It waits for the load balancer that uses
// the group to go.
func (TargetGroups) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return released(ctx, "what uses target group "+r.Name+" to be gone", func(ctx context.Context) error { return w.DeleteTargetGroup(ctx, r.ID) })
}

// LoadBalancers implements Reader.
func (c *Client) LoadBalancers(ctx context.Context, vpc engine.ID) ([]Leftover, error) {
	var all []Leftover
	pages := elb.NewDescribeLoadBalancersPaginator(c.elbv2, &elb.DescribeLoadBalancersInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, translate("listing load balancers", err)
		}
		for _, b := range page.LoadBalancers {
			if aws.ToString(b.VpcId) == string(vpc) {
				all = append(all, Leftover{Kind: LoadBalancers{}.Kind(), ID: engine.ID(aws.ToString(b.LoadBalancerArn)), Name: aws.ToString(b.LoadBalancerName)})
			}
		}
	}
	return all, c.balancerTags(ctx, all)
}

// TargetGroups implements Reader.
func (c *Client) TargetGroups(ctx context.Context, vpc engine.ID) ([]Leftover, error) {
	var all []Leftover
	pages := elb.NewDescribeTargetGroupsPaginator(c.elbv2, &elb.DescribeTargetGroupsInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, translate("listing target groups", err)
		}
		for _, g := range page.TargetGroups {
			if aws.ToString(g.VpcId) == string(vpc) {
				all = append(all, Leftover{Kind: TargetGroups{}.Kind(), ID: engine.ID(aws.ToString(g.TargetGroupArn)), Name: aws.ToString(g.TargetGroupName)})
			}
		}
	}
	return all, c.balancerTags(ctx, all)
}

func (c *Client) balancerTags(ctx context.Context, all []Leftover) error {
	return withTags(all, func(ids []string) (map[string]map[string]string, error) {
		out, err := c.elbv2.DescribeTags(ctx, &elb.DescribeTagsInput{ResourceArns: ids})
		if err != nil {
			return nil, translate("reading the tags of load balancers and target groups", err)
		}
		tags := map[string]map[string]string{}
		for _, d := range out.TagDescriptions {
			one := map[string]string{}
			for _, t := range d.Tags {
				one[aws.ToString(t.Key)] = aws.ToString(t.Value)
			}
			tags[aws.ToString(d.ResourceArn)] = one
		}
		return tags, nil
	})
}

// DeleteLoadBalancer implements Writer.
func (c *Client) DeleteLoadBalancer(ctx context.Context, arn engine.ID) error {
	_, err := c.elbv2.DeleteLoadBalancer(ctx, &elb.DeleteLoadBalancerInput{LoadBalancerArn: text(arn)})
	if codeOf(err) == "OperationNotPermitted" {
		return fault.Errorf(fault.Conflict, "deleting load balancer %s: deletion protection is enabled: disable it, then delete again", arn)
	}
	return gone(translate("deleting load balancer "+string(arn), err))
}

// DeleteTargetGroup implements Writer.
func (c *Client) DeleteTargetGroup(ctx context.Context, arn engine.ID) error {
	_, err := c.elbv2.DeleteTargetGroup(ctx, &elb.DeleteTargetGroupInput{TargetGroupArn: text(arn)})
	return gone(translate("deleting target group "+string(arn), err))
}
