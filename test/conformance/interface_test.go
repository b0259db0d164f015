// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

func TestRouterInterfaces(t *testing.T) { on(t, "router-interfaces", ofRouterInterfaces) }

var ofRouterInterfaces = []trial{
	{"adding and removing one answers with its port", func(l *lab) {
		r, s := l.a.router("r"), l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		added := l.a.plug(r, s)
		l.equal("subnets", added.texts("subnet_ids"), []string{s.id()})
		port := l.a.get("ports/" + added.str("port_id"))
		l.equal("owner", port["device_owner"], "network:router_interface")
		l.equal("device", port["device_id"], r.id())
		l.equal("address", port.parts("fixed_ips")[0]["ip_address"], "10.1.0.1")
		removed := l.a.unplug(r, s)
		l.equal("port", removed.str("port_id"), added.str("port_id"))
		l.a.gone("PortNotFound", "ports/"+added.str("port_id"))
	}},
	{"router, subnet and network can be deleted right after the interface", func(l *lab) {
		n, r := l.a.network("n"), l.a.router("r")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.plug(r, s)
		l.a.unplug(r, s)
		l.a.drop("routers/" + r.id())
		l.a.drop("subnets/" + s.id())
		l.a.drop("networks/" + n.id())
	}},
	{"adding one twice is refused", func(l *lab) {
		r, s := l.a.router("r"), l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		l.a.plug(r, s)
		l.a.refused(400, "BadRequest", "PUT", "routers/"+r.id()+"/add_router_interface", M{"subnet_id": s.id()})
	}},
	{"removing one that is not there is refused", func(l *lab) {
		r, s := l.a.router("r"), l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		l.a.refused(404, "RouterInterfaceNotFoundForSubnet", "PUT", "routers/"+r.id()+"/remove_router_interface", M{"subnet_id": s.id()})
	}},
	{"a second router finds the gateway's address taken", func(l *lab) {
		r, other, s := l.a.router("r"), l.a.router("other"), l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		l.a.plug(r, s)
		l.a.refused(409, "IpAddressAlreadyAllocated", "PUT", "routers/"+other.id()+"/add_router_interface", M{"subnet_id": s.id()})
	}},
	{"a second router can come in by a port with another address", func(l *lab) {
		n, r, other := l.a.network("n"), l.a.router("r"), l.a.router("other")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.plug(r, s)
		p := l.a.port(n, M{"fixed_ips": []M{{"subnet_id": s.id(), "ip_address": "10.1.0.9"}}})
		added := l.a.put("routers/"+other.id()+"/add_router_interface", M{"port_id": p.id()})
		l.equal("port", added.str("port_id"), p.id())
		l.equal("interfaces", len(l.a.list("ports?device_owner=network:router_interface&fixed_ips=subnet_id%3D"+s.id())), 2)
	}},
	{"a subnet that overlaps one of the router's is refused", func(l *lab) {
		r := l.a.router("r")
		l.a.plug(r, l.a.subnet(l.a.network("n"), "10.1.0.0/16"))
		l.a.refused(400, "BadRequest", "PUT", "routers/"+r.id()+"/add_router_interface",
			M{"subnet_id": l.a.subnet(l.a.network("m"), "10.1.2.0/24").id()})
	}},
	{"a subnet that overlaps the gateway's is refused", func(l *lab) {
		network, _ := l.external()
		r := l.a.make("routers", M{"external_gateway_info": gatewayTo(network)})
		l.a.refused(400, "BadRequest", "PUT", "routers/"+r.id()+"/add_router_interface",
			M{"subnet_id": l.a.subnet(l.a.network("m"), "203.0.0.0/16").id()})
	}},
	{"a subnet without a gateway IP is refused", func(l *lab) {
		r := l.a.router("r")
		s := l.a.make("subnets", M{"network_id": l.a.network("n").id(), "ip_version": 4, "cidr": "10.1.0.0/24", "gateway_ip": nil})
		l.a.refused(400, "BadRequest", "PUT", "routers/"+r.id()+"/add_router_interface", M{"subnet_id": s.id()})
	}},
	{"a router or a subnet that is not there is refused", func(l *lab) {
		r, s := l.a.router("r"), l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		l.a.refused(404, "SubnetNotFound", "PUT", "routers/"+r.id()+"/add_router_interface", M{"subnet_id": nobody})
		l.a.refused(404, "RouterNotFound", "PUT", "routers/"+nobody+"/add_router_interface", M{"subnet_id": s.id()})
		l.a.refused(404, "RouterNotFound", "PUT", "routers/"+nobody+"/remove_router_interface", M{"subnet_id": s.id()})
		l.a.refused(400, "BadRequest", "PUT", "routers/"+r.id()+"/add_router_interface", M{})
	}},
	{"a stranger's subnet is refused", func(l *lab) {
		s := l.b.subnet(l.b.network("theirs"), "10.1.0.0/24")
		l.a.refused(404, "SubnetNotFound", "PUT", "routers/"+l.a.router("r").id()+"/add_router_interface", M{"subnet_id": s.id()})
	}},
	{"the port of one can not be deleted as a port", func(l *lab) {
		added := l.a.plug(l.a.router("r"), l.a.subnet(l.a.network("n"), "10.1.0.0/24"))
		l.a.refused(409, "ServicePortInUse", "DELETE", "ports/"+added.str("port_id"), nil)
	}},
	{"one that a route needs can not be removed", func(l *lab) {
		r, s := l.a.router("r"), l.a.subnet(l.a.network("n"), "10.1.0.0/24")
		l.a.plug(r, s)
		l.a.set("routers/"+r.id(), M{"routes": []M{{"destination": "10.9.0.0/16", "nexthop": "10.1.0.7"}}})
		l.a.refused(409, "RouterInterfaceInUseByRoute", "PUT", "routers/"+r.id()+"/remove_router_interface", M{"subnet_id": s.id()})
	}},
	{"one that a floating IP needs can not be removed", func(l *lab) {
		external, _ := l.external()
		n, s, r := l.a.routed(external, "10.1.0.0/24")
		l.a.make("floatingips", M{"floating_network_id": external.id(), "port_id": l.a.port(n, nil).id()})
		l.a.refused(409, "RouterInterfaceInUseByFloatingIP", "PUT", "routers/"+r.id()+"/remove_router_interface", M{"subnet_id": s.id()})
		l.a.refused(409, "RouterExternalGatewayInUseByFloatingIp", "PUT", "routers/"+r.id(), M{"router": M{"external_gateway_info": M{}}})
	}},
}
