// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"cmp"
	"fmt"
	"strings"
)

// interfaceIn makes an interface in a subnet of the VPC.
func (q vpcPlanter) interfaceIn(subnet string, groups []string, like networkInterface) (*networkInterface, error) {
	s, err := q.subnet(subnet)
	if err != nil {
		return nil, err
	}
	if like.Groups, err = q.groupIDs(groups); err != nil {
		return nil, err
	}
	return q.request("").addInterface(s, like)
}

func (q vpcPlanter) instances() error {
	for i, w := range q.world.Instances {
		s, err := q.subnet(w.Subnet)
		if err != nil {
			return fmt.Errorf("instances[%d]: %w", i, err)
		}
		at := q.request(w.ID, "·in", s.ID, "·name", w.Name, "·number", text(i))
		m := &instance{Subnet: s.ID, VPC: s.VPC, State: cmp.Or(w.State, "running"), Type: cmp.Or(w.Type, "m5.large")}
		if _, known := codes[m.State]; !known {
			return fmt.Errorf("instances[%d].state: there is no state %q", i, m.State)
		}
		if m.std, err = instances.begin(at); err != nil {
			return fmt.Errorf("instances[%d]: %w", i, err)
		}
		m.Tags = w.tags()
		q.Cloud.instances.add(m)
		if m.State == "terminated" {
			continue
		}
		like := networkInterface{std: std{ID: w.InterfaceID}, Type: "interface", Instance: m.ID, Attachment: "eni-attach-" + m.ID[len("i-"):]}
		if _, err := q.interfaceIn(w.Subnet, w.Groups, like); err != nil {
			return fmt.Errorf("instances[%d]: %w", i, err)
		}
	}
	return nil
}

func (q vpcPlanter) interfaces() error {
	for i, w := range q.world.Interfaces {
		like := networkInterface{
			std: std{ID: w.ID, Tags: w.tags()}, Type: cmp.Or(w.Type, "interface"), Description: w.Description, Requester: w.Requester,
		}
		if w.Attached {
			like.Attachment = "eni-attach-0" + q.digest("attachment", q.vpc.ID)[:16]
		}
		if _, err := q.interfaceIn(w.Subnet, w.Groups, like); err != nil {
			return fmt.Errorf("network_interfaces[%d]: %w", i, err)
		}
	}
	return nil
}

func (q vpcPlanter) nats() error {
	for i, w := range q.world.NATs {
		pairs := []string{"VpcId", q.vpc.ID, "AvailabilityMode", "regional"}
		if w.Subnet != "" {
			s, err := q.subnet(w.Subnet)
			if err != nil {
				return fmt.Errorf("nat_gateways[%d]: %w", i, err)
			}
			pairs = []string{"SubnetId", s.ID, "ConnectivityType", map[bool]string{true: "private"}[w.Private]}
			if !w.Private {
				a, err := q.address(w, s)
				if err != nil {
					return fmt.Errorf("nat_gateways[%d].address: %w", i, err)
				}
				pairs = append(pairs, "AllocationId", a.ID)
			}
		}
		n, err := plant(q.planter, &q.Cloud.nats, w.WorldThing, createNAT, pairs...)
		if err != nil {
			return fmt.Errorf("nat_gateways[%d]: %w", i, err)
		}
		n.State, n.Failure, n.left = cmp.Or(w.State, "available"), "", 0
		if n.State == "deleted" || n.State == "failed" {
			q.releaseNAT(n)
		}
	}
	return nil
}

// address is the address that a NAT gateway names, or a new one.
func (q vpcPlanter) address(w WorldNAT, s *subnet) (*address, error) {
	if w.Address == "" {
		return plant(q.planter, &q.addresses, WorldThing{Name: w.Name}, allocateAddress, "·for", s.ID+w.ID)
	}
	a, ok := called(&q.addresses, w.Address, func(a *address) bool { return q.here(a.self()) })
	if !ok {
		return nil, fmt.Errorf("there is no address %q", w.Address)
	}
	return a, nil
}

func (q vpcPlanter) tables() error {
	for i, w := range q.world.RouteTables {
		if err := q.table(w); err != nil {
			return fmt.Errorf("route_tables[%d].%w", i, err)
		}
	}
	return nil
}

func (q vpcPlanter) table(w WorldRouteTable) error {
	t, err := q.tableFor(w)
	if err != nil {
		return err
	}
	for i, ref := range w.Subnets {
		s, err := q.subnet(ref)
		if err != nil {
			return fmt.Errorf("subnets[%d]: %w", i, err)
		}
		if _, err := associateTable(q.request("", "RouteTableId", t.ID, "SubnetId", s.ID)); err != nil {
			return fmt.Errorf("subnets[%d]: %w", i, err)
		}
	}
	for i, r := range w.Routes {
		if err := q.route(t, r); err != nil {
			return fmt.Errorf("routes[%d]: %w", i, err)
		}
	}
	return nil
}

// tableFor is the main table, with another ID if one is given, or a new one.
func (q vpcPlanter) tableFor(w WorldRouteTable) (*routeTable, error) {
	if !w.Main {
		return plant(q.planter, &q.Cloud.tables, w.WorldThing, createTable, "VpcId", q.vpc.ID)
	}
	t := q.Cloud.tables.where(func(o *routeTable) bool { return o.VPC == q.vpc.ID && o.isMain() })[0]
	if w.ID != "" {
		if err := routeTables.check(w.ID); err != nil {
			return nil, fmt.Errorf("id: %w", err)
		}
		t.ID = w.ID
	}
	t.Tags = w.tags()
	return t, nil
}

// byPrefix are the parameters of targets by what their IDs begin with.
var byPrefix = []struct{ prefix, param string }{
	{"igw-", "GatewayId"}, {"vgw-", "GatewayId"}, {"vpce-", "VpcEndpointId"}, {"nat-", "NatGatewayId"}, {"eigw-", "EgressOnlyInternetGatewayId"},
	{"eni-", "NetworkInterfaceId"}, {"i-", "InstanceId"}, {"tgw-", "TransitGatewayId"}, {"pcx-", "VpcPeeringConnectionId"},
	{"lgw-", "LocalGatewayId"}, {"cagw-", "CarrierGatewayId"}, {"arn:", "CoreNetworkArn"},
}

// route adds a route. What is planted as a black hole may name what there is not.
func (q vpcPlanter) route(t *routeTable, w WorldRoute) error {
	destination := "DestinationCidrBlock"
	switch {
	case strings.HasPrefix(w.Destination, "pl-"):
		destination = "DestinationPrefixListId"
	case strings.Contains(w.Destination, ":"):
		destination = "DestinationIpv6CidrBlock"
	}
	id := q.target(w.Target)
	for _, b := range byPrefix {
		if !strings.HasPrefix(id, b.prefix) {
			continue
		}
		at := q.request("", "RouteTableId", t.ID, destination, w.Destination, b.param, id)
		r, _, err := at.destinationParam()
		if err != nil {
			return err
		}
		if t.same(r) >= 0 || at.local(t, r) {
			return fmt.Errorf("there is a route to %s already", r.destination())
		}
		err = at.targetParam(t, r)
		if err != nil && !w.Blackhole {
			return err
		}
		r.Origin, r.Dead = cmp.Or(w.Origin, "CreateRoute"), w.Blackhole
		t.Routes = append(t.Routes, r)
		return nil
	}
	return fmt.Errorf("the target %q is neither something in the VPC nor an ID", w.Target)
}

// target is the ID that a reference means.
func (q vpcPlanter) target(ref string) string {
	in := q.vpc.ID
	var ids []string
	for _, g := range q.Cloud.gateways.all {
		if g.VPC == in && ref == "igw" {
			ids = append(ids, g.ID)
		}
	}
	for _, g := range q.egress.all {
		if g.VPC == in && ref == "eigw" {
			ids = append(ids, g.ID)
		}
	}
	if n, ok := called(&q.Cloud.nats, ref, func(n *natGateway) bool { return n.VPC == in }); ok {
		ids = append(ids, n.ID)
	}
	if m, ok := called(&q.Cloud.instances, ref, func(m *instance) bool { return m.VPC == in }); ok {
		ids = append(ids, m.ID)
	}
	if n, ok := called(&q.Cloud.interfaces, ref, func(n *networkInterface) bool { return n.VPC == in }); ok {
		ids = append(ids, n.ID)
	}
	return append(ids, ref)[0]
}

func (q vpcPlanter) endpoints() error {
	for i, w := range q.world.Endpoints {
		pairs := []string{"VpcId", q.vpc.ID, "ServiceName", "com.amazonaws." + q.region + "." + w.Service}
		for n, ref := range w.RouteTables {
			t, ok := called(&q.Cloud.tables, ref, func(t *routeTable) bool { return t.VPC == q.vpc.ID })
			if !ok {
				return fmt.Errorf("gateway_endpoints[%d].route_tables[%d]: the VPC has no route table %q", i, n, ref)
			}
			pairs = append(pairs, fmt.Sprintf("RouteTableId.%d", n+1), t.ID)
		}
		if _, err := plant(q.planter, &q.Cloud.endpoints, w.WorldThing, createEndpoint, pairs...); err != nil {
			return fmt.Errorf("gateway_endpoints[%d]: %w", i, err)
		}
	}
	return nil
}
