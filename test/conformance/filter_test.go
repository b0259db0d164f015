// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestFilters(t *testing.T) { on(t, "filters", ofFilters) }

var ofFilters = []trial{
	{"the same filter repeated means one or the other", func(l *lab) {
		n, m := l.a.network("n"), l.a.network("m")
		l.a.network("o")
		l.equal("by ID", pluck(l.a.list("networks?id="+n.id()+"&id="+m.id()), "name"), []string{"m", "n"})
		l.equal("by name", pluck(l.a.list("networks?name=n&name=m"), "name"), []string{"m", "n"})
		l.equal("one of them missing", pluck(l.a.list("networks?id="+n.id()+"&id="+nobody), "name"), []string{"n"})
	}},
	{"different filters must all be met", func(l *lab) {
		n, m := l.a.network("n"), l.a.network("m")
		l.equal("found", len(l.a.list("networks?id="+n.id()+"&name=m")), 0)
		l.equal("found", len(l.a.list("networks?id="+m.id()+"&name=m")), 1)
	}},
	{"a description is matched as a whole", func(l *lab) {
		text := "shoot--p--a 5ca1ab1e/network: (a=1&b=2) ü"
		ours := []string{
			l.a.make("networks", M{"description": text}).id(),
			l.a.make("subnets", M{"network_id": l.a.network("n").id(), "ip_version": 4, "cidr": "10.1.0.0/24", "description": text}).id(),
			l.a.make("routers", M{"description": text}).id(),
			l.a.make("security-groups", M{"description": text}).id(),
		}
		for i, collection := range []string{"networks", "subnets", "routers", "security-groups"} {
			l.equal(collection, pluck(l.a.list(collection+"?description="+escaped(text)), "id"), ours[i:i+1])
			l.equal(collection+" by a part", len(l.a.list(collection+"?description="+escaped(text[:20]))), 0)
		}
	}},
	{"an empty filter finds what has nothing there", func(l *lab) {
		l.a.network("n")
		l.a.make("networks", M{"name": "m", "description": "d"})
		l.equal("found", pluck(l.a.list("networks?description="), "name"), []string{"n", "public"})
	}},
	{"an unknown filter is refused", func(l *lab) {
		l.a.refused(400, "HTTPBadRequest", "GET", "networks?colour=green", nil)
	}},
	{"subnets are found by network, name, version and CIDR", func(l *lab) {
		n := l.a.network("n")
		four := l.a.make("subnets", M{"network_id": n.id(), "ip_version": 4, "cidr": "10.1.0.0/24", "name": "four"}).id()
		six := l.a.make("subnets", M{"network_id": n.id(), "ip_version": 6, "cidr": "fd00:1::/64", "name": "six"}).id()
		l.equal("by network", len(l.a.list("subnets?network_id="+n.id())), 2)
		l.equal("by network and name", pluck(l.a.list("subnets?network_id="+n.id()+"&name=six"), "id"), []string{six})
		l.equal("by version", pluck(l.a.list("subnets?ip_version=4"), "id"), []string{four})
		l.equal("by CIDR", pluck(l.a.list("subnets?cidr=10.1.0.0/24"), "id"), []string{four})
	}},
	{"external networks are found by name and flag, by every member", func(l *lab) {
		external, _ := l.external()
		l.a.network("public")
		found := l.a.list("networks?name=public&router:external=true")
		l.equal("found", pluck(found, "id"), []string{external.id()})
		l.equal("not external", len(l.a.list("networks?name=public&router:external=false")), 1)
	}},
	{"only the fields that are asked for come", func(l *lab) {
		n := l.a.network("n")
		l.equal("fields", l.a.list("networks?name=n&fields=id")[0], M{"id": n.id()})
		l.equal("fields", l.a.get("networks/"+n.id()+"?fields=id&fields=name"), M{"id": n.id(), "name": "n"})
	}},
	{"a list with nothing in it is empty and no error", func(l *lab) {
		for _, collection := range []string{"networks?name=x", "subnets?name=x", "routers?name=x", "ports?name=x", "security-groups?name=x", "floatingips", "subnetpools", "address-scopes", "rbac-policies"} {
			l.equal(collection, len(l.a.list(collection)), 0)
		}
	}},
	{"long lists of IDs are answered", func(l *lab) {
		n := l.a.network("n")
		query := "networks?id=" + n.id()
		for i := range 50 {
			query += fmt.Sprintf("&id=00000000-0000-4000-8000-%012d", i)
		}
		l.equal("found", len(quiet(l.a, query)), 1)
	}},
}

func TestPaging(t *testing.T) { on(t, "paging", ofPaging) }

var ofPaging = []trial{
	{"a page of a limited size says where the next one is and the last one does not", func(l *lab) {
		for _, name := range []string{"a", "b", "c", "d"} {
			l.a.network(name)
		}
		all, pages, next := []string{}, 0, l.a.service("network").Endpoint+"networks?limit=2"
		for next != "" && pages < 9 {
			body := object(l.a.try("GET", next, nil).Body)
			all, pages, next = append(all, pluck(body.parts("networks"), "name")...), pages+1, ""
			for _, link := range body.parts("networks_links") {
				if link["rel"] == "next" {
					next = link.str("href")
				}
			}
		}
		slices.Sort(all)
		l.equal("all", strings.Join(all, " "), "a b c d public")
		l.equal("pages", pages, 3)
	}},
	{"a list is sorted as asked", func(l *lab) {
		for _, name := range []string{"b", "c", "a"} {
			l.a.network(name)
		}
		l.equal("up", inOrder(l.a.list("networks?sort_key=name&sort_dir=asc"), "name"), []string{"a", "b", "c", "public"})
		l.equal("down", inOrder(l.a.list("networks?sort_key=name&sort_dir=desc"), "name"), []string{"public", "c", "b", "a"})
	}},
	{"a marker is the last one that was seen", func(l *lab) {
		marker := ""
		for _, name := range []string{"a", "b", "c"} {
			if n := l.a.network(name); name == "a" {
				marker = n.id()
			}
		}
		l.equal("after a", inOrder(quiet(l.a, "networks?sort_key=name&sort_dir=asc&limit=1&marker="+marker), "name"), []string{"b"})
	}},
	{"a limit that is no number is refused", func(l *lab) {
		l.a.refused(400, "BadRequest", "GET", "networks?limit=some", nil)
	}},
}
