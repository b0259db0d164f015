// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/external"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	secrules "github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/rules"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	cluster = "shoot--garden--rose"
	uid     = "11112222-3333-4444-5555-666677778888"
	sshKey  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3RJiUp6ZS4UXFTLM3qjLDzSYKMwsvd4vC8lE1kJv7n somebody@somewhere"
)

// A world is an embedded OpenStack with what a user has in it: an external
// network that is the administrator's, and in project a a network with a
// subnet, a router with a gateway and an interface on the subnet, and a
// security group with all that nodes need.
type world struct {
	*sim.Cloud
	t     *testing.T
	admin *Client
	user  *Client
	names map[string]string // ID → what golden files call it

	external, network, subnet, router, group string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Cloud: sim.New(sim.Options{Seed: t.Name()}), t: t, names: map[string]string{}}
	w.admin, w.user = w.owner("admin"), w.owner("a")
	yes := true
	ext, err := networks.Create(t.Context(), w.admin.network, external.CreateOptsExt{CreateOptsBuilder: networks.CreateOpts{Name: "public"}, External: &yes}).Extract()
	w.external = w.name("external", ext, err, func() string { return ext.ID })
	w.subnetIn(w.admin, "external-subnet", subnets.CreateOpts{NetworkID: w.external, CIDR: "203.0.113.0/24", IPVersion: gophercloud.IPv4})
	n, err := networks.Create(t.Context(), w.user.network, networks.CreateOpts{Name: "corp"}).Extract()
	w.network = w.name("byo-network", n, err, func() string { return n.ID })
	w.subnet = w.subnetIn(w.user, "byo-subnet", subnets.CreateOpts{
		Name: "corp", NetworkID: w.network, CIDR: "10.0.0.0/16", IPVersion: gophercloud.IPv4, DNSNameservers: []string{"1.1.1.1"},
	})
	r, err := routers.Create(t.Context(), w.user.network, routers.CreateOpts{Name: "corp", GatewayInfo: &routers.GatewayInfo{NetworkID: w.external}}).Extract()
	w.router = w.name("byo-router", r, err, func() string { return r.ID })
	w.plug(w.router, w.subnet)
	g, err := groups.Create(t.Context(), w.user.network, groups.CreateOpts{Name: "corp-nodes"}).Extract()
	w.group = w.name("byo-group", g, err, func() string { return g.ID })
	w.allow(w.group, nodeRules("IPv4")[2:]...)
	return w
}

// owner is a user of the cloud whose requests nobody guards.
func (w *world) owner(name string) *Client {
	w.t.Helper()
	c, err := Connect(w.t.Context(), w.credentials(name), "", "test", w.Transport())
	w.must(err)
	c.provider.HTTPClient = http.Client{Transport: w.Transport()}
	return c
}

func (w *world) credentials(user string) Credentials {
	w.t.Helper()
	env := map[string]string{"OS_AUTH_URL": "http://cloud/identity/v3", "OS_USERNAME": user, "OS_PASSWORD": user, "OS_PROJECT_NAME": user}
	c, err := LoadCredentials("", func(k string) string { return env[k] })
	w.must(err)
	return c
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// name remembers what an ID is called.
func (w *world) name(name string, _ any, err error, id func() string) string {
	w.t.Helper()
	w.must(err)
	w.names[id()] = name
	return id()
}

func (w *world) subnetIn(c *Client, name string, o subnets.CreateOpts) string {
	w.t.Helper()
	s, err := subnets.Create(w.t.Context(), c.network, o).Extract()
	return w.name(name, s, err, func() string { return s.ID })
}

func (w *world) plug(router, subnet string) {
	w.t.Helper()
	_, err := routers.AddInterface(w.t.Context(), w.user.network, router, routers.AddInterfaceOpts{SubnetID: subnet}).Extract()
	w.must(err)
}

func (w *world) allow(group string, rules ...Rule) {
	w.t.Helper()
	for _, r := range rules {
		o := secrules.CreateOpts{
			SecGroupID: group, Direction: secrules.RuleDirection(r.Direction), EtherType: secrules.RuleEtherType(r.EtherType),
			Protocol: secrules.RuleProtocol(r.Protocol), PortRangeMin: r.From, PortRangeMax: r.To, RemoteIPPrefix: r.Remote,
		}
		if r.Remote == "self" {
			o.RemoteIPPrefix, o.RemoteGroupID = "", group
		}
		_, err := secrules.Create(w.t.Context(), w.user.network, o).Extract()
		w.must(err)
	}
}

// pattern is the configuration of one of the proposal's patterns.
func (w *world) pattern(n int) v1alpha1.InfrastructureConfig {
	c := v1alpha1.InfrastructureConfig{FloatingPoolName: "public"}
	if n > 1 {
		c.Networks.ID = &w.network
	}
	if n > 2 {
		c.Networks.Router = &v1alpha1.Router{ID: w.router}
	}
	if n > 3 {
		c.Networks.SubnetID = &w.subnet
	} else {
		c.Networks.Workers = "10.250.0.0/19"
	}
	if n > 4 {
		c.Networks.SecurityGroupID = &w.group
	}
	return c
}

func rose() Cluster {
	return Cluster{TechnicalID: cluster, UID: uid, Overlay: true, SSHPublicKey: sshKey}
}

// A run is a cluster with the state that outlives its runs.
type run struct {
	*world
	config Config
	user   string
	saved  []byte
}

func (w *world) run(infra v1alpha1.InfrastructureConfig, c Cluster, profile *v1alpha1.CloudProfileConfig) *run {
	w.t.Helper()
	config, err := NewConfig(&infra, c, profile)
	w.must(err)
	return &run{world: w, config: config, user: "a"}
}

// look is a new process that looks.
func (r *run) look(why Purpose) *Look {
	r.t.Helper()
	s, err := engine.LoadState(r.saved, func(_ context.Context, b []byte) error { r.saved = b; return nil })
	r.must(err)
	session, err := Open(r.t.Context(), r.credentials(r.user), r.config, s, Options{Transport: r.Transport()})
	r.must(err)
	l, err := session.Look(r.t.Context(), why)
	r.must(err)
	return l
}

func (r *run) findings(why Purpose) (out []string) {
	for _, f := range r.look(why).Check() {
		out = append(out, r.readable(f.String()))
	}
	return out
}

func (r *run) apply() error {
	l := r.look(Reconciliation)
	p, err := l.Plan()
	if err != nil {
		return err
	}
	return l.Apply(r.t.Context(), p, engine.Options{Settle: time.Nanosecond})
}

func (r *run) delete() error {
	l := r.look(Deletion)
	p, err := l.PlanDelete()
	if err != nil {
		return err
	}
	return l.Apply(r.t.Context(), p, engine.Options{Settle: time.Nanosecond})
}

// readable puts names in the place of IDs: the user's have one; ours are called
// after their nodes.
func (w *world) readable(s string) string {
	for _, id := range slices.Sorted(func(yield func(string) bool) {
		for id := range w.names {
			if !yield(id) {
				return
			}
		}
	}) {
		s = strings.ReplaceAll(s, id, w.names[id])
	}
	return s
}

// call names what a plan has made.
func (w *world) call(l *Look) {
	for _, v := range l.Views() {
		if v.Owner == engine.Ours && len(v.ID) == len(uid) {
			w.names[string(v.ID)] = "our-" + v.Name
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// figures are calls, writes and depth since the log was cleared.
func (w *world) figures() string {
	calls := w.Calls()
	w.ClearCalls()
	return fmt.Sprintf("%d calls, %d writes, depth %d", len(calls), len(sim.Writes(calls)), sim.Depth(calls))
}
