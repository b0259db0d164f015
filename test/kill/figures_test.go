// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package kill

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const page = "../../docs/reliability.md"

// A tally counts the points that were tried.
type tally map[string]map[moment]int

func (c tally) add(p point) {
	if c[p.verb] == nil {
		c[p.verb] = map[moment]int{}
	}
	c[p.verb][p.when]++
}

func (c tally) join(other tally) {
	for verb, counts := range other {
		for when, n := range counts {
			if c[verb] == nil {
				c[verb] = map[moment]int{}
			}
			c[verb][when] += n
		}
	}
}

// table is what the page shows of a cloud.
func (c tally) table(h house) (text string, all int) {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s: cut short | apply | delete |\n|---|---|---|\n", h.name)
	sum := map[string]int{}
	for _, when := range moments {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", when, c[apply][when], c[remove][when])
		sum[apply] += c[apply][when]
		sum[remove] += c[remove][when]
	}
	fmt.Fprintf(&b, "| **all** | **%d** | **%d** |\n\n", sum[apply], sum[remove])
	all = sum[apply] + sum[remove]
	fmt.Fprintf(&b, "%s: %d points in %d variants.\n", h.name, all, len(h.variants))
	return b.String(), all
}

// report prints the figures of all clouds, and compares them with those of the page.
func report(t *testing.T, counts map[string]tally) {
	t.Helper()
	var tables []string
	all := 0
	for _, h := range houses() {
		table, n := counts[h.name].table(h)
		tables = append(tables, table)
		all += n
	}
	text := strings.Join(tables, "\n")
	t.Logf("\n%s", text)
	if !t.Failed() {
		t.Logf("killed or interrupted at %d points: nothing leaked, nothing made twice, all else as it was", all)
	}
	if *only == "" { // all were tried
		shown(t, text)
	}
}

// shown fails if the page does not show this, or writes it there.
func shown(t *testing.T, tables string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- kill points -->\n", "<!-- end of kill points -->\n"
	before, rest, found := strings.Cut(string(text), begin)
	shown, after, closed := strings.Cut(rest, end)
	switch {
	case !found || !closed:
		t.Fatalf("%s has no %q followed by %q", page, begin, end)
	case shown == tables:
	case !*update:
		t.Errorf("%s shows\n%s\nrun go test ./test/kill -update", page, shown)
	default:
		if err := os.WriteFile(page, []byte(before+begin+tables+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
