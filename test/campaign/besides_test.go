// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"testing"
	"time"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
	world "github.com/espalier-io/espalier/test/estate/openstack"
)

// besides are faults that take two things to go wrong.
var besides = []mishap{
	// What bears our mark, is contained in what does, or is exactly what ours
	// would be, is found again.
	{group: "F1", name: "kill, and the state is lost", spots: during(calls(writing, "after"), create, remove), arm: lose},
	// The intents are old by the time that the last creates are sent.
	{group: "F4", name: "killed in a slow cloud, then reads are stale", spots: firsts(writing, "after"), arm: slow},
}

// lose kills after the effect of a call, and takes the state away.
func lose(t *trial, s spot) {
	kill(t, s)
	t.then = func() { t.saved = nil }
}

// slow lets each call take 20 s until the process is killed, and reads be stale
// for 30 s after that.
func slow(t *trial, s spot) {
	t.cloud.SetLatency(20 * time.Second)
	t.then = func() { t.cloud.SetLatency(0) }
	die := t.stale()
	t.set(func(c sim.Call, p sim.Phase) {
		if p == sim.After && operation(c) == s.op && t.fired.CompareAndSwap(false, true) {
			die()
		}
	})
}

// firsts are the first calls of each operation. In a slow cloud calls come in
// another order, so that their numbers say nothing.
func firsts(match func(sim.Call) bool, phase string) func(*reference) []spot {
	return func(ref *reference) (all []spot) {
		seen := map[string]bool{}
		for _, s := range calls(match, phase)(ref) {
			if !seen[s.op] {
				seen[s.op] = true
				all = append(all, spot{at: "flow", op: s.op, phase: phase})
			}
		}
		return all
	}
}

// TestCampaignBesides tries these at each spot, or at a sample of them.
func TestCampaignBesides(t *testing.T) {
	r := newReport(*seed)
	t.Run("of", func(t *testing.T) {
		for _, v := range world.Variants() {
			t.Run(v.Name, func(t *testing.T) {
				t.Parallel()
				for _, f := range flows {
					if wanted(v, f) {
						r.besides(t, refer(t, v, f, *seed), v)
					}
				}
			})
		}
	})
	t.Logf("seed %d\n%s", *seed, r.table())
	for _, p := range r.missed {
		t.Errorf("%s: the fault did not happen", p)
	}
}

func (r *report) besides(t *testing.T, ref *reference, v world.Variant) {
	t.Helper()
	for i := range besides {
		for _, s := range besides[i].spots(ref) {
			p := point{v, ref.flow, &besides[i], s, spot{}}
			if *only != "" && chosen(p) || *only == "" && (*full || one(p.String(), 4)) {
				r.add(t, try(t, p, ref, *seed))
			}
		}
	}
}
