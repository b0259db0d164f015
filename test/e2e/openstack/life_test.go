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
	// networks is the part of the configuration that says what is brought. It
	// makes what the site has not.
	networks func(s *site) string
	// spared are things of the user's to which something of ours is added.
	spared func(s *site) []string
	makes  int // things that apply makes, the key pair included
	reads  int // calls of a run that has nothing to do, at the most
	flags  []string
}

func none(*site) []string { return nil }

// patterns are those of the proposal, of one IP family. Things that are made:
// network, subnet, router with the ports of its gateway and its interface,
// group, key pair.
var patterns = []pattern{
	{name: "1 managed", networks: func(*site) string { return workers }, spared: none, makes: 7, reads: 7},
	{name: "2 own network", networks: func(s *site) string { return "  id: " + s.network + "\n" + workers },
		spared: func(s *site) []string { return []string{s.network} }, makes: 6, reads: 7},
	{name: "3 own network and router", networks: func(s *site) string {
		return "  id: " + s.network + "\n  router: {id: " + s.router + "}\n" + workers
	}, spared: func(s *site) []string { return []string{s.network, s.router} }, makes: 4, reads: 7},
	{name: "4 own subnet", networks: func(s *site) string { return s.ownSubnet() }, spared: none, makes: 2, reads: 6},
	{name: "5 own security group", networks: func(s *site) string {
		return s.ownSubnet() + "  securityGroupId: " + s.group + "\n"
	}, spared: none, makes: 1, reads: 7}, // one more: the name of the group must be unique
}

const workers = "  workers: 10.250.32.0/19\n"

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
		t.Run(p.name, func(t *testing.T) { onEach(t, p.live) })
	}
}

func (p pattern) live(s *site) {
	c := s.cluster("shoot--dev--one", p.networks(s))
	c.flags = p.flags
	before := s.survey()
	if r := c.must("preflight"); len(r.calls.writes()) > 0 {
		s.Errorf("preflight wrote: %s", r)
	}
	create := c.must("apply")
	alive := s.survey()
	if harm := alive.harm(before, added, p.spared(s)...); harm != "" {
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
	if harm := s.survey().harm(alive, nil); harm != "" {
		s.Errorf("a run with nothing to do changed something:\n%s", harm)
	}

	remove := c.must("delete")
	after := s.survey()
	if harm := after.harm(before, counted, p.spared(s)...); harm != "" {
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
}
