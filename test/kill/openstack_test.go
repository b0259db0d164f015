// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package kill

import (
	"context"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
	"github.com/espalier-io/espalier/test/estate"
	world "github.com/espalier-io/espalier/test/estate/openstack"
)

func openStack() house {
	h := house{name: "OpenStack"}
	for _, v := range world.Variants() {
		h.variants = append(h.variants, variant{
			name: v.Name, verbs: []string{apply, remove}, config: v.YAML, flags: func(string) []string { return v.Flags() },
			open: func() (ground, error) { return onOpenStack(v) },
		})
	}
	return h
}

func onOpenStack(v world.Variant) (ground, error) {
	cloud, err := world.New(sim.Options{Seed: v.Name})
	if err != nil {
		return ground{}, err
	}
	survey, err := world.Inspect(cloud)
	compare := func() (estate.Change, error) { return survey.Compare(cloud, v.Beside) }
	return ground{
		cloud: plainly(cloud, plainOpenStack), env: world.Env, compare: compare,
		settle:   func(context.Context) error { return nil }, // all is gone at once
		recordID: func(t estate.Thing) string { return t.ID },
	}, err
}

func plainOpenStack(c sim.Call) call {
	says := c.Method + " " + c.Path
	if c.Query != "" {
		says += "?" + c.Query
	}
	return call{n: c.N, says: says, write: c.Write}
}
