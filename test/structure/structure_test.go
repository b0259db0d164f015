// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package structure

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// checks are all that run over the repository.
var checks = []struct {
	name  string
	check func(*tree) []string
}{
	{"layers", layerFaults},
	{"sizes of files and functions", sizeFaults},
	{"licence lines", licenceFaults},
	{"doc comments", commentFaults},
	{"names", nameFaults},
	{"fields by which users name what is theirs", byoFaults},
	{"reasons for dependencies", dependencyFaults},
	{"paths and addresses of one machine", machineFaults},
	{"links in documents", linkFaults},
	{"documents that the code names", sourceFaults},
	{"codes of findings", codeFaults},
}

func TestRepository(t *testing.T) {
	repo, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, fault := range c.check(repo) {
				t.Error(fault)
			}
		})
	}
}

// row shows a check a tree and says which faults it must find: each want must
// be part of the fault at its place, and there may be no others.
type row struct {
	name  string
	files map[string]string
	want  []string
}

const goMod = "module example.org/m\n\ngo 1.26\n"

func example(t *testing.T, files map[string]string) *tree {
	t.Helper()
	all := fstest.MapFS{"go.mod": {Data: []byte(goMod)}}
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, err := newTree(all, slices.Collect(maps.Keys(all)))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func run(t *testing.T, check func(*tree) []string, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			compare(t, check(example(t, r.files)), r.want)
		})
	}
}

func compare(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("faults:\n  %s\nwant %d:\n  %s", strings.Join(got, "\n  "), len(want), strings.Join(want, "\n  "))
	}
	for i := range got {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("fault %q, want it to contain %q", got[i], want[i])
		}
	}
}
