// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"fmt"
	"slices"
)

type (
	things struct{ species string }
	slow   struct{ things } // of use only when it was asked for twice
	sure   struct{ things } // made once per nonce
	labels struct{}
	keys   struct{}
)

// toyKinds are all kinds, in an order of creation.
func toyKinds() []Remover[*toy] {
	return []Remover[*toy]{things{"plain"}, slow{things{"slow"}}, sure{things{"sure"}}, keys{}, labels{}}
}

func (k things) Kind() string { return k.species }

func (k things) Create(_ context.Context, c *toy, want thing) (id ID, out thing, err error) {
	want.Species = k.species
	err = c.do("create "+want.Mark, func() error {
		id, out, err = c.bear(want)
		return err
	})
	if err != nil {
		id = ""
	}
	return id, out, err
}

func (things) Update(_ context.Context, c *toy, id ID, have, want thing) (out thing, err error) {
	err = c.do("update "+string(id), func() error {
		c.touch("update", id)
		out = c.things[id]
		out.On, out.Size = want.On, want.Size
		out.Leaves = append(minus(out.Leaves, minus(have.Leaves, want.Leaves)), minus(want.Leaves, have.Leaves)...)
		c.things[id] = out
		return nil
	})
	return out, err
}

func minus(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

func (things) Delete(_ context.Context, c *toy, r Record) error {
	return c.do("delete "+string(r.ID), func() error {
		c.touch("delete", r.ID)
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

func (k slow) Ready(_ context.Context, c *toy, id ID) (ready *thing, err error) {
	err = c.do("ready "+string(id), func() error {
		if th := c.things[id]; th.Ripe {
			ready = &th
		} else {
			th.Ripe = true
			c.things[id] = th
		}
		return nil
	})
	return ready, err
}

func (sure) Idempotent() {}

func (k sure) Create(ctx context.Context, c *toy, want thing) (id ID, out thing, err error) {
	want.Species = k.species
	err = c.do("create "+want.Mark, func() error {
		if id = c.nonces[Nonce(ctx)]; id != "" {
			if th, ok := c.things[id]; ok {
				out = th
				return nil
			}
		}
		id, out, err = c.bear(want)
		c.nonces[Nonce(ctx)] = id
		return err
	})
	if err != nil {
		id = ""
	}
	return id, out, err
}

func (labels) Kind() string       { return "label" }
func (labels) IDOf(want label) ID { return want.On + "#" + ID(want.Key) }

func (k labels) Create(_ context.Context, c *toy, want label) (ID, label, error) {
	id := k.IDOf(want)
	err := c.do("label "+string(id), func() error {
		if v, ok := c.labels[id]; ok && v != want.Value {
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
	panic("what is attached is never updated")
}

func (labels) Delete(_ context.Context, c *toy, r Record) error {
	return c.do("unlabel "+string(r.ID), func() error {
		if c.labels[r.ID] == r.Attrs["value"] {
			delete(c.labels, r.ID)
		}
		return nil
	})
}

func (keys) Kind() string      { return "key" }
func (keys) IDOf(want pair) ID { return ID(want.Name) }

func (k keys) Create(_ context.Context, c *toy, want pair) (ID, pair, error) {
	err := c.do("key "+want.Name, func() error {
		if _, ok := c.keys[ID(want.Name)]; ok {
			return fmt.Errorf("%w: %s is there already", errInUse, want.Name)
		}
		c.keys[ID(want.Name)] = want.Content
		return nil
	})
	if err != nil {
		return "", want, err
	}
	return ID(want.Name), want, nil
}

func (keys) Update(context.Context, *toy, ID, pair, pair) (pair, error) {
	panic("a key is never updated")
}

func (keys) Delete(_ context.Context, c *toy, r Record) error {
	return c.do("unkey "+string(r.ID), func() error { delete(c.keys, r.ID); return nil })
}
