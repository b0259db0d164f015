// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package vpctest

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/espalier-io/espalier/internal/engine"
)

// TestEveryKillPoint dies before each operation (call or save) of a life:
// create; another address and no overlay tags; delete. Dying after an effect
// is dying before the save that follows it.
func TestEveryKillPoint(t *testing.T) { synctest.Test(t, everyKillPoint) }

func everyKillPoint(t *testing.T) {
	points := 0
	for kill := 1; ; kill++ {
		f, d := world(), &disk{}
		f.tags["s-pb"]["kubernetes.io/role/elb"] = "1" // theirs
		before := f.theirs()
		f.killAt = kill
		for _, s := range []struct {
			name string
			left int // with our mark
		}{{"create", 5}, {"change", 3}, {"delete", 0}} {
			lifeWithDeath(t, f, d, s.name)
			if len(f.mark) != s.left {
				t.Fatalf("kill %d, %s: %v", kill, s.name, f.mark)
			}
		}
		if got := f.theirs(); got != before || len(d.state(t).Records()) > 0 {
			t.Fatalf("kill %d: left over:\n%s\n%s", kill, got, before)
		}
		if f.killAt > 0 {
			break
		}
		points++
	}
	t.Logf("%d kill points", points)
}

// lifeWithDeath runs one stage until there is nothing to do, and is born again
// when it has died.
func lifeWithDeath(t *testing.T, f *ec2, d *disk, stage string) {
	c := byo("c", "ab")
	c.Egress, c.Endpoints = &Egress{Subnet: "s-pa"}, []string{"s3"}
	if stage != "create" {
		c.Egress, c.Endpoints, c.Overlay = &Egress{Subnet: "s-pa", Address: "eip-theirs"}, nil, true
	}
	save := func(_ context.Context, b []byte) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		err := f.op()
		if err == nil {
			d.data = b
		}
		return err
	}
	for range 6 {
		s, err := engine.LoadState(d.data, save)
		must(t, err)
		g := Topology(c, Read(t.Context(), client{f, "c"}, c, s, 1))
		p, err := g.Plan()
		if stage == "delete" {
			p, err = g.PlanDelete()
		}
		idle := err == nil && p.Idle()
		if err == nil {
			err = g.Apply(t.Context(), client{f, "c"}, p, engine.Options{Limit: 1, Settle: -1})
		}
		switch {
		case f.killAt > 0 && f.ops >= f.killAt:
			f.killAt = 0 // born again
		case err != nil:
			t.Fatalf("%s: %v", stage, err)
		case idle:
			return
		}
	}
	t.Fatalf("%s does not converge", stage)
}
