// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// checkBalancers looks at which load balancer subnets there are: of which
// kinds, and in which of the zones in use.
func (t *topology) checkBalancers() {
	zones := map[string][]string{}
	for _, u := range t.subnets {
		if u.purpose != "nodes" {
			zones[u.purpose] = append(zones[u.purpose], u.zone)
		}
	}
	public, internal := zones["public"], zones["internal"]
	t.require(rules.noBalancers, "load balancers", nil, func(engine.Deps) engine.Problem {
		return engine.Unless(len(public) > 0 || len(internal) > 0, "", "no zone has a public or an internal subnet")
	})
	t.require(rules.partBalancers, "load balancers", nil, func(engine.Deps) engine.Problem {
		missing := "public"
		if len(public) > 0 {
			missing = "internal"
		}
		return engine.Unless((len(public) > 0) == (len(internal) > 0), missing, "there are no %s load balancer subnets", missing)
	})
	var single []string
	for _, purpose := range []string{"public", "internal"} {
		t.checkZones(purpose, zones[purpose])
		if len(zones[purpose]) == 1 {
			single = append(single, fmt.Sprintf("%s ones in %s", purpose, zones[purpose][0]))
		}
	}
	t.require(rules.oneZone, "load balancers", nil, func(engine.Deps) engine.Problem {
		return engine.Unless(len(single) == 0, "", "there are load balancer subnets in one zone only: %s", strings.Join(single, ", "))
	})
}

// checkZones asks whether load balancer subnets of one kind stand in all zones
// that nodes are in.
func (t *topology) checkZones(purpose string, covered []string) {
	var bare []string
	for _, z := range t.given.Zones {
		if !slices.Contains(covered, z.Name) {
			bare = append(bare, z.Name)
		}
	}
	t.require(rules.bareZones, purpose+" load balancers", nil, func(engine.Deps) engine.Problem {
		return engine.Unless(len(covered) == 0 || len(bare) == 0, strings.Join(bare, ", "), "there is no %s load balancer subnet in %s, but there is in %s", purpose, strings.Join(bare, ", "), strings.Join(covered, ", "))
	})
}
