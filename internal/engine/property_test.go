// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// TestAnyGraph says what holds of any graph and any history, whatever fails,
// dies, is denied or shows late: it converges, the next run writes nothing,
// nothing of ours is left over or there twice, and the user's things are as
// they were.
func TestAnyGraph(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var failed any // rapid ends a try with a panic
		synctest.Test(t, func(*testing.T) {
			defer func() { failed = recover() }()
			anyGraph(rt)
		})
		if failed != nil {
			panic(failed)
		}
	})
}

func anyGraph(t *rapid.T) {
	w := newWorld(drawGarden(t))
	w.limit = rapid.SampledFrom([]int{1, 1, 1, 4}).Draw(t, "limit")
	if rapid.Bool().Draw(t, "late") { // what is new shows only later
		w.settle, w.cloud.hide = Settle, 50*time.Second
	}
	for i, edit := range rapid.SliceOfN(rapid.SampledFrom(edits), 0, 6).Draw(t, "history") {
		if i > 0 {
			w.edit(t, edit)
		}
		w.stage(t, edit, false)
		w.gd.check(t, w.cloud, w.lost)
		if t.Failed() {
			t.Fatalf("after %s", edit)
		}
	}
	w.stage(t, "delete", true)
	w.gd.bare(t, w.cloud, w.lost)
	if s, err := LoadState(w.saved, nil); err != nil || len(s.Records()) > 0 {
		t.Errorf("still recorded: %v (%v)", s.Records(), err)
	}
	if w.cloud.inUse > 0 && !w.lost {
		t.Errorf("something was deleted before what stands on it")
	}
}

func drawGarden(t *rapid.T) *garden {
	gd := &garden{gone: map[int]bool{}, keys: map[ID]string{}, size: 1, value: "shared", leaves: Set[string]{"green", "red"}}
	for i := range rapid.IntRange(1, 10).Draw(t, "beds") {
		b := bed{theirs: rapid.IntRange(0, 2).Draw(t, "theirs") == 0}
		if b.theirs {
			b.labeled = rapid.Bool().Draw(t, "labeled")
			b.before = rapid.SampledFrom([]string{"", "", "shared", "theirs"}).Draw(t, "before")
		} else {
			// A kind must not come before one that it needs.
			least := 0
			for j := range i {
				if rapid.IntRange(0, 3).Draw(t, "on") == 0 {
					b.on = append(b.on, j)
					for r, sp := range species {
						if sp == gd.beds[j].species {
							least = max(least, r)
						}
					}
				}
			}
			b.species = rapid.SampledFrom(species[least:]).Draw(t, "species")
		}
		gd.beds = append(gd.beds, b)
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "keys") {
		gd.keys[ID(fmt.Sprint("k", i))] = "old"
	}
	return gd
}

var edits = []string{"grow", "recolor", "reshape", "leaves", "value", "key", "shrink", "unshrink", "foreign", "none"}

// edit changes the configuration, or lets somebody else change our things.
func (w *world) edit(t *rapid.T, what string) {
	gd := w.gd
	switch what {
	case "grow":
		gd.size++
	case "recolor":
		gd.color += "r"
	case "reshape":
		gd.shape += "s"
	case "leaves":
		gd.leaves = rapid.SampledFrom([]Set[string]{{"green"}, {}, {"red", "blue"}, {"blue"}}).Draw(t, "leaves")
	case "value":
		gd.value += "v"
	case "key":
		for n := range gd.keys {
			gd.keys[n] += "k"
		}
	case "shrink":
		for i := range gd.beds {
			if rapid.IntRange(0, 2).Draw(t, "gone") == 0 {
				gd.gone[i] = true
			}
		}
	case "unshrink":
		gd.gone = map[int]bool{}
	case "foreign":
		for id, th := range w.cloud.things {
			if th.Mark != "" {
				th.Leaves = append(minus(th.Leaves, []string{"foreign"}), "foreign")
				w.cloud.things[id] = th
			}
		}
	}
}

// stage brings the cloud to the garden, or back, with mishaps.
func (w *world) stage(t *rapid.T, what string, destroy bool) {
	mishaps := []mishap{none, none, none, none, failsBefore, failsAfter, diesBefore, diesAfter}
	if what != "key" { // with the state it would be lost that the old key is ours
		mishaps = append(mishaps, diesWithState)
		if rapid.IntRange(0, 7).Draw(t, "lost") == 0 {
			time.Sleep(w.cloud.hide) //nolint:forbidigo // the bubble's clock
			w.lose()
		}
	}
	w.script = rapid.SliceOfN(rapid.SampledFrom(mishaps), 0, 20).Draw(t, "mishaps")
	w.denied = rapid.SliceOfN(rapid.Bool(), 0, 12).Draw(t, "denied")
	w.converge(t, destroy)
	time.Sleep(w.cloud.hide) //nolint:forbidigo // the bubble's clock; what was made twice shows by then
	w.converge(t, destroy)
}
