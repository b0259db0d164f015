// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "testing"

// TestTwoClustersOnOneSubnet proves that two clusters, of which one's name is
// the beginning of the other's, live on the same network, subnet and router
// without touching each other: each is idle while the other comes and goes, and
// deleting one leaves everything of the other's.
func TestTwoClustersOnOneSubnet(t *testing.T) {
	onEach(t, func(s *site) {
		twoClusters(s, s.cluster("shoot--dev--one", s.ownSubnet()), s.cluster("shoot--dev--one2", s.ownSubnet()))
	})
}

// TestTwoClustersOnOneRouter proves the same for two clusters that bring the
// same network and router and have a subnet of their own in it each.
func TestTwoClustersOnOneRouter(t *testing.T) {
	onEach(t, func(s *site) {
		on := "  id: " + s.network + "\n  router: {id: " + s.router + "}\n  workers: "
		twoClusters(s, s.cluster("shoot--dev--one", on+"10.250.32.0/19\n"), s.cluster("shoot--dev--one2", on+"10.250.64.0/19\n"),
			s.network, s.router)
	})
}

func twoClusters(s *site, one, two *cluster, spared ...string) {
	s.Helper()
	empty := s.survey()
	one.must("apply")
	onlyOne := s.survey()
	two.must("apply")
	both := s.survey()
	if harm := both.harm(onlyOne, added, spared...); harm != "" {
		s.Errorf("the second cluster touched what was there:\n%s", harm)
	}
	one.idle()
	two.idle()

	one.must("delete")
	onlyTwo := s.survey()
	for name := range onlyTwo {
		if onlyOne[name] != nil && empty[name] == nil {
			s.Errorf("%s of the first cluster is left", name)
		}
	}
	beforeAndTwo := survey{}
	for name, thing := range both {
		if empty[name] != nil || onlyOne[name] == nil {
			beforeAndTwo[name] = thing
		}
	}
	if harm := onlyTwo.harm(beforeAndTwo, added, spared...); harm != "" {
		s.Errorf("deleting the first cluster touched something of the second, or of the user's:\n%s", harm)
	}
	two.idle()

	two.must("delete")
	end := s.survey()
	if harm, made := end.harm(empty, counted, spared...), end.made(empty); harm != "" || len(made) > 0 {
		s.Errorf("after both are deleted there is %q left, or something differs:\n%s", made, harm)
	}
}
