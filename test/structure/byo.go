// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package structure

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// owned is a type of the API with the fields by which users name what is theirs.
type owned struct {
	pkg, typ string // the package below the module
	fields   []string
}

// byoFields are all of them.
var byoFields = []owned{
	{"api/openstack/v1alpha1", "Networks", []string{"ID", "SubnetID", "Router", "SecurityGroupID", "ShareNetworkID"}},
	{"api/openstack/v1alpha1", "IPv6Config", []string{"NodeSubnetID"}},
	{"api/aws/v1alpha1", "Networks", []string{"NodesSecurityGroupID"}},
	{"api/aws/v1alpha1", "VPC", []string{"ID"}},
	{"api/aws/v1alpha1", "Zone", []string{"WorkersSubnetID", "PublicSubnetID", "InternalSubnetID", "ElasticIPAllocationID"}},
}

// mayReadBYO says which files may look at them: the API itself, the static
// rules, and the one place per cloud where ownership is decided; and what writes
// configurations for tests.
func mayReadBYO(name string) bool {
	dir, file := path.Split(name)
	return strings.HasPrefix(name, "api/") || strings.HasPrefix(name, "test/") || strings.HasPrefix(name, "internal/validate/") ||
		(dir == "internal/openstack/" || dir == "internal/aws/") && strings.HasPrefix(file, "topology")
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, Deps           []string
	Module                  *struct{ Main bool }
}

func (p listed) reachesAPI(module string) bool {
	return slices.ContainsFunc(byoFields, func(o owned) bool { return slices.Contains(p.Deps, module+"/"+o.pkg) })
}

// byoFaults type-checks every package that can reach the API types and finds
// where it reads one of the fields. Tests are not looked at: they write
// configurations.
func byoFaults(t *tree) []string {
	packages, err := list(t.root)
	if err != nil {
		return []string{err.Error()}
	}
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "gc", func(pkg string) (io.ReadCloser, error) {
		if exports[pkg] == "" {
			return nil, fmt.Errorf("no export data of %s", pkg)
		}
		return os.Open(exports[pkg])
	})
	fields, faults := fieldsOf(t.module, imp, byoFields)
	for _, p := range packages {
		if p.Module == nil || !p.Module.Main || !p.reachesAPI(t.module) {
			continue
		}
		files, err := parse(fset, t.root, p)
		if err != nil {
			return append(faults, err.Error())
		}
		faults = append(faults, byoReads(fset, imp, p.ImportPath, files, fields)...)
	}
	slices.Sort(faults)
	return faults
}

func list(root string) ([]listed, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Deps,Module", "./...")
	cmd.Dir = root
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the packages: %w: %s", err, stderr.String())
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading what go list says: %w", err)
		}
		all = append(all, p)
	}
}

func parse(fset *token.FileSet, root string, p listed) ([]*ast.File, error) {
	var files []*ast.File
	for _, name := range p.GoFiles {
		full := filepath.Join(p.Dir, name)
		text, err := os.ReadFile(full)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(root, full)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(fset, filepath.ToSlash(rel), text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// fieldsOf looks the fields up; one that is not there is a fault, since then
// nothing would be looked for.
func fieldsOf(module string, imp types.Importer, owned []owned) (map[types.Object]string, []string) {
	fields := map[types.Object]string{}
	var faults []string
	for _, b := range owned {
		pkg, err := imp.Import(module + "/" + b.pkg)
		if err != nil {
			faults = append(faults, fmt.Sprintf("%s: %v", b.pkg, err))
			continue
		}
		for _, name := range b.fields {
			if v := field(pkg, b.typ, name); v != nil {
				fields[v] = b.typ + "." + name
			} else {
				faults = append(faults, fmt.Sprintf("%s: no field %s.%s; bring byoFields in test/structure/byo.go up to date", b.pkg, b.typ, name))
			}
		}
	}
	return fields, faults
}

func field(pkg *types.Package, typ, name string) types.Object {
	obj := pkg.Scope().Lookup(typ)
	if obj == nil {
		return nil
	}
	s, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for v := range s.Fields() {
		if v.Name() == name {
			return v
		}
	}
	return nil
}

func byoReads(fset *token.FileSet, imp types.Importer, pkg string, files []*ast.File, fields map[types.Object]string) []string {
	info := &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{Importer: imp}
	if _, err := conf.Check(pkg, fset, files, info); err != nil {
		return []string{err.Error()}
	}
	var faults []string
	for sel, s := range info.Selections {
		name, byo := fields[s.Obj()]
		p := fset.Position(sel.Pos())
		if byo && !mayReadBYO(p.Filename) {
			faults = append(faults, fmt.Sprintf("%s:%d: reads %s; whose a thing is, is decided in topology.go and nowhere else", p.Filename, p.Line, name))
		}
	}
	slices.Sort(faults)
	return faults
}
