// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package peer

import (
	"testing"
	"testing/synctest"

	"github.com/gardener/gardener-extension-provider-aws/pkg/apis/aws/helper"
	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/espalier-io/espalier/internal/sim/snapshot"
	"github.com/espalier-io/espalier/test/bench"
)

// TestAClusterOfTheProviderIsTakenOver lets the provider make a cluster, and
// gives Espalier the state that it keeps: there is nothing to do, nothing is
// changed, and the deletion leaves the account as it was before the provider
// came, what the provider itself would leave included.
func TestAClusterOfTheProviderIsTakenOver(t *testing.T) {
	log.SetLogger(logr.Discard())
	for _, s := range bench.Settings {
		t.Run(s.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newProvider(t, s)
				before := p.cloud.Snapshot()
				p.Reconcile(t.Context())
				made := p.cloud.Snapshot()
				state, err := helper.InfrastructureStateFromRaw(p.infrastructure(t.Context()).Status.State)
				p.must(err)
				mine := bench.TakenOver(t, s, p.cloud, state.Data)
				if plan := mine.Plan(t.Context()); !plan.Idle() {
					t.Fatalf("there is something to do:\n%s", plan)
				}
				mine.Apply(t.Context())
				same(t, "taking it over", made, p.cloud.Snapshot())
				mine.Delete(t.Context())
				same(t, "the deletion", before, p.cloud.Snapshot())
			})
		})
	}
}

func same(t *testing.T, what string, before, after []byte) {
	t.Helper()
	all, err := snapshot.Compare(before, after)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		t.Errorf("%s: %s", what, d)
	}
}
