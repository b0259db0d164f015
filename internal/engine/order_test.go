// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// watch lists the calls.
func watch(c *toy, calls *[]string) {
	c.fault = func(call string, effect func() error) error { *calls = append(*calls, call); return effect() }
}

// What stands on something goes before it is replaced, and comes back after.
func TestReplaceInOrder(t *testing.T) {
	cloud, s := newToy(), state(t, "", nil)
	color := "red"
	build := func() *toyGraph {
		g, f := newGraph(s), all(cloud)
		a := mark(g, f, "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Color: color, Plot: Chosen} })
		mark(g, f, "b", Needs(a), func(d Deps, _ *thing) thing {
			return thing{Mark: "b", On: Set[ID]{a.ID(d)}, Color: string(a.ID(d)), Plot: Chosen}
		})
		return g
	}
	mustApply(t, build(), cloud)
	color = "blue"
	var calls []string
	watch(cloud, &calls)
	g := build()
	p := mustPlan(t, g)
	wantPlan(t, p, "replace   a [id-1]: deleted, then made anew\n            Color: red → blue (replace)\n"+
		"replace   b [id-2]: deleted, then made anew\n            On:\n              + ‹a›\n              - id-1\n            Color: id-1 → ‹a› (replace)\n")
	if err := g.Apply(t.Context(), cloud, p, Options{Limit: 1}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"delete id-2", "delete id-1", "create a", "create b"}; !slices.Equal(calls, want) {
		t.Errorf("calls %v", calls)
	}
}

// With replace-first the new one is there before the old one goes, and what
// used the old one is moved in between; if that fails the old one stays.
func TestReplaceFirst(t *testing.T) {
	for _, fails := range []bool{false, true} {
		cloud, s := newToy(), state(t, "", nil)
		shape := "round"
		build := func() *toyGraph {
			g, f := newGraph(s), all(cloud)
			a := mark(g, f, "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Shape: shape, Plot: Chosen} })
			mark(g, f, "b", Needs(a), func(d Deps, _ *thing) thing { return thing{Mark: "b", On: Set[ID]{a.ID(d)}, Plot: Chosen} })
			return g
		}
		mustApply(t, build(), cloud)
		shape = "square"
		var calls []string
		cloud.fault = func(call string, effect func() error) error {
			calls = append(calls, call)
			if fails && call == "update id-2" {
				return errFlaky
			}
			return effect()
		}
		g := build()
		err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{})
		want := []string{"create a", "update id-2", "delete id-1"}
		if fails {
			want = want[:2]
			wantErr(t, err, "b: flaky")
			wantPlan(t, mustPlan(t, build()), "keep      a [id-3]\nupdate    b [id-2]\n            On:\n              + id-3\n              - id-1\ndelete    a [id-1]: replaced earlier\n")
		} else if err != nil {
			t.Error(err)
		}
		if !slices.Equal(calls, want) {
			t.Errorf("calls %v", calls)
		}
	}
}

// Orphans go users first; what a user could not leave stays, the rest goes.
func TestOrphans(t *testing.T) {
	cloud := newToy()
	for _, id := range []ID{"1", "2", "3", "4"} {
		cloud.things[id] = thing{Mark: "x" + string(id)}
	}
	_, err := newGraph(state(t, `{"version":1,"records":[{"kind":"unheard-of","name":"a/b","id":"9"}]}`, nil)).Plan()
	wantErr(t, err, `EGEN107: a/b: 9: no one knows how to delete a "unheard-of"`)

	s := state(t, `{"version":1,"records":[
		{"kind":"plain","name":"x1","id":"1"},{"kind":"plain","name":"x2","id":"2"},
		{"kind":"plain","name":"x3","id":"3","needs":["x2"]},{"kind":"plain","name":"x4","id":"4","needs":["x1"]}]}`, nil)
	var calls []string
	cloud.fault = func(call string, effect func() error) error {
		calls = append(calls, call)
		if call == "delete 3" {
			return errors.New("in the way")
		}
		return effect()
	}
	g := newGraph(s)
	err = g.Apply(t.Context(), cloud, mustPlan(t, g), Options{Limit: 1})
	if err == nil || err.Error() != "x3 [3]: in the way" || !slices.Equal(calls, []string{"delete 4", "delete 3", "delete 1"}) {
		t.Errorf("err %v, calls %v", err, calls)
	}
}

// What goes first both ways is deleted before what needs it, also when both
// have left the graph.
func TestFirstGoesFirstBothWays(t *testing.T) {
	cloud, s := newToy(), state(t, "", nil)
	build := func(in bool) *toyGraph {
		g, f := newGraph(s), all(cloud)
		if in {
			a := mark(g, f, "a", nil, just("a"))
			mark(g, f, "b", Needs(First(a)), just("b"))
		}
		return g
	}
	for _, destroy := range []bool{true, false} {
		var calls []string
		watch(cloud, &calls)
		mustApply(t, build(true), cloud)
		g := build(destroy)
		p, err := g.Plan()
		if destroy {
			p, err = g.PlanDelete()
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Apply(t.Context(), cloud, p, Options{}); err != nil {
			t.Fatal(err)
		}
		if calls[0] != "create a" || calls[2] < "delete" || cloud.born["id-1"].After(cloud.born["id-2"]) || len(calls) != 4 || calls[2] > calls[3] {
			t.Errorf("calls %v", calls)
		}
	}
}

// What others made in ours is deleted before ours is.
func TestSweep(t *testing.T) {
	cloud, s := newToy(), state(t, "", nil)
	g := newGraph(s)
	mark(g, all(cloud), "a", nil, just("a"))
	mustApply(t, g, cloud)
	cloud.things["x"] = thing{On: Set[ID]{"id-1"}}
	g = newGraph(s)
	mark(g, all(cloud), "a", nil, just("a"))
	g.Sweep("a/guests", []Record{{Kind: "plain", Name: "x", ID: "x"}}, "a")
	p, err := g.PlanDelete()
	if err != nil {
		t.Fatal(err)
	}
	wantPlan(t, p, "delete    a/guests/x [x]: left over by others, goes first\ndelete    a [id-1]\n")
	if err := g.Apply(t.Context(), cloud, p, Options{Limit: 1}); err != nil || len(cloud.things) > 0 {
		t.Errorf("err %v, things %v", err, cloud.things)
	}
}

// lazy is a cloud that takes no size at creation, and then ignores some updates.
type lazy struct {
	things
	updates, ignore int
}

func (k *lazy) Create(ctx context.Context, c *toy, want thing) (ID, thing, error) {
	want.Size = 0
	return k.things.Create(ctx, c, want)
}

func (k *lazy) Update(ctx context.Context, c *toy, id ID, have, want thing) (thing, error) {
	if k.updates++; k.updates <= k.ignore {
		return have, nil
	}
	return k.things.Update(ctx, c, id, have, want)
}

// What the cloud does not take at creation is a second call, of which the
// answer counts; what was created is recorded whatever becomes of it.
func TestCreateThenUpdate(t *testing.T) {
	for ignore, want := range []string{"", "a: the update did not take: [Size: 0 → 3]"} {
		cloud, s := newToy(), state(t, "", nil)
		g := newGraph(s)
		manageAs(g, all(cloud), &lazy{things: things{"plain"}, ignore: ignore}, "a", nil,
			func(Deps, *thing) thing { return thing{Mark: "a", Size: 3, Plot: Chosen} })
		err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{})
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("err = %v", err)
		}
		if len(s.Records()) != 1 || s.Records()[0].ID == "" {
			t.Error("what was created is not recorded")
		}
	}
}

// If the old one can not be deleted no new one is made in its place, and the
// next run tries again.
func TestReplacementThatCanNotBeDeleted(t *testing.T) {
	cloud, s := newToy(), state(t, "", nil)
	color := "red"
	build := func() *toyGraph {
		g := newGraph(s)
		mark(g, all(cloud), "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Color: color, Plot: Chosen} })
		return g
	}
	mustApply(t, build(), cloud)
	color = "blue"
	cloud.things["guest"] = thing{On: Set[ID]{"id-1"}}
	g := build()
	wantErr(t, g.Apply(t.Context(), cloud, mustPlan(t, g), Options{}), "a: in use: guest stands on id-1")
	if len(cloud.things) != 2 {
		t.Errorf("things %v", cloud.things)
	}
	delete(cloud.things, "guest")
	mustApply(t, build(), cloud)
	if len(cloud.things) != 1 || cloud.things["id-2"].Color != "blue" {
		t.Errorf("things %v", cloud.things)
	}
}

// What the state does not know, nor what it needs, goes in the order of the
// kinds, later ones first, also between what is in the graph.
func TestStraysGoByRank(t *testing.T) {
	for _, destroy := range []bool{false, true} {
		cloud, s := newToy(), state(t, "", nil)
		cloud.things["1"] = thing{Mark: "in", Species: "plain"}
		cloud.things["2"] = thing{Mark: "x", Species: "plain", On: Set[ID]{"1"}}
		cloud.things["3"] = thing{Mark: "y", Species: "sure", On: Set[ID]{"1", "2"}}
		g, f := newGraph(s), all(cloud)
		if destroy {
			mark(g, f, "in", nil, just("in"))
		}
		Stray(g, Remover[*toy](things{"plain"}), f.things["plain"])
		Stray(g, Remover[*toy](sure{things{"sure"}}), f.things["sure"])
		p, err := g.Plan()
		if destroy {
			p, err = g.PlanDelete()
		}
		if err != nil {
			t.Fatal(err)
		}
		var calls []string
		watch(cloud, &calls)
		err = g.Apply(t.Context(), cloud, p, Options{})
		if calls[0] != "delete 3" {
			t.Errorf("calls %v, err %v", calls, err)
		}
	}
}

// What has changed since the facts were read is not smuggled into an update:
// what may only be replaced is left to the next run.
func TestMovedUnderOurFeet(t *testing.T) {
	cloud, s := newToy(), state(t, "", nil)
	size := 1
	build := func() *toyGraph {
		g, f := newGraph(s), all(cloud)
		a := mark(g, f, "a", nil, func(Deps, *thing) thing { return thing{Mark: "a", Shape: fmt.Sprint(size), Plot: Chosen} })
		mark(g, f, "b", Needs(a), func(d Deps, _ *thing) thing {
			want := thing{Mark: "b", Size: size, Plot: Chosen}
			if a.ID(d) == "id-3" { // known only once it is made
				want.Color = "red"
			}
			return want
		})
		return g
	}
	mustApply(t, build(), cloud)
	size = 2
	g := build()
	wantErr(t, g.Apply(t.Context(), cloud, mustPlan(t, g), Options{}), `b: id-2 is not as planned, run again: Color: "" → red (replace)`)
	if cloud.things["id-2"].Size != 1 {
		t.Errorf("things %v", cloud.things)
	}
}

// What a thing stood on stays as long as the thing could not be moved off it,
// also when both changes come from one configuration.
func TestWhatIsNoLongerNeeded(t *testing.T) {
	cloud, s := newToy(), state(t, "", nil)
	build := func(on bool) *toyGraph {
		g, f := newGraph(s), all(cloud)
		var needs []Dependency
		if on {
			needs = Needs(mark(g, f, "a", nil, just("a")))
		}
		mark(g, f, "b", needs, func(Deps, *thing) thing {
			if on {
				return thing{Mark: "b", On: Set[ID]{"id-1"}, Plot: Chosen}
			}
			return thing{Mark: "b", On: Set[ID]{}, Plot: Chosen}
		})
		return g
	}
	mustApply(t, build(true), cloud)
	for _, works := range []bool{false, true} {
		cloud.fault = func(call string, effect func() error) error {
			if works || !strings.HasPrefix(call, "update") {
				return effect()
			}
			return errFlaky
		}
		g := build(false)
		err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{})
		if (err == nil) != works || (len(cloud.things) == 1) != works || cloud.inUse > 0 {
			t.Errorf("err %v, things %v, %d deleted too soon", err, cloud.things, cloud.inUse)
		}
	}
}
