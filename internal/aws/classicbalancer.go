// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	classic "github.com/aws/aws-sdk-go-v2/service/elasticloadbalancing"

	"github.com/espalier-io/espalier/internal/engine"
)

// ClassicBalancers removes Classic Load Balancers that Kubernetes has left.
// Their ID is their name.
type ClassicBalancers struct{}

var _ engine.Remover[Writer] = ClassicBalancers{}

// Kind implements engine.Remover.
func (ClassicBalancers) Kind() string { return "classic-load-balancer" }

// Delete implements engine.Remover. It returns when the network interfaces are
// gone, because they hold subnets and security groups until then.
func (ClassicBalancers) Delete(ctx context.Context, w Writer, r engine.Record) error {
	if err := w.DeleteClassicBalancer(ctx, r.ID); err != nil {
		return err
	}
	return interfacesGone(ctx, w, string(r.ID))
}

// ClassicBalancers implements Reader.
func (c *Client) ClassicBalancers(ctx context.Context, vpc engine.ID) ([]Leftover, error) {
	var all []Leftover
	pages := classic.NewDescribeLoadBalancersPaginator(c.elb, &classic.DescribeLoadBalancersInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, translate("listing Classic Load Balancers", err)
		}
		for _, b := range page.LoadBalancerDescriptions {
			if aws.ToString(b.VPCId) == string(vpc) {
				name := aws.ToString(b.LoadBalancerName)
				all = append(all, Leftover{Kind: ClassicBalancers{}.Kind(), ID: engine.ID(name), Name: name})
			}
		}
	}
	return all, withTags(all, func(ids []string) (map[string]map[string]string, error) {
		out, err := c.elb.DescribeTags(ctx, &classic.DescribeTagsInput{LoadBalancerNames: ids})
		if err != nil {
			return nil, translate("reading the tags of Classic Load Balancers", err)
		}
		tags := map[string]map[string]string{}
		for _, d := range out.TagDescriptions {
			one := map[string]string{}
			for _, t := range d.Tags {
				one[aws.ToString(t.Key)] = aws.ToString(t.Value)
			}
			tags[aws.ToString(d.LoadBalancerName)] = one
		}
		return tags, nil
	})
}

// DeleteClassicBalancer implements Writer.
func (c *Client) DeleteClassicBalancer(ctx context.Context, name engine.ID) error {
	_, err := c.elb.DeleteLoadBalancer(ctx, &classic.DeleteLoadBalancerInput{LoadBalancerName: text(name)})
	return gone(translate("deleting Classic Load Balancer "+string(name), err))
}
