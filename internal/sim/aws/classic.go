// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import "slices"

// balancing is what both APIs of load balancers hold.
type balancing struct {
	classics table[*classic]
	modern   table[*balancer]
	targets  table[*targetGroup]
}

// classic is a Classic Load Balancer. Load balancers are planted; nobody makes them here.
type classic struct {
	std
	Name, VPC, Scheme string
	Subnets, Groups   []string
}

var classicOperations = operations{
	"elb DescribeLoadBalancers": {"LoadBalancerNames Marker PageSize", describeClassics},
	"elb DescribeTags":          {"LoadBalancerNames", describeClassicTags},
	"elb AddTags":               {"LoadBalancerNames Tags", addClassicTags},
	"elb DeleteLoadBalancer":    {"LoadBalancerName", deleteClassic},
}

// named finds classic load balancers by name.
func (c *call) named(names []string) (list []*classic, err error) {
	for _, name := range names {
		i := slices.IndexFunc(c.cloud.classics.all, func(l *classic) bool { return l.Name == name && c.mine(l.self()) })
		if i < 0 {
			return nil, refuse("LoadBalancerNotFound", "There is no ACTIVE Load Balancer named '%s'", name)
		}
		list = append(list, c.cloud.classics.all[i])
	}
	return list, nil
}

// balancerPage is a page of load balancers, by Marker and PageSize.
func balancerPage[T any](c *call, list []T) ([]T, any, error) {
	size, err := c.number("PageSize", 400)
	if err != nil {
		return nil, nil, err
	}
	if size < 1 || size > 400 {
		return nil, nil, refuse("ValidationError", "The page size must be between 1 and 400")
	}
	start, ok := pageStart(c.str("Marker"))
	if !ok {
		return nil, nil, refuse("ValidationError", "The marker '%s' is invalid", c.str("Marker"))
	}
	list, next, err := cut(list, start, size)
	return list, some(next), err
}

func describeClassics(c *call) (object, error) {
	list := c.cloud.classics.where(func(l *classic) bool { return c.mine(l.self()) })
	if names := c.strs("LoadBalancerNames"); len(names) > 0 {
		var err error
		if list, err = c.named(names); err != nil {
			return nil, err
		}
	}
	list, next, err := balancerPage(c, list)
	if err != nil {
		return nil, err
	}
	shown := []object{}
	for _, l := range list {
		shown = append(shown, l.shown(c.cloud))
	}
	return object{{"LoadBalancerDescriptions", shown}, {"NextMarker", next}}, nil
}

func (l *classic) shown(c *Cloud) object {
	zones := []string{}
	for _, id := range l.Subnets {
		if s, ok := c.subnets.get(id); ok {
			zones = append(zones, s.Zone.Name)
		}
	}
	return object{
		{"LoadBalancerName", l.Name}, {"DNSName", l.Name + "." + l.region + ".elb.amazonaws.com"}, {"CreatedTime", l.made},
		{"VPCId", l.VPC}, {"Scheme", l.Scheme}, {"Subnets", l.Subnets}, {"SecurityGroups", l.Groups}, {"AvailabilityZones", zones},
	}
}

func describeClassicTags(c *call) (object, error) {
	names := c.strs("LoadBalancerNames")
	if len(names) == 0 || len(names) > 20 {
		return nil, refuse("ValidationError", "1 to 20 load balancers can be named, not %d", len(names))
	}
	list, err := c.named(names)
	if err != nil {
		return nil, err
	}
	shown := []object{}
	for _, l := range list {
		shown = append(shown, object{{"LoadBalancerName", l.Name}, {"Tags", l.Tags.as("Key", "Value")}})
	}
	return object{{"TagDescriptions", shown}}, nil
}

func addClassicTags(c *call) (object, error) {
	list, err := c.named(c.strs("LoadBalancerNames"))
	if err != nil {
		return nil, err
	}
	for _, l := range list {
		if err := c.addEntityTags(l.self()); err != nil {
			return nil, err
		}
	}
	return object{}, nil
}

// deleteClassic succeeds also if there is none. Its interfaces go a while later.
func deleteClassic(c *call) (object, error) {
	list, err := c.named([]string{c.str("LoadBalancerName")})
	if err != nil {
		return object{}, nil //nolint:nilerr // as documented
	}
	l := list[0]
	c.cloud.letGo(func(i *networkInterface) bool {
		return i.Description == "ELB "+l.Name && i.account == l.account && i.VPC == l.VPC
	})
	c.cloud.classics.remove(l)
	return object{}, nil
}
