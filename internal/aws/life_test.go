// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
)

// A variant is a configuration of subnets that the user brings.
type variant struct {
	name    string
	cluster func() Cluster
	infra   func(w *world) v1alpha1.InfrastructureConfig
}

var variants = []variant{
	{"ipv4", rose, func(w *world) v1alpha1.InfrastructureConfig { return w.infra("a", "b") }},
	{"ipv4-overlay", func() Cluster { k := rose(); k.Overlay = true; return k }, func(w *world) v1alpha1.InfrastructureConfig { return w.infra("a", "b") }},
	{"ipv4-own-group", rose, func(w *world) v1alpha1.InfrastructureConfig {
		c := w.infra("a", "b")
		c.Networks.NodesSecurityGroupID = &w.group
		return c
	}},
}

func TestVariants(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				infra := v.infra(w)
				golden(t, v.name, life(w, w.run(infra, v.cluster())))
			})
		})
	}
}

// life makes a cluster, looks again, and deletes it. It returns what was said,
// and fails if a second run has anything to do, or the user's things have
// changed in the end.
func life(w *world, r *run) string {
	t := w.t
	t.Helper()
	before := w.everything()
	w.SetLatency(100 * time.Millisecond)
	w.ClearCalls()
	var out strings.Builder

	l := r.look(Reconciliation)
	for _, f := range l.Check() {
		fmt.Fprintf(&out, "! %s\n", f)
	}
	p, err := l.Plan()
	w.must(err)
	w.must(l.Apply(t.Context(), p, engine.Options{}))
	w.call(l)
	status, err := json.MarshalIndent(l.Status(), "", "  ")
	w.must(err)
	fmt.Fprintf(&out, "== create\n%s-- %s\n%s\n", p, w.figures(), status)

	saved := r.saved
	p, err = r.look(Reconciliation).Plan()
	w.must(err)
	fmt.Fprintf(&out, "== again: %s\n", w.figures())
	if !p.Idle() {
		t.Errorf("a second run has something to do:\n%s", p)
	}
	r.saved = saved
	l = r.look(Deletion)
	p, err = l.PlanDelete()
	w.must(err)
	w.must(l.Apply(t.Context(), p, engine.Options{}))
	fmt.Fprintf(&out, "== delete\n%s-- %s\n", p, w.figures())

	w.SetLatency(0)
	if diff := cmp.Diff(before, w.everything()); diff != "" {
		t.Errorf("not as it was:\n%s", diff)
	}
	s, err := engine.LoadState(r.saved, nil)
	w.must(err)
	if n := len(s.Records()); n > 0 {
		t.Errorf("%d records are left", n)
	}
	return w.readable(out.String())
}
