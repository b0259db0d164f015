// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package guide

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// gatewaySection is the one that needs an operator who lets users choose.
const gatewaySection = "the-gateway-of-a-new-router"

// adoptingSection is the one in which a thing that was there goes with the cluster.
const adoptingSection = "a-share-network-that-goes-with-the-cluster"

// lets is what the operator has to do for the section about gateways, as it says.
func (p *place) lets() {
	p.cloud.OpenExternalSubnets(true)
	p.cloud.SetPolicy("create_router:external_gateway_info:external_fixed_ips", sim.Owner)
}

// ready is a place in which all is as a section says, and the configuration.
func (g page) ready(t *testing.T, s section) (*place, string) {
	t.Helper()
	p := newPlace(t, []byte(operators))
	if s.anchor == gatewaySection {
		p.lets()
	}
	p.prepare(g.preparation(t, s)...)
	return p, p.withIDs(s.configuration())
}

// TestRecipes carries out each section of the guide that has a configuration.
func TestRecipes(t *testing.T) {
	g := readPage(t)
	recipes := g.recipes()
	if len(recipes) < 14 {
		t.Errorf("the guide has %d configurations, there were 14", len(recipes))
	}
	made := map[string][]sim.Call{}
	for _, s := range recipes {
		t.Run(s.anchor, func(t *testing.T) {
			p, config := g.ready(t, s)
			gone := 0
			if s.anchor == adoptingSection {
				gone = 1
			}
			p.live(append(g.flags(t, s), "-f", p.write("mine.yaml", config)), gone)
			for verb, calls := range p.calls {
				made[verb] = append(made[verb], calls...)
			}
		})
	}
	t.Run("rights", func(t *testing.T) { g.checkCalls(t, made) })
}

// added are the fields that Neutron itself changes on what is there when
// something is put into a network or on a router.
var added = append([]string{"networks.subnets", "ports.fixed_ips"}, sim.Volatile...)

// live takes a cluster from validation to deletion. Things that were there and
// are adopted go with it: so many.
func (p *place) live(flags []string, adopted int) {
	p.Helper()
	with := func(verb string, more ...string) []string { return slices.Concat([]string{verb}, flags, more) }
	before := p.cloud.Snapshot()
	for _, verb := range []string{"validate", "preflight"} {
		r := p.must(with(verb)...)
		if said := r.said(); len(said) > 0 || len(r.writes) > 0 {
			p.Errorf("%s has something to say of a network that is in order: %q\n%s", verb, said, r)
		}
		for _, n := range r.out.NotSeen {
			if n.Reason != "no CloudProfile is given" && !strings.HasPrefix(n.Reason, "the ranges and IP families of the cluster are not known") {
				p.Errorf("%s did not check %s: %s", verb, n.Code, n.Reason)
			}
		}
	}
	planned := p.must(with("plan")...)
	p.must(with("apply")...)
	if made := p.unchanged(before, "after apply", added...); len(made) < planned.out.Summary["create"] {
		p.Errorf("%d things were to be made, %d were", planned.out.Summary["create"], len(made))
	}
	if r := p.must(with("apply")...); len(r.writes) > 0 {
		p.Errorf("the second apply wrote: %s", r)
	}
	p.must(with("plan", "--detailed-exitcode")...)
	p.must(with("status")...)
	p.must(with("plan", "--delete")...)
	deleted := p.must(with("delete")...)
	p.after(before, deleted, adopted)
}

// after looks at what is there when the cluster is gone.
func (p *place) after(before []byte, deleted result, adopted int) {
	p.Helper()
	all, err := sim.Compare(before, p.cloud.Snapshot(), sim.Volatile...)
	if err != nil {
		p.Fatal(err)
	}
	gone := 0
	for _, d := range all {
		if d.Kind == "share_networks" && d.Gone() && gone < adopted {
			gone++
			continue
		}
		p.Errorf("after delete: %s", d)
	}
	if gone != adopted {
		p.Errorf("%d things that were adopted are gone, not %d", gone, adopted)
	}
	for _, step := range deleted.out.Steps {
		if step.Action == "delete" && step.Owner == "yours" {
			p.Errorf("the plan deletes what is the user's: %+v", step)
		}
	}
	left, err := filepath.Glob(filepath.Join(p.dir, "*.espalier.json"))
	if err != nil || len(left) > 0 {
		p.Errorf("delete left the state behind: %q %v", left, err)
	}
}

// TestPatternsWithoutAdditionsWriteNothingToThem: in patterns 4 and 5 not even
// the numbers move with which Neutron counts what happens to a thing.
func TestPatternsWithoutAdditionsWriteNothingToThem(t *testing.T) {
	g := readPage(t)
	for _, anchor := range []string{"pattern-4-your-subnet", "pattern-5-your-security-group", "a-shoot-with-routed-pods", "your-ipv6-subnet", "a-share-network-that-stays"} {
		t.Run(anchor, func(t *testing.T) {
			s := g.section(t, anchor)
			p, config := g.ready(t, s)
			flags := append(g.flags(t, s), "-f", p.write("mine.yaml", config))
			before := p.cloud.Snapshot()
			p.must(append([]string{"apply"}, flags...)...)
			p.unchanged(before, "after apply")
			p.must(append([]string{"delete"}, flags...)...)
			for _, d := range p.unchanged(before, "after delete") {
				p.Errorf("left behind: %s", d)
			}
		})
	}
}

// TestTheOperatorHasToLetYou: what the guide says of the gateway's subnet.
func TestTheOperatorHasToLetYou(t *testing.T) {
	g := readPage(t)
	s := g.section(t, gatewaySection)
	p := newPlace(t, []byte(operators))
	flags := append(g.flags(t, s), "-f", p.write("mine.yaml", s.configuration()))
	if r := p.espalier(append([]string{"preflight"}, flags...)...); !slices.Equal(r.said(), []string{"error EOS134"}) {
		t.Errorf("subnets that can not be seen: %s", r)
	}
	p.cloud.OpenExternalSubnets(true)
	if r := p.espalier(append([]string{"apply"}, flags...)...); r.code != 1 || !strings.Contains(r.String(), "external_fixed_ips") {
		t.Errorf("a gateway that a member may not place: %s", r)
	}
	p.lets()
	p.must(append([]string{"apply"}, flags...)...)
	p.must(append([]string{"delete"}, flags...)...)
	if left, err := os.ReadDir(p.dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
