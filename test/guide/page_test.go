// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package guide

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

const guidePath = "../../docs/openstack.md"

// A section is what stands below a heading, up to the next one.
type section struct {
	anchor, title, text string
	blocks              []block
}

// A block is fenced text.
type block struct{ language, text string }

var (
	heading  = regexp.MustCompile(`(?m)^#{1,6} +(.*)$`)
	fenced   = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")
	prepares = regexp.MustCompile(`(?m)^Prepare \[[^\]]*\]\(#([^)]+)\)`)
	adds     = regexp.MustCompile("Add `(--[^`]+)`")
)

// A page is one of the guides.
type page struct {
	whole    string
	sections []section
}

func readPage(t *testing.T) page {
	t.Helper()
	return readPageAt(t, guidePath)
}

func readPageAt(t *testing.T, path string) page {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := page{whole: string(raw)}
	// Comments in fenced text are no headings.
	plain := fenced.ReplaceAllStringFunc(p.whole, func(s string) string { return strings.ReplaceAll(s, "#", "\x00") })
	at := heading.FindAllStringSubmatchIndex(plain, -1)
	for i, h := range at {
		end := len(p.whole)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		s := section{title: p.whole[h[2]:h[3]], text: p.whole[h[1]:end]}
		s.anchor = slug(s.title)
		for _, m := range fenced.FindAllStringSubmatch(s.text, -1) {
			s.blocks = append(s.blocks, block{m[1], m[2]})
		}
		p.sections = append(p.sections, s)
	}
	return p
}

// slug is the anchor of a heading.
func slug(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, title)
}

func (p page) section(t *testing.T, anchor string) section {
	t.Helper()
	for _, s := range p.sections {
		if s.anchor == anchor {
			return s
		}
	}
	t.Fatalf("the guide has no section #%s", anchor)
	return section{}
}

// commands are the lines of a section's shell blocks that begin with a word,
// without their comments.
func (s section) commands(word string) (list []string) {
	for _, b := range s.blocks {
		if b.language != "sh" {
			continue
		}
		for line := range strings.Lines(b.text) {
			line, _, _ = strings.Cut(line, " # ")
			if line = strings.TrimSpace(line); strings.HasPrefix(line, word) {
				list = append(list, line)
			}
		}
	}
	return list
}

// preparation are the openstack commands of a section, after those of the
// section that it says to prepare first.
func (p page) preparation(t *testing.T, s section) []string {
	t.Helper()
	var list []string
	if m := prepares.FindStringSubmatch(s.text); m != nil {
		list = p.preparation(t, p.section(t, m[1]))
	}
	return append(list, s.commands("openstack ")...)
}

// flags are those that the guide gives each verb, without the file, and those
// that a section adds. A Shoot says all of that itself.
func (p page) flags(t *testing.T, s section) []string {
	t.Helper()
	if strings.Contains(s.configuration(), "\nkind: Shoot\n") {
		return nil
	}
	lines := p.section(t, "how-to-use-it").commands(`cluster="-f mine.yaml `)
	if len(lines) != 1 {
		t.Fatalf("how to use it: %d lines set the flags of the cluster, not one", len(lines))
	}
	all := strings.TrimSuffix(strings.TrimPrefix(lines[0], `cluster="-f mine.yaml `), `"`)
	if m := adds.FindStringSubmatch(s.text); m != nil {
		all += " " + m[1]
	}
	return strings.Fields(all)
}

// configuration is the YAML block of a section that the program reads, or empty.
func (s section) configuration() string {
	for _, b := range s.blocks {
		if b.language == "yaml" && strings.Contains(b.text, "gardener.cloud/") {
			return b.text
		}
	}
	return ""
}

// recipes are the sections with a configuration.
func (p page) recipes() (list []section) {
	for _, s := range p.sections {
		if s.configuration() != "" {
			list = append(list, s)
		}
	}
	return list
}

// A row is one of a table, by the table's headings.
type row map[string]string

// table is the table of a section whose first heading is that.
func (s section) table(t *testing.T, first string) (rows []row) {
	t.Helper()
	var heads []string
	for line := range strings.Lines(s.text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			heads = nil
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case heads == nil:
			heads = cells
		case heads[0] == first && !strings.HasPrefix(cells[0], "---"):
			r := row{}
			for i, c := range cells {
				r[heads[i]] = c
			}
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("section %q has no table that begins with %q", s.title, first)
	}
	return rows
}
