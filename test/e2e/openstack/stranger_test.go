// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "testing"

// TestStranger proves that the member of another project can do nothing with
// what he knows of a cluster: neither its configuration with all IDs, nor its
// state, lets him see or touch anything, and what he tries ends with a finding
// or an error and not with a write.
func TestStranger(t *testing.T) {
	onEach(t, func(s *site) {
		c := s.cluster("shoot--dev--two", s.ownSubnet()+"  securityGroupId: "+s.group+"\n")
		c.must("apply")
		before := s.survey()

		b := c.by(s.as("b", "b", "b"))
		for _, verb := range []string{"preflight", "plan", "apply", "delete"} {
			if r := b.run(verb); r.code == 0 || len(r.calls.writes()) > 0 {
				s.Errorf("with the state of a, %s by b must fail and write nothing: %s", verb, r)
			}
		}

		if r := b.run("status"); r.out.Outcome == "ready" || len(r.codes()) == 0 || len(r.calls.writes()) > 0 {
			s.Errorf("with the state of a, status by b must tell what is wrong and write nothing: %s", r)
		}

		other := s.cluster("shoot--dev--three", s.ownSubnet()+"  securityGroupId: "+s.group+"\n").by(s.as("b", "b", "b"))
		for _, verb := range []string{"preflight", "apply"} {
			r := other.run(verb)
			if r.code != 1 || len(r.codes()) < 4 || len(r.calls.writes()) > 0 {
				s.Errorf("with the IDs of a, %s by b must find four things missing and write nothing: %s", verb, r)
			}
		}
		if r := other.must("delete"); len(r.calls.writes()) > 0 {
			s.Errorf("b has nothing to delete, but wrote: %s", r)
		}

		after := s.survey()
		if harm, made := after.harm(before, counted), after.made(before); harm != "" || len(made) > 0 {
			s.Errorf("b changed something, or made %q:\n%s", made, harm)
		}
		c.idle()
		c.must("delete")
	})
}
