// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// clusters is how many share one set of subnets.
const clusters = 24

// crowd are so many clusters with pod networks apart, in the subnets of one VPC.
func (w *world) crowd() (all []*run) {
	for i := range clusters {
		k := rose()
		k.TechnicalID, k.UID = fmt.Sprintf("shoot--garden--c%02d", i), fmt.Sprintf("uid-%02d", i)
		k.Pods, k.MaxNodes = prefixes(fmt.Sprintf("100.%d.0.0/16", 64+i)), 10
		all = append(all, w.run(w.infra("a", "b"), k))
	}
	return all
}

// found are the codes of what preflight says, each once.
func (r *run) found() string {
	var codes []string
	for _, f := range r.look(Preflight).Check() {
		if !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	return strings.Join(codes, " ")
}

// Clusters that share subnets and route tables are told of each other, and of
// the one for which there is no room any more, before anything is written: for
// its routes, and for its tags. After the last one has gone, in whatever order,
// all is as it was.
func TestTwentyFourClustersOnOneSetOfSubnets(t *testing.T) {
	w := newWorld(t)
	for i := range 25 { // of the 50 tags that AWS allows
		w.tag(fmt.Sprint("tag-", i), "x", w.publics["a"])
	}
	w.SetQuota("a", region, routeQuota, 50)
	before := w.everything()
	all := w.crowd()
	// Each has a route for each of two nodes when the next one comes, which
	// brings ten nodes more; the table has two routes of its own.
	for i, r := range all[:22] {
		want := []string{"EAWS146"}
		if i == 0 {
			want = nil
		}
		if 2+2*i+10 > 50 {
			want = append(want, "EAWS145")
		}
		if got := r.found(); got != strings.Join(want, " ") {
			t.Errorf("cluster %d: %s, want %s", i+1, got, want)
		}
		w.must(r.apply())
		for n := range 2 {
			w.route(w.private, fmt.Sprintf("100.%d.%d.0/24", 64+i, n), w.nat)
		}
	}
	// 25 of the user's, a role, its marker and 22 of clusters are 49: one more has room.
	if got := all[22].found(); strings.Contains(got, "EAWS153") {
		t.Errorf("cluster 23: %s", got)
	}
	w.must(all[22].apply())
	if got := all[23].found(); !strings.Contains(got, "EAWS153") {
		t.Errorf("cluster 24: %s, want EAWS153", got)
	}
	for i := range 23 {
		w.must(all[i*7%23].delete())
	}
	for i := range 22 {
		for n := range 2 {
			w.unroute(w.private, fmt.Sprintf("100.%d.%d.0/24", 64+i, n))
		}
	}
	if diff := cmp.Diff(before, w.everything()); diff != "" {
		t.Errorf("not as it was:\n%s", diff)
	}
}
