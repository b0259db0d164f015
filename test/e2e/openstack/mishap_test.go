// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"os"
	"strings"
	"testing"
)

// TestOwnThingsGoneFirst proves that a cluster can be deleted when the user has
// taken away his network, subnet and router before.
func TestOwnThingsGoneFirst(t *testing.T) {
	onEach(t, func(s *site) {
		c := s.cluster("shoot--dev--one", s.ownSubnet())
		before := s.survey()
		made := c.must("apply")
		s.drop("a", "ports/"+s.port)
		s.change("a", "routers/"+s.router+"/remove_router_interface", object{"subnet_id": s.subnet})
		s.drop("a", "routers/"+s.router)
		s.drop("a", "networks/"+s.network)
		c.must("delete")
		if left := s.survey().made(before); len(left) > 0 {
			s.Errorf("%q is left of %s", left, made)
		}
	})
}

// TestStateLost proves that a cluster whose state file is lost is found again by
// its marks, not made twice, and deleted.
func TestStateLost(t *testing.T) {
	onEach(t, func(s *site) {
		c := s.cluster("shoot--dev--one", patterns[1].networks(s))
		before := s.survey()
		uid := []string{"--uid", "5d0f3f0e-4a3a-4b53-9f6f-1f5d7f6b2a10"}
		c.must("apply", uid...)
		alive := s.survey()
		if err := os.Remove(c.state()); err != nil {
			s.Fatal(err)
		}
		if r := c.must("apply", uid...); len(r.calls.writes()) > 0 {
			s.Errorf("the second apply does not know its own again: %s", r)
		}
		if harm, made := s.survey().harm(alive, nil), s.survey().made(alive); harm != "" || len(made) > 0 {
			s.Errorf("made again: %q, changed:\n%s", made, harm)
		}
		if err := os.Remove(c.state()); err != nil {
			s.Fatal(err)
		}
		c.must("delete", append(uid, "--delete-marked")...)
		after := s.survey()
		if harm, made := after.harm(before, counted, s.network), after.made(before); harm != "" || len(made) > 0 {
			s.Errorf("left: %q, changed:\n%s", made, harm)
		}
	})
}

// TestRepair proves that what somebody took away is made again, with no more
// writes than that takes.
func TestRepair(t *testing.T) {
	onEach(t, func(s *site) {
		c := s.cluster("shoot--dev--one", patterns[2].networks(s))
		before := s.survey()
		c.must("apply")
		ours := s.find("a", "subnets?name=shoot--dev--one")
		s.change("a", "routers/"+s.router+"/remove_router_interface", object{"subnet_id": ours})
		s.drop("a", "compute:os-keypairs/shoot--dev--one")
		r := c.must("apply")
		if w := r.calls.writes(); len(w) != 2 {
			s.Errorf("the repair took %d writes, not 2: %v", len(w), w)
		}
		c.idle()
		c.must("delete")
		after := s.survey()
		if harm, made := after.harm(before, counted, s.network, s.router), after.made(before); harm != "" || len(made) > 0 {
			s.Errorf("left: %q, changed:\n%s", made, harm)
		}
	})
}

// TestHolder proves that a delete that somebody's port stops names the port,
// loses nothing, and goes on when the port is gone.
func TestHolder(t *testing.T) {
	onEach(t, func(s *site) {
		c := s.cluster("shoot--dev--one", patterns[1].networks(s))
		before := s.survey()
		c.must("apply")
		port := s.make("a", "ports", object{"network_id": s.network, "name": "left over", "fixed_ips": []object{
			{"subnet_id": s.find("a", "subnets?name=shoot--dev--one")}}})
		r := c.run("delete")
		if r.code != 1 || !strings.Contains(r.stdout+r.stderr, port) {
			s.Errorf("delete must fail and name port %s: %s", port, r)
		}
		s.drop("a", "ports/"+port)
		c.must("delete")
		after := s.survey()
		if harm, made := after.harm(before, counted, s.network), after.made(before); harm != "" || len(made) > 0 {
			s.Errorf("left: %q, changed:\n%s", made, harm)
		}
	})
}

// TestQuota proves that an apply that the quota stops says so, and that the next
// one makes what is missing and nothing twice.
func TestQuota(t *testing.T) {
	onEach(t, func(s *site) {
		a, err := s.cloud.User(s.Context(), "a")
		if err != nil {
			s.Fatal(err)
		}
		project, err := a.Project()
		if err != nil {
			s.Fatal(err)
		}
		c := s.cluster("shoot--dev--one", patterns[0].networks(s))
		before := s.survey()
		s.change("admin", "quotas/"+project, object{"quota": object{"router": 1}})
		if r := c.run("apply"); r.code != 1 || !strings.Contains(strings.ToLower(r.stdout+r.stderr), "quota") {
			s.Errorf("apply must fail and speak of the quota: %s", r)
		}
		s.change("admin", "quotas/"+project, object{"quota": object{"router": 10}})
		c.must("apply")
		if made := s.survey().made(before); len(made) != patterns[0].makes {
			s.Errorf("%d things were made, not %d: %q", len(made), patterns[0].makes, made)
		}
		c.idle()
		c.must("delete")
		after := s.survey()
		if harm, made := after.harm(before, counted), after.made(before); harm != "" || len(made) > 0 {
			s.Errorf("left: %q, changed:\n%s", made, harm)
		}
	})
}
