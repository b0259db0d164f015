// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package structure

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
)

// tree is a set of files, the repository or a small bad example.
type tree struct {
	module string // the path that go.mod declares
	root   string // the folder on disk; empty in an example
	files  fs.FS
	names  []string // of all files, sorted, slashes
	fset   *token.FileSet
	source []source // of all Go files, in the order of names
}

// source is one parsed Go file.
type source struct {
	name      string
	text      []byte
	ast       *ast.File
	test      bool
	generated bool
}

// dir is the folder of the file, "." for the root.
func (s source) dir() string { return path.Dir(s.name) }

// at writes the place of a node as file:line.
func (t *tree) at(pos token.Pos) string {
	p := t.fset.Position(pos)
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}

// read returns the text of a file that is in names.
func (t *tree) read(name string) ([]byte, error) { return fs.ReadFile(t.files, name) }

// newTree parses all Go files but those under testdata.
func newTree(files fs.FS, names []string) (*tree, error) {
	t := &tree{files: files, names: names, fset: token.NewFileSet()}
	slices.Sort(t.names)
	mod, err := t.read("go.mod")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if first, _, ok := strings.Cut(string(mod), "\n"); ok {
		t.module = strings.TrimSpace(strings.TrimPrefix(first, "module"))
	}
	for _, name := range t.names {
		if !strings.HasSuffix(name, ".go") || slices.Contains(strings.Split(name, "/"), "testdata") {
			continue
		}
		text, err := t.read(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(t.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		t.source = append(t.source, source{
			name: name, text: text, ast: file,
			test:      strings.HasSuffix(name, "_test.go"),
			generated: ast.IsGenerated(file),
		})
	}
	return t, nil
}

// repository is the tree that this package lies in: what git tracks, and what
// it would track, so that a fault shows before it is committed.
func repository() (*tree, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	names, err := tracked(root)
	if err != nil {
		return nil, err
	}
	t, err := newTree(os.DirFS(root), names)
	if err != nil {
		return nil, err
	}
	t.root = root
	return t, nil
}

func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("asking go for the module: %w", err)
	}
	gomod := strings.TrimSpace(string(out))
	if gomod == "" || gomod == os.DevNull {
		return "", errors.New("not in a module")
	}
	return strings.TrimSuffix(gomod, "/go.mod"), nil
}

// tracked lists the files of the repository; without git, as in a source
// archive, all files below root but those in hidden and ignored folders.
func tracked(root string) ([]string, error) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return walk(root)
	}
	var names []string
	for name := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		if info, err := os.Lstat(root + "/" + string(name)); err == nil && info.Mode().IsRegular() {
			names = append(names, string(name))
		}
	}
	return names, look(root, names)
}

// look opens every folder that holds one of the files, so that go test, which
// keeps results as long as what a test opened is the same, sees new files.
func look(root string, names []string) error {
	seen := map[string]bool{}
	for _, name := range names {
		for dir := path.Dir(name); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			if _, err := os.ReadDir(root + "/" + dir); err != nil {
				return err
			}
		}
	}
	return nil
}

func walk(root string) ([]string, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == ".cache" || name == ".git" || name == "bin" || name == "dist"):
			return fs.SkipDir
		case d.Type().IsRegular():
			names = append(names, name)
		}
		return nil
	})
	return names, err
}
