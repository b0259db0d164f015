// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"strings"
	"testing"
)

func TestNetworks(t *testing.T) { on(t, "networks", ofNetworks) }

var ofNetworks = []trial{
	{"a network belongs to the project that made it and starts with revision 1", func(l *lab) {
		n := l.a.network("n")
		l.equal("owner", n.str("project_id"), l.a.project())
		l.equal("revision", n.revision(), 1)
		l.equal("external", n["router:external"], false)
		l.equal("read again", l.a.get("networks/"+n.id()), n.without("is_default"))
	}},
	{"two networks may have the same name", func(l *lab) {
		l.a.network("n")
		l.a.network("n")
		l.equal("found", len(l.a.list("networks?name=n")), 2)
	}},
	{"a network needs no field at all", func(l *lab) {
		l.equal("name", l.a.make("networks", M{})["name"], "")
	}},
	{"a name and a description can be changed", func(l *lab) {
		n := l.a.network("n")
		changed := l.a.set("networks/"+n.id(), M{"name": "m", "description": "d", "admin_state_up": false})
		l.equal("name", changed["name"], "m")
		l.equal("state", changed["admin_state_up"], false)
	}},
	{"a description of 255 characters is kept and one of 256 is refused", func(l *lab) {
		l.a.make("networks", M{"name": "n", "description": strings.Repeat("x", 255)})
		l.a.refused(400, "HTTPBadRequest", "POST", "networks", M{"network": M{"description": strings.Repeat("x", 256)}})
	}},
	{"a network that is not there can not be read, changed or deleted", func(l *lab) {
		l.a.refused(404, "NetworkNotFound", "GET", "networks/"+nobody, nil)
		l.a.refused(404, "NetworkNotFound", "PUT", "networks/"+nobody, M{"network": M{"name": "m"}})
		l.a.refused(404, "NetworkNotFound", "DELETE", "networks/"+nobody, nil)
	}},
	{"an ID is known only in lower case and with dashes", func(l *lab) {
		n := l.a.network("n")
		l.a.refused(404, "NetworkNotFound", "GET", "networks/"+strings.ToUpper(n.id()), nil)
		l.a.refused(404, "NetworkNotFound", "GET", "networks/"+strings.ReplaceAll(n.id(), "-", ""), nil)
	}},
	{"a network with subnets can be deleted and takes them with it", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.drop("networks/" + n.id())
		l.a.gone("SubnetNotFound", "subnets/"+s.id())
	}},
	{"a network with a port can not be deleted and the answer names the port", func(l *lab) {
		n := l.a.network("n")
		l.a.subnet(n, "10.1.0.0/24")
		p := l.a.port(n, nil)
		text := l.a.refused(409, "NetworkInUse", "DELETE", "networks/"+n.id(), nil)
		l.equal("names the port", strings.Contains(text, p.id()), true)
		l.a.drop("ports/" + p.id())
		l.a.drop("networks/" + n.id())
	}},
	{"a network with a router interface can not be deleted", func(l *lab) {
		n, r := l.a.network("n"), l.a.router("r")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.plug(r, s)
		l.a.refused(409, "NetworkInUse", "DELETE", "networks/"+n.id(), nil)
	}},
	{"a DHCP port does not keep a network or a subnet", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.port(n, M{"device_owner": "network:dhcp", "device_id": "dhcp"})
		l.a.drop("subnets/" + s.id())
		l.a.port(n, M{"device_owner": "network:dhcp", "device_id": "dhcp"})
		l.a.drop("networks/" + n.id())
	}},
	{"a member can not make an external or a shared network", func(l *lab) {
		l.a.refused(403, "PolicyNotAuthorized", "POST", "networks", M{"network": M{"router:external": true}})
		l.a.refused(403, "PolicyNotAuthorized", "POST", "networks", M{"network": M{"shared": true}})
	}},
	{"an unknown field is refused", func(l *lab) {
		l.a.refused(400, "HTTPBadRequest", "POST", "networks", M{"network": M{"colour": "green"}})
	}},
	{"a body without the object is refused", func(l *lab) {
		l.a.refused(400, "HTTPBadRequest", "POST", "networks", M{"name": "n"})
	}},
}
