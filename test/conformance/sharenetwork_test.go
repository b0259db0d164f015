// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

func TestShareNetworks(t *testing.T) { on(t, "share-networks", ofShareNetworks) }

var ofShareNetworks = []trial{
	{"a share network names a network and a subnet", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		made := l.a.make("share:share-networks", M{"name": "s", "neutron_net_id": n.id(), "neutron_subnet_id": s.id()})
		read := l.a.get("share:share-networks/" + made.id())
		l.equal("network", read["neutron_net_id"], n.id())
		l.equal("subnet", read["neutron_subnet_id"], s.id())
		l.a.drop("share:share-networks/" + made.id())
		l.a.gone("itemNotFound", "share:share-networks/"+made.id())
	}},
	{"it is found by name, network and subnet", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.make("share:share-networks", M{"name": "s", "neutron_net_id": n.id(), "neutron_subnet_id": s.id()})
		l.a.make("share:share-networks", M{"name": "s", "neutron_net_id": nobody, "neutron_subnet_id": nobody})
		query := "share:share-networks/detail?name=s&neutron_net_id=" + n.id() + "&neutron_subnet_id=" + s.id()
		l.equal("found", len(l.a.list(query)), 1)
		l.equal("by name", len(l.a.list("share:share-networks/detail?name=s")), 2)
		l.equal("none", len(l.a.list("share:share-networks/detail?name=other")), 0)
	}},
	{"Neutron is not asked whether the network is there", func(l *lab) {
		l.a.make("share:share-networks", M{"name": "s", "neutron_net_id": nobody, "neutron_subnet_id": nobody})
	}},
	{"a network without a subnet, or the other way round, is refused", func(l *lab) {
		l.a.refused(400, "badRequest", "POST", "share:share-networks", M{"share_network": M{"neutron_net_id": nobody}})
		l.a.refused(400, "badRequest", "POST", "share:share-networks", M{"share_network": M{"neutron_subnet_id": nobody}})
	}},
	{"it keeps neither the network nor the subnet", func(l *lab) {
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		l.a.make("share:share-networks", M{"name": "s", "neutron_net_id": n.id(), "neutron_subnet_id": s.id()})
		l.a.drop("subnets/" + s.id())
		l.a.drop("networks/" + n.id())
	}},
	{"name and description can be changed", func(l *lab) {
		made := l.a.make("share:share-networks", M{"name": "s"})
		l.equal("name", l.a.set("share:share-networks/"+made.id(), M{"name": "t", "description": "d"})["name"], "t")
	}},
	{"a stranger's, and one that is not there, is neither seen nor deleted", func(l *lab) {
		made := l.b.make("share:share-networks", M{"name": "s"})
		for _, id := range []string{made.id(), nobody} {
			l.a.gone("itemNotFound", "share:share-networks/"+id)
			l.a.refused(404, "itemNotFound", "DELETE", "share:share-networks/"+id, nil)
		}
		l.equal("listed", len(l.a.list("share:share-networks/detail")), 0)
	}},
}
