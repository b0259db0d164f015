// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"slices"
	"strings"
)

// balancer is an Application or Network Load Balancer. Its ID is its ARN.
type balancer struct {
	std
	Name, VPC, Scheme, Type, Family string
	Subnets, Groups                 []string
	Protected                       bool // deletion protection
}

// short is the end of the ARN, which descriptions of interfaces name: app/name/0123456789abcdef.
func (b *balancer) short() string {
	_, short, _ := strings.Cut(b.ID, ":loadbalancer/")
	return short
}

// targetGroup is a target group. Its ID is its ARN.
type targetGroup struct {
	std
	Name, VPC, Protocol, Target string
	Port                        int
	Balancer                    string // ARN of the load balancer whose listener uses it
}

var balancerOperations = operations{
	"elasticloadbalancing DescribeLoadBalancers": {"LoadBalancerArns Names Marker PageSize", describeBalancers},
	"elasticloadbalancing DeleteLoadBalancer":    {"LoadBalancerArn", deleteBalancer},
	"elasticloadbalancing DescribeTargetGroups":  {"LoadBalancerArn TargetGroupArns Names Marker PageSize", describeTargets},
	"elasticloadbalancing DeleteTargetGroup":     {"TargetGroupArn", deleteTargets},
	"elasticloadbalancing DescribeTags":          {"ResourceArns", describeBalancerTags},
	"elasticloadbalancing AddTags":               {"ResourceArns Tags", addBalancerTags},
	"elasticloadbalancing RemoveTags":            {"ResourceArns TagKeys", removeBalancerTags},
}

func noBalancer(arns ...string) *refusal {
	return refuse("LoadBalancerNotFound", "One or more load balancers not found: '%s'", strings.Join(arns, ", "))
}

func noTargets(arns ...string) *refusal {
	return refuse("TargetGroupNotFound", "One or more target groups not found: '%s'", strings.Join(arns, ", "))
}

// named are the things of a list that have one of the names, in the list's order; each must be there.
func named[T any](list []T, names []string, of func(T) string, missing func(...string) *refusal) ([]T, error) {
	if len(names) == 0 {
		return list, nil
	}
	for _, name := range names {
		if !slices.ContainsFunc(list, func(v T) bool { return of(v) == name }) {
			return nil, missing(name)
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool { return !slices.Contains(names, of(v)) }), nil
}

func describeBalancers(c *call) (object, error) {
	list := c.cloud.modern.where(func(b *balancer) bool { return c.mine(b.self()) })
	list, err := named(list, c.strs("LoadBalancerArns"), func(b *balancer) string { return b.ID }, noBalancer)
	if err != nil {
		return nil, err
	}
	if list, err = named(list, c.strs("Names"), func(b *balancer) string { return b.Name }, noBalancer); err != nil {
		return nil, err
	}
	list, next, err := balancerPage(c, list)
	if err != nil {
		return nil, err
	}
	shown := []object{}
	for _, b := range list {
		shown = append(shown, b.shown(c.cloud))
	}
	return object{{"LoadBalancers", shown}, {"NextMarker", next}}, nil
}

func (b *balancer) shown(c *Cloud) object {
	zones := []object{}
	for _, id := range b.Subnets {
		if s, ok := c.subnets.get(id); ok {
			zones = append(zones, object{{"ZoneName", s.Zone.Name}, {"SubnetId", id}})
		}
	}
	return object{
		{"LoadBalancerArn", b.ID}, {"LoadBalancerName", b.Name}, {"DNSName", b.Name + ".elb." + b.region + ".amazonaws.com"},
		{"CreatedTime", b.made}, {"VpcId", b.VPC}, {"Scheme", b.Scheme}, {"Type", b.Type}, {"IpAddressType", b.Family},
		{"State", object{{"Code", "active"}}}, {"SecurityGroups", b.Groups}, {"AvailabilityZones", zones},
	}
}

// deleteBalancer succeeds also if there is none. Its listeners go with it, its target groups
// stay, its interfaces go a while later.
func deleteBalancer(c *call) (object, error) {
	b, ok := c.cloud.modern.get(c.str("LoadBalancerArn"))
	if !ok || !c.mine(b.self()) {
		return object{}, nil
	}
	if b.Protected {
		return nil, refuse("OperationNotPermitted", "Load balancer '%s' cannot be deleted because deletion protection is enabled", b.ID)
	}
	for _, t := range c.cloud.targets.all {
		if t.Balancer == b.ID {
			t.Balancer = ""
		}
	}
	c.cloud.letGo(func(i *networkInterface) bool { return i.Description == "ELB "+b.short() })
	c.cloud.modern.remove(b)
	return object{}, nil
}

func describeTargets(c *call) (object, error) {
	list := c.cloud.targets.where(func(t *targetGroup) bool { return c.mine(t.self()) })
	if arn := c.str("LoadBalancerArn"); arn != "" {
		if b, ok := c.cloud.modern.get(arn); !ok || !c.mine(b.self()) {
			return nil, noBalancer(arn)
		}
		list = slices.DeleteFunc(list, func(t *targetGroup) bool { return t.Balancer != arn })
	}
	list, err := named(list, c.strs("TargetGroupArns"), func(t *targetGroup) string { return t.ID }, noTargets)
	if err != nil {
		return nil, err
	}
	if list, err = named(list, c.strs("Names"), func(t *targetGroup) string { return t.Name }, noTargets); err != nil {
		return nil, err
	}
	list, next, err := balancerPage(c, list)
	if err != nil {
		return nil, err
	}
	shown := []object{}
	for _, t := range list {
		shown = append(shown, t.shown())
	}
	return object{{"TargetGroups", shown}, {"NextMarker", next}}, nil
}

func (t *targetGroup) shown() object {
	used := []string{}
	if t.Balancer != "" {
		used = append(used, t.Balancer)
	}
	return object{
		{"TargetGroupArn", t.ID}, {"TargetGroupName", t.Name}, {"Protocol", t.Protocol}, {"Port", t.Port}, {"VpcId", t.VPC},
		{"TargetType", t.Target}, {"LoadBalancerArns", used},
	}
}

// deleteTargets succeeds also if there is none.
func deleteTargets(c *call) (object, error) {
	t, ok := c.cloud.targets.get(c.str("TargetGroupArn"))
	if !ok || !c.mine(t.self()) {
		return object{}, nil
	}
	if t.Balancer != "" {
		return nil, refuse("ResourceInUse", "Target group '%s' is currently in use by a listener or a rule", t.ID)
	}
	c.cloud.targets.remove(t)
	return object{}, nil
}

// arns are the things that ResourceArns names.
func (c *call) arns() (all []*std, err error) {
	names := c.strs("ResourceArns")
	if len(names) == 0 || len(names) > 20 {
		return nil, refuse("ValidationError", "1 to 20 resources can be named, not %d", len(names))
	}
	for _, arn := range names {
		if b, ok := c.cloud.modern.get(arn); ok && c.mine(b.self()) {
			all = append(all, b.self())
		} else if t, ok := c.cloud.targets.get(arn); ok && c.mine(t.self()) {
			all = append(all, t.self())
		} else if strings.Contains(arn, ":targetgroup/") {
			return nil, noTargets(arn)
		} else {
			return nil, noBalancer(arn)
		}
	}
	return all, nil
}

func describeBalancerTags(c *call) (object, error) {
	list, err := c.arns()
	if err != nil {
		return nil, err
	}
	shown := []object{}
	for _, s := range list {
		shown = append(shown, object{{"ResourceArn", s.ID}, {"Tags", s.Tags.as("Key", "Value")}})
	}
	return object{{"TagDescriptions", shown}}, nil
}

func addBalancerTags(c *call) (object, error) {
	list, err := c.arns()
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if err := c.addEntityTags(s); err != nil {
			return nil, err
		}
	}
	return object{}, nil
}

func removeBalancerTags(c *call) (object, error) {
	list, err := c.arns()
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		c.dropEntityTags(s)
	}
	return object{}, nil
}
