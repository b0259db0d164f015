// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
	world "github.com/espalier-io/espalier/test/estate/openstack"
)

var (
	full   = flag.Bool("full", false, "try all points, not a sample")
	seed   = flag.Uint64("seed", 1, "what times, throttling and pairs are drawn from")
	only   = flag.String("point", "", "try only the points whose name contains this")
	update = flag.Bool("update", false, "with -full: write the figures in docs/reliability.md anew")
)

// The sample is a third of the flows, and of each one in so many points.
const (
	flowsInSample = 3
	sampled       = 24

	pairsOfFlow = 16 // of deaths, in each flow of each variant
	page        = "../../docs/reliability.md"
)

// TestCampaign tries all points, or a fixed sample of them.
func TestCampaign(t *testing.T) {
	r := newReport(*seed)
	t.Run("of", func(t *testing.T) {
		for _, v := range world.Variants() {
			t.Run(v.Name, func(t *testing.T) {
				t.Parallel()
				for _, f := range flows {
					if !wanted(v, f) {
						continue
					}
					ref := refer(t, v, f, *seed)
					for _, p := range pointsOf(t, v, ref) {
						if chosen(p) {
							r.add(t, try(t, p, ref, *seed))
						}
					}
				}
			})
		}
	})
	table := r.table()
	t.Logf("seed %d\n%s", *seed, table)
	for _, p := range r.missed {
		t.Errorf("%s: the fault did not happen", p)
	}
	if *full && *only == "" {
		inPage(t, table)
	}
}

// pointsOf are all points of a flow of a variant.
func pointsOf(t *testing.T, v world.Variant, ref *reference) (all []point) {
	for i := range mishaps {
		for _, s := range mishaps[i].spots(ref) {
			all = append(all, point{v, ref.flow, &mishaps[i], s, spot{}})
		}
	}
	synctest.Test(t, func(t *testing.T) { // a ground draws
		all = append(all, pairs(newGround(t, v, *seed, sim.Options{}), ref, pairsOfFlow)...)
	})
	return all
}

// wanted says whether any point of a flow can be.
func wanted(v world.Variant, f flow) bool {
	name := fmt.Sprintf("%s/%s/", v.Name, f)
	if *only != "" {
		return !strings.Contains(*only, "/") || strings.HasPrefix(*only, name) || strings.HasPrefix(name, *only)
	}
	return *full || one(name, flowsInSample)
}

// chosen says whether a point is to be tried.
func chosen(p point) bool {
	if *only != "" {
		return strings.Contains(p.String(), *only)
	}
	return *full || one(p.String(), sampled)
}

// one says yes to one in so many names.
func one(name string, in uint64) bool {
	h := fnv.New64a()
	fmt.Fprint(h, name)
	return h.Sum64()>>20%in == 0
}

// inPage compares the figures with those that the page shows.
func inPage(t *testing.T, table string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- campaign -->\n", "<!-- end of campaign -->\n"
	before, rest, found := strings.Cut(string(text), begin)
	shown, after, closed := strings.Cut(rest, end)
	switch {
	case !found || !closed:
		t.Fatalf("%s has no %q followed by %q", page, begin, end)
	case shown == table:
	case !*update:
		t.Errorf("%s shows\n%s\nrun make campaign with -update", page, shown)
	default:
		if err := os.WriteFile(page, []byte(before+begin+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
