// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// A Picture is what is to be drawn. It can be drawn in several ways, each as
// often as one likes.
type Picture struct {
	title string
	items []item
	loose []engine.Finding // of nothing that is drawn
}

// An item is a thing in the picture. All its texts are clean.
type item struct {
	sort, label string
	id          string // in full
	facts       []string
	place       place
	status      status
	needs       []int // other items
	joined      []engine.ID
	findings    []engine.Finding
}

// New makes a picture of views and of what was found about them. Each view must
// stand after those that it needs, as those of a graph do; a need that is not
// among the views before is not drawn. Things that are joined by ID are drawn as
// if one needed the other. A finding is drawn at the view that its
// Resource names.
func New(title string, views []engine.View, findings []engine.Finding) *Picture {
	p := &Picture{title: engine.Clean(title)}
	at := map[string]int{}
	for i, v := range views {
		it := newItem(v)
		for _, need := range v.Needs {
			if n, ok := at[need]; ok {
				it.need(n)
			}
		}
		for n, o := range views[:i] {
			if o.ID != "" && slices.Contains(v.Joined, o.ID) {
				it.need(n)
			}
		}
		p.items = append(p.items, it)
		if _, ok := at[v.Name]; !ok {
			at[v.Name] = i
		}
	}
	for _, f := range findings {
		f.Code, f.Field, f.Resource, f.Message = engine.Clean(f.Code), engine.Clean(f.Field), engine.Clean(f.Resource), strings.TrimPrefix(engine.Clean(f.Message), "not checked: ")
		if i, ok := at[f.Resource]; ok && f.Resource != "" {
			p.items[i].findings = append(p.items[i].findings, f)
		} else {
			p.loose = append(p.loose, f)
		}
	}
	return p
}

func (it *item) need(n int) {
	if !slices.Contains(it.needs, n) {
		it.needs = append(it.needs, n)
	}
}

func newItem(v engine.View) item {
	it := item{status: statusOf(v), joined: v.Joined}
	it.sort, it.place = sortOf(v)
	it.sort = strings.ReplaceAll(engine.Clean(it.sort), "-", " ")
	it.label = engine.Clean(v.Label)
	it.id = engine.Clean(string(cmp.Or(v.ID, v.Asked)))
	switch {
	case it.place == link:
		it.id = "" // it is made of those of its ends, which are drawn too
		it.sort = strings.TrimPrefix(it.sort, "router ")
	case it.id == it.label:
		it.id = ""
	}
	if it.label == "" && it.id == "" && it.place != link {
		it.label = engine.Clean(v.Name)
	}
	for _, f := range v.Facts {
		if f = engine.Clean(f); f != "" {
			it.facts = append(it.facts, f)
		}
	}
	return it
}

// astray says whether a thing that is there is joined with others instead of
// this one, which is there too.
func (it item) astray(need item) bool {
	there := func(i item) bool { return i.status == yours || i.status == ours }
	return there(it) && there(need) && len(it.joined) > 0 && need.id != "" && !slices.Contains(it.joined, engine.ID(need.id))
}

// name is what a thing is called where it is spoken of.
func (it item) name() string {
	return strings.TrimSpace(it.sort + " " + cmp.Or(it.label, short(it.id)))
}

// short is an ID that is still good to tell things apart by: UUIDs and others
// that are long lose their middle.
func short(id string) string {
	if r := []rune(id); len(r) > 20 {
		return string(r[:8]) + "…" + string(r[len(r)-4:])
	}
	return id
}

// A mark is how a finding shows: a sign, a word and its code.
type mark struct {
	sign, word, code, class string
}

func markOf(f engine.Finding) mark {
	switch {
	case f.NotChecked:
		return mark{"?", "not checked", f.Code, "doubt"}
	case f.Severity == engine.Error:
		return mark{"✕", "error", f.Code, "wrong"}
	case f.Severity == engine.Warning:
		return mark{"!", "warning", f.Code, "doubt"}
	}
	return mark{"i", "info", f.Code, "yours"}
}

func (m mark) String() string { return strings.TrimSpace(m.sign + " " + m.word + " " + m.code) }

// drawn says whether the need of an item is drawn as a line: things in layers
// next to each other are joined, others named in words.
func (p *Picture) drawn(it, need item) bool {
	d := it.place - need.place
	return it.place != beside && need.place != beside && (d == 1 || d == -1)
}

// words tells of the needs of an item that no line shows.
func (p *Picture) words(it item) (out []string) {
	for _, n := range it.needs {
		if need := p.items[n]; !p.drawn(it, need) {
			out = append(out, relation(it, need)+" "+need.name())
		}
	}
	return out
}

// Describe tells in words what the picture shows, for those who can not see
// it: a sentence per thing.
func (p *Picture) Describe() string {
	var sentences []string
	for _, it := range p.items {
		s := it.name() + ": " + it.status.look().word
		for _, n := range it.needs {
			s += ", " + relation(it, p.items[n]) + " " + p.items[n].name()
		}
		for _, f := range it.findings {
			m := markOf(f)
			s += ", " + m.word + " " + m.code
		}
		sentences = append(sentences, s+".")
	}
	if n := len(p.loose); n > 0 {
		sentences = append(sentences, fmt.Sprintf("%s of nothing that is drawn.", plural(n, "finding")))
	}
	return strings.Join(sentences, " ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
