// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"os"
	"testing"
)

// A pattern is one way to bring a network, from nothing to everything.
type pattern struct {
	name string
	// networks is the part of the configuration that says what is brought.
	networks func(s *site) string
	// spared are things of the user's to which something of ours is added.
	spared func(s *site) []string
	makes  int // things that apply makes, the key pair included
	reads  int // calls of a run that has nothing to do, at the most
}

func none(*site) []string { return nil }

var patterns = []pattern{
	// network, subnet, router with the ports of its gateway and interface, group, key pair
	{"1 managed", func(*site) string { return "  workers: 10.250.32.0/19\n" }, none, 7, 7},
	{"2 own network", func(s *site) string { return "  id: " + s.network + "\n  workers: 10.250.32.0/19\n" },
		func(s *site) []string { return []string{s.network} }, 6, 7},
	{"3 own network and router", func(s *site) string {
		return "  id: " + s.network + "\n  router: {id: " + s.router + "}\n  workers: 10.250.32.0/19\n"
	}, func(s *site) []string { return []string{s.network, s.router} }, 4, 7},
	{"4 own subnet", func(s *site) string { return s.ownSubnet() }, none, 2, 6},
	{"5 own security group", func(s *site) string { return s.ownSubnet() + "  securityGroupId: " + s.group + "\n" }, none, 1, 7}, // one more: the name of the group must be unique
}

// ownSubnet is the configuration of pattern 4.
func (s *site) ownSubnet() string {
	return "  id: " + s.network + "\n  subnetId: " + s.subnet + "\n  router: {id: " + s.router + "}\n"
}

// TestLife proves, for each pattern: apply makes what is needed and nothing
// else; what the user and the neighbours own is as it was while the cluster
// lives and after it; status and preflight agree; a second apply and status
// write nothing; delete takes away all that was made, and the state with it.
func TestLife(t *testing.T) {
	for _, p := range patterns {
		t.Run(p.name, func(t *testing.T) {
			onEach(t, func(s *site) {
				before := s.survey()
				c := s.cluster("shoot--dev--one", p.networks(s))
				if r := c.must("preflight"); len(r.calls.writes()) > 0 {
					s.Errorf("preflight wrote: %s", r)
				}
				create := c.must("apply")
				alive := s.survey()
				if harm := alive.harm(before, p.spared(s)...); harm != "" {
					s.Errorf("apply harmed what was there:\n%s", harm)
				}
				if made := alive.made(before); len(made) != p.makes {
					s.Errorf("%d things were made, not %d: %q", len(made), p.makes, made)
				}

				again := c.idle()
				if len(again.calls) > p.reads {
					s.Errorf("a run with nothing to do makes %d calls, more than %d: %v", len(again.calls), p.reads, again.calls)
				}
				if r := c.must("status"); r.out.Outcome != "ready" || len(r.calls.writes()) > 0 {
					s.Errorf("status does not find it good: %s", r)
				}
				if r := c.must("plan", "--detailed-exitcode"); len(r.calls.writes()) > 0 {
					s.Errorf("plan wrote: %s", r)
				}
				if harm := s.survey().harm(alive); harm != "" {
					s.Errorf("a run with nothing to do changed something:\n%s", harm)
				}

				remove := c.must("delete")
				after := s.survey()
				if harm := after.harm(before, p.spared(s)...); harm != "" {
					s.Errorf("after delete something is not as it was before:\n%s", harm)
				}
				if made := after.made(before); len(made) > 0 {
					s.Errorf("delete left behind: %q", made)
				}
				if _, err := os.Stat(c.state()); !os.IsNotExist(err) {
					s.Errorf("delete left the state file behind (%v)", err)
				}
				s.Logf("calls/writes: create %d/%d, again %d/%d, delete %d/%d", len(create.calls), len(create.calls.writes()),
					len(again.calls), len(again.calls.writes()), len(remove.calls), len(remove.calls.writes()))
			})
		})
	}
}
