// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const program = `package main

import (
	"context"

	"github.com/espalier-io/espalier/internal/engine"
)

type (
	res  struct{ A string }
	kind struct{} // can delete, and nothing else
	mine struct{}
)

func (kind) Kind() string                                     { return "k" }
func (kind) Delete(context.Context, int, engine.Record) error { return nil }

func main() {
	s, _ := engine.LoadState(nil, nil)
	g := engine.New(s, "", engine.Remover[int](kind{}))
	p, _ := g.Plan()
	_, _ = g, p
	BODY
}
`

// The types leave no way to do what must not be done.
func TestDoesNotCompile(t *testing.T) {
	for _, tt := range []struct{ name, body, err string }{
		{"what is allowed", `engine.Refer(g, "a", engine.Rule{}, engine.There("x", res{}), nil)`, ""},
		{"a reference with a kind", `engine.Refer(g, "a", engine.Rule{}, kind{}, nil)`, "kind{}"},
		{"managing with a kind that can only delete", `engine.Manage(g, "a", kind{}, engine.Claim[res]{}, nil, func(engine.Deps, *res) res { return res{} })`, "kind"},
		{"Apply without a Writer", `_ = g.Apply(context.Background(), nil, p, engine.Options{})`, "nil"},
		{"Deps made outside", `var _ engine.Deps = mine{}`, "mine"},
		{"an ID without Deps", `_ = engine.Refer(g, "a", engine.Rule{}, engine.There("x", res{}), nil).ID()`, "not enough arguments"},
		{"a fact made by hand", `_ = engine.Fact[res]{ID: "x", State: &res{}}`, "State"},
		{"a claim made by hand", `_ = engine.Claim[res]{theirs: false}`, "theirs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := compile(t, strings.Replace(program, "BODY", tt.body, 1))
			if (err == nil) != (tt.err == "") || !strings.Contains(out, tt.err) {
				t.Errorf("err %v: %s", err, out)
			}
		})
	}
}

// compile builds a program as if it stood below this package.
func compile(t *testing.T, src string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	here, err := filepath.Abs("testdata/program/main.go")
	if err != nil {
		t.Fatal(err)
	}
	file, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	data, err := json.Marshal(map[string]map[string]string{"Replace": {here: file}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{file: []byte(src), overlay: data} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay, "-o", os.DevNull, "./testdata/program").CombinedOutput()
	return string(out), err
}
