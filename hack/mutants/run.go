// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// runner runs tests of the module, with and without a bug.
type runner struct {
	root string
	all  bool // tests, not only those that a patch names
}

// green sees to it that the tests pass as long as nothing is planted.
func (r runner) green(ctx context.Context, ms []mutant) error {
	tests := map[string]mutant{}
	for _, m := range ms {
		k := m.pkg + strings.Join(m.flags, " ")
		all := tests[k]
		all.pkg, all.flags, all.tests = m.pkg, m.flags, append(all.tests, m.tests...)
		tests[k] = all
	}
	for _, m := range tests {
		red, out, err := r.test(ctx, m)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		if len(red) > 0 {
			return fmt.Errorf("%s is red before anything is planted: %s\n%s", m.pkg, strings.Join(red, " "), out)
		}
	}
	return nil
}

// plant runs the tests of one mutant and says what came of it.
func (r runner) plant(ctx context.Context, m mutant) (verdict string, ok bool) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return err.Error(), false
	}
	defer func() { _ = os.RemoveAll(dir) }()
	overlay, err := r.overlay(dir, m)
	if err != nil {
		return err.Error(), false
	}
	red, out, err := r.test(ctx, m, "-overlay", overlay)
	switch {
	case err != nil:
		return err.Error() + "\n" + out, false
	case r.all:
		return strings.Join(red, " "), len(red) > 0
	}
	for _, t := range m.tests {
		if !slices.Contains(red, t) {
			return "NOT BY " + t, false
		}
	}
	return "noticed", true
}

// overlay writes the changed files and the list that shows them to the compiler.
func (r runner) overlay(dir string, m mutant) (string, error) {
	replace := map[string]string{}
	for i, c := range m.files {
		file := filepath.Join(r.root, filepath.FromSlash(c.file))
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		changed, err := c.apply(string(text))
		if err != nil {
			return "", err
		}
		replace[file] = filepath.Join(dir, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(replace[file], []byte(changed), 0o600); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, data, 0o600)
}

// test runs the tests of a mutant and returns those that are red. An error is
// that they could not be run.
func (r runner) test(ctx context.Context, m mutant, extra ...string) (red []string, output string, err error) {
	args := append([]string{"test", "-json", "-vet=off", "-count=1", "-timeout=90s"}, extra...)
	if !r.all {
		slices.Sort(m.tests)
		args = append(args, "-run", "^("+strings.Join(slices.Compact(slices.Clone(m.tests)), "|")+")$")
	}
	cmd := exec.CommandContext(ctx, "go", append(append(args, m.pkg), m.flags...)...)
	cmd.Dir = r.root
	out, runErr := cmd.CombinedOutput()
	if red, ran := verdicts(out); ran {
		return red, string(out), nil
	}
	return nil, string(out), fmt.Errorf("%s: no test was run: %w", m.pkg, runErr)
}

// verdicts reads which tests are red: those that failed, and those that began
// and never came to an end, since they took the process with them.
func verdicts(out []byte) (red []string, ran bool) {
	open := map[string]bool{}
	for line := range bytes.Lines(out) {
		var e struct{ Action, Test string }
		if json.Unmarshal(line, &e) != nil || e.Test == "" || strings.Contains(e.Test, "/") {
			continue
		}
		switch e.Action {
		case "run":
			ran, open[e.Test] = true, true
		case "pass", "skip":
			delete(open, e.Test)
		}
	}
	return slices.Sorted(maps.Keys(open)), ran
}
