// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"
	"slices"
	"strings"
)

// Width is how wide Text is if nobody asks for another width.
const Width = 88

// Text draws the picture as a tree for a terminal of that many columns, from
// the outside world inward: whose each thing is stands at the right edge,
// findings stand below what they are about. It is never wider, and at least 60
// columns wide. It holds no control characters but line breaks.
func (p *Picture) Text(width int) string {
	t := &tree{Picture: p, width: max(width, 60)}
	t.grow()
	if p.title != "" {
		t.line("", p.title)
		t.line("", "")
	}
	first := true
	for place := range placesEnd {
		for i, it := range p.items {
			if it.place != place || t.parent[i] >= 0 {
				continue
			}
			if !first {
				t.line("", "")
			}
			first = false
			t.item(i, "", "", "")
		}
	}
	if len(p.loose) > 0 {
		t.line("", "")
		t.line("", "Found, but about nothing in the picture:")
		for _, f := range p.loose {
			t.finding("  ", f.Field, markOf(f), f.Message)
		}
	}
	return t.b.String()
}

// A tree is a Picture on a terminal.
type tree struct {
	*Picture
	width    int
	parent   []int // -1: none
	children [][]int
	b        strings.Builder
}

// grow finds a tree in the graph: an interface hangs on its router and bears its
// subnet, other things hang on the first that they need. Nothing hangs on what
// is beside, nor does that.
func (t *tree) grow() {
	t.parent, t.children = make([]int, len(t.items)), make([][]int, len(t.items))
	for i := range t.parent {
		t.parent[i] = -1
	}
	for i, it := range t.items {
		if it.place != link || len(it.needs) == 0 {
			continue
		}
		upper := slices.MinFunc(it.needs, func(a, b int) int { return int(t.items[a].place) - int(t.items[b].place) })
		t.hang(i, upper)
		for _, n := range it.needs {
			if n != upper {
				t.hang(n, i)
			}
		}
	}
	for i, it := range t.items {
		if len(it.needs) > 0 {
			t.hang(i, it.needs[0])
		}
	}
	for i, parent := range t.parent {
		if parent >= 0 {
			t.children[parent] = append(t.children[parent], i)
		}
	}
}

// hang hangs i on parent, unless it hangs already or that would make a circle.
func (t *tree) hang(i, parent int) {
	if t.parent[i] >= 0 || t.items[i].place == beside || t.items[parent].place == beside {
		return
	}
	for up := parent; up >= 0; up = t.parent[up] {
		if up == i {
			return
		}
	}
	t.parent[i] = parent
}

// item prints a thing with what hangs on it. branch leads to the thing itself,
// indent to the lines above it, and below to the lines below.
func (t *tree) item(i int, indent, branch, below string) {
	it := t.items[i]
	look := it.status.look()
	room := float64(t.width) - measure(mono).of(indent+branch+look.word) - 4
	head := it.sort
	if it.label != "" {
		head += "  " + it.label
	}
	head = measure(mono).clip(head, room)
	gap := t.width - int(measure(mono).of(indent+branch+head+look.word)) - 2
	t.line("", fmt.Sprintf("%s%s%s %s%s%s", indent, branch, look.glyph, head, strings.Repeat(" ", gap), look.word))

	below = indent + below
	stem := "    "
	if len(t.children[i]) > 0 {
		stem = "│   "
	}
	details := slices.Clone(it.facts)
	if it.id != "" {
		details = append(details, it.id)
	}
	details = append(details, t.unseen(i)...)
	for _, d := range details {
		t.wrapped(below+stem, below+stem+"  ", d)
	}
	for _, f := range it.findings {
		t.finding(below+stem, "", markOf(f), f.Message)
	}
	for n, c := range t.children[i] {
		t.line(below, "│")
		if n < len(t.children[i])-1 {
			t.item(c, below, "├─", "│ ")
		} else {
			t.item(c, below, "└─", "  ")
		}
	}
}

// unseen tells of the needs that the tree does not show.
func (t *tree) unseen(i int) (out []string) {
	for _, n := range t.items[i].needs {
		if t.parent[i] != n && t.parent[n] != i {
			out = append(out, relation(t.items[i], t.items[n])+" "+t.items[n].name())
		}
	}
	return out
}

func (t *tree) finding(indent, field string, m mark, message string) {
	text := m.String() + ": " + message
	if field != "" {
		text = m.String() + " " + field + ": " + message
	}
	t.wrapped(indent, indent+"  ", text)
}

// wrapped prints a text in as many lines as it takes.
func (t *tree) wrapped(first, then, text string) {
	m := measure(mono)
	for i, line := range m.wrap(text, max(float64(t.width)-m.of(then), 10)) {
		if i > 0 {
			first = then
		}
		t.line(first, line)
	}
}

func (t *tree) line(indent, text string) {
	s := measure(mono).clip(indent+text, float64(t.width))
	t.b.WriteString(strings.TrimRight(s, " ") + "\n")
}
