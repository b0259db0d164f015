// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// A Leftover is something that Kubernetes may have made for a Service or an
// Ingress of a cluster.
type Leftover struct {
	Kind string // as engine.Remover names it
	ID   engine.ID
	Name string
	Tags map[string]string
}

type leftoverReader interface {
	// ClassicBalancers, LoadBalancers and TargetGroups return all in a VPC, with
	// their tags: the services have no filter for either.
	ClassicBalancers(ctx context.Context, vpc engine.ID) ([]Leftover, error)
	LoadBalancers(ctx context.Context, vpc engine.ID) ([]Leftover, error)
	TargetGroups(ctx context.Context, vpc engine.ID) ([]Leftover, error)
}

type leftoverWriter interface {
	// Deletions of what is gone succeed.
	DeleteClassicBalancer(ctx context.Context, name engine.ID) error
	DeleteLoadBalancer(ctx context.Context, arn engine.ID) error
	DeleteTargetGroup(ctx context.Context, arn engine.ID) error
	// BalancerInterfaces returns the network interfaces that a load balancer has,
	// by what their descriptions call it.
	BalancerInterfaces(ctx context.Context, balancer string) ([]engine.ID, error)
}

// LeftGroups removes security groups that Kubernetes has made for load
// balancers and left.
type LeftGroups struct{}

var _ engine.Remover[Writer] = LeftGroups{}

// Kind implements engine.Remover.
func (LeftGroups) Kind() string { return "load-balancer-security-group" }

// Delete implements engine.Remover. Rules of our own group and network
// interfaces hold it until they are gone.
func (LeftGroups) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return released(ctx, "what uses security group "+string(r.ID)+" to be gone", func(ctx context.Context) error { return w.DeleteSecurityGroup(ctx, r.ID) })
}

// released tries a deletion until nothing holds what is deleted.
func released(ctx context.Context, what string, remove func(context.Context) error) error {
	return engine.Poll(ctx, what, func(ctx context.Context) (bool, error) {
		err := remove(ctx)
		if fault.Is(err, fault.InUse) {
			return false, nil
		}
		return err == nil, err
	})
}

func interfacesGone(ctx context.Context, w Writer, balancer string) error {
	return engine.Poll(ctx, "the network interfaces of load balancer "+balancer+" to be gone", func(ctx context.Context) (bool, error) {
		left, err := w.BalancerInterfaces(ctx, balancer)
		return len(left) == 0 && err == nil, err
	})
}

// Kubernetes' marks besides the tag of the cluster. Sources:
// cloud-provider-aws, TagNameKubernetesService and the names of its security
// groups; AWS Load Balancer Controller, "Resource Tags".
var (
	kubernetesTags   = []string{"kubernetes.io/service-name", "elbv2.k8s.aws/cluster"}
	kubernetesPrefix = "k8s-"
)

// byKubernetes says that tags are those of something that the cloud controller
// manager or the AWS Load Balancer Controller made for this cluster. The tag of
// the cluster counts with its value, which another tag may have as well.
func (c Config) byKubernetes(name string, tags map[string]string) bool {
	if tags[c.clusterKey()] != ownedByUs {
		return false
	}
	return strings.HasPrefix(name, kubernetesPrefix) ||
		slices.ContainsFunc(kubernetesTags, func(key string) bool { _, ok := tags[key]; return ok })
}

// leftovers reads what Kubernetes has left: on deletion only.
func (s *survey) leftovers() (reads []func(context.Context)) {
	if s.f.Purpose != Deletion || s.given.VPC == "" {
		return nil
	}
	all := []func(context.Context, engine.ID) ([]Leftover, error){s.r.ClassicBalancers, s.r.LoadBalancers, s.r.TargetGroups}
	s.f.Leftovers, s.f.LeftoversErr = make([][]Leftover, len(all)), make([]error, len(all))
	for i, list := range all {
		reads = append(reads, func(ctx context.Context) { s.f.Leftovers[i], s.f.LeftoversErr[i] = list(ctx, s.given.VPC) })
	}
	return reads
}

// sweep lists what a deletion removes of what Kubernetes has left. It needs
// nothing of ours to go first or later: what is still held is tried again
// until it is let go of.
func (t *topology) sweep() {
	var left []engine.Record
	for _, list := range t.f.Leftovers {
		for _, l := range list {
			if t.c.byKubernetes(l.Name, l.Tags) {
				left = append(left, engine.Record{Kind: l.Kind, Name: l.Name, ID: l.ID})
			}
		}
	}
	for i, k := range []engine.Remover[Writer]{ClassicBalancers{}, LoadBalancers{}, TargetGroups{}} {
		if i < len(t.f.LeftoversErr) {
			t.Unsure("the cluster's "+k.Kind()+"s", "", t.f.LeftoversErr[i], k)
		}
	}
	left = append(left, t.leftGroups()...)
	for _, r := range left {
		t.swept[string(r.ID)] = true
	}
	if len(left) > 0 {
		t.Sweep("left", left)
	}
}

// recorded says that something is ours by the state, whatever its tags say.
func recorded(s *engine.State, id engine.ID) bool {
	return slices.ContainsFunc(s.Records(), func(r engine.Record) bool { return r.ID == id })
}

func (t *topology) leftGroups() (left []engine.Record) {
	if t.f.Purpose != Deletion {
		return nil
	}
	all, _ := t.f.Groups.All() // that it is not known is said already
	for _, f := range all {
		g, err := f.State()
		if err != nil || g.VPC != t.given.VPC || f.ID == t.given.SecurityGroup || t.marked(g.Marks) || recorded(t.f.State, f.ID) {
			continue
		}
		if t.c.byKubernetes(g.Name, g.Marks) {
			left = append(left, engine.Record{Kind: LeftGroups{}.Kind(), Name: g.Name, ID: f.ID})
		}
	}
	return left
}

// tagsAtATime is how many things a call for tags may name.
const tagsAtATime = 20

// withTags gives things their tags, by ID.
func withTags(all []Leftover, read func(ids []string) (map[string]map[string]string, error)) error {
	for some := range slices.Chunk(all, tagsAtATime) {
		var ids []string
		for _, l := range some {
			ids = append(ids, string(l.ID))
		}
		tags, err := read(ids)
		if fault.Is(err, fault.NotFound) { // one was deleted since the list was read
			tags, err = oneByOne(ids, read)
		}
		if err != nil {
			return err
		}
		for i := range some {
			some[i].Tags = tags[string(some[i].ID)]
		}
	}
	return nil
}

// oneByOne reads tags so that what is gone does not hide the others'.
func oneByOne(ids []string, read func(ids []string) (map[string]map[string]string, error)) (map[string]map[string]string, error) {
	all := map[string]map[string]string{}
	for _, id := range ids {
		tags, err := read([]string{id})
		if gone(err) != nil {
			return nil, err
		}
		maps.Copy(all, tags)
	}
	return all, nil
}

// BalancerInterfaces implements Writer.
func (c *Client) BalancerInterfaces(ctx context.Context, balancer string) (left []engine.ID, err error) {
	pages := ec2.NewDescribeNetworkInterfacesPaginator(c.ec2, &ec2.DescribeNetworkInterfacesInput{Filters: filters("description", "ELB "+balancer)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, translate("listing the network interfaces of load balancer "+balancer, err)
		}
		for _, i := range page.NetworkInterfaces {
			left = append(left, engine.ID(aws.ToString(i.NetworkInterfaceId)))
		}
	}
	return left, nil
}
