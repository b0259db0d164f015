// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

var update = flag.Bool("update", false, "write the tables in docs/benchmarks.md anew")

// limits are what a run may cost at the most, in patterns 1 to 5, the request
// for a token included. In pattern 5 the name of the user's group is looked up,
// after the group.
var limits = map[string][5]Cost{
	"create":     {{16, 7, 6}, {16, 6, 6}, {16, 5, 6}, {11, 3, 4}, {11, 1, 4}},
	"no-op":      {{8, 0, 3}, {8, 0, 3}, {8, 0, 3}, {7, 0, 3}, {8, 0, 3}},
	"state lost": {{9, 0, 3}, {9, 0, 3}, {9, 0, 3}, {9, 0, 3}, {9, 0, 3}},
	"delete":     {{14, 6, 5}, {13, 5, 5}, {12, 4, 4}, {10, 2, 3}, {9, 1, 3}},
}

// TestCostOnOpenStack measures each pattern: created, looked at again with its
// state and without it, deleted.
func TestCostOnOpenStack(t *testing.T) {
	var table strings.Builder
	table.WriteString("| pattern | run | calls | writes | depth |\n|---|---|---|---|---|\n")
	for pattern := 1; pattern <= 5; pattern++ {
		synctest.Test(t, func(t *testing.T) { // in its own bubble, with its own time
			c := newCluster(t, pattern)
			saved := []byte(nil)
			for _, step := range []struct {
				name string
				do   func(context.Context)
			}{
				{"create", c.apply},
				{"no-op", c.apply},
				{"state lost", func(ctx context.Context) { saved, c.state = c.state, nil; c.apply(ctx) }},
				{"delete", func(ctx context.Context) { c.state = saved; c.delete(ctx) }},
			} {
				got := c.measure(func() { step.do(t.Context()) })
				fmt.Fprintf(&table, "| %d | %s | %d | %d | %d |\n", pattern, step.name, got.Calls, got.Writes, got.Depth)
				if most := limits[step.name][pattern-1]; !got.Within(most) {
					t.Errorf("pattern %d, %s: %+v, at most %+v", pattern, step.name, got, most)
				}
			}
		})
	}
	InPage(t, "costs", table.String(), *update)
}

// measure lets each call take 100 ms and counts those that f makes.
func (c *cluster) measure(f func()) Cost {
	c.cloud.SetLatency(latency)
	c.cloud.ClearCalls()
	f()
	c.cloud.SetLatency(0)
	calls := c.cloud.Calls()
	return Cost{len(calls), len(sim.Writes(calls)), sim.Depth(calls)}
}
