// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package structure

import (
	"fmt"
	"regexp"
	"strings"
)

// empty names say nothing of what is inside.
var emptyName = regexp.MustCompile(`^(common|base|misc|shared)$|(^|[a-z_-])(utils?|helpers?|managers?)$`)

// nameFaults finds folders and packages whose name says nothing, and programs
// under hack/ that neither the Makefile nor the CI run nor a go:generate line calls.
func nameFaults(t *tree) []string {
	var faults []string
	seen := map[string]bool{}
	for _, s := range t.source {
		if seen[s.dir()] {
			continue
		}
		seen[s.dir()] = true
		last := s.dir()[strings.LastIndexByte(s.dir(), '/')+1:]
		for _, name := range []string{last, strings.TrimSuffix(s.ast.Name.Name, "_test")} {
			if emptyName.MatchString(name) {
				faults = append(faults, fmt.Sprintf("%s: the name %s says nothing of what is inside; name it after that", s.name, name))
				break
			}
		}
	}
	return append(faults, uncalled(t)...)
}

func uncalled(t *tree) []string {
	callers, err := callers(t)
	if err != nil {
		return []string{err.Error()}
	}
	var faults []string
	seen := map[string]bool{}
	for _, name := range t.names {
		rest, ok := strings.CutPrefix(name, "hack/")
		if !ok {
			continue
		}
		top, _, _ := strings.Cut(rest, "/")
		if !seen[top] && !strings.Contains(callers, "hack/"+top) {
			faults = append(faults, fmt.Sprintf("hack/%s: nothing calls it; hack/ holds only what the Makefile, .ci/ or a go:generate line calls", top))
		}
		seen[top] = true
	}
	return faults
}

// callers is the text of all that may call something under hack/.
func callers(t *tree) (string, error) {
	var b strings.Builder
	for _, name := range t.names {
		if name != "Makefile" && !strings.HasPrefix(name, ".ci/") {
			continue
		}
		text, err := t.read(name)
		if err != nil {
			return "", err
		}
		b.Write(text)
	}
	for _, s := range t.source {
		for line := range strings.Lines(string(s.text)) {
			if strings.HasPrefix(line, "//go:generate ") {
				b.WriteString(line + s.dir()) // also where it runs what it stands beside
			}
		}
	}
	return b.String(), nil
}
