// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
)

// route is a route that somebody made. Local routes are not kept: they are
// those of the blocks of the VPC.
type route struct {
	Block   netip.Prefix
	List    string            // or a prefix list
	Targets map[string]string // by the names of the answer: gatewayId, natGatewayId, …
	Origin  string
	Dead    bool // planted as a black hole
}

func (r *route) is4() string {
	if r.List == "" && r.Block.Addr().Is4() {
		return r.Block.String()
	}
	return ""
}

func (r *route) is6() string {
	if r.List == "" && r.Block.Addr().Is6() {
		return r.Block.String()
	}
	return ""
}

func (r *route) destination() string { return cmp.Or(r.is4(), r.is6(), r.List) }

// targets are the parameters that name a target, and how the answer names it.
var targets = []struct{ param, shown string }{
	{"GatewayId", "gatewayId"}, {"NatGatewayId", "natGatewayId"}, {"EgressOnlyInternetGatewayId", "egressOnlyInternetGatewayId"},
	{"NetworkInterfaceId", "networkInterfaceId"}, {"InstanceId", "instanceId"}, {"TransitGatewayId", "transitGatewayId"},
	{"VpcPeeringConnectionId", "vpcPeeringConnectionId"}, {"VpcEndpointId", "gatewayId"}, {"LocalGatewayId", "localGatewayId"},
	{"CarrierGatewayId", "carrierGatewayId"}, {"CoreNetworkArn", "coreNetworkArn"},
}

const routeParams = "RouteTableId DestinationCidrBlock DestinationIpv6CidrBlock DestinationPrefixListId GatewayId NatGatewayId " +
	"EgressOnlyInternetGatewayId NetworkInterfaceId InstanceId TransitGatewayId VpcPeeringConnectionId VpcEndpointId LocalGatewayId " +
	"CarrierGatewayId CoreNetworkArn"

// routesOf returns the local routes of a table and the others.
func (c *Cloud) routesOf(t *routeTable) []*route {
	v4, v6 := c.blocksOf(t.VPC)
	var all []*route
	for _, b := range slices.Concat(v4, v6) {
		all = append(all, &route{Block: b, Targets: map[string]string{"gatewayId": "local"}, Origin: "CreateRouteTable"})
	}
	return append(all, t.Routes...)
}

func (r *route) shown(c *Cloud) object {
	o := object{
		{"destinationCidrBlock", some(r.is4())}, {"destinationIpv6CidrBlock", some(r.is6())}, {"destinationPrefixListId", some(r.List)},
	}
	for _, t := range targets {
		if id := r.Targets[t.shown]; id != "" && o.get(t.shown) == nil {
			o = o.with(t.shown, id)
		}
	}
	if r.Targets["instanceId"] != "" {
		if i, ok := c.instances.get(r.Targets["instanceId"]); ok {
			o = o.with("instanceOwnerId", i.account.id)
		}
	}
	return append(o, object{{"origin", r.Origin}, {"state", c.stateOf(r)}}...)
}

// stateOf says whether a route still leads somewhere: it is a black hole when
// its target is gone, detached or not running.
func (c *Cloud) stateOf(r *route) string {
	for name, id := range r.Targets {
		if r.Dead || !c.alive(name, id) {
			return "blackhole"
		}
	}
	return "active"
}

// alive says whether a target takes packets. Of what is not kept here, like transit gateways, it does.
func (c *Cloud) alive(name, id string) bool {
	switch name {
	case "gatewayId":
		g, ok := c.gateways.get(id)
		return !strings.HasPrefix(id, "igw-") || ok && g.VPC != ""
	case "natGatewayId":
		n, ok := c.nats.get(id)
		return ok && (n.State == "available" || n.State == "pending")
	case "egressOnlyInternetGatewayId":
		_, ok := c.egress.get(id)
		return ok
	case "networkInterfaceId":
		i, ok := c.interfaces.get(id)
		return ok && i.Instance != "" // an interface that is attached to nothing takes none
	case "instanceId":
		i, ok := c.instances.get(id)
		return ok && i.State == "running"
	}
	return true
}

// destinationParam reads the destination of a route.
func (c *call) destinationParam() (r *route, name string, err error) {
	r = &route{Origin: "CreateRoute", Targets: map[string]string{}}
	switch {
	case c.has("DestinationCidrBlock"):
		r.Block, err = blockV4("destinationCidrBlock", c.str("DestinationCidrBlock"))
		return r, "destination-cidr-block", err
	case c.has("DestinationIpv6CidrBlock"):
		r.Block, err = blockV6("destinationIpv6CidrBlock", c.str("DestinationIpv6CidrBlock"))
		return r, "destination-ipv6-cidr-block", err
	case c.has("DestinationPrefixListId"):
		r.List = c.str("DestinationPrefixListId")
		return r, "destination-prefix-list-id", nil
	}
	return nil, "", refuse("MissingParameter", "The request must contain exactly one of destinationCidrBlock, destinationIpv6CidrBlock, destinationPrefixListId")
}

// targetParam reads the target of a route, which must exist and fit.
func (c *call) targetParam(t *routeTable, r *route) error {
	n := 0
	for _, target := range targets {
		id := c.str(target.param)
		if id == "" {
			continue
		}
		n++
		r.Targets[target.shown] = id
		if err := c.checkTarget(t, r, target.param, id); err != nil {
			return err
		}
	}
	if n != 1 {
		return refuse("InvalidParameterCombination", "The request must contain exactly one target, not %d", n)
	}
	return nil
}

// checkTarget refuses a target that there is not, or that is of another VPC.
func (c *call) checkTarget(t *routeTable, r *route, param, id string) error {
	differ := func(what string) error {
		return invalid("route table %s and %s %s belong to different networks", t.ID, what, id)
	}
	switch param {
	case "GatewayId":
		return c.checkGateway(t, id, differ)
	case "NatGatewayId":
		n, ok := c.cloud.nats.get(id)
		if !ok || !c.mine(n.self()) || n.leaving {
			return refuse("InvalidNatGatewayID.NotFound", "The natGateway ID '%s' does not exist", id)
		}
		if n.VPC != t.VPC {
			return differ("nat gateway")
		}
	case "EgressOnlyInternetGatewayId":
		return c.checkEgress(t, r, id, differ)
	case "NetworkInterfaceId":
		i, err := networkInterfaces.find(c, id)
		if err != nil {
			return err
		}
		return c.toInterface(t, r, i, differ)
	case "InstanceId":
		return c.toInstance(t, r, id, differ)
	}
	return nil
}

func (c *call) checkEgress(t *routeTable, r *route, id string, differ func(string) error) error {
	g, ok := c.cloud.egress.get(id)
	switch {
	case !ok || !c.mine(g.self()):
		return refuse("InvalidGatewayID.NotFound", "The eigw ID '%s' does not exist", id)
	case r.is6() == "":
		return invalid("An egress-only internet gateway takes only IPv6 routes")
	case g.VPC != t.VPC:
		return differ("egress-only internet gateway")
	}
	return nil
}

// toInstance is a route to the only interface of an instance.
func (c *call) toInstance(t *routeTable, r *route, id string, differ func(string) error) error {
	i, err := instances.find(c, id)
	if err != nil {
		return err
	}
	own := c.cloud.interfaces.where(func(n *networkInterface) bool { return n.Instance == i.ID })
	if len(own) != 1 {
		return refuse("InvalidInstanceID", "The instance %s has %d network interfaces; name one of them", id, len(own))
	}
	return c.toInterface(t, r, own[0], differ)
}

func (c *call) checkGateway(t *routeTable, id string, differ func(string) error) error {
	if !strings.HasPrefix(id, "igw-") { // virtual private gateways and others are not kept
		return nil
	}
	g, ok := c.cloud.gateways.get(id)
	if !ok || !c.mine(g.self()) {
		return refuse("InvalidGatewayID.NotFound", "The gateway ID '%s' does not exist", id)
	}
	if g.VPC != t.VPC {
		return differ("network gateway")
	}
	return nil
}

// toInterface is a route to an interface, and to the instance that has it.
func (c *call) toInterface(t *routeTable, r *route, i *networkInterface, differ func(string) error) error {
	if i.VPC != t.VPC {
		return differ("interface")
	}
	r.Targets["networkInterfaceId"] = i.ID
	if i.Instance != "" {
		r.Targets["instanceId"] = i.Instance
	}
	return nil
}

// same finds the route of a table with the same destination.
func (t *routeTable) same(r *route) int {
	return slices.IndexFunc(t.Routes, func(o *route) bool { return o.destination() == r.destination() })
}

// local says whether the destination is one of the VPC's own.
func (c *call) local(t *routeTable, r *route) bool {
	v4, v6 := c.cloud.blocksOf(t.VPC)
	return r.List == "" && slices.Contains(slices.Concat(v4, v6), r.Block)
}

func createRoute(c *call) (object, error) {
	t, err := routeTables.own(c, "RouteTableId")
	if err != nil {
		return nil, err
	}
	r, _, err := c.destinationParam()
	if err != nil {
		return nil, err
	}
	if err := c.targetParam(t, r); err != nil {
		return nil, err
	}
	if t.same(r) >= 0 || c.local(t, r) {
		return nil, refuse("RouteAlreadyExists", "The route identified by %s already exists.", r.destination())
	}
	n := 0
	for _, o := range t.Routes {
		if (o.is6() == "") == (r.is6() == "") {
			n++
		}
	}
	if err := c.within("L-93826ACB", n, "RouteLimitExceeded", "The maximum number of routes has been reached."); err != nil {
		return nil, err
	}
	t.Routes = append(t.Routes, r)
	return object{{"return", true}}, nil
}

func replaceRoute(c *call) (object, error) {
	t, err := routeTables.own(c, "RouteTableId")
	if err != nil {
		return nil, err
	}
	r, _, err := c.destinationParam()
	if err != nil {
		return nil, err
	}
	i := t.same(r)
	if i < 0 {
		return nil, invalid("There is no route defined for '%s' in the route table. Use CreateRoute instead.", r.destination())
	}
	if err := c.targetParam(t, r); err != nil {
		return nil, err
	}
	t.Routes[i] = r
	return object{{"return", true}}, nil
}

func deleteRoute(c *call) (object, error) {
	t, err := routeTables.own(c, "RouteTableId")
	if err != nil {
		return nil, err
	}
	r, name, err := c.destinationParam()
	if err != nil {
		return nil, err
	}
	if c.local(t, r) {
		return nil, invalid("cannot remove local route %s in route table %s", r.destination(), t.ID)
	}
	i := t.same(r)
	if i < 0 {
		return nil, refuse("InvalidRoute.NotFound", "no route with %s %s in route table %s", name, r.destination(), t.ID)
	}
	t.Routes = slices.Delete(t.Routes, i, i+1)
	return object{{"return", true}}, nil
}
