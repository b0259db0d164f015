// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package structure

import (
	"bytes"
	"fmt"
	"go/ast"
	"strings"
)

const (
	maxFile     = 400 // lines of any Go file
	maxEngine   = 300 // lines of a file of the engine, tests aside
	maxFunction = 80  // lines from func to the closing brace
	enginePart  = "internal/engine"
	allowMark   = "//structure:allow"
)

// sizeFaults finds files and functions that are too long to be read at once.
// Generated files do not count.
func sizeFaults(t *tree) []string {
	var faults []string
	for _, s := range t.source {
		if s.generated {
			continue
		}
		faults = append(faults, fileSize(t, s)...)
		for _, d := range s.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				faults = append(faults, functionSize(t, f)...)
			}
		}
	}
	return faults
}

func fileSize(t *tree, s source) []string {
	limit := maxFile
	if s.dir() == enginePart && !s.test {
		limit = maxEngine
	}
	lines := bytes.Count(s.text, []byte("\n"))
	return measure(s.name+":1", "file", lines, limit, fileAllow(t, s.ast))
}

func functionSize(t *tree, f *ast.FuncDecl) []string {
	lines := t.fset.Position(f.End()).Line - t.fset.Position(f.Pos()).Line + 1
	return measure(t.at(f.Pos()), "function "+f.Name.Name, lines, maxFunction, allowIn(f.Doc))
}

// measure compares a length with its limit and with what is allowed: nil is no
// comment, anything else the reason that stands in it.
func measure(at, what string, lines, limit int, reason *string) []string {
	switch {
	case reason != nil && *reason == "":
		return []string{fmt.Sprintf("%s: %s without a reason", at, allowMark)}
	case reason != nil && lines <= limit:
		return []string{fmt.Sprintf("%s: %s is not needed: %s has %d lines, %d are allowed", at, allowMark, what, lines, limit)}
	case reason == nil && lines > limit:
		return []string{fmt.Sprintf("%s: %s has %d lines, %d are allowed; divide it, or say beside it: %s <reason>", at, what, lines, limit, allowMark)}
	}
	return nil
}

// fileAllow looks before the package clause and between it and the first declaration.
func fileAllow(t *tree, f *ast.File) *string {
	first := f.FileEnd
	if len(f.Decls) > 0 {
		first = f.Decls[0].Pos()
		if d, ok := f.Decls[0].(*ast.FuncDecl); ok && d.Doc != nil {
			first = d.Doc.Pos()
		}
	}
	for _, group := range f.Comments {
		if group.Pos() >= first {
			break
		}
		if reason := allowIn(group); reason != nil {
			return reason
		}
	}
	return nil
}

func allowIn(group *ast.CommentGroup) *string {
	if group == nil {
		return nil
	}
	for _, c := range group.List {
		if rest, ok := strings.CutPrefix(c.Text, allowMark); ok {
			rest = strings.TrimSpace(rest)
			return &rest
		}
	}
	return nil
}
