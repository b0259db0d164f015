// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

func TestTags(t *testing.T) { on(t, "tags", ofTags) }

var ofTags = []trial{
	{"tags can be set, replaced, read and taken away", func(l *lab) {
		n := l.a.network("n")
		path := "networks/" + n.id() + "/tags"
		l.a.ok("PUT", path, M{"tags": []string{"one", "two"}})
		l.a.ok("PUT", path+"/three", nil)
		l.equal("tags", l.a.get("networks/"+n.id()).texts("tags"), []string{"one", "three", "two"})
		l.a.drop(path + "/one")
		l.equal("tags", object(l.a.ok("GET", path, nil).Body).texts("tags"), []string{"three", "two"})
		l.a.drop(path)
		l.equal("tags", l.a.get("networks/"+n.id()).texts("tags"), []string{})
	}},
	{"every thing of a cluster can have some", func(l *lab) {
		n, r, g := l.a.network("n"), l.a.router("r"), l.a.make("security-groups", M{"name": "g"})
		for _, path := range []string{"networks/" + n.id(), "subnets/" + l.a.subnet(n, "10.1.0.0/24").id(), "routers/" + r.id(),
			"security-groups/" + g.id(), "ports/" + l.a.port(n, nil).id()} {
			l.a.ok("PUT", path+"/tags/kubernetes.io-cluster-x", nil)
			l.equal(path, l.a.get(path).texts("tags"), []string{"kubernetes.io-cluster-x"})
		}
	}},
	{"things are found by all tags, any of them, or none", func(l *lab) {
		both, one := l.a.network("both"), l.a.network("one")
		l.a.network("none")
		l.a.ok("PUT", "networks/"+both.id()+"/tags", M{"tags": []string{"x", "y"}})
		l.a.ok("PUT", "networks/"+one.id()+"/tags", M{"tags": []string{"x"}})
		l.equal("all", pluck(l.a.list("networks?tags=x,y"), "name"), []string{"both"})
		l.equal("any", pluck(l.a.list("networks?tags-any=x,y"), "name"), []string{"both", "one"})
		l.equal("not", pluck(l.a.list("networks?not-tags=x"), "name"), []string{"none", "public"})
	}},
	{"a tag that is there can be set again", func(l *lab) {
		n := l.a.network("n")
		l.a.ok("PUT", "networks/"+n.id()+"/tags/t", nil)
		l.a.ok("PUT", "networks/"+n.id()+"/tags/t", nil)
		l.a.ok("GET", "networks/"+n.id()+"/tags/t", nil)
	}},
	{"a tag that is not there can not be read or taken away", func(l *lab) {
		n := l.a.network("n")
		l.a.refused(404, "TagNotFound", "GET", "networks/"+n.id()+"/tags/t", nil)
		l.a.refused(404, "TagNotFound", "DELETE", "networks/"+n.id()+"/tags/t", nil)
	}},
	{"a tag in the body of a new thing is refused", func(l *lab) {
		l.a.refused(400, "HTTPBadRequest", "POST", "networks", M{"network": M{"tags": []string{"t"}}})
	}},
}
