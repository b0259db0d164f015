// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"testing"

	"github.com/espalier-io/espalier/internal/aws"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/openstack"
)

// A layout is what a topology gives, on either cloud.
type layout interface {
	Check() []engine.Finding
	Plan() (*engine.Plan, error)
}

// BenchmarkPlan is the pure part of a run, in which nothing is left to do:
// graph, findings and plan.
func BenchmarkPlan(b *testing.B) {
	for name, pattern := range map[string]int{"managed": 1, "byo-subnet": 4} {
		b.Run(name, func(b *testing.B) {
			c := newCluster(b, pattern)
			c.apply(b.Context())
			facts := c.facts(b.Context())
			planAgain(b, func() layout { return openstack.Topology(c.conf, facts) })
		})
	}
	for _, s := range Settings {
		b.Run("aws-"+s.Name, func(b *testing.B) {
			c := NewAWS(b, s)
			c.Apply(b.Context())
			facts := c.facts(b.Context())
			planAgain(b, func() layout { return aws.Topology(c.conf, facts) })
		})
	}
}

func planAgain(b *testing.B, topology func() layout) {
	b.ReportAllocs()
	for b.Loop() {
		l := topology()
		if plan, err := l.Plan(); err != nil || !plan.Idle() || len(l.Check()) > 0 {
			b.Fatal(plan, err, l.Check())
		}
	}
}
