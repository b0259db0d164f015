// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A garden is a random configuration: nodes, each the user's or ours, and labels.
type garden struct {
	theirs []bool
	on     [][]int
	labels []int // on which of the user's things we put our label
	gone   map[int]bool
	size   int
	color  string
	shape  string
}

func randomGarden(rng *rand.Rand) *garden {
	g := &garden{gone: map[int]bool{}, size: 1}
	for i := range 2 + rng.IntN(12) {
		g.theirs = append(g.theirs, rng.IntN(3) == 0)
		g.on = append(g.on, nil)
		for j := range i {
			if rng.IntN(4) == 0 && !g.theirs[i] {
				g.on[i] = append(g.on[i], j)
			}
		}
		if g.theirs[i] && rng.IntN(2) == 0 {
			g.labels = append(g.labels, i)
		}
	}
	return g
}

func their(i int) ID   { return ID(fmt.Sprint("their-", i)) }
func our(i int) string { return fmt.Sprint("thing-", i) }

func (gd *garden) topology(s *State, c *toy) *Graph[*toy] {
	var ids, labelIDs []ID
	for i := range gd.theirs {
		if gd.theirs[i] {
			ids = append(ids, their(i))
			labelIDs = append(labelIDs, their(i)+"#mine", their(i)+"#other")
		}
	}
	for _, r := range s.Records() {
		ids = append(ids, r.ID)
	}
	f := c.facts(ids, labelIDs)
	g := New(s, "toy", Remover[*toy](things{}), Remover[*toy](labels{}))
	nodes := map[int]*Node[thing]{}
	for i := range gd.theirs {
		if gd.theirs[i] {
			nodes[i] = Refer(g, string(their(i)), Rule{Code: "absent", Severity: Error}, f.things.Get(their(i)), nil)
			continue
		}
		if gd.gone[i] {
			continue
		}
		var needs []Dependency
		for _, j := range gd.on[i] {
			if nodes[j] != nil {
				needs = append(needs, nodes[j])
			}
		}
		nodes[i] = Manage(g, our(i), Kind[*toy, thing](things{}), Marked(s, our(i), &f.things), needs, func(d Deps, have *thing) thing {
			want := thing{Mark: our(i), On: Set[ID]{}, Size: gd.size, Color: gd.color, Shape: gd.shape, Plot: Chosen}
			for _, j := range gd.on[i] {
				if nodes[j] != nil {
					want.On = append(want.On, nodes[j].ID(d))
				}
			}
			return want
		})
	}
	for _, i := range gd.labels {
		if gd.gone[i] {
			continue
		}
		name := fmt.Sprintf("%s/label mine", their(i))
		Manage(g, name, Kind[*toy, label](labels{}), Attached(s, name, f.labels.Get(their(i)+"#mine")), Needs(nodes[i]), func(d Deps, _ *label) label {
			return label{nodes[i].ID(d), "mine", "shared"}
		})
	}
	Stray(g, Remover[*toy](things{}), &f.things)
	return g
}

// TestAnyGraph says what holds of any graph whatever fails or dies: it
// converges, is then idle, nothing of ours is left over or there twice, and
// the user's things are as they were. When the state is lost, only a label on
// the user's things may stay: the class attached allows that.
func TestAnyGraph(t *testing.T) {
	for seed := range uint64(600) {
		func() {
			rng := rand.New(rand.NewPCG(seed, 7))
			gd, cloud := randomGarden(rng), newToy()
			for i, theirs := range gd.theirs {
				if theirs {
					cloud.things[their(i)] = thing{Size: 7}
					cloud.userIDs[their(i)] = true
					if rng.IntN(3) == 0 { // there before us, with our value or another
						cloud.labels[their(i)+"#mine"] = []string{"shared", "theirs"}[rng.IntN(2)]
					}
					cloud.labels[their(i)+"#other"] = "x"
				}
			}
			before, labelsBefore := maps.Clone(cloud.things), maps.Clone(cloud.labels)

			var saved []byte
			lost := false
			killAt, calls, dead := -1, 0, false
			mode := rng.IntN(4) // none, flaky, kill before, kill after
			fault := func(_ string, effect func() error) error {
				calls++
				switch {
				case dead:
					return errKilled
				case mode == 1 && rng.IntN(6) == 0:
					return errFlaky
				case mode == 1 && rng.IntN(6) == 0:
					return errors.Join(effect(), errFlaky)
				case calls == killAt && mode == 2:
					dead = true
					return errKilled
				case calls == killAt && mode == 3:
					dead = true
					return errors.Join(effect(), errKilled)
				}
				return effect()
			}
			cloud.fault = fault
			save := func(_ context.Context, data []byte) error {
				cloud.mu.Lock()
				defer cloud.mu.Unlock()
				return fault("save", func() error { saved = data; return nil })
			}
			stage := func(what string, destroy bool) {
				for try := range 200 {
					dead, calls = false, 0
					killAt = 1 + rng.IntN(12)
					s, err := LoadState(saved, save)
					if err != nil {
						t.Fatal(err)
					}
					g := gd.topology(s, cloud)
					p, err := g.Plan()
					if destroy {
						p, err = g.PlanDelete()
					}
					if err != nil {
						t.Fatalf("seed %d: %s: plan: %v", seed, what, err)
					}
					idle := p.Idle()
					err = g.Apply(t.Context(), cloud, p, Options{Limit: 3, Settle: -1})
					if err != nil && !only(err, errFlaky, errKilled, errInUse) {
						t.Fatalf("seed %d: %s: %v", seed, what, err)
					}
					if dead && rng.IntN(8) == 0 { // the state dies, too
						saved, lost = nil, true
					}
					if idle && err == nil {
						if try > 60 {
							t.Logf("seed %d: %s: %d tries", seed, what, try)
						}
						return
					}
				}
				t.Fatalf("seed %d: %s does not converge", seed, what)
			}
			check := func(what string) {
				count := map[string]int{}
				for id, th := range cloud.things {
					if th.Mark == "" {
						if !equalThing(th, before[id]) {
							t.Fatalf("seed %d: %s: the user's %s changed", seed, what, id)
						}
						continue
					}
					count[th.Mark]++
					if th.Size != gd.size || th.Color != gd.color || th.Shape != gd.shape {
						t.Fatalf("seed %d: %s: %s is not as wanted: %v", seed, what, id, th)
					}
				}
				for i, theirs := range gd.theirs {
					if n := count[our(i)]; !theirs && !gd.gone[i] && n != 1 || gd.gone[i] && n != 0 {
						t.Fatalf("seed %d: %s: %d of %s", seed, what, n, our(i))
					}
				}
				for id, v := range labelsBefore {
					if cloud.labels[id] != v {
						t.Fatalf("seed %d: %s: the user's label %s is now %q", seed, what, id, cloud.labels[id])
					}
				}
				if len(cloud.harm) > 0 {
					t.Fatalf("seed %d: %s: %v", seed, what, cloud.harm)
				}
			}
			lose := func() {
				if rng.IntN(4) == 0 {
					saved, lost = nil, true
				}
			}
			stage("create", false)
			check("create")
			lose()
			gd.size = 2
			stage("update", false)
			check("update")
			gd.color = "red"
			lose()
			stage("replace", false)
			check("replace")
			gd.shape = "round"
			lose()
			stage("replace-first", false)
			check("replace-first")
			for i := range gd.theirs {
				if rng.IntN(3) == 0 {
					gd.gone[i] = true // of the user's: only our label goes
				}
			}
			lose()
			stage("shrink", false)
			check("shrink")
			lose()
			if rng.IntN(3) == 0 { // deleted before it was ever whole
				gd.gone = map[int]bool{}
			}
			stage("delete", true)
			if len(cloud.things) != len(before) {
				t.Fatalf("seed %d: left over: %v", seed, cloud.things)
			}
			for id := range cloud.labels {
				if _, ok := labelsBefore[id]; !ok && !lost {
					t.Fatalf("seed %d: label %s is left over", seed, id)
				}
			}
			for id, v := range labelsBefore {
				if cloud.labels[id] != v {
					t.Fatalf("seed %d: the user's label %s is %q", seed, id, cloud.labels[id])
				}
			}
			s, _ := LoadState(saved, nil)
			if len(s.Records()) > 0 {
				t.Fatalf("seed %d: still recorded: %v", seed, s.Records())
			}
			if cloud.inUse > 0 && !lost {
				t.Fatalf("seed %d: something was deleted before what stands on it", seed)
			}
			if len(cloud.harm) > 0 {
				t.Fatalf("seed %d: %v", seed, cloud.harm)
			}
		}()
	}
}

func equalThing(a, b thing) bool {
	return a.Size == b.Size && a.Color == b.Color && slices.Equal(a.On, b.On)
}

func only(err error, allowed ...error) bool {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if !slices.ContainsFunc(allowed, func(a error) bool { return strings.Contains(line, a.Error()) }) && !strings.Contains(line, "the state can not be saved") {
			return false
		}
	}
	return true
}

// TestEveryKillPoint dies at each operation (call or save) of create, replace
// and delete, before and after its effect, and then runs to the end.
func TestEveryKillPoint(t *testing.T) {
	points := 0
	for _, after := range []bool{false, true} {
		for kill := 1; ; kill++ {
			gd := &garden{theirs: []bool{true, false, false, false}, on: [][]int{nil, {0}, {1}, {1, 2}}, labels: []int{0}, gone: map[int]bool{}, size: 1}
			cloud := newToy()
			cloud.things[their(0)] = thing{Size: 7}
			cloud.userIDs[their(0)] = true
			var saved []byte
			n, dead := 0, false
			fault := func(_ string, effect func() error) error {
				if dead {
					return errKilled
				}
				if n++; n == kill {
					dead = true
					if after {
						return errors.Join(effect(), errKilled)
					}
					return errKilled
				}
				return effect()
			}
			cloud.fault = fault
			save := func(_ context.Context, data []byte) error {
				cloud.mu.Lock()
				defer cloud.mu.Unlock()
				return fault("save", func() error { saved = data; return nil })
			}
			died := false
			stage := func(destroy bool) {
				for range 5 {
					s, _ := LoadState(saved, save)
					dead = false
					g := gd.topology(s, cloud)
					p, err := g.Plan()
					if destroy {
						p, err = g.PlanDelete()
					}
					if err != nil {
						t.Fatalf("kill %d after %v: %v", kill, after, err)
					}
					idle := p.Idle()
					err = g.Apply(t.Context(), cloud, p, Options{Limit: 1, Settle: -1})
					died = died || dead
					if idle && err == nil {
						return
					}
				}
				t.Fatalf("kill %d after %v: does not converge", kill, after)
			}
			stage(false)
			if len(cloud.things) != 4 {
				t.Fatalf("kill %d after %v: %v", kill, after, cloud.things)
			}
			gd.shape = "round"
			stage(false)
			gd.color = "red"
			stage(false)
			if len(cloud.things) != 4 || len(cloud.labels) != 1 {
				t.Fatalf("kill %d after %v: %v", kill, after, cloud.things)
			}
			stage(true)
			if len(cloud.things) != 1 || len(cloud.labels) != 0 || len(cloud.harm) > 0 || cloud.inUse > 0 {
				t.Fatalf("kill %d after %v: left %v %v, harm %v", kill, after, cloud.things, cloud.labels, cloud.harm)
			}
			if !died {
				break
			}
			points++
		}
	}
	t.Logf("%d kill points", points)
}
