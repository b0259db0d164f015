// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/external"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/portsecurity"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/rbacpolicies"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

// A deviation is one thing that is not as the proposal's recipe has it.
type deviation struct {
	name    string
	pattern int
	change  func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster)
	codes   string // of the findings, in their order
	says    string // part of the first message
}

const nowhere = "99999999-9999-4999-8999-999999999999"

func prefixes(cidrs ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, c := range cidrs {
		out = append(out, netip.MustParsePrefix(c))
	}
	return out
}

func text(s string) *string { return &s }

var givenDeviations = []deviation{
	{"the network does not exist", 2, func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) { c.Networks.ID = text(nowhere) }, "EGEN106 EOS101", "needs network"},
	{"the router does not exist", 3, func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) { c.Networks.Router.ID = nowhere }, "EGEN106 EOS104", "needs router"},
	{"the subnet does not exist", 4, func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) { c.Networks.SubnetID = text(nowhere) }, "EOS102 EOS105", nowhere + " does not exist"},
	{"the security group does not exist", 5, func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.SecurityGroupID = text(nowhere)
	}, "EOS106", nowhere},
	{"an ID in capitals is the same ID", 5, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.ID, c.Networks.SubnetID = text(strings.ToUpper(w.network)), text(strings.ReplaceAll(w.subnet, "-", ""))
	}, "", ""},
	{"the subnet is in another network", 4, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.ID = text(w.emptyNetwork("other"))
	}, "EOS103", "subnet byo-subnet is in network byo-network, not in other"},
	{"the router has no interface on the subnet", 4, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.SubnetID = text(w.subnetIn(w.user, "second", subnets.CreateOpts{NetworkID: w.network, CIDR: "10.9.0.0/24", IPVersion: gophercloud.IPv4, DNSNameservers: []string{"1.1.1.1"}}))
	}, "EOS105", "router byo-router has no interface on subnet second"},
	{"another router has the interface", 4, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		r, err := routers.Create(w.t.Context(), w.user.network, routers.CreateOpts{Name: "second", GatewayInfo: &routers.GatewayInfo{NetworkID: w.external}}).Extract()
		c.Networks.Router.ID = w.name("second-router", r, err, func() string { return r.ID })
	}, "EOS105 EOS156", "router second-router has no interface on subnet byo-subnet"},
	{"the floating pool does not exist", 4, func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) { c.FloatingPoolName = "nirvana" }, "EOS110", `there is no external network "nirvana"`},
	{"a private network has the name of the floating pool", 4, func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) { c.FloatingPoolName = "corp" }, "EOS110", "corp"},
	{"two external networks have the name of the floating pool", 4, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		yes := true
		_, err := networks.Create(w.t.Context(), w.admin.network, external.CreateOptsExt{CreateOptsBuilder: networks.CreateOpts{Name: "public"}, External: &yes}).Extract()
		w.must(err)
	}, "EOS111", `2 external networks are called "public"`},
}

var fitDeviations = []deviation{
	{"the subnet is not inside the node range", 4, func(_ *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) { k.Nodes = prefixes("10.250.0.0/16") }, "EOS121", "not inside spec.networking.nodes (10.250.0.0/16)"},
	{"the subnet is inside the node range", 4, func(_ *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) { k.Nodes = prefixes("10.0.0.0/8") }, "", ""},
	{"the subnet overlaps the pods", 4, func(_ *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) { k.Pods = prefixes("10.0.128.0/17") }, "EOS122", "overlaps 10.0.128.0/17"},
	{"the subnet overlaps the services", 4, func(_ *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) { k.Services = prefixes("10.0.0.0/13") }, "EOS122", "overlaps 10.0.0.0/13"},
	{"the network of the nodes is external", 2, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) { c.Networks.ID = &w.external }, "EOS123 EOS149", "is an external network"},
	{"the name of the group is not unique", 5, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) { w.groupNamed("corp-nodes") }, "EOS124", `the name "corp-nodes" is also that of`},
	{"a foreign group has the name of the one to be made", 4, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) { w.groupNamed(cluster) }, "EOS124 EOS148", "is also that of"},
	{"the range overlaps a subnet of the network", 2, func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) { c.Networks.Workers = "10.0.4.0/22" }, "EOS125", `10.0.4.0/22 overlaps subnet byo-subnet "corp" (10.0.0.0/16) of the network`},
	{"the range overlaps a subnet on the router", 3, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		other := w.emptyNetwork("other")
		w.plug(w.router, w.subnetIn(w.user, "elsewhere", subnets.CreateOpts{Name: "elsewhere", NetworkID: other, CIDR: "10.250.0.0/16", IPVersion: gophercloud.IPv4}))
	}, "EOS126", `10.250.0.0/19 overlaps subnet elsewhere "elsewhere" (10.250.0.0/16) on the router`},
	{"another cluster of the same name", 4, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		_, err := networks.Create(w.t.Context(), w.user.network, networks.CreateOpts{Name: cluster, Description: cluster + " another-uid/network"}).Extract()
		w.must(err)
	}, "", ""}, // a network is not looked for while the configuration names one
	{"another cluster of the same name made its own network", 1, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		_, err := networks.Create(w.t.Context(), w.user.network, networks.CreateOpts{Name: cluster, Description: cluster + " another-uid/network"}).Extract()
		w.must(err)
	}, "EOS127", "with the UID another-uid"},
	{"pods are routed in a network of another project", 4, func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.Overlay = false
		w.giveAway(c)
	}, "EOS128", "belongs to project"},
}

var adviceDeviations = []deviation{
	{"DHCP is off", 4, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		no := false
		_, err := subnets.Update(w.t.Context(), w.user.network, w.subnet, subnets.UpdateOpts{EnableDHCP: &no}).Extract()
		w.must(err)
	}, "EOS140", "enable_dhcp false"},
	{"no resolvers", 4, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		_, err := subnets.Update(w.t.Context(), w.user.network, w.subnet, subnets.UpdateOpts{DNSNameservers: &[]string{}}).Extract()
		w.must(err)
	}, "EOS147", "no dns_nameservers"},
	{"the router has no gateway", 4, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		_, err := routers.Update(w.t.Context(), w.user.network, w.router, routers.UpdateOpts{GatewayInfo: &routers.GatewayInfo{}}).Extract()
		w.must(err)
	}, "EOS141", "no external gateway"},
	{"the router is down, and pods are tunnelled", 4, downRouter, "", ""},
	{"the router is down, and pods are routed", 4, func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.Overlay = false
		downRouter(w, c, k)
	}, "EOS142", "admin_state_up false"},
	{"the network is down", 4, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		no := false
		_, err := networks.Update(w.t.Context(), w.user.network, w.network, networks.UpdateOpts{AdminStateUp: &no}).Extract()
		w.must(err)
	}, "EOS143", "admin_state_up false"},
	{"port security is off", 4, func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		no := false
		_, err := networks.Update(w.t.Context(), w.user.network, w.network, portsecurity.NetworkUpdateOptsExt{UpdateOptsBuilder: networks.UpdateOpts{}, PortSecurityEnabled: &no}).Extract()
		w.must(err)
	}, "EOS144", "port_security_enabled false"},
	{"the group of the user's has no rules", 5, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.SecurityGroupID = text(w.groupNamed("empty"))
	}, "EOS145", "missing: ingress IPv4 any protocol from the group itself; ingress IPv4 tcp 30000-32767 from anyone; ingress IPv4 udp 30000-32767 from anyone"},
	{"pods are routed and the group does not know", 5, func(_ *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.Overlay, k.Pods = false, prefixes("100.64.0.0/16")
	}, "EOS145", "missing: ingress IPv4 any protocol from 100.64.0.0/16"},
	{"pods are routed and the gateway is not the router", 4, func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.Overlay = false
		id := w.subnetIn(w.user, "firewalled", subnets.CreateOpts{
			NetworkID: w.network, CIDR: "10.9.0.0/24", IPVersion: gophercloud.IPv4, GatewayIP: text("10.9.0.254"), DNSNameservers: []string{"1.1.1.1"},
		})
		p, err := ports.Create(w.t.Context(), w.user.network, ports.CreateOpts{NetworkID: w.network, FixedIPs: []ports.IP{{SubnetID: id, IPAddress: "10.9.0.1"}}}).Extract()
		w.must(err)
		_, err = routers.AddInterface(w.t.Context(), w.user.network, w.router, routers.AddInterfaceOpts{PortID: p.ID}).Extract()
		w.must(err)
		c.Networks.SubnetID = &id
	}, "EOS146", `has the gateway "10.9.0.254", the router is 10.9.0.1`},
	{"the network belongs to another project, and a subnet is to be made", 2, func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) { w.giveAway(c) }, "EOS149", "belongs to project"},
	{"a route of somebody else begins in the pod network", 4, func(w *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.Overlay, k.Pods = false, prefixes("100.64.0.0/11")
		w.route("100.64.0.0/10", "10.0.7.7")
	}, "EOS150", "100.64.0.0/10 via 10.0.7.7"},
	{"a route of somebody else is elsewhere", 4, func(w *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.Overlay, k.Pods = false, prefixes("100.64.0.0/11")
		w.route("192.168.0.0/16", "10.0.7.7")
	}, "", ""},
}

func downRouter(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
	no := false
	_, err := routers.Update(w.t.Context(), w.user.network, w.router, routers.UpdateOpts{AdminStateUp: &no}).Extract()
	w.must(err)
}

func (w *world) emptyNetwork(name string) string {
	n, err := networks.Create(w.t.Context(), w.user.network, networks.CreateOpts{Name: name}).Extract()
	return w.name(name, n, err, func() string { return n.ID })
}

func (w *world) groupNamed(name string) string {
	g, err := groups.Create(w.t.Context(), w.user.network, groups.CreateOpts{Name: name}).Extract()
	return w.name("group-"+name, g, err, func() string { return g.ID })
}

func (w *world) route(dest, hop string) {
	_, err := routers.Update(w.t.Context(), w.user.network, w.router, routers.UpdateOpts{Routes: &[]routers.Route{{DestinationCIDR: dest, NextHop: hop}}}).Extract()
	w.must(err)
}

// giveAway puts the configuration on a network of the administrator's that is
// shared with the project, with a subnet on the user's router.
func (w *world) giveAway(c *v1alpha1.InfrastructureConfig) {
	n, err := networks.Create(w.t.Context(), w.admin.network, networks.CreateOpts{Name: "shared"}).Extract()
	id := w.name("shared", n, err, func() string { return n.ID })
	_, err = rbacpolicies.Create(w.t.Context(), w.admin.network, rbacpolicies.CreateOpts{
		Action: rbacpolicies.ActionAccessShared, ObjectType: "network", TargetTenant: w.user.Project(), ObjectID: id,
	}).Extract()
	w.must(err)
	c.Networks.ID = &id
	s := w.subnetIn(w.admin, "shared-subnet", subnets.CreateOpts{NetworkID: id, CIDR: "10.77.0.0/16", IPVersion: gophercloud.IPv4, DNSNameservers: []string{"1.1.1.1"}})
	_, err = routers.AddInterface(w.t.Context(), w.admin.network, w.router, routers.AddInterfaceOpts{SubnetID: s}).Extract()
	w.must(err)
	if c.Networks.SubnetID != nil {
		c.Networks.SubnetID = &s
	}
}

func TestARecipeHasNoFindings(t *testing.T) {
	for n := 1; n <= 5; n++ {
		w := newWorld(t)
		if got := w.run(w.pattern(n), rose(), nil).findings(Preflight); len(got) > 0 {
			t.Errorf("pattern %d: %s", n, strings.Join(got, "\n"))
		}
	}
}

func TestEachDeviationIsFound(t *testing.T) {
	for _, tt := range slices.Concat(givenDeviations, fitDeviations, adviceDeviations, dualDeviations, roomDeviations) {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			infra, k := w.pattern(tt.pattern), rose()
			tt.change(w, &infra, &k)
			before := w.everything()
			r := w.run(infra, k, nil)
			var codes []string
			all := r.look(Preflight).Check()
			for _, f := range all {
				codes = append(codes, f.Code)
			}
			if got := strings.Join(codes, " "); got != tt.codes {
				t.Fatalf("codes %q, want %q: %v", got, tt.codes, r.findings(Preflight))
			}
			if len(all) > 0 && !strings.Contains(w.readable(all[0].Message), tt.says) {
				t.Errorf("says %q, want %q", w.readable(all[0].Message), tt.says)
			}
			for _, f := range all {
				if f.Fix == "" {
					t.Errorf("%s has no fix", f)
				}
			}
			if w.everything() != before {
				t.Error("a look has changed something")
			}
		})
	}
}

// Every code of this package is the answer to some deviation.
func TestEveryCodeIsTested(t *testing.T) {
	tested := map[string]bool{}
	for _, d := range slices.Concat(givenDeviations, fitDeviations, adviceDeviations, dualDeviations, roomDeviations) {
		for _, c := range strings.Fields(d.codes) {
			tested[c] = true
		}
	}
	for _, r := range Rules() {
		if !tested[r.Code] {
			t.Errorf("no test shows %s (%s)", r.Code, r.Severity)
		}
	}
}
