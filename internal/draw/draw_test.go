// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// forms are the ways to draw, by the ending of a golden file.
var forms = map[string]func(p *Picture) string{
	"txt": func(p *Picture) string { return p.Text(Width) },
	"mmd": (*Picture).Mermaid,
	"svg": (*Picture).SVG,
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-"))
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if got != string(want) {
		t.Errorf("not as in %s (go test -update writes it anew); got:\n%s", path, got)
	}
}

func TestPictures(t *testing.T) {
	for name, s := range scenes() {
		for ending, drawn := range forms {
			t.Run(name+"."+ending, func(t *testing.T) {
				got := drawn(s.picture())
				golden(t, name+"."+ending, got)
				if again := drawn(s.picture()); again != got {
					t.Errorf("the second time it is\n%s", again)
				}
			})
		}
	}
}
