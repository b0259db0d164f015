// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"testing"

	"github.com/espalier-io/espalier/test/estate"
)

// lost is a death, after which the state is gone too. What bears our mark, is
// contained in what does, or is exactly what ours would be, is found again.
var lost = mishap{group: "F1", name: "kill, and the state is lost", spots: during(calls(writing, "after"), create, remove), arm: lose}

// lose kills after the effect of a call, and takes the state away.
func lose(t *trial, s spot) {
	kill(t, s)
	t.then = func() { t.saved = nil }
}

// TestCampaignWithoutState tries that at each write, or at a sample of them.
func TestCampaignWithoutState(t *testing.T) {
	r := newReport(*seed)
	t.Run("of", func(t *testing.T) {
		for _, v := range estate.Variants() {
			t.Run(v.Name, func(t *testing.T) {
				t.Parallel()
				for _, f := range []flow{create, remove} {
					if !wanted(v, f) {
						continue
					}
					ref := refer(t, v, f, *seed)
					for _, s := range lost.spots(ref) {
						if p := (point{v, f, &lost, s, spot{}}); *only != "" && chosen(p) || *only == "" && (*full || one(p.String(), 4)) {
							r.add(t, try(t, p, ref, *seed))
						}
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
