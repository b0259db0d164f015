// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package vpctest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/espalier-io/espalier/internal/engine"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// disk is a state that survives.
type disk struct{ data []byte }

func (d *disk) state(t *testing.T) *engine.State {
	s, err := engine.LoadState(d.data, func(_ context.Context, b []byte) error { d.data = b; return nil })
	must(t, err)
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func zones(names string) (zs []Zone) {
	for _, z := range names {
		id := func(use string) engine.ID { return engine.ID("s-" + use + string(z)) }
		zs = append(zs, Zone{string(z), id("w"), id("p"), id("i")})
	}
	return zs
}

func byo(cluster, zs string) Config { return Config{Cluster: cluster, VPC: "vpc-1", Zones: zones(zs)} }

// run reads, plans and applies, and returns the plan and the figures.
func run(t *testing.T, f *ec2, c Config, d *disk, destroy bool) (string, error) {
	t.Helper()
	calls, writes, start := len(f.calls), f.writes(), time.Now()
	g := Topology(c, Read(t.Context(), client{f, c.Cluster}, c, d.state(t), 8))
	reads, depth := len(f.calls)-calls, time.Duration(0)
	if f.latency > 0 {
		depth = time.Since(start) / f.latency
	}
	p, err := g.Plan()
	if destroy {
		p, err = g.PlanDelete()
	}
	if err != nil {
		return "", err
	}
	out := p.String()
	start = time.Now()
	err = g.Apply(t.Context(), client{f, c.Cluster}.writer(), p, engine.Options{Limit: 16})
	out += fmt.Sprintf("-- %d reads, depth %d; %d writes", reads, depth, f.writes()-writes)
	if f.latency > 0 {
		out += fmt.Sprintf(", %d calls, depth %d", len(f.calls)-calls-reads, time.Since(start)/f.latency)
	}
	return out + "\n", err
}

func idle(t *testing.T, f *ec2, c Config, d *disk) {
	t.Helper()
	before := f.writes()
	out, err := run(t, f, c, d, false)
	must(t, err)
	if f.writes() != before {
		t.Errorf("the second run writes:\n%s", out)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// story runs stages one after another and writes down what they say.
type story struct {
	t   *testing.T
	f   *ec2
	out strings.Builder
}

func (s *story) stage(what string, c Config, d *disk, destroy bool) {
	s.t.Helper()
	o, err := run(s.t, s.f, c, d, destroy)
	must(s.t, err)
	fmt.Fprintf(&s.out, "== %s\n%s", what, o)
	if !destroy {
		idle(s.t, s.f, c, d)
	}
}

// A cluster on the user's subnets, through all that happens to it.
func TestLife(t *testing.T) { synctest.Test(t, life) }

func life(t *testing.T) {
	f, d := world(), &disk{}
	f.latency = 100 * time.Millisecond
	f.tags["s-pc"]["kubernetes.io/role/elb"] = "" // theirs, with a value of their own
	f.tags["s-pc"][clusterTag+"c"] = "owned"
	before, c, s := f.theirs(), byo("c", "abc"), &story{t: t, f: f}
	s.stage("create, three zones; two share a table, one uses the main one", c, d, false)
	s.stage("again", c, d, false)

	ab := f.things["rtb-ab"].(RouteTable)
	ab.Subnets = engine.Set[engine.ID]{"s-wa"}
	f.things["rtb-ab"] = ab
	f.things["rtb-own"] = RouteTable{VPC: "vpc-1", Subnets: engine.Set[engine.ID]{"s-wb", "s-wc"}}
	s.stage("the user gives b and c a table of their own: the tags follow", c, d, false)

	delete(f.things, "rtb-own")
	delete(f.tags, "rtb-own")
	ab.Subnets = engine.Set[engine.ID]{"s-wa", "s-wb"}
	f.things["rtb-ab"] = ab
	pa := f.things["s-pa"].(Subnet)
	pa.CIDR = "10.0.99.0/24"
	f.things["s-pa"] = pa
	s.stage("the table is gone, and a subnet has changed: tags and rules follow", c, d, false)

	sg := f.things["sg-1"].(Group)
	sg.Rules = append(sg.Rules, "in ssh 192.0.2.0/24")
	f.things["sg-1"] = sg
	f.tags["s-ia"][clusterTag+"c"] = "mine now"
	s.stage("the user changes our tag, which is theirs from now on, and adds a rule to our group, which stays", c, d, false)
	c.Overlay = true
	s.stage("overlay switched on", c, d, false)
	s.stage("delete", c, d, true)
	golden(t, "life", s.out.String())

	pa.CIDR = "10.0.1.0/24"
	f.things["s-pa"] = pa
	if f.tags["s-ia"][clusterTag+"c"] != "mine now" {
		t.Error("the user's value is gone")
	}
	// The role tag on s-ia stays: a cluster tag is left, and who set that is
	// to take both away.
	for _, k := range []string{clusterTag + "c", "kubernetes.io/role/internal-elb", marker} {
		delete(f.tags["s-ia"], k)
	}
	if got := f.theirs(); got != before {
		t.Errorf("the user's things are not as they were:\n%s\n%s", got, before)
	}
	if n := len(d.state(t).Records()); n > 0 {
		t.Errorf("%d records are left", n)
	}
}

// Elastic IP, NAT gateway, route: a link is replaced without a moment without
// egress; an endpoint that is no longer wanted goes; and all of it goes
// without a state.
func TestChain(t *testing.T) { synctest.Test(t, chain) }

func chain(t *testing.T) {
	f, d := world(), &disk{}
	f.latency = 100 * time.Millisecond
	c := Config{Cluster: "c", VPC: "vpc-1", GroupID: "sg-theirs", Egress: &Egress{Subnet: "s-pa"}, Endpoints: []string{"s3", "dynamodb"}}
	f.things["sg-theirs"] = Group{VPC: "vpc-1"}
	before, s := f.theirs(), &story{t: t, f: f}
	s.stage("create", c, d, false)
	c.Egress = &Egress{Subnet: "s-pa", Address: "eip-theirs"}
	s.stage("the user gives an address: a new gateway first, ours is released", c, d, false)
	c.Endpoints = []string{"s3"}
	s.stage("an endpoint is no longer wanted", c, d, false)
	c.Egress = &Egress{Subnet: "s-pa"}
	s.stage("back to an address of ours", c, d, false)
	c.Endpoints = nil
	s.stage("an endpoint is no longer wanted, and the state is lost", c, &disk{}, false)
	s.stage("delete without a state", c, &disk{}, true)
	golden(t, "chain", s.out.String())
	if got := f.theirs(); got != before || len(f.mark) > 0 {
		t.Errorf("left over: %v\n%s", f.mark, got)
	}
}

// BenchmarkPlan is the pure part for three zones: topology, checks, plan.
func BenchmarkPlan(b *testing.B) {
	f, c := world(), byo("c", "abc")
	c.Egress, c.Endpoints = &Egress{Subnet: "s-pa"}, []string{"s3"}
	s, err := engine.LoadState(nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	facts := Read(b.Context(), client{f, "c"}, c, s, 8)
	for b.Loop() {
		g := Topology(c, facts)
		g.Check()
		if _, err := g.Plan(); err != nil {
			b.Fatal(err)
		}
	}
}
