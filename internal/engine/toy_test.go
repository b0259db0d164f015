// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// toy is a cloud of things that stand on one another, of labels on things, and
// of keys that have nothing but a name and a content. Names of things are not
// unique in it: who creates twice has two.
type toy struct {
	mu     sync.Mutex
	things map[ID]thing
	labels map[ID]string // thing#key → value
	keys   map[ID]string // name → content
	nonces map[string]ID
	born   map[ID]time.Time
	hide   time.Duration // how long what is new does not show
	next   int
	fault  func(call string, effect func() error) error
	calls  map[string]int
	inUse  int // deletions of what something stood on

	userIDs map[ID]bool
	harm    []string // writes to the user's things
	doubled []string // made while there was one already
}

// thing is a thing of any species: plain, slow (of use only later), or sure
// (made once per nonce).
type thing struct {
	Mark    string      `plan:"-"`
	Species string      `plan:"-"`
	On      Set[ID]     // what it stands on
	Leaves  Set[string] `plan:"include"`
	Size    int
	Color   string `plan:"replace"`
	Shape   string `plan:"replace-first"`
	Plot    string // chosen by the cloud
	Ripe    bool   `plan:"-"`
}

type label struct {
	On    ID     `plan:"fixed"`
	Key   string `plan:"fixed"`
	Value string `state:"value"`
}

type pair struct {
	Name    string `plan:"fixed"`
	Content string `plan:"replace"`
}

var (
	errFlaky  = errors.New("flaky")
	errKilled = errors.New("killed")
	errInUse  = errors.New("in use")
	errDenied = errors.New("denied")
)

func newToy() *toy {
	return &toy{
		things: map[ID]thing{}, labels: map[ID]string{}, keys: map[ID]string{}, nonces: map[string]ID{}, born: map[ID]time.Time{},
		calls: map[string]int{}, userIDs: map[ID]bool{},
		fault: func(_ string, effect func() error) error { return effect() },
	}
}

func (c *toy) do(call string, effect func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[strings.Fields(call)[0]]++
	return c.fault(call, effect)
}

func (c *toy) writes() (n int) {
	for _, k := range c.calls {
		n += k
	}
	return n
}

// bear makes a thing.
func (c *toy) bear(t thing) (ID, thing, error) {
	for _, on := range t.On {
		if _, ok := c.things[on]; !ok {
			return "", t, fmt.Errorf("%s comes before %s", t.Mark, on)
		}
	}
	for id, th := range c.things {
		if th.Mark == t.Mark && th.Shape == t.Shape { // of another shape: it is replaced, the new one first
			c.doubled = append(c.doubled, string(id)+" "+t.Mark)
		}
	}
	c.next++
	id := ID(fmt.Sprint("id-", c.next))
	t.Plot = fmt.Sprint("plot-", c.next)
	t.Leaves, t.On = slices.Clone(t.Leaves), slices.Clone(t.On)
	c.things[id], c.born[id] = t, time.Now()
	return id, t, nil
}

// touch notes a write to what is the user's.
func (c *toy) touch(call string, id ID) {
	if c.userIDs[id] {
		c.harm = append(c.harm, call+" "+string(id))
	}
}

// toyFacts are what was read. An error of denied is how every read of that
// kind ends.
type toyFacts struct {
	things map[string]*Table[thing] // by species
	labels Table[label]
	keys   Table[pair]
}

var species = []string{"plain", "slow", "sure"}

// facts reads everything: what bears a mark, and the IDs that are asked for.
// deny says how the read of a kind ends.
func (c *toy) facts(ids, labelIDs, keys []ID, deny func(kind string) error) *toyFacts {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := &toyFacts{things: map[string]*Table[thing]{}}
	for _, sp := range species {
		f.things[sp] = &Table[thing]{}
		c.list(sp, ids, f.things[sp], deny(sp))
	}
	read(&f.labels, labelIDs, deny("label"), func(id ID) (label, bool) {
		on, k, _ := strings.Cut(string(id), "#")
		v, ok := c.labels[id]
		return label{ID(on), k, v}, ok
	})
	read(&f.keys, keys, deny("key"), func(id ID) (pair, bool) {
		v, ok := c.keys[id]
		return pair{string(id), v}, ok
	})
	return f
}

func (c *toy) list(sp string, ids []ID, t *Table[thing], denied error) {
	shown := func(id ID) (thing, bool) {
		th, ok := c.things[id]
		return th, ok && time.Since(c.born[id]) >= c.hide
	}
	var items []Item[thing]
	for _, id := range slices.Sorted(maps.Keys(c.things)) {
		if th, ok := shown(id); ok && th.Mark != "" && th.Species == sp {
			items = append(items, Item[thing]{id, th.Mark, th})
		}
	}
	if denied != nil {
		items = nil
	}
	t.AddList(items, denied)
	read(t, ids, denied, shown)
}

func read[T any](t *Table[T], ids []ID, denied error, get func(ID) (T, bool)) {
	for _, id := range ids {
		switch st, ok := get(id); {
		case denied != nil:
			t.Add(id, nil, denied)
		case ok:
			t.Add(id, &st, nil)
		default:
			t.Add(id, nil, nil)
		}
	}
}

func allowed(string) error { return nil }
