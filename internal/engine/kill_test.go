// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"slices"
	"testing"
	"testing/synctest"
)

// TestEveryKillPoint dies at each operation (call or save) of a whole life,
// before and after its effect, and then runs to the end.
func TestEveryKillPoint(t *testing.T) { synctest.Test(t, everyKillPoint) }

func everyKillPoint(t *testing.T) {
	points := 0
	for _, how := range []mishap{diesBefore, diesAfter, diesWithState} {
		for at := 0; ; at++ {
			w := newWorld(smallGarden())
			w.settle = -1
			w.script = append(slices.Repeat([]mishap{none}, at), how)
			w.life(t)
			if t.Failed() {
				t.Fatalf("operation %d, %v", at+1, how)
			}
			if len(w.script) > 0 {
				break
			}
			points++
		}
	}
	t.Logf("%d kill points", points)
}

// smallGarden has one of everything.
func smallGarden() *garden {
	return &garden{
		beds: []bed{
			{theirs: true, labeled: true}, {species: "plain", on: []int{0}}, {species: "slow", on: []int{1}}, {species: "sure", on: []int{1, 2}},
			{theirs: true, labeled: true, before: "shared"},
		},
		keys: map[ID]string{"k": "old"}, gone: map[int]bool{}, size: 1, leaves: Set[string]{"green", "red"}, value: "shared",
	}
}

func (w *world) life(t *testing.T) {
	gd := w.gd
	for _, change := range []func(){
		func() {},
		func() { gd.size, gd.leaves = 2, Set[string]{"red"} },
		func() { gd.shape, gd.value = "round", "owned" },
		func() { gd.color = "red" },
		func() { gd.gone[0], gd.gone[3] = true, true },
	} {
		change()
		w.converge(t, false)
		gd.check(t, w.cloud, w.lost)
	}
	w.converge(t, true)
	gd.bare(t, w.cloud, w.lost)
	if w.cloud.inUse > 0 && !w.lost {
		t.Error("something was deleted before what stands on it")
	}
}
