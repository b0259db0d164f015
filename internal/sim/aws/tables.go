// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import "slices"

// routeTable is a route table.
type routeTable struct {
	std
	VPC          string
	Routes       []*route
	Associations []*association
}

// association of a route table with a subnet, a gateway, or, as the main one, with the VPC.
type association struct {
	ID, Subnet, Gateway string
	Main                bool
}

func (t *routeTable) isMain() bool {
	return slices.ContainsFunc(t.Associations, func(a *association) bool { return a.Main })
}

var routeTables = &kind[*routeTable]{
	resource: "route-table", prefix: "rtb-", noun: "routeTable ID",
	notFound: "InvalidRouteTableID.NotFound", malformed: "InvalidRouteTableId.Malformed",
	of: func(c *Cloud) *table[*routeTable] { return &c.tables }, ids: "RouteTableId", set: "routeTableSet",
	// Participants see the tables of the subnets that are shared with them.
	sees: func(c *call, t *routeTable) bool {
		return c.cloud.subnets.any(func(s *subnet) bool {
			return s.VPC == t.VPC && s.sharedWith(c.account) && c.cloud.tableOf(s) == t
		})
	},
	filters: map[string]func(*call, *routeTable) []string{
		"vpc-id":         one(func(t *routeTable) string { return t.VPC }),
		"route-table-id": one(func(t *routeTable) string { return t.ID }),
		"association.main": each(func(t *routeTable) (all []string) {
			for _, a := range t.Associations {
				all = append(all, text(a.Main))
			}
			return all
		}),
		"association.subnet-id":                  associated(func(a *association) string { return a.Subnet }),
		"association.gateway-id":                 associated(func(a *association) string { return a.Gateway }),
		"association.route-table-association-id": associated(func(a *association) string { return a.ID }),
		"association.route-table-id": each(func(t *routeTable) []string {
			if len(t.Associations) == 0 {
				return nil
			}
			return []string{t.ID}
		}),
		"route.destination-cidr-block":      routed(func(_ *Cloud, r *route) string { return r.is4() }),
		"route.destination-ipv6-cidr-block": routed(func(_ *Cloud, r *route) string { return r.is6() }),
		"route.gateway-id":                  routed(func(_ *Cloud, r *route) string { return r.Targets["gatewayId"] }),
		"route.nat-gateway-id":              routed(func(_ *Cloud, r *route) string { return r.Targets["natGatewayId"] }),
		"route.origin":                      routed(func(_ *Cloud, r *route) string { return r.Origin }),
		"route.state":                       routed(func(c *Cloud, r *route) string { return c.stateOf(r) }),
	},
	show: showTable,
}

func associated(read func(*association) string) func(*call, *routeTable) []string {
	return func(_ *call, t *routeTable) (all []string) {
		for _, a := range t.Associations {
			all = append(all, read(a))
		}
		return all
	}
}

func routed(read func(*Cloud, *route) string) func(*call, *routeTable) []string {
	return func(c *call, t *routeTable) (all []string) {
		for _, r := range t.Routes {
			all = append(all, read(c.cloud, r))
		}
		return all
	}
}

// tableOf is the table that a subnet uses: its own, else the main one.
func (c *Cloud) tableOf(s *subnet) *routeTable {
	var main *routeTable
	for _, t := range c.tables.all {
		if t.VPC != s.VPC {
			continue
		}
		if slices.ContainsFunc(t.Associations, func(a *association) bool { return a.Subnet == s.ID }) {
			return t
		}
		if t.isMain() {
			main = t
		}
	}
	return main
}

func showTable(c *call, t *routeTable) object {
	routes, associations := []object{}, []object{}
	for _, r := range c.cloud.routesOf(t) {
		routes = append(routes, r.shown(c.cloud))
	}
	for _, a := range t.Associations {
		associations = append(associations, object{
			{"routeTableAssociationId", a.ID}, {"routeTableId", t.ID}, {"subnetId", some(a.Subnet)}, {"gatewayId", some(a.Gateway)},
			{"main", a.Main}, {"associationState", object{{"state", "associated"}}},
		})
	}
	return object{
		{"routeTableId", t.ID}, {"vpcId", t.VPC}, {"ownerId", t.account.id}, {"routeSet", routes}, {"associationSet", associations},
		{"propagatingVgwSet", []object{}}, {"tagSet", c.tagsOf(t.self())},
	}
}

var tableOperations = operations{
	"ec2 DescribeRouteTables":          {"RouteTableId Filter MaxResults NextToken", routeTables.describe},
	"ec2 CreateRouteTable":             {"VpcId ClientToken TagSpecification", createTable},
	"ec2 DeleteRouteTable":             {"RouteTableId", deleteTable},
	"ec2 AssociateRouteTable":          {"RouteTableId SubnetId GatewayId", associateTable},
	"ec2 DisassociateRouteTable":       {"AssociationId", disassociateTable},
	"ec2 ReplaceRouteTableAssociation": {"AssociationId RouteTableId", replaceAssociation},
	"ec2 CreateRoute":                  {routeParams, createRoute},
	"ec2 ReplaceRoute":                 {routeParams + " LocalTarget", replaceRoute},
	"ec2 DeleteRoute":                  {"RouteTableId DestinationCidrBlock DestinationIpv6CidrBlock DestinationPrefixListId", deleteRoute},
}

// addTable makes a route table, whose local routes are those of the VPC's blocks.
func (c *call) addTable(v *vpc, main bool, t *routeTable) *routeTable {
	if t == nil {
		t = &routeTable{std: std{account: v.account, region: v.region, made: c.now, ID: c.cloud.newID("rtb-", "of", v.ID)}}
	}
	t.VPC = v.ID
	if main {
		t.Associations = []*association{{ID: c.cloud.newID("rtbassoc-", v.ID, t.ID, "main"), Main: true}}
	}
	c.cloud.tables.add(t)
	return t
}

func createTable(c *call) (object, error) {
	v, err := vpcs.own(c, "VpcId")
	if err != nil {
		return nil, err
	}
	if id, err := c.once(); id != "" || err != nil {
		if t, ok := c.cloud.tables.get(id); ok {
			return object{{"routeTable", showTable(c, t)}, {"clientToken", some(c.str("ClientToken"))}}, nil
		}
		if err != nil {
			return nil, err
		}
	}
	n := len(c.cloud.tables.where(func(t *routeTable) bool { return t.VPC == v.ID }))
	if err := c.within("L-589F43AA", n, "RouteTableLimitExceeded", "The maximum number of route tables has been reached."); err != nil {
		return nil, err
	}
	s, err := routeTables.begin(c)
	if err != nil {
		return nil, err
	}
	t := c.addTable(v, false, &routeTable{std: s})
	c.remember(t.ID)
	return object{{"routeTable", showTable(c, t)}, {"clientToken", some(c.str("ClientToken"))}}, nil
}

func deleteTable(c *call) (object, error) {
	t, err := routeTables.own(c, "RouteTableId")
	if err != nil {
		return nil, err
	}
	if len(t.Associations) > 0 || c.cloud.endpoints.any(func(e *endpoint) bool { return slices.Contains(e.Tables, t.ID) }) {
		return nil, dependency("routeTable", t.ID)
	}
	c.cloud.tables.remove(t)
	return object{{"return", true}}, nil
}

func associateTable(c *call) (object, error) {
	t, err := routeTables.own(c, "RouteTableId")
	if err != nil {
		return nil, err
	}
	a := &association{}
	if c.has("GatewayId") {
		g, err := internetGateways.own(c, "GatewayId")
		if err != nil {
			return nil, err
		}
		a.Gateway = g.ID
	} else {
		s, err := subnets.own(c, "SubnetId")
		if err != nil {
			return nil, err
		}
		if s.VPC != t.VPC {
			return nil, invalid("Route table %s and subnet %s belong to different networks", t.ID, s.ID)
		}
		a.Subnet = s.ID
	}
	for _, o := range c.cloud.tables.all {
		for _, old := range o.Associations {
			if !old.Main && old.Subnet == a.Subnet && old.Gateway == a.Gateway {
				return nil, refuse("Resource.AlreadyAssociated", "the specified association for route table %s conflicts with an existing association", t.ID)
			}
		}
	}
	a.ID = c.cloud.newID("rtbassoc-", t.ID, a.Subnet, a.Gateway)
	t.Associations = append(t.Associations, a)
	return object{{"associationId", a.ID}, {"associationState", object{{"state", "associated"}}}}, nil
}

// association finds what AssociationId names.
func (c *call) association() (*routeTable, *association, error) {
	id := c.str("AssociationId")
	for _, t := range routeTables.mine(c) {
		for _, a := range t.Associations {
			if a.ID == id {
				return t, a, nil
			}
		}
	}
	return nil, nil, refuse("InvalidAssociationID.NotFound", "The association ID '%s' does not exist", id)
}

func (t *routeTable) drop(a *association) {
	t.Associations = slices.DeleteFunc(t.Associations, func(o *association) bool { return o == a })
}

func disassociateTable(c *call) (object, error) {
	t, a, err := c.association()
	if err != nil {
		return nil, err
	}
	if a.Main {
		return nil, invalid("cannot disassociate the main route table association %s", a.ID)
	}
	t.drop(a)
	return object{{"return", true}}, nil
}

func replaceAssociation(c *call) (object, error) {
	old, a, err := c.association()
	if err != nil {
		return nil, err
	}
	t, err := routeTables.own(c, "RouteTableId")
	if err != nil {
		return nil, err
	}
	if t.VPC != old.VPC {
		return nil, invalid("Route tables %s and %s belong to different networks", old.ID, t.ID)
	}
	old.drop(a)
	moved := &association{ID: c.cloud.newID("rtbassoc-", t.ID, a.Subnet, a.Gateway), Subnet: a.Subnet, Gateway: a.Gateway, Main: a.Main}
	t.Associations = append(t.Associations, moved)
	return object{{"newAssociationId", moved.ID}, {"associationState", object{{"state", "associated"}}}}, nil
}
