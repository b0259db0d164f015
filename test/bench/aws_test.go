// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/espalier-io/espalier/internal/aws"
	"github.com/espalier-io/espalier/internal/engine"
)

// awsLimits are what a run may cost at the most, for each of the settings, the
// question whose credentials these are included.
var awsLimits = map[string][3]Cost{
	"create":     {{26, 10, 6}, {26, 11, 6}, {26, 11, 6}},
	"no-op":      {{14, 0, 2}, {14, 0, 2}, {14, 0, 2}},
	"state lost": {{14, 0, 2}, {14, 0, 2}, {14, 0, 2}},
	"delete":     {{26, 9, 5}, {26, 9, 5}, {26, 9, 5}},
}

// TestCostOnAWS measures each setting: created, looked at again with its state
// and without it, deleted.
func TestCostOnAWS(t *testing.T) {
	var table strings.Builder
	table.WriteString("| IP families | run | calls | writes | depth |\n|---|---|---|---|---|\n")
	for i, setting := range Settings {
		synctest.Test(t, func(t *testing.T) {
			c := NewAWS(t, setting)
			saved := []byte(nil)
			for _, step := range []struct {
				name string
				do   func(context.Context)
			}{
				{"create", c.Apply},
				{"no-op", c.Apply},
				{"state lost", func(ctx context.Context) { saved, c.state = c.state, nil; c.Apply(ctx) }},
				{"delete", func(ctx context.Context) { c.state = saved; c.Delete(ctx) }},
			} {
				got := MeasureAWS(c.Cloud, func() { step.do(t.Context()) })
				fmt.Fprintf(&table, "| %s | %s | %d | %d | %d |\n", setting.Name, step.name, got.Calls, got.Writes, got.Depth)
				if most := awsLimits[step.name][i]; !got.Within(most) {
					t.Errorf("%s, %s: %+v, at most %+v", setting.Name, step.name, got, most)
				}
			}
		})
	}
	InPage(t, "costs on AWS", table.String(), *update)
}

func (c *AWS) facts(ctx context.Context) *aws.Facts {
	c.t.Helper()
	client, err := aws.Connect(ctx, Region, c.connection())
	c.must(err)
	state, err := engine.LoadState(c.state, nil)
	c.must(err)
	facts, err := aws.Read(ctx, client, c.conf, state, aws.Reconciliation)
	c.must(err)
	return facts
}
