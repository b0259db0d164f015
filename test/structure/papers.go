// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package structure

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// dependencyFaults finds direct dependencies that no architecture decision
// record gives a reason for.
func dependencyFaults(t *tree) []string {
	mod, err := t.read("go.mod")
	if err != nil {
		return []string{err.Error()}
	}
	var records strings.Builder
	for _, name := range t.names {
		if strings.HasPrefix(name, "docs/adr/") {
			text, err := t.read(name)
			if err != nil {
				return []string{err.Error()}
			}
			records.Write(text)
		}
	}
	var faults []string
	for i, line := range strings.Split(string(mod), "\n") {
		fields := strings.Fields(strings.TrimPrefix(line, "require "))
		direct := len(fields) == 2 && strings.HasPrefix(fields[1], "v") && strings.Contains(fields[0], ".")
		if direct && !strings.Contains(records.String(), "`"+fields[0]+"`") {
			faults = append(faults, fmt.Sprintf("go.mod:%d: no record under docs/adr/ says why `%s` is needed and why this one", i+1, fields[0]))
		}
	}
	return faults
}

// machine matches what is true on one machine only: home folders, and where
// packages come from.
var machine = regexp.MustCompile(`(^|[^\w./-])/(root|home|Users|work|workspace)/\w|GOPROXY=["']?http|index-url|registry\s*=\s*["']?http|extra-index`)

var picture = regexp.MustCompile(`\.(png|jpe?g|gif|ico)$`)

// machineFaults finds such things in all files that people write, and files
// that nobody has written.
func machineFaults(t *tree) []string {
	var faults []string
	for _, name := range t.names {
		if strings.HasSuffix(name, "go.sum") || strings.HasPrefix(name, "test/structure/") {
			continue
		}
		text, err := t.read(name)
		if err != nil {
			return []string{err.Error()}
		}
		if bytes.IndexByte(text, 0) >= 0 {
			if !picture.MatchString(name) {
				faults = append(faults, name+": a file that is neither text nor a picture; what is built is not kept here")
			}
			continue
		}
		for i, line := range strings.Split(string(text), "\n") {
			if m := machine.FindString(line); m != "" || t.root != "" && len(path.Dir(t.root)) > 1 && strings.Contains(line, t.root+"/") {
				faults = append(faults, fmt.Sprintf("%s:%d: a path or an address of one machine: %.120q", name, i+1, strings.TrimSpace(line)))
			}
		}
	}
	return faults
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.*?) *$`)
	fence   = regexp.MustCompile("(?ms)^```.*?^```")
)

// linkFaults finds links in Markdown to files or headings that are not there.
// Addresses elsewhere are not followed.
func linkFaults(t *tree) []string {
	var faults []string
	for _, name := range t.names {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		text, err := t.read(name)
		if err != nil {
			return []string{err.Error()}
		}
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			if why := broken(t, name, m[1]); why != "" {
				faults = append(faults, fmt.Sprintf("%s: the link %s leads nowhere: %s", name, m[1], why))
			}
		}
	}
	return faults
}

func broken(t *tree, from, target string) string {
	file, anchor, _ := strings.Cut(target, "#")
	to := from
	if file != "" {
		to = path.Join(path.Dir(from), file)
	}
	if !slices.Contains(t.names, to) {
		if !slices.ContainsFunc(t.names, func(n string) bool { return strings.HasPrefix(n, strings.TrimSuffix(to, "/")+"/") }) {
			return "no file " + to
		}
		return ""
	}
	if anchor == "" {
		return ""
	}
	text, err := t.read(to)
	if err != nil {
		return err.Error()
	}
	for _, h := range heading.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
		if slug(h[1]) == anchor {
			return ""
		}
	}
	return "no heading #" + anchor + " in " + to
}

// slug is how the common renderers make an anchor of a heading.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
}
