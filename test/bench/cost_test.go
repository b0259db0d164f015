// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

var update = flag.Bool("update", false, "write the table in docs/benchmarks.md anew")

const page = "../../docs/benchmarks.md"

// A cost is what one run took, the request for a token included.
type cost struct{ calls, writes, depth int }

// limits are what a run may cost at the most, in patterns 1 to 5. In pattern 5
// the name of the user's group is looked up, after the group.
var limits = map[string][5]cost{
	"create":     {{16, 7, 6}, {16, 6, 6}, {16, 5, 6}, {11, 3, 4}, {11, 1, 4}},
	"no-op":      {{8, 0, 3}, {8, 0, 3}, {8, 0, 3}, {7, 0, 3}, {8, 0, 3}},
	"state lost": {{9, 0, 3}, {9, 0, 3}, {9, 0, 3}, {9, 0, 3}, {9, 0, 3}},
	"delete":     {{14, 6, 5}, {13, 5, 5}, {12, 4, 4}, {10, 2, 3}, {9, 1, 3}},
}

// TestCost measures each pattern: created, looked at again with its state and
// without it, deleted.
func TestCost(t *testing.T) {
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
				fmt.Fprintf(&table, "| %d | %s | %d | %d | %d |\n", pattern, step.name, got.calls, got.writes, got.depth)
				most := limits[step.name][pattern-1]
				if got.calls > most.calls || got.writes > most.writes || got.depth > most.depth {
					t.Errorf("pattern %d, %s: %+v, at most %+v", pattern, step.name, got, most)
				}
			}
		})
	}
	t.Logf("\n%s", table.String())
	inPage(t, table.String())
}

// inPage compares the table with the one that the documentation shows.
func inPage(t *testing.T, table string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- costs -->\n", "<!-- end of costs -->\n"
	before, rest, found := strings.Cut(string(text), begin)
	shown, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no %q followed by %q", page, begin, end)
	}
	if shown == table {
		return
	}
	if !*update {
		t.Errorf("%s shows\n%s\nrun go test ./test/bench -update", page, shown)
		return
	}
	if err := os.WriteFile(page, []byte(before+begin+table+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// measure lets each call take 100 ms and counts those that f makes.
func (c *cluster) measure(f func()) cost {
	c.cloud.SetLatency(100 * time.Millisecond)
	c.cloud.ClearCalls()
	f()
	c.cloud.SetLatency(0)
	calls := c.cloud.Calls()
	return cost{len(calls), len(sim.Writes(calls)), sim.Depth(calls)}
}
