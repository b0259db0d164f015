// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package guide

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/espalier-io/espalier/internal/cli"
)

const aKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g"

// TestDeleteSweepsWhatKubernetesLeft: the section about delete, with routed pods.
func TestDeleteSweepsWhatKubernetesLeft(t *testing.T) {
	g := readPage(t)
	p, config := g.ready(t, g.section(t, "a-shoot-with-routed-pods"))
	file := p.write("mine.yaml", config)
	p.must("apply", "-f", file, "--ssh-public-key", aKey)
	router, err := p.shell.id(t.Context(), kinds["router"], "nodes")
	if err != nil {
		t.Fatal(err)
	}
	subnet, err := p.shell.id(t.Context(), kinds["subnet"], "nodes")
	if err != nil {
		t.Fatal(err)
	}
	// One route leads to pods of this cluster, the other elsewhere.
	p.request(http.MethodPut, "network", "routers/"+router, object{"router": object{"routes": []object{
		{"destination": "100.96.3.0/24", "nexthop": "10.250.0.9"}, {"destination": "192.168.0.0/16", "nexthop": "10.250.0.9"}}}})
	for _, name := range []string{"kube_service_shoot--dev--one_default_web", "kube_service_shoot--dev--onemore_default_web", "ours"} {
		p.request(http.MethodPost, "lb", "lbaas/loadbalancers", object{"loadbalancer": object{"name": name, "vip_subnet_id": subnet}})
	}
	r := p.must("delete", "-f", file)
	g.checkCalls(t, p.calls)
	for _, gone := range []string{"kube_service_shoot--dev--one_default_web", "100.96.3.0/24"} {
		if bytes.Contains(p.cloud.Snapshot(), []byte(gone)) {
			t.Errorf("%s is still there: %s", gone, r)
		}
	}
	for _, stays := range []string{"kube_service_shoot--dev--onemore_default_web", `"ours"`, "192.168.0.0/16"} {
		if !bytes.Contains(p.cloud.Snapshot(), []byte(stays)) {
			t.Errorf("%s is gone: %s", stays, r)
		}
	}
}

// request sends a request as the user, which must succeed.
func (p *place) request(method, service, path string, body object) {
	p.Helper()
	if err := p.shell.send(p.Context(), method, service, path, body, nil); err != nil {
		p.Fatal(err)
	}
}

var uid = regexp.MustCompile(`with the UID ([0-9a-f-]{36});`)

// TestLostState: the three steps of the section, on a router of the user's and
// with a key pair.
func TestLostState(t *testing.T) {
	g := readPage(t)
	s := g.section(t, "pattern-3-your-network-and-router")
	p, config := g.ready(t, s)
	before := p.cloud.Snapshot()
	flags := append(g.flags(t, s), "-f", p.write("mine.yaml", config), "--ssh-public-key", aKey)
	with := func(verb string, more ...string) []string { return slices.Concat([]string{verb}, flags, more) }
	p.must(with("apply")...)
	state := filepath.Join(p.dir, "shoot--dev--one.espalier.json")
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	alive := p.cloud.Snapshot()
	for _, verb := range []string{"plan", "apply"} {
		r := p.espalier(with(verb)...)
		if r.code != 1 || !slices.Contains(r.said(), "error EOS127") || len(r.writes) > 0 {
			t.Fatalf("with another UID: %s", r)
		}
		if m := uid.FindStringSubmatch(r.text); m == nil {
			t.Fatalf("EOS127 does not say the UID that it found: %s", r)
		} else if verb == "apply" {
			flags = append(flags, "--uid", m[1])
		}
	}
	r := p.must(with("apply")...)
	if r.out.Summary["create"] > 0 {
		t.Errorf("with the UID something is made again: %s", r)
	}
	p.unchanged(alive, "found again")
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	if r := p.espalier(with("delete")...); r.code == 0 || len(r.writes) > 0 {
		t.Errorf("a delete by the mark alone does not ask: %s", r)
	}
	p.must(with("delete", "--delete-marked")...)
	for _, d := range p.unchanged(before, "after delete", added...) {
		t.Errorf("left behind: %s", d)
	}
}

// TestTakingOver: a cluster of Gardener's provider keeps all that it has.
func TestTakingOver(t *testing.T) {
	g := readPage(t)
	lines := g.section(t, "taking-over-a-cluster-of-gardeners-provider").commands("espalier ")
	if len(lines) != 2 {
		t.Fatalf("the guide has %d lines for taking over", len(lines))
	}
	p := newPlace(t, []byte(operators))
	p.prepare(
		"openstack network create shoot--dev--one",
		"openstack subnet create shoot--dev--one --network shoot--dev--one --subnet-range 10.250.0.0/19",
		"openstack router create shoot--dev--one",
		"openstack router set shoot--dev--one --external-gateway public",
		"openstack router add subnet shoot--dev--one shoot--dev--one",
		"openstack security group create shoot--dev--one",
		"openstack security group rule create shoot--dev--one --ingress --ethertype IPv4 --protocol any --remote-group shoot--dev--one",
		"openstack security group rule create shoot--dev--one --ingress --ethertype IPv4 --protocol tcp --dst-port 30000:32767",
		"openstack security group rule create shoot--dev--one --ingress --ethertype IPv4 --protocol udp --dst-port 30000:32767")
	data := ""
	for key, what := range map[string]string{"Network": "network", "Subnet": "subnet", "Router": "router", "SecurityGroup": "security group"} {
		id, err := p.shell.id(t.Context(), kinds[what], "shoot--dev--one")
		if err != nil {
			t.Fatal(err)
		}
		data += fmt.Sprintf("      %s: %s\n", key, id)
	}
	p.write("infrastructure.yaml", infrastructure+data)
	before := p.cloud.Snapshot()
	t.Chdir(p.dir)
	for _, line := range lines {
		r := p.must(strings.Fields(line)[1:]...)
		if made := p.unchanged(before, line); len(made) > 0 || r.out.Summary["create"] > 0 || len(r.writes) > 0 {
			t.Errorf("%s: made %v: %s", line, made, r)
		}
	}
}

const infrastructure = `apiVersion: extensions.gardener.cloud/v1alpha1
kind: Infrastructure
metadata: {name: one, namespace: shoot--dev--one}
spec:
  type: openstack
  region: RegionOne
  secretRef: {name: cloudprovider, namespace: shoot--dev--one}
  providerConfig:
    apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1
    kind: InfrastructureConfig
    floatingPoolName: public
    networks: {workers: 10.250.0.0/19}
status:
  state:
    apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1
    kind: InfrastructureState
    data:
`

// TestPictures: what the section says can be printed, and only reads.
func TestPictures(t *testing.T) {
	g := readPage(t)
	s := g.section(t, "pattern-4-your-subnet")
	p, config := g.ready(t, s)
	flags := append(g.flags(t, s), "-f", p.write("mine.yaml", config))
	for form, begins := range map[string]string{"draw": "", "draw -o svg": "<svg", "draw -o mermaid": "flowchart", "preflight -o html": "<!doctype html>"} {
		var out bytes.Buffer
		code := cli.Run(t.Context(), cli.Env{
			In: strings.NewReader(""), Out: &out, Err: &out, Now: time.Now, After: time.After, Getenv: func(name string) string { return p.env[name] },
		}, append(strings.Fields(form), flags...))
		if code != 0 || !strings.HasPrefix(strings.ToLower(out.String()), begins) {
			t.Errorf("%s: exit code %d, begins %.60q", form, code, out.String())
		}
	}
}

// TestAReaderMayLook: the role that the section about rights names is enough
// for all that only looks. What it is kept from is the cloud's affair.
func TestAReaderMayLook(t *testing.T) {
	g := readPage(t)
	s := g.section(t, "pattern-5-your-security-group")
	p := newPlace(t, []byte("users:\n- {name: watcher, project: a, roles: [reader]}\n"+operators))
	p.prepare(g.preparation(t, s)...)
	flags := append(g.flags(t, s), "-f", p.write("mine.yaml", p.withIDs(s.configuration())), "--ssh-public-key", aKey)
	p.env["OS_USERNAME"], p.env["OS_PASSWORD"] = "watcher", "watcher"
	for _, verb := range []string{"preflight", "plan", "status"} {
		r := p.must(append([]string{verb}, flags...)...)
		if len(r.said()) > 0 || len(r.writes) > 0 {
			t.Errorf("a reader: %s", r)
		}
	}
}
