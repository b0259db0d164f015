// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// mutant is one planted bug.
type mutant struct {
	name, bug, pkg string
	tests, flags   []string
	files          []change
}

// change is what a patch does to one file.
type change struct {
	file  string // below the root, with slashes
	hunks []hunk
}

// hunk takes the place of some lines; at is where they were when it was made.
type hunk struct {
	at       int
	old, new []string
}

var (
	errStale   = errors.New("the patch no longer fits")
	errDiffers = errors.New("they differ")
)

// load reads all patches, in the order of their names.
func load(root fs.FS) ([]mutant, error) {
	names, err := fs.Glob(root, folder+"/*.patch")
	if err != nil {
		return nil, err
	}
	var ms []mutant
	for _, name := range names {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		m, err := parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		m.name = strings.TrimSuffix(path.Base(name), ".patch")
		ms = append(ms, m)
	}
	return ms, nil
}

// parse reads a patch with its header.
func parse(text string) (m mutant, err error) {
	head, diff, found := strings.Cut(text, "\n--- ")
	if !found {
		return m, errors.New("no diff")
	}
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch fields := strings.Fields(value); key {
		case "Bug":
			m.bug = value
		case "Red":
			if len(fields) > 1 {
				m.pkg, m.tests = fields[0], fields[1:]
			}
		case "Flags":
			m.flags = fields
		case "":
		default:
			return m, fmt.Errorf("a header line %q", line)
		}
	}
	if m.bug == "" || m.pkg == "" {
		return m, errors.New("no Bug or no Red line")
	}
	m.files, err = parseDiff("--- " + diff)
	return m, err
}

func parseDiff(diff string) (files []change, err error) {
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "--- "):
		case strings.HasPrefix(line, "+++ b/"):
			files = append(files, change{file: line[len("+++ b/"):]})
		case len(files) == 0:
			return nil, fmt.Errorf("a line before the first file: %q", line)
		case strings.HasPrefix(line, "@@ -"):
			at, err := strconv.Atoi(strings.FieldsFunc(line[len("@@ -"):], func(r rune) bool { return r == ',' || r == ' ' })[0])
			if err != nil {
				return nil, fmt.Errorf("%q: %w", line, err)
			}
			f := &files[len(files)-1]
			f.hunks = append(f.hunks, hunk{at: at - 1})
		default:
			if err := files[len(files)-1].line(line); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// line adds a line to the last hunk.
func (c *change) line(line string) error {
	if len(c.hunks) == 0 {
		return fmt.Errorf("a line outside a hunk: %q", line)
	}
	h := &c.hunks[len(c.hunks)-1]
	kind, text := " ", ""
	if line != "" {
		kind, text = line[:1], line[1:]
	}
	switch kind {
	case " ":
		h.old, h.new = append(h.old, text), append(h.new, text)
	case "-":
		h.old = append(h.old, text)
	case "+":
		h.new = append(h.new, text)
	default:
		return fmt.Errorf("what is %q?", line)
	}
	return nil
}

// apply returns the text with all hunks carried out. Lines may have moved; of
// several places that fit the one nearest to the old one is taken.
func (c change) apply(text string) (string, error) {
	lines := strings.Split(text, "\n")
	moved := 0
	for _, h := range c.hunks {
		at := h.find(lines, h.at+moved)
		if at < 0 {
			return "", fmt.Errorf("%s, line %d: %w", c.file, h.at+1, errStale)
		}
		lines = slices.Replace(lines, at, at+len(h.old), h.new...)
		moved = at - h.at + len(h.new) - len(h.old)
	}
	return strings.Join(lines, "\n"), nil
}

func (h hunk) find(lines []string, near int) int {
	best, distance := -1, len(lines)
	for at := range len(lines) - len(h.old) + 1 {
		if d := max(at-near, near-at); d < distance && slices.Equal(lines[at:at+len(h.old)], h.old) {
			best, distance = at, d
		}
	}
	return best
}
