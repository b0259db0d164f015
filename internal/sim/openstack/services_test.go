// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	sdk "github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/availabilityzones"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/quotasets"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/networkipavailabilities"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/quotas"
	"github.com/gophercloud/gophercloud/v2/openstack/sharedfilesystems/v2/sharenetworks"
)

func TestLoadBalancersMoveOnWithEachLook(t *testing.T) {
	c, s := plantedCloud(t, "testdata/errors.yaml", 2)
	a := login(t, s, "a")
	lb, err := sdk.NewLoadBalancerV2(a.network.ProviderClient, gophercloud.EndpointOpts{Region: Region})
	if err != nil {
		t.Fatal(err)
	}
	ctx, subnet := t.Context(), fill(t, c, "{subnet:nodes}")
	l, err := loadbalancers.Create(ctx, lb, loadbalancers.CreateOpts{Name: "kube_service_c_d_e", VipSubnetID: subnet, Tags: []string{"t"}}).Extract()
	if err != nil {
		t.Fatal(err)
	}
	look := func() string {
		got, err := loadbalancers.Get(ctx, lb, l.ID).Extract()
		if gophercloud.ResponseCodeIs(err, 404) {
			return "gone"
		}
		if err != nil {
			t.Fatal(err)
		}
		return got.ProvisioningStatus
	}
	want := func(states ...string) {
		t.Helper()
		for _, state := range states {
			if got := look(); got != state {
				t.Errorf("the state is %s, want %s", got, state)
			}
		}
	}
	if l.ProvisioningStatus != "PENDING_CREATE" || l.VipPortID == "" {
		t.Errorf("a new load balancer is %+v", l)
	}
	want("PENDING_CREATE", "PENDING_CREATE", "ACTIVE", "ACTIVE")
	pages, err := loadbalancers.List(lb, loadbalancers.ListOpts{VipSubnetID: subnet, Name: "kube_service_c_d_e"}).AllPages(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := loadbalancers.ExtractLoadBalancers(pages); err != nil || len(list) != 1 || list[0].Tags[0] != "t" {
		t.Errorf("the list is %v, %v", list, err)
	}
	a.id(neutron+"/floatingips", `{"floatingip":{"floating_network_id":"`+fill(t, c, "{network:public}")+`","port_id":"`+l.VipPortID+`"}}`)
	if err := loadbalancers.Delete(ctx, lb, l.ID, loadbalancers.DeleteOpts{Cascade: true}).ExtractErr(); err != nil {
		t.Fatal(err)
	}
	want("PENDING_DELETE", "PENDING_DELETE", "gone")
	if status, _ := a.send("GET", neutron+"/ports/"+l.VipPortID, ""); status != 404 {
		t.Errorf("the port of a load balancer that is gone gets %d", status)
	}
	if list, _ := a.must("GET", neutron+"/floatingips", "")["floatingips"].([]any); len(list) != 2 {
		t.Errorf("the floating IP does not survive its load balancer: %v", list)
	}
}

func TestShareNetworksAreFoundByNameNetworkAndSubnet(t *testing.T) {
	c, s := plantedCloud(t, "testdata/errors.yaml", 0)
	a := login(t, s, "a")
	manila, err := sdk.NewSharedFileSystemV2(a.network.ProviderClient, gophercloud.EndpointOpts{Region: Region})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	n, sub := fill(t, c, "{network:net}"), fill(t, c, "{subnet:nodes}")
	find := func(o sharenetworks.ListOpts) int {
		pages, err := sharenetworks.ListDetail(manila, o).AllPages(ctx)
		if err != nil {
			t.Fatal(err)
		}
		list, err := sharenetworks.ExtractShareNetworks(pages)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	made, err := sharenetworks.Create(ctx, manila, sharenetworks.CreateOpts{Name: "made", NeutronNetID: n, NeutronSubnetID: sub}).Extract()
	if err != nil {
		t.Fatal(err)
	}
	if made.NeutronNetID != n || made.NeutronSubnetID != sub {
		t.Errorf("the new share network is %+v", made)
	}
	if _, err := sharenetworks.Create(ctx, manila, sharenetworks.CreateOpts{Name: "bogus", NeutronNetID: "x", NeutronSubnetID: "y"}).Extract(); err != nil {
		t.Errorf("Manila does not ask Neutron for the IDs, but: %v", err)
	}
	for _, test := range []struct {
		o    sharenetworks.ListOpts
		want int
	}{
		{sharenetworks.ListOpts{}, 3}, {sharenetworks.ListOpts{Name: "made", NeutronNetID: n, NeutronSubnetID: sub}, 1},
		{sharenetworks.ListOpts{NeutronNetID: n}, 2}, {sharenetworks.ListOpts{Name: "made", NeutronNetID: "x"}, 0},
	} {
		if got := find(test.o); got != test.want {
			t.Errorf("%+v finds %d, want %d", test.o, got, test.want)
		}
	}
	manila.Microversion = "2.51"
	if got, err := sharenetworks.Get(ctx, manila, made.ID).Extract(); err != nil || got.NeutronNetID != "" {
		t.Errorf("from version 2.51 on the network is in a list of subnets: %+v, %v", got, err)
	}
	if err := sharenetworks.Delete(ctx, manila, made.ID).ExtractErr(); err != nil {
		t.Fatal(err)
	}
	if got := find(sharenetworks.ListOpts{Name: "made"}); got != 0 {
		t.Errorf("a share network that was deleted is found")
	}
}

func TestQuotasExtensionsAndAddressesAreCounted(t *testing.T) {
	c, s := plantedCloud(t, "testdata/errors.yaml", 0)
	a, admin := login(t, s, "a"), login(t, s, "admin")
	ctx, project := t.Context(), c.ProjectID("a")
	q, err := quotas.GetDetail(ctx, a.network, project).Extract()
	if err != nil {
		t.Fatal(err)
	}
	if q.Router.Limit != 3 || q.Router.Used != 3 || q.SecurityGroup.Limit != 10 || q.Port.Used == 0 {
		t.Errorf("the quotas are %+v", q)
	}
	cq, err := quotasets.GetDetail(ctx, a.compute, project).Extract()
	if err != nil || cq.KeyPairs.Limit != 100 {
		t.Errorf("Nova's quotas are %+v, %v", cq, err)
	}
	if _, err := extensions.Get(ctx, a.network, "extraroute-atomic").Extract(); err != nil {
		t.Error(err)
	}
	c.WithoutExtension("extraroute-atomic", true)
	if _, err := extensions.Get(ctx, a.network, "extraroute-atomic").Extract(); !gophercloud.ResponseCodeIs(err, 404) {
		t.Errorf("an extension that was taken away: %v", err)
	}
	if status, _ := a.send("PUT", fill(t, c, neutron+"/routers/{router:router}/add_extraroutes"), `{"router":{"routes":[]}}`); status != 404 {
		t.Errorf("an action of an extension that was taken away gets %d", status)
	}
	ip, err := networkipavailabilities.Get(ctx, admin.network, fill(t, c, "{network:net}")).Extract()
	if err != nil || ip.TotalIPs != "760" || ip.UsedIPs != "5" { // 2 × 253 and 254 without a gateway
		t.Errorf("the addresses are %+v, %v", ip, err)
	}
	if _, err := networkipavailabilities.Get(ctx, a.network, fill(t, c, "{network:net}")).Extract(); !gophercloud.ResponseCodeIs(err, 404) {
		t.Errorf("a member counts addresses: %v", err)
	}
	pages, err := availabilityzones.List(a.compute).AllPages(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if zones, err := availabilityzones.ExtractAvailabilityZones(pages); err != nil || len(zones) != 2 {
		t.Errorf("the zones are %v, %v", zones, err)
	}
}
