// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

const intro = `<!-- Written by go run ./hack/mutants -write. Do not edit. -->

# Planted bugs

Tests are only worth what they notice. Each line below is a bug that is kept as a
patch under ` + "`hack/mutants`" + `; ` + "`make mutants`" + ` plants them one at a time and fails
unless every test that is named here turns red. %d bugs, %d of them in the engine.

| bug | where | noticed by |
|---|---|---|
`

// describe is the page that lists the mutants.
func describe(ms []mutant) string {
	var rows strings.Builder
	engine := 0
	for _, m := range ms {
		var files []string
		for _, f := range m.files {
			files = append(files, "`"+strings.TrimPrefix(f.file, "internal/")+"`")
		}
		if strings.HasPrefix(m.files[0].file, "internal/engine/") {
			engine++
		}
		pkg := strings.TrimPrefix(m.pkg, "./internal/")
		fmt.Fprintf(&rows, "| %s | %s | %s: %s |\n", strings.ReplaceAll(m.bug, "|", `\|`), strings.Join(files, ", "), pkg, strings.Join(m.tests, ", "))
	}
	return fmt.Sprintf(intro, len(ms), engine) + rows.String()
}
