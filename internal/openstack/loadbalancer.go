// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"strings"

	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/pagination"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// LoadBalancer is an Octavia load balancer. Kubernetes makes them, we only
// remove what a cluster has left.
type LoadBalancer struct {
	Name, Status string // Status is the provisioning_status
	Subnet       engine.ID
	Port         engine.ID // of its address
	Address      string
}

type loadBalancerReader interface {
	// LoadBalancers returns none where there is no Octavia.
	LoadBalancers(ctx context.Context, q Query) ([]Found[LoadBalancer], error)
}

type loadBalancerWriter interface {
	// DeleteLoadBalancer asks for the deletion with all that belongs to it, and
	// says whether it was taken: one that is being changed takes none.
	DeleteLoadBalancer(ctx context.Context, id engine.ID) (taken bool, err error)
	// LoadBalancerStatus returns the provisioning_status; empty if it is gone.
	LoadBalancerStatus(ctx context.Context, id engine.ID) (string, error)
}

// LoadBalancers removes load balancers.
type LoadBalancers struct{}

var _ engine.Remover[Writer] = LoadBalancers{}

// Kind implements engine.Remover.
func (LoadBalancers) Kind() string { return "load-balancer" }

// Delete implements engine.Remover. It returns when the load balancer is gone,
// because its port holds the subnet until then.
func (LoadBalancers) Delete(ctx context.Context, w Writer, r engine.Record) error {
	err := engine.Poll(ctx, "the load balancer to take the deletion", func(ctx context.Context) (bool, error) { return w.DeleteLoadBalancer(ctx, r.ID) })
	if err != nil {
		return err
	}
	return engine.Poll(ctx, "the load balancer to be gone", func(ctx context.Context) (bool, error) {
		switch status, err := w.LoadBalancerStatus(ctx, r.ID); {
		case err != nil:
			return false, err
		case status == "" || status == "DELETED":
			return true, nil
		case status == "ERROR":
			return false, fault.Errorf(fault.Conflict, "the deletion of load balancer %s ended in provisioning_status ERROR: ask the cloud's operator", r.ID)
		}
		return false, nil
	})
}

// servicePrefix begins the names of the load balancers of a cluster's Services.
// The "_" behind the cluster's name keeps clusters apart of which one's name
// begins with the other's. Source: cloud-provider-openstack, GetLoadBalancerName.
func (c Config) servicePrefix() string { return "kube_service_" + c.TechnicalID + "_" }

// loadBalancers reads those of the cluster.
func (s *survey) loadBalancers(ctx context.Context) {
	all, err := s.r.LoadBalancers(ctx, Query{"project_id": {s.f.Project}})
	s.f.LoadBalancersErr = err
	for _, lb := range all {
		if strings.HasPrefix(lb.Name, s.c.servicePrefix()) {
			s.f.LoadBalancers = append(s.f.LoadBalancers, lb)
		}
	}
}

// sweepLoadBalancers lists what the cluster's Services have left. They go
// before everything that their addresses hold. Their floating IPs stay: an
// address that others may have in their configuration is not given back unasked.
func (t *topology) sweepLoadBalancers() {
	var left []engine.Record
	for _, lb := range t.f.LoadBalancers {
		t.swept[string(lb.ID)] = true
		left = append(left, engine.Record{Kind: LoadBalancers{}.Kind(), Name: lb.Name, ID: lb.ID, Elements: map[string][]string{"load balancer": {lb.Name + " at " + lb.State.Address}}})
	}
	if len(left) > 0 {
		t.Sweep("load-balancers", left, t.holders()...)
	}
	t.Unsure("load balancers of the cluster", "", t.f.LoadBalancersErr, LoadBalancers{})
}

// holders are the nodes that leftovers keep from being deleted.
func (t *topology) holders() (names []string) {
	for _, v := range t.Views() {
		switch v.Kind {
		case Interfaces{}.Kind(), Subnets{}.Kind(), Networks{}.Kind(), Routers{}.Kind(), SecurityGroups{}.Kind():
			names = append(names, v.Name)
		}
	}
	return names
}

func foundLoadBalancer(l loadbalancers.LoadBalancer) Found[LoadBalancer] {
	return Found[LoadBalancer]{engine.ID(l.ID), l.Name, l.Description, l.ProjectID,
		LoadBalancer{l.Name, l.ProvisioningStatus, engine.ID(l.VipSubnetID), engine.ID(l.VipPortID), l.VipAddress}}
}

// LoadBalancers implements Reader.
func (c *Client) LoadBalancers(ctx context.Context, q Query) ([]Found[LoadBalancer], error) {
	if c.balancer == nil {
		return nil, nil
	}
	all, err := list(ctx, c.balancer, "lbaas/loadbalancers", q,
		func(r pagination.PageResult) pagination.Page {
			return loadbalancers.LoadBalancerPage{LinkedPageBase: pagination.LinkedPageBase{PageResult: r}}
		}, loadbalancers.ExtractLoadBalancers)
	return found(all, foundLoadBalancer), err
}

// DeleteLoadBalancer implements Writer.
func (c *Client) DeleteLoadBalancer(ctx context.Context, id engine.ID) (bool, error) {
	err := translate("deleting load balancer "+string(id),
		loadbalancers.Delete(ctx, c.balancer, string(id), loadbalancers.DeleteOpts{Cascade: true}).ExtractErr())
	if fault.Is(err, fault.Conflict) {
		return false, nil // it is PENDING_…: later
	}
	return true, gone(err)
}

// LoadBalancerStatus implements Writer.
func (c *Client) LoadBalancerStatus(ctx context.Context, id engine.ID) (string, error) {
	l, err := loadbalancers.Get(ctx, c.balancer, string(id)).Extract()
	if err != nil {
		return "", gone(translate("reading load balancer "+string(id), err))
	}
	return l.ProvisioningStatus, nil
}
