// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package structure

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

const (
	spdxCopyright = "// SPDX-FileCopyrightText: The Espalier Authors"
	spdxLicence   = "// SPDX-License-Identifier: Apache-2.0"
)

// licenceFaults finds Go files that do not begin with the two SPDX lines. In
// generated files build constraints may stand above them.
func licenceFaults(t *tree) []string {
	var faults []string
	for _, s := range t.source {
		above, _, found := strings.Cut(string(s.text), spdxCopyright+"\n"+spdxLicence+"\n")
		if !found || above != "" && (!s.generated || strings.Contains(above, "package ")) {
			faults = append(faults, fmt.Sprintf("%s:1: must begin with the lines %q and %q", s.name, spdxCopyright, spdxLicence))
		}
	}
	return faults
}

// commentFaults finds packages and exported names without a doc comment.
// Programs and tests export nothing. Methods count where the type that has
// them is exported, but for String and Error, which mean the same everywhere.
// Fields count in the API, where each is a promise to users; elsewhere the
// comment of the type speaks for those whose name says all.
func commentFaults(t *tree) []string {
	var faults []string
	documented := map[string]bool{}
	for _, s := range t.source {
		if s.ast.Doc != nil && !s.test {
			documented[s.dir()] = true
		}
	}
	missing := map[string]bool{}
	for _, s := range t.source {
		if s.test || s.generated {
			continue
		}
		if !documented[s.dir()] && !missing[s.dir()] {
			missing[s.dir()] = true
			faults = append(faults, fmt.Sprintf("%s:1: package %s has no doc comment; say in doc.go what it is for", s.name, s.ast.Name.Name))
		}
		if s.ast.Name.Name == "main" {
			continue
		}
		for _, d := range s.ast.Decls {
			for _, name := range undocumented(d, strings.HasPrefix(s.name, "api/")) {
				faults = append(faults, fmt.Sprintf("%s: exported %s has no doc comment; say what it may, must and never does", t.at(name.Pos()), name.Name))
			}
		}
	}
	return faults
}

func undocumented(d ast.Decl, fields bool) []*ast.Ident {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && receiverExported(d) && !wellKnown(d) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		var names []*ast.Ident
		for _, s := range d.Specs {
			names = append(names, undocumentedSpec(d, s, fields)...)
		}
		return names
	}
	return nil
}

func undocumentedSpec(d *ast.GenDecl, s ast.Spec, fields bool) []*ast.Ident {
	var names []*ast.Ident
	switch s := s.(type) {
	case *ast.ValueSpec:
		// The comment of a group stands for all of a group.
		if d.Doc == nil && s.Doc == nil && s.Comment == nil {
			names = exported(s.Names)
		}
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return nil
		}
		if s.Doc == nil && (d.Doc == nil || d.Tok != token.TYPE || d.Lparen.IsValid()) {
			names = append(names, s.Name)
		}
		names = append(names, undocumentedMembers(s.Type, fields)...)
	}
	return names
}

func undocumentedMembers(x ast.Expr, fields bool) []*ast.Ident {
	var list []*ast.Field
	switch x := x.(type) {
	case *ast.StructType:
		if fields {
			list = x.Fields.List
		}
	case *ast.InterfaceType:
		list = x.Methods.List
	}
	var all, missing []*ast.Ident
	for _, f := range list {
		names := exported(f.Names)
		all = append(all, names...)
		if f.Doc == nil && f.Comment == nil {
			missing = append(missing, names...)
		}
	}
	if _, ok := x.(*ast.InterfaceType); ok && len(all) == 1 {
		return nil // the comment of the type speaks for its only method
	}
	return missing
}

// wellKnown is a method whose contract is the standard library's.
func wellKnown(f *ast.FuncDecl) bool {
	return f.Recv != nil && (f.Name.Name == "String" || f.Name.Name == "Error")
}

func exported(names []*ast.Ident) []*ast.Ident {
	var out []*ast.Ident
	for _, n := range names {
		if n.IsExported() {
			out = append(out, n)
		}
	}
	return out
}

func receiverExported(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	x := f.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.Ident:
			return y.IsExported()
		default:
			return true
		}
	}
}
