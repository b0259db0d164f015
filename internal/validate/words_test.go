// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The words of all findings of all rows are in one file per cloud, to be read by
// people.
func TestWords(t *testing.T) {
	for cloud, table := range tables() {
		t.Run(cloud, func(t *testing.T) {
			table.words(t, filepath.Join("testdata", strings.ToLower(cloud)+"-findings.golden"))
		})
	}
}

func (table table) words(t *testing.T, path string) {
	var text strings.Builder
	for _, l := range table.lines {
		if len(l.want) == 0 {
			continue
		}
		report := l.check()
		fmt.Fprintf(&text, "%s: %s\n", l.number, l.name)
		for _, finding := range report.Errors {
			fmt.Fprintf(&text, "  error   %s %v\n", finding.Origin, finding)
		}
		for _, finding := range report.Warnings {
			fmt.Fprintf(&text, "  warning %s %v\n", finding.Origin, finding)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("findings differ from %s (-file +now):\n%s", path, diff)
	}
}
