// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"os"
	"strings"
	"testing"
)

// page has the tables; it is named from a folder two below the root.
const page = "../../docs/benchmarks.md"

// A Cost is what one run took.
type Cost struct{ Calls, Writes, Depth int }

// Within says that nothing of it is more than in most.
func (c Cost) Within(most Cost) bool {
	return c.Calls <= most.Calls && c.Writes <= most.Writes && c.Depth <= most.Depth
}

// InPage compares a table with the one that docs/benchmarks.md shows between
// the comments "name" and "end of name", and writes it there if update is true.
// The test must run in a folder two below the root.
func InPage(t testing.TB, name, table string, update bool) {
	t.Helper()
	t.Logf("\n%s", table)
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, found := strings.Cut(string(text), begin)
	shown, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no %q followed by %q", page, begin, end)
	}
	if shown == table {
		return
	}
	if !update {
		t.Errorf("%s shows\n%s\nrun the test again with -update", page, shown)
		return
	}
	if err := os.WriteFile(page, []byte(before+begin+table+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
