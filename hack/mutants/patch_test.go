// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"strings"
	"testing"
)

const patch = `Bug: it says no
Red: ./internal/a TestA TestB
Flags: -x=1

--- a/internal/a/a.go
+++ b/internal/a/a.go
@@ -2,3 +2,3 @@
 one
-yes
+no
 two
`

func TestPatch(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"at its place", "x\none\nyes\ntwo\n", "x\none\nno\ntwo\n"},
		{"moved", "x\nx\nx\nx\none\nyes\ntwo\n", "x\nx\nx\nx\none\nno\ntwo\n"},
		{"of two places the nearer one", "x\none\nyes\ntwo\nx\none\nyes\ntwo\n", "x\none\nno\ntwo\nx\none\nyes\ntwo\n"},
		{"gone", "x\none\nmaybe\ntwo\n", ""},
		{"a file that is too short", "one", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := parse(patch)
			if err != nil || m.bug != "it says no" || m.pkg != "./internal/a" || len(m.tests) != 2 || len(m.flags) != 1 {
				t.Fatalf("%+v, %v", m, err)
			}
			got, err := m.files[0].apply(tt.text)
			if got != tt.want || (tt.want == "") != errors.Is(err, errStale) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestPatchThatIsNone(t *testing.T) {
	for text, want := range map[string]string{
		"Bug: x\n":                                         "no diff",
		strings.Replace(patch, "Red", "Read", 1):           "a header line",
		strings.Replace(patch, "Red: ", "\n", 1):           "a header line",
		strings.Replace(patch, "Bug: it says no", "", 1):   "no Bug",
		strings.Replace(patch, "+++ b/", "+++ x/", 1):      "a line before the first file",
		strings.Replace(patch, "@@ -2,3 +2,3 @@", "", 1):   "outside a hunk",
		strings.Replace(patch, "@@ -2,3", "@@ -x,3", 1):    "invalid syntax",
		strings.Replace(patch, "\n-yes", "\n?yes", 1):      "what is",
		strings.Replace(patch, "\nRed: ./i", "\nRed: ", 1): "",
	} {
		if _, err := parse(text); want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("err %v, want %s", err, want)
		}
	}
}

// Every patch fits the code as it is, so that a change that makes one stale is
// noticed at once.
func TestPatchesFit(t *testing.T) {
	root := os.DirFS("../..")
	ms, err := load(root)
	if err != nil || len(ms) < 30 {
		t.Fatalf("%d mutants, %v", len(ms), err)
	}
	for _, m := range ms {
		for _, c := range m.files {
			text, err := os.ReadFile("../../" + c.file)
			if err != nil {
				t.Fatal(err)
			}
			if changed, err := c.apply(string(text)); err != nil || changed == string(text) {
				t.Errorf("%s: %v", m.name, err)
			}
		}
	}
	page, err := os.ReadFile("../../" + page)
	if err != nil || string(page) != describe(ms) {
		t.Errorf("docs/mutants.md is not up to date: go run ./hack/mutants -write (%v)", err)
	}
}
