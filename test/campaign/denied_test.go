// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"net/http"
	"strings"

	"github.com/espalier-io/espalier/internal/openstack"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// deny takes the right to one action away during the first run. Before it
// preflight and plan have a look, which must work with what can be read.
func deny(t *trial, s spot) {
	t.cloud.Inject(sim.Fault{Times: -1, Status: http.StatusForbidden, Body: "rule is disallowed by policy", Match: func(c sim.Call) bool {
		hit := operation(c) == s.op
		if hit {
			t.fired.Store(true)
		}
		return hit
	}})
	t.lookWithout(s.op)
	before := t.calls()
	t.between = func(err error) {
		var refused []string
		for _, c := range t.cloud.Calls()[before:] {
			if c.Status == http.StatusForbidden {
				refused = append(refused, c.Method+" "+c.Path)
			}
		}
		if len(refused) > 0 && err != nil && !denied(err) {
			t.violated("I5", "%s denied, and the error does not say so: %v", s.op, err)
		}
		if writes := strings.HasPrefix(s.op, http.MethodGet) || strings.HasSuffix(s.op, "/auth/tokens"); !writes && len(refused) > 0 && err == nil {
			t.violated("I5", "%s denied, and the run is content", s.op)
		}
	}
}

// lookWithout is preflight and plan, as far as they can go without a right.
func (t *trial) lookWithout(op string) {
	before := t.calls()
	p := t.start()
	defer p.cancel()
	why := openstack.Preflight
	if t.flow == remove {
		why = openstack.Deletion
	}
	err := p.facts(why)
	switch {
	case err != nil && strings.HasSuffix(op, "/auth/tokens") && denied(err): // nothing can be done without a token
	case err != nil:
		t.violated("I5", "looking with %s denied: %v", op, err)
	default:
		text, blocked := findings(p.look)
		t.secret("findings", text)
		plan, err := p.look.Plan()
		if t.flow == remove {
			plan, err = p.look.PlanDelete()
		}
		if err != nil && !blocked && !denied(err) {
			t.violated("I5", "planning with %s denied: %v", op, err)
		}
		if reads := strings.HasPrefix(op, http.MethodGet); !reads && (err != nil || strings.Contains(plan.String(), "blocked") || strings.Contains(text, "not checked")) {
			t.violated("I5", "only %s is denied, and a look is not complete: %v\n%s\n%s", op, err, text, plan)
		}
	}
	if writes := sim.Writes(t.cloud.Calls()[before:]); len(writes) > 0 {
		t.violated("I7", "a look has written: %+v", writes)
	}
}
