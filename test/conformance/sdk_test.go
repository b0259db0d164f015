// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"errors"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/keypairs"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/extraroutes"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/rules"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"
	"github.com/gophercloud/gophercloud/v2/openstack/sharedfilesystems/v2/sharenetworks"
)

// status returns the HTTP status that an error of gophercloud carries, or 0.
func status(err error) int {
	var code gophercloud.ErrUnexpectedResponseCode
	if errors.As(err, &code) {
		return code.Actual
	}
	return 0
}

// TestGophercloud proves that gophercloud decodes what the clouds say, errors
// and pages included.
func TestGophercloud(t *testing.T) { on(t, "gophercloud", ofGophercloud) }

var ofGophercloud = []trial{
	{"the things of a cluster are made, read and deleted", func(l *lab) {
		ctx, c := l.Context(), l.a.service("network")
		n, err := networks.Create(ctx, c, networks.CreateOpts{Name: "n", Description: "d"}).Extract()
		l.must(err)
		s, err := subnets.Create(ctx, c, subnets.CreateOpts{NetworkID: n.ID, IPVersion: gophercloud.IPv4, CIDR: "10.1.0.0/24"}).Extract()
		l.must(err)
		external, _ := l.external()
		r, err := routers.Create(ctx, c, routers.CreateOpts{Name: "r", GatewayInfo: &routers.GatewayInfo{NetworkID: external.id()}}).Extract()
		l.must(err)
		l.equal("addresses", len(r.GatewayInfo.ExternalFixedIPs), 1)
		added, err := routers.AddInterface(ctx, c, r.ID, routers.AddInterfaceOpts{SubnetID: s.ID}).Extract()
		l.must(err)
		l.equal("subnet", added.SubnetID, s.ID)
		routes := []routers.Route{{DestinationCIDR: "10.9.0.0/24", NextHop: "10.1.0.7"}}
		with, err := extraroutes.Add(ctx, c, r.ID, extraroutes.Opts{Routes: &routes}).Extract()
		l.must(err)
		l.equal("routes", len(with.Routes), 1)
		_, err = routers.RemoveInterface(ctx, c, r.ID, routers.RemoveInterfaceOpts{SubnetID: s.ID}).Extract()
		l.equal("in use", gophercloud.ResponseCodeIs(err, 409), true)
		_, err = extraroutes.Remove(ctx, c, r.ID, extraroutes.Opts{Routes: &routes}).Extract()
		l.must(err)
		_, err = routers.RemoveInterface(ctx, c, r.ID, routers.RemoveInterfaceOpts{SubnetID: s.ID}).Extract()
		l.must(err)
		l.must(routers.Delete(ctx, c, r.ID).ExtractErr())
		l.must(subnets.Delete(ctx, c, s.ID).ExtractErr())
		l.must(networks.Delete(ctx, c, n.ID).ExtractErr())
		l.equal("gone", status(networks.Get(ctx, c, n.ID).Err), 404)
	}},
	{"a group and its rules in bulk", func(l *lab) {
		ctx, c := l.Context(), l.a.service("network")
		g, err := groups.Create(ctx, c, groups.CreateOpts{Name: "g"}).Extract()
		l.must(err)
		made, err := rules.CreateBulk(ctx, c, []rules.CreateOpts{
			{SecGroupID: g.ID, Direction: rules.DirIngress, EtherType: rules.EtherType4, RemoteGroupID: g.ID},
			{SecGroupID: g.ID, Direction: rules.DirIngress, EtherType: rules.EtherType4, Protocol: rules.ProtocolTCP, PortRangeMin: 30000, PortRangeMax: 32767},
		}).Extract()
		l.must(err)
		l.equal("rules", len(made), 2)
		read, err := groups.Get(ctx, c, g.ID).Extract()
		l.must(err)
		l.equal("rules", len(read.Rules), 4)
		l.must(groups.Delete(ctx, c, g.ID).ExtractErr())
	}},
	{"pages are followed to the last", func(l *lab) {
		ctx, c := l.Context(), l.a.service("network")
		for _, name := range []string{"a", "b", "c"} {
			l.a.network(name)
		}
		pages, err := networks.List(c, networks.ListOpts{Limit: 2}).AllPages(ctx)
		l.must(err)
		all, err := networks.ExtractNetworks(pages)
		l.must(err)
		l.equal("networks", len(all), 4)
	}},
	{"key pairs, share networks and load balancers", func(l *lab) {
		ctx := l.Context()
		k, err := keypairs.Create(ctx, l.a.service("compute"), keypairs.CreateOpts{Name: "k", PublicKey: aKey}).Extract()
		l.must(err)
		l.equal("key", k.PublicKey, aKey)
		l.must(keypairs.Delete(ctx, l.a.service("compute"), "k", nil).ExtractErr())
		n := l.a.network("n")
		s := l.a.subnet(n, "10.1.0.0/24")
		made, err := sharenetworks.Create(ctx, l.a.service("share"), sharenetworks.CreateOpts{Name: "s", NeutronNetID: n.id(), NeutronSubnetID: s.id()}).Extract()
		l.must(err)
		l.equal("network", made.NeutronNetID, n.id())
		pages, err := sharenetworks.ListDetail(l.a.service("share"), sharenetworks.ListOpts{Name: "s", NeutronNetID: n.id()}).AllPages(ctx)
		l.must(err)
		found, err := sharenetworks.ExtractShareNetworks(pages)
		l.must(err)
		l.equal("found", len(found), 1)
		l.must(sharenetworks.Delete(ctx, l.a.service("share"), made.ID).ExtractErr())
		lb, err := loadbalancers.Create(ctx, l.a.service("lb"), loadbalancers.CreateOpts{Name: "lb", VipSubnetID: s.id()}).Extract()
		l.must(err)
		l.a.settled(object{"id": lb.ID})
		l.must(loadbalancers.Delete(ctx, l.a.service("lb"), lb.ID, loadbalancers.DeleteOpts{Cascade: true}).ExtractErr())
		l.a.vanished(object{"id": lb.ID})
	}},
}
