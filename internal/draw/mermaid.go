// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"cmp"
	"fmt"
	"strings"
)

// Mermaid draws the picture as a Mermaid flowchart, for documents. Whose a thing
// is shows in its shape and stands in it in words; there are no colours, so
// that it is good on any background.
func (p *Picture) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart TB\n")
	fmt.Fprintf(&b, "  accTitle: %s\n  accDescr: %s\n", accessible(cmp.Or(p.title, "Network")), accessible(p.Describe()))
	for place := range placesEnd {
		var nodes []string
		for i, it := range p.items {
			if it.place == place {
				nodes = append(nodes, fmt.Sprintf("    n%d%s\n", i, it.mermaid(p.words(it))))
			}
		}
		if len(nodes) > 0 {
			fmt.Fprintf(&b, "  subgraph %s\n    direction LR\n%s  end\n", place, strings.Join(nodes, ""))
		}
	}
	for i, it := range p.items {
		for _, n := range it.needs {
			b.WriteString("  " + p.edge(i, n) + "\n")
		}
	}
	b.WriteString("  classDef made stroke-dasharray:7 5\n  classDef gone stroke-dasharray:2 4\n")
	for i, it := range p.items {
		if it.status == toMake {
			fmt.Fprintf(&b, "  class n%d made\n", i)
		} else if it.status == absent || it.status == toRemove {
			fmt.Fprintf(&b, "  class n%d gone\n", i)
		}
	}
	return b.String()
}

// mermaid is the shape of a thing with its text.
func (it item) mermaid(words []string) string {
	lines := []string{"<b>" + entities(it.sort) + "</b>"}
	for _, s := range append([]string{it.label, short(it.id)}, it.facts...) {
		if s != "" {
			lines = append(lines, entities(measure(mono).clip(s, 40)))
		}
	}
	for _, w := range words {
		lines = append(lines, entities(measure(mono).clip(w, 40)))
	}
	look := it.status.look()
	lines = append(lines, "<i>"+entities(look.word)+"</i>")
	for _, f := range it.findings {
		lines = append(lines, entities(markOf(f).String()))
	}
	text := `"` + strings.Join(lines, "<br/>") + `"`
	switch {
	case it.place == link:
		return "([" + text + "])"
	case look.double:
		return "[[" + text + "]]"
	case look.corner == 's':
		return "[" + text + "]"
	case look.corner == 'c':
		return "{{" + text + "}}"
	}
	return "(" + text + ")"
}

// edge is the line between a thing and one that it needs, the outer one first.
// What the thing tells in words is no line.
func (p *Picture) edge(i, n int) string {
	it, need := p.items[i], p.items[n]
	from, to := n, i
	if it.place.outer(need.place) {
		from, to = i, n
	}
	switch {
	case !p.drawn(it, need):
		return fmt.Sprintf("n%d -.- n%d", from, to)
	case it.place == link:
		return fmt.Sprintf("n%d --- n%d", from, to)
	}
	return fmt.Sprintf("n%d ---|%s| n%d", from, relation(it, need), to)
}

// entities writes everything that could mean something to Mermaid, or to the
// HTML that it makes, as Mermaid's own entities.
func entities(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r > 0x7e, r == ' ', r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', strings.ContainsRune("-_.,:/()+=", r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

// accessible is a text that goes to the end of its line and knows no entities:
// what could end it is left out.
func accessible(s string) string {
	rs := []rune(s)
	if len(rs) > longest {
		rs = append(rs[:longest], '…')
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("#;{}<>&\"'`%|", r) {
			return -1
		}
		return r
	}, string(rs))
}

// longest is how many characters of a description Mermaid gets: it has a limit
// for the whole.
const longest = 4000
