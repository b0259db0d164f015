// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/espalier-io/espalier/internal/engine"
)

// TestPatterns takes each pattern of the proposal through its life: made, looked
// at again with and without the state, deleted. The golden files hold every
// plan, what it cost, and the status.
func TestPatterns(t *testing.T) {
	for n := 1; n <= 5; n++ {
		t.Run(fmt.Sprintf("pattern %d", n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				golden(t, fmt.Sprintf("pattern-%d", n), life(w, w.run(w.pattern(n), rose(), nil)))
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
	for _, state := range []string{"kept", "lost"} {
		if r.saved = saved; state == "lost" {
			r.saved = nil
		}
		p, err := r.look(Reconciliation).Plan()
		w.must(err)
		fmt.Fprintf(&out, "== again, state %s: %s\n", state, w.figures())
		if !p.Idle() {
			t.Errorf("a second run has something to do, state %s:\n%s", state, p)
		}
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

// everything is what the administrator sees, without what any write nearby moves.
func (w *world) everything() string {
	var out strings.Builder
	ctx := w.t.Context()
	for _, list := range []func() (any, error){
		func() (any, error) { return w.admin.Networks(ctx, nil) },
		func() (any, error) { return w.admin.Subnets(ctx, nil) },
		func() (any, error) { return w.admin.Routers(ctx, nil) },
		func() (any, error) { return w.admin.Ports(ctx, nil) },
		func() (any, error) { return w.admin.SecurityGroups(ctx, nil) },
		func() (any, error) { return w.user.ShareNetworks(ctx, nil) },
		func() (any, error) { return w.user.LoadBalancers(ctx, nil) },
		func() (any, error) { return w.user.KeyPair(ctx, cluster) },
	} {
		all, err := list()
		w.must(err)
		raw, err := json.MarshalIndent(all, "", " ")
		w.must(err)
		out.Write(raw)
	}
	return out.String()
}
