// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

var promises = []string{"I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8"}

// A report gathers what came of the trials.
type report struct {
	mu       sync.Mutex
	seed     uint64
	planned  map[string]map[string]bool // group, point
	hit      map[string]map[string]bool
	runs     map[string]int // by group
	kept     map[string]int // promises that were not kept
	extra    []int
	attempts []int
	missed   []string
}

func newReport(seed uint64) *report {
	return &report{seed: seed, planned: map[string]map[string]bool{}, hit: map[string]map[string]bool{}, runs: map[string]int{}, kept: map[string]int{}}
}

// cover is what a point is to be counted as: an operation, a fault, and before
// or after.
func (p point) cover() string { return p.mishap.name + ": " + p.spot.cover() }

func mark(in map[string]map[string]bool, group, what string) {
	if in[group] == nil {
		in[group] = map[string]bool{}
	}
	in[group][what] = true
}

// add takes a result, and fails the test for each promise that was not kept.
func (r *report) add(t *testing.T, res result) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	p := res.point
	mark(r.planned, p.mishap.group, p.cover())
	r.runs[p.mishap.group]++
	switch {
	case res.fired:
		mark(r.hit, p.mishap.group, p.cover())
	case !p.mishap.drawn:
		r.missed = append(r.missed, p.String())
	}
	if p.mishap.group != "F7" { // which looks before it works
		r.extra = append(r.extra, res.extra)
		r.attempts = append(r.attempts, res.runs)
	}
	for _, text := range res.violations {
		r.kept[text[:2]]++
	}
	if len(res.violations) > 0 {
		t.Errorf("%s\nrepeat it: go test ./test/campaign -run TestCampaign -full -seed %d -point '%s'\n%s",
			p, r.seed, p, strings.Join(res.violations, "\n"))
	}
}

// table is what the page shows.
func (r *report) table() string {
	var b strings.Builder
	b.WriteString("| faults | points covered | runs |\n|---|---|---|\n")
	covered, planned, runs := 0, 0, 0
	for _, group := range slices.Sorted(maps.Keys(r.planned)) {
		fmt.Fprintf(&b, "| %s | %d of %d | %d |\n", group, len(r.hit[group]), len(r.planned[group]), r.runs[group])
		covered, planned, runs = covered+len(r.hit[group]), planned+len(r.planned[group]), runs+r.runs[group]
	}
	fmt.Fprintf(&b, "| **all** | **%d of %d** | **%d** |\n\n", covered, planned, runs)
	b.WriteString("Violations:")
	for _, promise := range promises {
		fmt.Fprintf(&b, " %s %d", promise, r.kept[promise])
	}
	fmt.Fprintf(&b, ".\nWhat it takes to make up for a fault: median %d calls more than undisturbed, p95 %d, at the most %d; runs: median %d, at the most %d.\n",
		quantile(r.extra, 50), quantile(r.extra, 95), quantile(r.extra, 100), quantile(r.attempts, 50), quantile(r.attempts, 100))
	return b.String()
}

// quantile is the smallest value that so many percent are not above.
func quantile(values []int, percent int) int {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, (len(sorted)*percent+99)/100-1)]
}
