// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
	"github.com/espalier-io/espalier/test/estate"
	world "github.com/espalier-io/espalier/test/estate/openstack"
)

// The campaign notices it if a promise is not kept: here somebody breaks each
// of them before the first write of a run.
func TestTheCampaignSeesEachBrokenPromise(t *testing.T) {
	v := world.Variants()[3]
	ref := refer(t, v, create, 1)
	first := sim.Writes(ref.calls)[0].N
	for promise, harm := range map[string]func(r *trial){
		"I1": func(r *trial) {
			r.ask(http.MethodPut, "/network/v2.0/networks/"+world.Network, `{"network": {"name": "mine now"}}`)
		},
		"I2": func(r *trial) {
			r.ask(http.MethodPost, "/network/v2.0/networks", `{"network": {"name": "left over"}}`)
		},
		"I3": func(r *trial) {
			for range 2 {
				r.ask(http.MethodPost, "/network/v2.0/networks", fmt.Sprintf(`{"network": {"description": "%s %s/network"}}`, estate.Cluster, estate.UID))
			}
		},
		"I4": func(r *trial) {
			id, _ := r.cloud.Find(world.Project, "security group", "shoot--garden--rosebud")
			r.ask(http.MethodDelete, "/network/v2.0/security-groups/"+id, "")
		},
		"I5": func(r *trial) {
			r.cloud.Inject(sim.Fault{Times: -1, Status: 503, Match: writing})
		},
		"I6": func(r *trial) {
			r.between = func(error) { r.ask(http.MethodDelete, "/compute/v2.1/os-keypairs/"+estate.Cluster, "") }
		},
		"I7": func(r *trial) {
			r.first.event(engine.Event{Name: "something else", Action: engine.Delete, Phase: engine.Started})
		},
		"I8": func(r *trial) { r.secret("a message", "the password is "+estate.Secret) },
	} {
		m := mishap{name: promise, stays: true, arm: func(r *trial, s spot) {
			r.at(s.n, sim.Before, func(sim.Call) { harm(r) })
		}}
		res := try(t, point{variant: v, flow: create, mishap: &m, spot: spot{at: "call", n: first}}, ref, 1)
		if all := strings.Join(res.violations, "\n"); !strings.Contains("\n"+all, "\n"+promise) {
			t.Errorf("%s is broken, and this is noticed:\n%s", promise, all)
		}
	}
}

// A run can be repeated exactly: the same seed gives the same calls.
func TestTheSameSeedGivesTheSameRun(t *testing.T) {
	for _, f := range flows {
		var texts [2]string
		for i := range texts {
			for _, c := range refer(t, world.Variants()[5], f, 7).calls {
				texts[i] += fmt.Sprintln(c.N, c.Method, c.Path, c.Query, c.Body, c.Start)
			}
		}
		if texts[0] != texts[1] {
			t.Errorf("%s: once\n%s\nand then\n%s", f, texts[0], texts[1])
		}
	}
}
