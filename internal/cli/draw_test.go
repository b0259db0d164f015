// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"strings"
	"testing"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// reads checks that nothing was written to the cloud, and that it understood.
func (s *site) reads() {
	s.t.Helper()
	if w := sim.Writes(s.cloud.Calls()); len(w) > 0 {
		s.t.Errorf("it wrote: %+v", w)
	}
	s.clean()
}

func TestDrawAndPagesOfWhatIsNotMadeYet(t *testing.T) {
	s := newSite(t)
	s.file("key.pub", demoKey)
	for name, args := range map[string]string{
		"draw pattern 1":              "draw -f 1-managed.yaml --name shoot--dev--one",
		"draw pattern 3":              "draw -f 3-byo-network-router.yaml --name shoot--dev--one --ssh-public-key @key.pub",
		"draw a shoot":                "draw -f shoot.yaml",
		"draw pattern 4 as mermaid":   "draw -f 4-byo-subnet.yaml --name shoot--dev--one -o mermaid",
		"draw pattern 4 as svg":       "draw -f 4-byo-subnet.yaml --name shoot--dev--one -o svg",
		"preflight pattern 2 as page": "preflight -f 2-byo-network.yaml --name shoot--dev--one -o html",
	} {
		t.Run(name, func(t *testing.T) {
			r := s.must(strings.Fields(args)...)
			golden(t, name, r.String())
			if again := s.must(strings.Fields(args)...); again.out != r.out {
				t.Errorf("the second time it is\n%s", again)
			}
		})
	}
	s.reads()
}

// What is there is drawn as it is, and what is no longer as it should be shows.
func TestDrawWhatIsThere(t *testing.T) {
	s := newSite(t)
	args := []string{"-f", "4-byo-subnet.yaml", "--name", "shoot--dev--one", "--uid", "u-1"}
	s.must(append([]string{"apply", "--yes"}, args...)...)
	for form, want := range map[string]string{"text": "● security group  shoot--dev--one", "mermaid": "<i>ours</i>", "svg": ">ours</text>"} {
		if r := s.must(append([]string{"draw", "-o", form}, args...)...); !strings.Contains(r.out, want) || strings.Contains(r.out, "to be made") {
			t.Errorf("no %q in %s", want, r)
		}
	}
	if r := s.must("draw", "-f", "5-byo-security-group.yaml", "--name", "shoot--dev--one"); !strings.Contains(r.out, "ours, to be removed") {
		t.Errorf("the group that is no longer wanted is not there: %s", r)
	}
}

// What stands in the way is drawn too: it is no reason to draw nothing.
func TestDrawWithErrors(t *testing.T) {
	s := newSite(t)
	s.file("wrong.yaml", strings.Replace(example(t, "4-byo-subnet.yaml"), "subnetId: 6e0a0000-0000-4000-8000-000000000002", "subnetId: 6e0a0000-0000-4000-8000-000000000022", 1))
	golden(t, "draw with errors", s.must("draw", "-f", "wrong.yaml", "--name", "shoot--dev--one").String())
	r := s.run("", "preflight", "-f", "wrong.yaml", "--name", "shoot--dev--one", "-o", "html")
	if r.code != 1 {
		t.Errorf("%s", r)
	}
	golden(t, "preflight with errors as page", r.String())
	s.reads()
}

func TestDrawOnAFake(t *testing.T) {
	for name, s := range map[string]scene{
		"draw as something":        {args: "draw -o png" + named},
		"draw without credentials": {fake: fake{openErr: fault.Errorf(fault.Unauthenticated, "no OpenStack credentials")}, args: "draw -o svg" + named},
		"draw on a wide terminal":  {fake: fake{steps: someSteps(), findings: warned()}, args: "draw" + named, env: func(b *bench) { b.env.OutTTY, b.env.Width = true, 300 }},
		"draw what can not be read": {args: "draw -f broken.yaml --name shoot--dev--one", env: func(b *bench) {
			b.file("broken.yaml", "apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1\nkind: InfrastructureConfig\nnetworks: {workers: 7}\n")
		}},
		"page of a configuration only": {args: "preflight -o html --pods 10.10.0.0/16 --nodes 10.10.0.0/16" + named},
		"page with warnings":           {fake: fake{steps: someSteps(), findings: warned()}, args: "preflight -o html" + named},
		"page without credentials":     {fake: fake{openErr: fault.Errorf(fault.Unauthenticated, "no OpenStack credentials")}, args: "preflight -o html" + named},
	} {
		t.Run(name, func(t *testing.T) { s.play(t, name) })
	}
}

// Whatever a cloud answers stays text on the page.
func TestPagesAreNotMadeByTheCloud(t *testing.T) {
	const evil = `<script>alert(1)</script>"'</style></svg>&{{.}}`
	f := engine.Finding{Rule: engine.Rule{Code: evil, Severity: engine.Error, Field: evil, Fix: evil}, Resource: evil, Value: evil, Message: evil}
	b := newBench(t, &fake{findings: []engine.Finding{f}, steps: []engine.Step{{Name: evil, Action: engine.Reference, ID: evil, Owner: engine.Yours}}})
	b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
	r := b.run("", strings.Fields("preflight -o html"+named)...)
	if n := strings.Count(strings.ToLower(r.out), "<script"); n > 0 || strings.Count(r.out, "</style>") != 2 || strings.Count(r.out, "</svg>") != 1 {
		t.Errorf("%s", r)
	}
	if strings.Contains(r.out, "ZgotmplZ") {
		t.Errorf("the template puts something where it does not belong: %s", r)
	}
}

func TestAdvice(t *testing.T) {
	text := func(s string) fragment { return fragment{s, false} }
	run := func(s string) fragment { return fragment{s, true} }
	for fix, want := range map[string][]fragment{
		"":                         nil,
		"name one that exists":     {text("name one that exists")},
		"openstack router list":    {run("openstack router list")},
		"use openstack if you can": {text("use openstack if you can")},
		"plug it in: openstack router add subnet R S":        {text("plug it in:"), run("openstack router add subnet R S")},
		"openstack router set -x R, or use internal ones":    {run("openstack router set -x R"), text("or use internal ones")},
		"openstack a b; openstack c d; then wait":            {run("openstack a b"), run("openstack c d"), text("then wait")},
		"choose another; else look: espalier explain EOS101": {text("choose another; else look:"), run("espalier explain EOS101")},
	} {
		got := advice(fix)
		if len(got) != len(want) {
			t.Errorf("%q: got %v", fix, got)
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%q: got %v, want %v", fix, got[i], want[i])
			}
		}
	}
}

// What these credentials may not see is drawn as not read, and what depends on
// it as blocked: nothing is said to be absent.
func TestDrawWhatIsDenied(t *testing.T) {
	s := newSite(t)
	s.cloud.SetPolicy("get_router", sim.Nobody)
	golden(t, "draw with a denied read", s.must("draw", "-f", "3-byo-network-router.yaml", "--name", "shoot--dev--one").String())
	s.reads()
}
