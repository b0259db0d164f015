// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/google/go-cmp/cmp"

	"github.com/espalier-io/espalier/internal/engine"
)

// A wire stands between a run and the cloud. When the calls that it counts
// reach at, it does something, once.
type wire struct {
	http.RoundTripper
	at   int
	does func(*http.Request) (*http.Response, error) // nil answer, nil error: the call goes on

	mu    sync.Mutex
	calls int
	cut   bool // nothing gets through any more
}

var errCut = errors.New("connection cut")

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.calls++
	n, cut := w.calls, w.cut
	w.mu.Unlock()
	if cut {
		return nil, errCut
	}
	if n == w.at {
		if res, err := w.does(r); res != nil || err != nil {
			return res, err
		}
	}
	return w.RoundTripper.RoundTrip(r)
}

func (w *wire) kill() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = true
}

func (w *wire) isCut() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cut
}

// through runs one operation of a cluster over a wire. What it saves after the
// wire is cut is lost, as if the process had been killed there.
func (r *run) through(w *wire, purpose Purpose) error {
	w.RoundTripper = r.Transport()
	s, err := engine.LoadState(r.saved, func(_ context.Context, b []byte) error {
		if !w.isCut() {
			r.saved = b
		}
		return nil
	})
	r.must(err)
	o := r.options()
	o.Load = append(o.Load, config.WithHTTPClient(&http.Client{Transport: w}))
	session, err := Open(r.t.Context(), r.config, s, o)
	r.must(err)
	l, err := session.Look(r.t.Context(), purpose)
	if err != nil {
		return err
	}
	plan := l.Plan
	if purpose == Deletion {
		plan = l.PlanDelete
	}
	p, err := plan()
	if err != nil {
		return err
	}
	return l.Apply(r.t.Context(), p, engine.Options{})
}

// A run may be killed at any call, before the cloud has it or before its answer
// is there: the next run ends where the first one would have, and after the
// deletion nothing is left. Killed deletions as well.
func TestKilledAtEveryCall(t *testing.T) { atEveryCall(t, "killed", killedAt) }

// atEveryCall disturbs a creation and a deletion at each of their calls, before
// the cloud has got it and after. The disturbance says whether there was such a call.
func atEveryCall(t *testing.T, what string, disturbed func(t *testing.T, n int, purpose Purpose, heard bool) (reached bool)) {
	t.Helper()
	for _, purpose := range []Purpose{Reconciliation, Deletion} {
		for _, heard := range []bool{false, true} {
			name := fmt.Sprintf("%s, the cloud has got the call: %t", map[Purpose]string{Reconciliation: "create", Deletion: "delete"}[purpose], heard)
			t.Run(name, func(t *testing.T) {
				n := 1
				for disturbed(t, n, purpose, heard) {
					n++
				}
				t.Logf("%s at each of %d calls", what, n-1)
				if n < 20 {
					t.Error("that is not the whole run")
				}
			})
		}
	}
}

// killedAt says whether the run had as many calls.
func killedAt(t *testing.T, n int, purpose Purpose, heard bool) (reached bool) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		before := w.everything()
		r := w.run(w.infra("a", "b"), rose())
		if purpose == Deletion {
			w.must(r.apply())
		}
		cable := &wire{at: n}
		cable.does = func(q *http.Request) (*http.Response, error) {
			if heard {
				if res, err := cable.RoundTripper.RoundTrip(q); err == nil {
					_ = res.Body.Close()
				}
			}
			cable.kill()
			return nil, errCut
		}
		err := r.through(cable, purpose)
		if reached = cable.isCut(); reached == (err == nil) {
			t.Fatalf("call %d: reached %t, err = %v", n, reached, err)
		}
		if purpose == Reconciliation {
			w.must(r.apply())
			p, err := r.look(Reconciliation).Plan()
			w.must(err)
			if !p.Idle() {
				t.Errorf("killed at call %d, the run after the next has something to do:\n%s", n, p)
			}
		}
		w.must(r.delete())
		if diff := cmp.Diff(before, w.everything()); diff != "" {
			t.Errorf("killed at call %d, not as it was:\n%s", n, diff)
		}
	})
	return reached
}

// One cluster's whole run falls between two calls of another's on the same
// subnets and tables, at every call: after one more run of each that is to be
// there it has all that it needs, and after the deletions nothing is left.
func TestTwoClustersInterleavedAtEveryCall(t *testing.T) {
	for _, one := range []Purpose{Reconciliation, Deletion} {
		for _, other := range []Purpose{Reconciliation, Deletion} {
			says := map[Purpose]string{Reconciliation: "apply", Deletion: "delete"}
			t.Run(says[other]+" within "+says[one], func(t *testing.T) {
				n := 1
				for interleavedAt(t, n, one, other) {
					n++
				}
				t.Logf("interleaved at each of %d calls", n-1)
				if n < 20 {
					t.Error("that is not the whole run")
				}
			})
		}
	}
}

func interleavedAt(t *testing.T, n int, one, other Purpose) (reached bool) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.tag(elbTag, "1", w.publics["b"]) // the user's
		before := w.everything()
		k := rose()
		k.TechnicalID, k.UID = cluster+"bud", "another"
		a, b := w.run(w.infra("a", "b"), rose()), w.run(w.infra("a", "b"), k)
		for r, purpose := range map[*run]Purpose{a: one, b: other} {
			if purpose == Deletion {
				w.must(r.apply())
			}
		}
		cable := &wire{at: n}
		cable.does = func(*http.Request) (*http.Response, error) {
			reached = true
			w.must(b.through(&wire{}, other))
			return nil, nil
		}
		w.must(a.through(cable, one))
		for r, purpose := range map[*run]Purpose{a: one, b: other} {
			if purpose == Deletion {
				continue
			}
			w.must(r.apply())
			p, err := r.look(Reconciliation).Plan()
			w.must(err)
			tags := w.tagsOf(w.publics["a"])
			if !p.Idle() || tags[elbTag] != "1" || tags[r.config.clusterKey()] != sharedWithUs {
				t.Errorf("at call %d, the tags %v, and still to do:\n%s", n, tags, p)
			}
		}
		w.must(errors.Join(a.delete(), b.delete()))
		if diff := cmp.Diff(before, w.everything()); diff != "" {
			t.Errorf("at call %d, not as it was:\n%s", n, diff)
		}
	})
	return reached
}

// A deletion that left shared tags to another cluster may be run again, with
// what is left of the state or without it: those tags are not ours any more.
func TestADeletionBesideAnotherClusterIsRunAgain(t *testing.T) {
	w := newWorld(t)
	k := rose()
	k.TechnicalID, k.UID = cluster+"bud", "another"
	a, b := w.run(w.infra("a", "b"), rose()), w.run(w.infra("a"), k)
	w.must(errors.Join(b.apply(), a.apply()))
	w.must(a.delete())
	p, err := a.look(Deletion).PlanDelete()
	w.must(err)
	if !p.Idle() {
		t.Errorf("it wants to delete what the other cluster needs:\n%s", p)
	}
	w.must(b.delete())
	if tags := w.tagsOf(w.publics["a"]); len(tags) > 0 {
		t.Errorf("left: %v", tags)
	}
}
