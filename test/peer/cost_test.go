// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package peer

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/espalier-io/espalier/test/bench"
)

var update = flag.Bool("update", false, "write the table in docs/benchmarks.md anew")

// TestCostBesideTheProvider measures the same clusters made, looked at again and
// deleted by both, each in an embedded AWS of its own with the same world.
func TestCostBesideTheProvider(t *testing.T) {
	log.SetLogger(logr.Discard())
	var table strings.Builder
	table.WriteString("| IP families | run | Espalier: calls | writes | depth | provider: calls | writes | depth | of them its validator's calls |\n")
	table.WriteString("|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range bench.Settings {
		synctest.Test(t, func(t *testing.T) {
			mine, peers := bench.NewAWS(t, s), newProvider(t, s)
			for _, r := range []struct {
				name           string
				ours           func(context.Context)
				validate, flow func(context.Context)
			}{
				{"create", mine.Apply, peers.Validate, peers.Reconcile},
				{"no-op", mine.Apply, peers.Validate, peers.Reconcile},
				{"delete", mine.Delete, func(context.Context) {}, peers.Delete}, // Gardener does not validate then
			} {
				a := bench.MeasureAWS(mine.Cloud, func() { r.ours(t.Context()) })
				v := bench.MeasureAWS(peers.cloud, func() { r.validate(t.Context()) })
				f := bench.MeasureAWS(peers.cloud, func() { r.flow(t.Context()) })
				if v.Writes > 0 || v.Calls != v.Depth { // the page says that it reads, one after the other
					t.Errorf("the validator: %+v", v)
				}
				fmt.Fprintf(&table, "| %s | %s | %d | %d | %d | %d | %d | %d | %d |\n", s.Name, r.name,
					a.Calls, a.Writes, a.Depth, v.Calls+f.Calls, f.Writes, v.Depth+f.Depth, v.Calls)
			}
			for _, request := range peers.cloud.Unknown() {
				t.Errorf("the embedded AWS does not know %s", request)
			}
		})
	}
	bench.InPage(t, "costs beside the provider", table.String(), *update)
}
