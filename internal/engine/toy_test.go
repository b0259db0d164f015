// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// toy is a cloud of things that stand on one another, and of labels on things.
// Names are not unique in it: who creates twice has two.
type toy struct {
	mu      sync.Mutex
	things  map[ID]thing
	labels  map[ID]string // thing#key → value
	next    int
	fault   func(call string, effect func() error) error
	now     int // calls running
	max     int
	calls   map[string]int
	inUse   int
	userIDs map[ID]bool
	harm    []string // writes to the user's things
}

type thing struct {
	Mark  string  `plan:"-"`
	On    Set[ID] // what it stands on
	Size  int
	Color string `plan:"replace"`
	Shape string `plan:"replace-first"`
	Plot  string // chosen by the cloud
}

type label struct {
	On    ID `plan:"fixed"`
	Key   string
	Value string `state:"value"`
}

func newToy() *toy {
	return &toy{things: map[ID]thing{}, labels: map[ID]string{}, calls: map[string]int{}, userIDs: map[ID]bool{},
		fault: func(_ string, effect func() error) error { return effect() }}
}

func (c *toy) do(call string, effect func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[strings.Fields(call)[0]]++
	return c.fault(call, effect)
}

type things struct{}

func (things) Kind() string { return "thing" }

func (things) Create(_ context.Context, c *toy, want thing) (id ID, out thing, err error) {
	err = c.do("create "+want.Mark, func() error {
		for _, on := range want.On {
			if _, ok := c.things[on]; !ok {
				return fmt.Errorf("%s comes before %s", want.Mark, on)
			}
		}
		c.next++
		id, out = ID(fmt.Sprint("id-", c.next)), want
		out.Plot = fmt.Sprint("plot-", c.next)
		c.things[id] = out
		return nil
	})
	if err != nil {
		id = ""
	}
	return id, out, err
}

func (things) Update(_ context.Context, c *toy, id ID, have, want thing) (out thing, err error) {
	err = c.do("update "+string(id), func() error {
		if c.userIDs[id] {
			c.harm = append(c.harm, "update "+string(id))
		}
		have.On, have.Size = want.On, want.Size
		c.things[id], out = have, have
		return nil
	})
	return out, err
}

func (things) Delete(_ context.Context, c *toy, r Record) error {
	return c.do("delete "+string(r.ID), func() error {
		if c.userIDs[r.ID] {
			c.harm = append(c.harm, "delete "+string(r.ID))
		}
		for id, t := range c.things {
			if slices.Contains(t.On, r.ID) {
				c.inUse++
				return fmt.Errorf("%w: %s stands on %s", errInUse, id, r.ID)
			}
		}
		delete(c.things, r.ID)
		return nil
	})
}

type labels struct{}

func (labels) Kind() string       { return "label" }
func (labels) IDOf(want label) ID { return want.On + "#" + ID(want.Key) }

func (k labels) Create(_ context.Context, c *toy, want label) (ID, label, error) {
	id := k.IDOf(want)
	err := c.do("label "+string(id), func() error {
		if _, ok := c.labels[id]; ok {
			c.harm = append(c.harm, "overwritten "+string(id))
		}
		c.labels[id] = want.Value
		return nil
	})
	if err != nil {
		return "", want, err
	}
	return id, want, nil
}

func (labels) Update(context.Context, *toy, ID, label, label) (label, error) {
	panic("a label is never updated")
}

func (labels) Delete(_ context.Context, c *toy, r Record) error {
	return c.do("unlabel "+string(r.ID), func() error {
		if c.labels[r.ID] == r.Attrs["value"] {
			delete(c.labels, r.ID)
		}
		return nil
	})
}

var (
	errFlaky  = errors.New("flaky")
	errKilled = errors.New("killed")
	errInUse  = errors.New("in use")
)

// toyFacts reads everything: what bears a mark, and what is asked for.
type toyFacts struct {
	things Table[thing]
	labels Table[label]
}

func (c *toy) facts(ids []ID, labelIDs []ID) *toyFacts {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := &toyFacts{}
	var items []Item[thing]
	for _, id := range slices.Sorted(maps.Keys(c.things)) {
		if t := c.things[id]; t.Mark != "" {
			items = append(items, Item[thing]{id, t.Mark, t})
		}
	}
	f.things.AddList(items, nil)
	for _, id := range ids {
		if t, ok := c.things[id]; ok {
			f.things.Add(id, &t, nil)
		} else {
			f.things.Add(id, nil, nil)
		}
	}
	for _, id := range labelIDs {
		on, key, _ := strings.Cut(string(id), "#")
		if v, ok := c.labels[id]; ok {
			f.labels.Add(id, &label{ID(on), key, v}, nil)
		} else {
			f.labels.Add(id, nil, nil)
		}
	}
	return f
}
