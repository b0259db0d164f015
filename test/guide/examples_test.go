// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package guide

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const examples = "../../examples/"

// builtIn is what "espalier cloud openstack" has in it.
const builtIn = "../../internal/cli/demo/openstack.yaml"

// tryIt is the command line with which each example begins.
var tryIt = regexp.MustCompile(`(?m)^#   espalier apply (-f examples/.*)$`)

// TestExamples runs each file of examples/ with the command line that stands in
// it. What the network teams and the neighbours have there is no reason for a
// warning.
func TestExamples(t *testing.T) {
	world, err := os.ReadFile(builtIn)
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(examples + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(examples + "*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	used := map[string]bool{}
	for _, file := range files {
		name := filepath.Base(file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(readme), "]("+name+")") {
			t.Errorf("the README of the examples does not name %s", name)
		}
		if strings.HasPrefix(name, "aws-") {
			used[name] = true // they have a test beside the command line, on the built-in AWS
			continue
		}
		m := tryIt.FindStringSubmatch(string(text))
		if m == nil {
			continue // what goes with another
		}
		used[name] = true
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, world)
			var flags []string
			for word := range strings.FieldsSeq(m[1]) {
				if file, ok := strings.CutPrefix(word, "examples/"); ok {
					used[file] = true
					text, err := os.ReadFile(examples + file)
					if err != nil {
						t.Fatal(err)
					}
					word = p.write(file, string(text))
				}
				flags = append(flags, word)
			}
			adopted := strings.Count(string(text), "it is adopted")
			p.live(flags, adopted)
		})
	}
	for _, file := range files {
		if !used[filepath.Base(file)] {
			t.Errorf("%s has no line to try it, and no other file uses it", file)
		}
	}
}
