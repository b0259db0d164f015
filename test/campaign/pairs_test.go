// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"fmt"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// twice is a death, and another one while the next run makes up for it.
var twice = mishap{group: "F1b", name: "kill twice", arm: kill}

// pairs draws so many pairs of deaths of a flow.
func pairs(g *ground, ref *reference, n int) (all []point) {
	firsts := mishaps[0].spots(ref)
	phases := []string{"before", "after", "answered"}
	for i := range n {
		draw := g.draw(fmt.Sprintf("pair %s %d", ref.flow, i), nil)
		second := spot{at: "call", n: 1 + int(draw>>16%uint64(len(ref.calls))), phase: phases[draw>>8%3]}
		all = append(all, point{g.variant, ref.flow, &twice, firsts[draw>>32%uint64(len(firsts))], second})
	}
	return all
}

// dieAgain kills the second run at its n-th call, if it makes that many.
func (t *trial) dieAgain(p *process) {
	n := t.calls() + t.second.n
	if t.second.phase == "before" {
		t.cloud.Inject(sim.Fault{Call: n})
	}
	t.set(func(c sim.Call, phase sim.Phase) {
		if c.N == n && phase == sim.Phase(t.second.phase) {
			p.die()
		}
	})
}
