// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package structure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// layer says what one part of the module may import of the module. Packages of
// one part may always import each other.
type layer struct {
	part string   // a folder; the longest that fits decides
	uses []string // parts; "*" is all
}

// layers is the whole list. A package that is in none of them is a fault.
var layers = []layer{
	{"api", nil},
	{"internal/fault", nil},
	{"internal/sim", nil},
	{"internal/engine", []string{"internal/fault"}},
	{"internal/statefile", []string{"internal/fault"}},
	{"internal/draw", []string{"internal/engine"}},
	{"internal/validate", []string{"api"}},
	{"internal/predict", []string{"api"}},
	{"internal/route", []string{"api"}},
	{"internal/controlplane", []string{"api"}},
	{"internal/openstack", []string{"api", "internal/engine", "internal/fault", "internal/validate"}},
	{"internal/aws", []string{"api", "internal/engine", "internal/fault", "internal/validate"}},
	{"internal/cli", []string{"*"}},
	{"cmd", []string{"*"}},
	{"extension", []string{"*"}},
	{"examples", []string{"*"}},
	{"hack", []string{"*"}},
	{"test", []string{"*"}},
}

// inTests is what the tests of any part but the embedded clouds may import
// besides: the embedded clouds, which take the place of the real ones.
const inTests = "internal/sim"

func partOf(dir string) (layer, bool) {
	var best layer
	found := false
	for _, l := range layers {
		if (dir == l.part || strings.HasPrefix(dir, l.part+"/")) && len(l.part) >= len(best.part) {
			best, found = l, true
		}
	}
	return best, found
}

func (l layer) may(other layer, test bool) bool {
	return l.part == other.part || slices.Contains(l.uses, "*") || slices.Contains(l.uses, other.part) ||
		test && other.part == inTests
}

// layerFaults finds imports that the layers do not allow.
func layerFaults(t *tree) []string {
	var faults []string
	for _, s := range t.source {
		from, ok := partOf(s.dir())
		if !ok {
			if !inOtherModule(t, s.dir()) {
				faults = append(faults, fmt.Sprintf("%s: package %s is in no layer; add it to layers in test/structure/layers.go", s.name, s.dir()))
			}
			continue
		}
		for _, i := range s.ast.Imports {
			target, err := strconv.Unquote(i.Path.Value)
			dir, ours := strings.CutPrefix(target, t.module+"/")
			if err != nil || !ours {
				continue
			}
			to, ok := partOf(dir)
			if !ok || !from.may(to, s.test) {
				faults = append(faults, fmt.Sprintf("%s: %s may not import %s; its layer allows %s",
					t.at(i.Pos()), from.part, dir, allowed(from, s.test)))
			}
		}
	}
	return faults
}

func allowed(l layer, test bool) string {
	uses := slices.Clone(l.uses)
	if test && l.part != inTests {
		uses = append(uses, inTests)
	}
	if len(uses) == 0 {
		return "nothing of ours"
	}
	return strings.Join(uses, ", ")
}

// inOtherModule says whether a go.mod other than the root's stands above dir.
func inOtherModule(t *tree, dir string) bool {
	for d := dir; d != "." && d != ""; d = parent(d) {
		if slices.Contains(t.names, d+"/go.mod") {
			return true
		}
	}
	return false
}

func parent(dir string) string {
	i := strings.LastIndexByte(dir, '/')
	if i < 0 {
		return ""
	}
	return dir[:i]
}
