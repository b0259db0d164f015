// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/keypairs"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"
)

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl x"

func TestGophercloudBuildsAndRemovesWhatAClusterNeeds(t *testing.T) {
	_, server := serve(t, Options{})
	a, ctx := login(t, server, "a"), t.Context()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	n, err := networks.Create(ctx, a.network, networks.CreateOpts{Name: "n", Description: "d"}).Extract()
	ok(err)
	s, err := subnets.Create(ctx, a.network, subnets.CreateOpts{NetworkID: n.ID, Name: "s", IPVersion: 4, CIDR: "10.250.0.0/16"}).Extract()
	ok(err)
	if s.GatewayIP != "10.250.0.1" || s.AllocationPools[0].Start != "10.250.0.2" || s.AllocationPools[0].End != "10.250.255.254" {
		t.Errorf("the subnet has gateway %s and pools %v", s.GatewayIP, s.AllocationPools)
	}
	r, err := routers.Create(ctx, a.network, routers.CreateOpts{Name: "r"}).Extract()
	ok(err)
	_, err = routers.AddInterface(ctx, a.network, r.ID, routers.AddInterfaceOpts{SubnetID: s.ID}).Extract()
	ok(err)
	pages, err := ports.List(a.network, ports.ListOpts{DeviceID: r.ID, FixedIPs: []ports.FixedIPOpts{{SubnetID: s.ID}}}).AllPages(ctx)
	ok(err)
	found, err := ports.ExtractPorts(pages)
	ok(err)
	if len(found) != 1 || found[0].DeviceOwner != "network:router_interface" || found[0].FixedIPs[0].IPAddress != "10.250.0.1" {
		t.Errorf("the interface's port is %+v", found)
	}
	g, err := groups.Create(ctx, a.network, groups.CreateOpts{Name: "g", Description: "d"}).Extract()
	ok(err)
	if len(g.Rules) != 2 {
		t.Errorf("a new group has the rules %v", g.Rules)
	}
	_, err = keypairs.Create(ctx, a.compute, keypairs.CreateOpts{Name: "k", PublicKey: publicKey}).Extract()
	ok(err)

	if err := networks.Delete(ctx, a.network, n.ID).ExtractErr(); !gophercloud.ResponseCodeIs(err, 409) {
		t.Errorf("deleting a network in use: %v", err)
	}
	_, err = routers.RemoveInterface(ctx, a.network, r.ID, routers.RemoveInterfaceOpts{SubnetID: s.ID}).Extract()
	ok(err)
	ok(routers.Delete(ctx, a.network, r.ID).ExtractErr())
	ok(subnets.Delete(ctx, a.network, s.ID).ExtractErr())
	ok(networks.Delete(ctx, a.network, n.ID).ExtractErr())
	ok(groups.Delete(ctx, a.network, g.ID).ExtractErr())
	ok(keypairs.Delete(ctx, a.compute, "k", nil).ExtractErr())
}
