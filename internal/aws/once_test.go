// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/aws"
)

// Any one answer of the cloud may be lost, and the call may have taken effect
// or not, while the run goes on: what creates is not done twice, the run says
// the truth, and the next one ends where the first would have.
func TestALostAnswerAtEveryCall(t *testing.T) { atEveryCall(t, "an answer lost", lostAt) }

func lostAt(t *testing.T, n int, purpose Purpose, heard bool) (reached bool) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		before := w.everything()
		r := w.run(w.infra("a", "b"), rose())
		if purpose == Deletion {
			w.must(r.apply())
		}
		w.ClearCalls()
		cable := &wire{at: n}
		cable.does = func(q *http.Request) (*http.Response, error) {
			reached = true
			if heard {
				if res, err := cable.RoundTripper.RoundTrip(q); err == nil {
					_ = res.Body.Close()
				}
			}
			return nil, io.ErrUnexpectedEOF
		}
		err := r.through(cable, purpose)
		seen := map[string]bool{}
		for _, c := range sim.Writes(w.Calls()) {
			what := c.Action + " " + c.Body
			if seen[what] && makes(c.Action) {
				t.Errorf("answer %d lost, done twice: %s", n, what)
			}
			seen[what] = true
		}
		if purpose == Reconciliation {
			if err != nil {
				w.must(r.apply())
			}
			p, err := r.look(Reconciliation).Plan()
			w.must(err)
			if !p.Idle() {
				t.Errorf("answer %d lost, the next run has something to do:\n%s", n, p)
			}
		}
		w.must(r.delete())
		if diff := cmp.Diff(before, w.everything()); diff != "" {
			t.Errorf("answer %d lost, not as it was:\n%s", n, diff)
		}
	})
	return reached
}

func TestARuleThatIsThereAlreadyDoesNotStopTheOthers(t *testing.T) {
	w := newWorld(t)
	client := w.run(w.infra("a", "b"), rose()).look(Reconciliation).session.client
	client.guard.Allow(Permissions{Ours: func(string) bool { return true }})
	expect := func(rules ...Rule) {
		t.Helper()
		all, err := client.SecurityGroupsByID(t.Context(), []engine.ID{engine.ID(w.group)})
		w.must(err)
		var got engine.Set[Rule]
		for _, r := range all[engine.ID(w.group)].Rules {
			if r.Protocol == "tcp" {
				got = append(got, r)
			}
		}
		if diff := cmp.Diff(engine.Set[Rule](rules), got, cmpopts.SortSlices(func(a, b Rule) bool { return a.From < b.From }), cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	}
	rules := []Rule{{"ingress", "tcp", 1, 1, "10.0.0.0/8"}, {"ingress", "tcp", 2, 2, "self"}, {"ingress", "tcp", 3, 3, "fd00::/8"}}
	for i := range rules {
		w.must(client.Authorize(t.Context(), engine.ID(w.group), "ingress", rules[:i+1]))
		expect(rules[:i+1]...)
	}
	for i := range rules {
		w.must(client.Revoke(t.Context(), engine.ID(w.group), "ingress", rules[:i+1]))
		expect(rules[i+1:]...)
	}
}

// makes says that an operation makes another thing each time.
func makes(operation string) bool {
	verb := strings.HasPrefix(operation, "Create") || strings.HasPrefix(operation, "Import") || strings.HasPrefix(operation, "Add")
	return verb && operation != "CreateTags"
}
