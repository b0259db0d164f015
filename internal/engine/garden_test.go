// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"
)

// A garden is a configuration: beds, each the user's or ours, labels on the
// user's, and keys. It is also the model that the cloud is compared with.
type garden struct {
	beds   []bed
	keys   map[ID]string
	gone   map[int]bool // ours: not wanted; the user's: our label on it is not
	size   int
	color  string
	shape  string
	leaves Set[string]
	value  string // of our labels
}

type bed struct {
	theirs  bool
	species string
	on      []int
	labeled bool   // one of the user's, with our label
	before  string // the user's own value of that label, if there was one before us
}

func their(i int) ID       { return ID(fmt.Sprint("their-", i)) }
func our(i int) string     { return fmt.Sprint("thing-", i) }
func mine(i int) ID        { return their(i) + "#mine" }
func labelOf(i int) string { return fmt.Sprintf("%s/label mine", their(i)) }
func keyOf(n ID) string    { return "key " + string(n) }

// plant makes the cloud as it was before us.
func (gd *garden) plant() *toy {
	c := newToy()
	for i, b := range gd.beds {
		if !b.theirs {
			continue
		}
		c.things[their(i)] = thing{Size: 7, Leaves: Set[string]{"old"}}
		c.userIDs[their(i)] = true
		c.labels[their(i)+"#other"] = "x"
		if b.before != "" {
			c.labels[mine(i)] = b.before
		}
	}
	return c
}

// topology is the graph of the garden, of what is there now.
func (gd *garden) topology(s *State, c *toy, deny func(string) error) *Graph[*toy] {
	var ids, labelIDs, keyIDs []ID
	for i, b := range gd.beds {
		if b.theirs {
			ids, labelIDs = append(ids, their(i)), append(labelIDs, mine(i))
		}
	}
	for n := range gd.keys {
		keyIDs = append(keyIDs, n)
	}
	for _, r := range s.Records() {
		ids = append(ids, r.ID)
	}
	f := c.facts(ids, labelIDs, keyIDs, deny)
	g := New(s, "toy", toyKinds()...)
	nodes := map[int]*Node[thing]{}
	for i, b := range gd.beds {
		switch {
		case b.theirs:
			nodes[i] = Refer(g, string(their(i)), Rule{Code: "absent", Severity: Error}, f.things["plain"].Get(their(i)), nil)
		case !gd.gone[i]:
			nodes[i] = gd.manage(g, s, f, i, nodes)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(gd.keys)) {
		want := pair{string(n), gd.keys[n]}
		Manage(g, keyOf(n), Kind[*toy, pair](keys{}), Named(s, keyOf(n), f.keys.Get(n), func(p pair) bool { return p == want }), nil,
			func(Deps, *pair) pair { return want })
	}
	for i, b := range gd.beds {
		if b.labeled && !gd.gone[i] {
			Manage(g, labelOf(i), Kind[*toy, label](labels{}), Attached(s, labelOf(i), f.labels.Get(mine(i))), Needs(nodes[i]),
				func(d Deps, _ *label) label { return label{nodes[i].ID(d), "mine", gd.value} })
		}
	}
	for _, k := range toyKinds()[:len(species)] {
		Stray(g, k, f.things[k.Kind()])
	}
	return g
}

func (gd *garden) manage(g *Graph[*toy], s *State, f *toyFacts, i int, nodes map[int]*Node[thing]) *Node[thing] {
	kind := map[string]Kind[*toy, thing]{"plain": things{"plain"}, "slow": slow{things{"slow"}}, "sure": sure{things{"sure"}}}[gd.beds[i].species]
	var needs []Dependency
	var on []*Node[thing]
	for _, j := range gd.beds[i].on {
		if nodes[j] != nil {
			needs, on = append(needs, nodes[j]), append(on, nodes[j])
		}
	}
	return Manage(g, our(i), kind, Marked(s, our(i), f.things[kind.Kind()]), needs, func(d Deps, _ *thing) thing {
		want := thing{Mark: our(i), On: Set[ID]{}, Size: gd.size, Color: gd.color, Shape: gd.shape, Leaves: gd.leaves, Plot: Chosen}
		for _, n := range on {
			want.On = append(want.On, n.ID(d))
		}
		return want
	})
}

// check compares the cloud with the garden. When the state was lost, a label
// of ours and a leaf that we once put somewhere may stay: nobody knows that
// they are ours.
func (gd *garden) check(t rapid.TB, c *toy, lost bool) {
	t.Helper()
	count := map[string]int{}
	for id, th := range c.things {
		if th.Mark == "" {
			continue
		}
		count[th.Mark]++
		if th.Size != gd.size || th.Color != gd.color || th.Shape != gd.shape || len(minus(gd.leaves, th.Leaves)) > 0 {
			t.Errorf("%s is not as wanted: %v", id, th)
		}
		for _, leaf := range minus(th.Leaves, gd.leaves) {
			if leaf != "foreign" && !lost {
				t.Errorf("%s has a leaf that we no longer want: %s", id, leaf)
			}
		}
	}
	for i, b := range gd.beds {
		if n := count[our(i)]; !b.theirs && !gd.gone[i] && n != 1 || gd.gone[i] && n != 0 {
			t.Errorf("%d of %s", n, our(i))
		}
		if v := c.labels[mine(i)]; b.labeled && b.before == "" && !lost && (v != gd.value) == !gd.gone[i] {
			t.Errorf("our label on %s is %q", their(i), v)
		}
	}
	if !maps.Equal(gd.keys, c.keys) {
		t.Errorf("keys: %v, want %v", c.keys, gd.keys)
	}
	if len(c.doubled) > 0 && !lost {
		t.Errorf("made twice: %v", c.doubled)
	}
	gd.unharmed(t, c)
}

// unharmed says that all that is the user's is as it was.
func (gd *garden) unharmed(t rapid.TB, c *toy) {
	t.Helper()
	was := gd.plant()
	for id, th := range was.things {
		if fmt.Sprint(c.things[id]) != fmt.Sprint(th) {
			t.Errorf("the user's %s is now %v", id, c.things[id])
		}
	}
	for id, v := range was.labels {
		if c.labels[id] != v {
			t.Errorf("the user's label %s is now %q", id, c.labels[id])
		}
	}
	if len(c.harm) > 0 {
		t.Errorf("harm: %v", c.harm)
	}
}

// bare says that nothing of ours is left.
func (gd *garden) bare(t rapid.TB, c *toy, lost bool) {
	t.Helper()
	gd.unharmed(t, c)
	was := gd.plant()
	if len(c.things) != len(was.things) || len(c.keys) > 0 || len(c.labels) != len(was.labels) && !lost {
		t.Errorf("left over: %v, keys %v, labels %v", c.things, c.keys, c.labels)
	}
}
