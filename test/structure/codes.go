// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package structure

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// codesPage is generated from the explanations, so a code that stands on it
// has one.
const codesPage = "docs/reference/codes.md"

var (
	aCode   = regexp.MustCompile(`^E[A-Z]{2,4}[0-9]{3}$`)
	inPage  = regexp.MustCompile(`\bE[A-Z]{2,4}[0-9]{3}\b`)
	aDocRef = regexp.MustCompile(`^docs/[\w./-]+\.md(#[\w-]+)?$`)
)

// codeFaults finds codes that a finding may bear but that nothing explains,
// and codes on the page that no finding bears.
func codeFaults(t *tree) []string {
	page, err := t.read(codesPage)
	if err != nil {
		return []string{fmt.Sprintf("%v; run make generate", err)}
	}
	explained := map[string]bool{}
	for _, code := range inPage.FindAllString(string(page), -1) {
		explained[code] = true
	}
	var faults []string
	borne := map[string]bool{}
	literals(t, "internal/", func(at, text string) {
		if !aCode.MatchString(text) || borne[text] {
			return
		}
		borne[text] = true
		if !explained[text] {
			faults = append(faults, fmt.Sprintf("%s: %s is not on %s; give it an explanation and run make generate", at, text, codesPage))
		}
	})
	for code := range explained {
		if !borne[code] {
			faults = append(faults, fmt.Sprintf("%s: nothing in internal/ bears %s; run make generate", codesPage, code))
		}
	}
	slices.Sort(faults)
	return faults
}

// sourceFaults finds places where the code names a document that is not there.
func sourceFaults(t *tree) []string {
	var faults []string
	literals(t, "", func(at, text string) {
		if !aDocRef.MatchString(text) {
			return
		}
		if why := broken(t, "README.md", text); why != "" {
			faults = append(faults, fmt.Sprintf("%s: names %s: %s", at, text, why))
		}
	})
	return faults
}

// literals calls f for every string in the code below a folder, tests and this
// package aside.
func literals(t *tree, below string, f func(at, text string)) {
	for _, s := range t.source {
		if s.test || !strings.HasPrefix(s.name, below) || s.dir() == "test/structure" {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					f(t.at(lit.Pos()), text)
				}
			}
			return true
		})
	}
}
