// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"cmp"
	"fmt"
)

func (q vpcPlanter) balancers() error {
	for i, w := range q.world.LoadBalancers {
		if err := q.balancer(w); err != nil {
			return fmt.Errorf("load_balancers[%d]: %w", i, err)
		}
	}
	return nil
}

// balancer makes a load balancer with its interfaces and target groups.
func (q vpcPlanter) balancer(w WorldBalancer) error {
	ids := []string{}
	for _, ref := range w.Subnets {
		s, err := q.subnet(ref)
		if err != nil {
			return err
		}
		ids = append(ids, s.ID)
	}
	held, err := q.groupIDs(w.Groups)
	if err != nil {
		return err
	}
	base := std{account: q.account, region: q.region, made: q.opt.Now(), Tags: WorldThing{Tags: w.Tags}.tags()}
	kind := cmp.Or(w.Type, "classic")
	scheme := cmp.Or(w.Scheme, "internet-facing")
	arn := "arn:aws:elasticloadbalancing:" + q.region + ":" + q.account.id
	short := map[string]string{"classic": w.Name, "application": "app/", "network": "net/"}[kind]
	if short == "" {
		return fmt.Errorf("type: %q is none of classic, application, network", kind)
	}
	b := &balancer{std: base, Name: w.Name, VPC: q.vpc.ID, Scheme: scheme, Type: kind, Family: "ipv4", Subnets: ids, Groups: held, Protected: w.Protected}
	if kind != "classic" {
		short += w.Name + "/" + q.digest("balancer", q.vpc.ID, w.Name)[:16]
		b.ID = arn + ":loadbalancer/" + short
	}
	if !w.Bare {
		if kind == "classic" {
			base.ID = arn + ":loadbalancer/" + w.Name
			q.classics.add(&classic{std: base, Name: w.Name, VPC: q.vpc.ID, Scheme: scheme, Subnets: ids, Groups: held})
		} else {
			q.modern.add(b)
		}
		for _, ref := range w.Subnets {
			like := networkInterface{
				Type: map[bool]string{true: "network_load_balancer", false: "interface"}[kind == "network"], Description: "ELB " + short,
				Requester: "amazon-elb", Attachment: "ela-attach-" + q.digest("lb", short, ref)[:8],
			}
			if _, err := q.interfaceIn(ref, w.Groups, like); err != nil {
				return err
			}
		}
	}
	for _, name := range w.TargetGroups {
		t := &targetGroup{std: base, Name: name, VPC: q.vpc.ID, Protocol: "TCP", Port: 80, Target: "instance"}
		t.ID = arn + ":targetgroup/" + name + "/" + q.digest("targets", q.vpc.ID, name)[:16]
		if !w.Bare {
			t.Balancer = b.ID
		}
		q.targets.add(t)
	}
	return nil
}
