// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package vpctest

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/espalier-io/espalier/internal/engine"
)

// A zone is taken away and comes back: the cluster tag goes before the role
// tag, of orphans too, or the role tag would stay for ever.
func TestZoneTakenAway(t *testing.T) {
	f, d := world(), &disk{}
	before := f.theirs()
	_, err := run(t, f, byo("c", "ab"), d, false)
	must(t, err)
	_, err = run(t, f, byo("c", "b"), d, false)
	must(t, err)
	for _, id := range []engine.ID{"s-pa", "s-ia"} {
		if len(f.tags[id]) != 1 {
			t.Errorf("%s: %v", id, f.tags[id])
		}
	}
	if f.tags["rtb-ab"][clusterTag+"c"] != "shared" {
		t.Error("the table of b has lost its tag")
	}
	_, err = run(t, f, byo("c", "abc"), d, false) // and zones that are added
	must(t, err)
	idle(t, f, byo("c", "abc"), d)
	_, err = run(t, f, byo("c", "abc"), d, true)
	must(t, err)
	if got := f.theirs(); got != before || len(f.mark) > 0 {
		t.Errorf("left over: %v\n%s", f.mark, got)
	}
}

// A subnet that is gone does not stop the tags of the others.
func TestJoinedCallFails(t *testing.T) {
	f := world()
	c := byo("c", "ab")
	g := Topology(c, Read(t.Context(), client{f, "c"}, c, (&disk{}).state(t), 8))
	p, err := g.Plan()
	must(t, err)
	delete(f.things, "s-pa")
	err = g.Apply(t.Context(), client{f, "c"}.writer(), p, engine.Options{Limit: 16})
	if err == nil || err.Error() != "subnet s-pa/tag kubernetes.io/cluster/c: s-pa not found" {
		t.Errorf("err = %v", err)
	}
	if f.tags["s-pb"]["kubernetes.io/role/elb"] != "1" || f.tags["rtb-ab"][clusterTag+"c"] != "shared" {
		t.Errorf("tags: %v", f.tags)
	}
}

// Tables that can not be read do not make orphans of the tags on them, and do
// not keep the rest from being done.
func TestDeniedTables(t *testing.T) {
	f, d := world(), &disk{}
	_, err := run(t, f, byo("c", "a"), d, false)
	must(t, err)
	delete(f.tags["s-pa"], clusterTag+"c")
	f.denied["DescribeRouteTables"] = errDenied
	_, err = run(t, f, byo("c", "a"), d, false)
	if !errors.Is(err, engine.ErrBlocked) || !errors.Is(err, errDenied) || !strings.Contains(err.Error(), "route-table rtb-ab/tag kubernetes.io/cluster/c [rtb-ab#") {
		t.Errorf("err = %v", err)
	}
	if f.tags["rtb-ab"][clusterTag+"c"] != "shared" || f.tags["s-pa"][clusterTag+"c"] != "shared" {
		t.Errorf("tags %v", f.tags)
	}
	delete(f.denied, "DescribeRouteTables")
	idle(t, f, byo("c", "a"), d)
}

// When the state is lost the tags stay, and a deletion says how to remove them.
func TestLostStateLeavesTags(t *testing.T) {
	f := world()
	_, err := run(t, f, byo("c", "a"), &disk{}, false)
	must(t, err)
	out, err := run(t, f, byo("c", "a"), &disk{}, true)
	must(t, err)
	want := "reference subnet s-pa/tag kubernetes.io/cluster/c [s-pa#kubernetes.io/cluster/c] (public of a): stays: it was there before us. " +
		"If it is this cluster's: aws ec2 delete-tags --resources s-pa --tags Key=kubernetes.io/cluster/c,Value=shared"
	if !strings.Contains(out, want) {
		t.Errorf("plan:\n%s", out)
	}
	for on, tags := range f.tags {
		for k, v := range maps.Clone(tags) {
			if k != "Name" && (k != clusterTag+"c" || v != "shared") && !strings.HasPrefix(k, "kubernetes.io/role/") && k != marker {
				t.Errorf("%s: %s", on, k)
			}
		}
	}
	if len(f.mark) > 0 {
		t.Errorf("left over: %v", f.mark)
	}
}
