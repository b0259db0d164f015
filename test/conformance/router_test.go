// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"strings"
	"testing"
)

func TestRouters(t *testing.T) { on(t, "routers", ofRouters) }

var ofRouters = []trial{
	{"a router without a gateway has none in its answer", func(l *lab) {
		r := l.a.router("r")
		l.equal("gateway", r["external_gateway_info"], nil)
		l.equal("routes", len(r.parts("routes")), 0)
		l.equal("read again", l.a.get("routers/"+r.id()).str("name"), "r")
	}},
	{"a router with a gateway has an address in the external network and SNAT", func(l *lab) {
		network, subnet := l.external()
		r := l.a.make("routers", M{"name": "r", "external_gateway_info": gatewayTo(network)})
		gateway := r.part("external_gateway_info")
		l.equal("network", gateway.str("network_id"), network.id())
		l.equal("SNAT", gateway["enable_snat"], true)
		l.equal("subnets", pluck(gateway.parts("external_fixed_ips"), "subnet_id"), []string{subnet.id()})
	}},
	{"the subnet and the address of the gateway are the administrator's to choose", func(l *lab) {
		network, subnet := l.external()
		bySubnet := M{"network_id": network.id(), "external_fixed_ips": []M{{"subnet_id": subnet.id()}}}
		byAddress := M{"network_id": network.id(), "external_fixed_ips": []M{{"ip_address": "203.0.113.9"}}}
		l.a.refused(403, "PolicyNotAuthorized", "POST", "routers", M{"router": M{"external_gateway_info": bySubnet}})
		r := l.admin.make("routers", M{"external_gateway_info": byAddress})
		l.equal("addresses", pluck(r.part("external_gateway_info").parts("external_fixed_ips"), "ip_address"), []string{"203.0.113.9"})
		r = l.admin.make("routers", M{"external_gateway_info": bySubnet})
		l.equal("addresses", len(r.part("external_gateway_info").parts("external_fixed_ips")), 1)
	}},
	{"a gateway in a subnet of another network is refused", func(l *lab) {
		network, _ := l.external()
		other := l.admin.make("networks", M{"name": "other", "router:external": true})
		s := l.admin.make("subnets", M{"network_id": other.id(), "ip_version": 4, "cidr": "198.51.101.0/24"})
		l.admin.refused(400, "InvalidInput", "POST", "routers", M{"router": M{"external_gateway_info": M{
			"network_id": network.id(), "external_fixed_ips": []M{{"subnet_id": s.id()}}}}})
	}},
	{"a gateway to a network that is not external or not there is refused", func(l *lab) {
		n := l.a.network("n")
		l.a.subnet(n, "10.1.0.0/24")
		text := l.a.refused(400, "BadRequest", "POST", "routers", M{"router": M{"external_gateway_info": gatewayTo(n)}})
		l.equal("says why", strings.Contains(text, "is not an external network"), true)
		l.a.refused(404, "NetworkNotFound", "POST", "routers", M{"router": M{"external_gateway_info": M{"network_id": nobody}}})
		l.equal("routers", len(l.a.list("routers")), 0)
	}},
	{"a gateway to an external network without a subnet has no address", func(l *lab) {
		bare := l.admin.make("networks", M{"name": "bare", "router:external": true})
		r := l.a.make("routers", M{"external_gateway_info": gatewayTo(bare)})
		l.equal("addresses", len(r.part("external_gateway_info").parts("external_fixed_ips")), 0)
	}},
	{"an external network that has no free address gives no gateway", func(l *lab) {
		full := l.admin.make("networks", M{"name": "full", "router:external": true})
		l.admin.make("subnets", M{"network_id": full.id(), "ip_version": 4, "cidr": "198.51.100.0/24",
			"allocation_pools": []M{{"start": "198.51.100.9", "end": "198.51.100.9"}}})
		first := l.a.make("routers", M{"external_gateway_info": gatewayTo(full)})
		l.equal("address", pluck(first.part("external_gateway_info").parts("external_fixed_ips"), "ip_address"), []string{"198.51.100.9"})
		got := l.a.do("POST", "routers", M{"router": M{"name": "second", "external_gateway_info": gatewayTo(full)}})
		l.equal("refused", got.Status/100, 4)
		l.equal("left over", len(l.a.list("routers?name=second")), 0)
	}},
	{"SNAT is the administrator's to choose", func(l *lab) {
		network, _ := l.external()
		info := M{"network_id": network.id(), "enable_snat": false}
		l.a.refused(403, "PolicyNotAuthorized", "POST", "routers", M{"router": M{"external_gateway_info": info}})
		r := l.admin.make("routers", M{"external_gateway_info": info})
		l.equal("SNAT", r.part("external_gateway_info")["enable_snat"], false)
	}},
	{"a gateway can be set later, kept and cleared", func(l *lab) {
		l.seen.revisionsVary()
		network, _ := l.external()
		r := l.a.router("r")
		set := l.a.set("routers/"+r.id(), M{"external_gateway_info": gatewayTo(network)})
		l.equal("network", set.part("external_gateway_info").str("network_id"), network.id())
		again := l.a.set("routers/"+r.id(), M{"name": "s"})
		l.equal("kept", again.part("external_gateway_info"), set.part("external_gateway_info"))
		cleared := l.a.set("routers/"+r.id(), M{"external_gateway_info": M{}})
		l.equal("cleared", cleared["external_gateway_info"], nil)
	}},
	{"the port of a gateway is nobody's in the project", func(l *lab) {
		network, _ := l.external()
		r := l.a.make("routers", M{"external_gateway_info": gatewayTo(network)})
		l.equal("for the member", len(l.a.list("ports?device_id="+r.id())), 0)
		ports := l.admin.list("ports?device_id=" + r.id())
		l.equal("for the administrator", pluck(ports, "device_owner"), []string{"network:router_gateway"})
		l.admin.refused(409, "ServicePortInUse", "DELETE", "ports/"+ports[0].id(), nil)
	}},
	{"a router that is not there can not be read, changed or deleted", func(l *lab) {
		l.a.refused(404, "RouterNotFound", "GET", "routers/"+nobody, nil)
		l.a.refused(404, "RouterNotFound", "PUT", "routers/"+nobody, M{"router": M{"name": "r"}})
		l.a.refused(404, "RouterNotFound", "DELETE", "routers/"+nobody, nil)
	}},
	{"a router with an interface can not be deleted and the answer names the port", func(l *lab) {
		r := l.a.router("r")
		plugged := l.a.plug(r, l.a.subnet(l.a.network("n"), "10.1.0.0/24"))
		text := l.a.refused(409, "RouterInUse", "DELETE", "routers/"+r.id(), nil)
		l.equal("names the port", strings.Contains(text, plugged.str("port_id")), true)
	}},
	{"a router with a gateway only can be deleted and frees the address", func(l *lab) {
		network, _ := l.external()
		r := l.a.make("routers", M{"external_gateway_info": gatewayTo(network)})
		l.a.drop("routers/" + r.id())
		l.equal("ports", len(l.admin.list("ports?network_id="+network.id())), 0)
		l.admin.drop("networks/" + network.id())
	}},
	{"an external network with gateways can not be deleted", func(l *lab) {
		network, subnet := l.external()
		l.a.make("routers", M{"external_gateway_info": gatewayTo(network)})
		l.admin.refused(409, "NetworkInUse", "DELETE", "networks/"+network.id(), nil)
		l.admin.refused(409, "SubnetInUse", "DELETE", "subnets/"+subnet.id(), nil)
	}},
}
