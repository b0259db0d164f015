// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

func TestExtraRoutes(t *testing.T) { on(t, "extra-routes", ofExtraRoutes) }

var ofExtraRoutes = []trial{
	{"a list replaces the whole list and the order does not matter", func(l *lab) {
		r := l.a.crossing("10.1.0.0/24")
		set := l.a.set("routers/"+r.id(), M{"routes": []M{route("10.9.1.0/24", 7), route("10.9.2.0/24", 8)}})
		l.equal("routes", pluck(set.parts("routes"), "destination"), []string{"10.9.1.0/24", "10.9.2.0/24"})
		set = l.a.set("routers/"+r.id(), M{"routes": []M{route("10.9.3.0/24", 9)}})
		l.equal("routes", set.parts("routes")[0], route("10.9.3.0/24", 9))
		set = l.a.set("routers/"+r.id(), M{"routes": nil})
		l.equal("routes", len(set.parts("routes")), 0)
	}},
	{"one can be added and removed and the others stay", func(l *lab) {
		r := l.a.crossing("10.1.0.0/24")
		l.a.set("routers/"+r.id(), M{"routes": []M{route("10.9.1.0/24", 7)}})
		added := l.a.put("routers/"+r.id()+"/add_extraroutes", M{"router": M{"routes": []M{route("10.9.2.0/24", 8)}}})
		l.equal("routes", pluck(added.parts("routes"), "destination"), []string{"10.9.1.0/24", "10.9.2.0/24"})
		removed := l.a.put("routers/"+r.id()+"/remove_extraroutes", M{"router": M{"routes": []M{route("10.9.1.0/24", 7)}}})
		l.equal("routes", pluck(removed.parts("routes"), "destination"), []string{"10.9.2.0/24"})
	}},
	{"adding one that is there and removing one that is not change nothing", func(l *lab) {
		r := l.a.crossing("10.1.0.0/24")
		l.a.put("routers/"+r.id()+"/add_extraroutes", M{"router": M{"routes": []M{route("10.9.1.0/24", 7)}}})
		before := l.a.get("routers/" + r.id())
		again := l.a.put("routers/"+r.id()+"/add_extraroutes", M{"router": M{"routes": []M{route("10.9.1.0/24", 7)}}})
		l.equal("routes", len(again.parts("routes")), 1)
		gone := l.a.put("routers/"+r.id()+"/remove_extraroutes", M{"router": M{"routes": []M{route("10.9.1.0/24", 8)}}})
		l.equal("routes", gone.parts("routes")[0], before.parts("routes")[0])
	}},
	{"two next hops for one destination are two routes", func(l *lab) {
		r := l.a.crossing("10.1.0.0/24")
		added := l.a.put("routers/"+r.id()+"/add_extraroutes", M{"router": M{"routes": []M{route("10.9.1.0/24", 7), route("10.9.1.0/24", 8)}}})
		l.equal("routes", len(added.parts("routes")), 2)
	}},
	{"a next hop outside the router's subnets is refused", func(l *lab) {
		r := l.a.crossing("10.1.0.0/24")
		bad := M{"router": M{"routes": []M{{"destination": "10.9.0.0/16", "nexthop": "192.0.2.1"}}}}
		l.a.refused(400, "InvalidRoutes", "PUT", "routers/"+r.id(), bad)
		l.a.refused(400, "InvalidRoutes", "PUT", "routers/"+r.id()+"/add_extraroutes", bad)
	}},
	{"a next hop that is the router's own address is refused", func(l *lab) {
		r := l.a.crossing("10.1.0.0/24")
		l.a.refused(400, "InvalidRoutes", "PUT", "routers/"+r.id(), M{"router": M{"routes": []M{route("10.9.0.0/16", 1)}}})
	}},
	{"a route that is none is refused", func(l *lab) {
		r := l.a.crossing("10.1.0.0/24")
		l.a.refused(400, "HTTPBadRequest", "PUT", "routers/"+r.id(), M{"router": M{"routes": []M{{"destination": "ten", "nexthop": "10.1.0.7"}}}})
		l.a.refusedInAnyWords(400, "HTTPBadRequest", "PUT", "routers/"+r.id(), M{"router": M{"routes": []M{{"destination": "10.9.0.0/16"}}}})
	}},
	{"more routes than the quota of 30 are refused", func(l *lab) {
		r := l.a.crossing("10.1.0.0/24")
		many := []M{}
		for i := range 31 {
			many = append(many, route("10.9.0.0/16", 100+i))
		}
		l.a.set("routers/"+r.id(), M{"routes": many[:30]})
		l.a.refused(400, "RoutesExhausted", "PUT", "routers/"+r.id(), M{"router": M{"routes": many}})
		l.a.refused(400, "RoutesExhausted", "PUT", "routers/"+r.id()+"/add_extraroutes", M{"router": M{"routes": many[30:]}})
	}},
	{"a router that is not there has none", func(l *lab) {
		l.a.refused(404, "RouterNotFound", "PUT", "routers/"+nobody+"/add_extraroutes", M{"router": M{"routes": []M{route("10.9.0.0/16", 7)}}})
	}},
}

// crossing makes a router with an interface on one subnet.
func (u *user) crossing(cidr string) object {
	u.lab.Helper()
	r := u.router("r")
	u.plug(r, u.subnet(u.network("n"), cidr))
	return r
}

// route is a route through a host of 10.1.0.0/24.
func route(destination string, host int) M {
	return M{"destination": destination, "nexthop": address(host)}
}
