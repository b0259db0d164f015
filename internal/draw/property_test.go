// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/espalier-io/espalier/internal/engine"
)

// anyText is what a cloud may answer.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "corp", evil, "\u202e\u2066x", "]]>", "<!--", "&#0;", "\ufffe\uffff", "end\n  click n0 x", strings.Repeat("W", 255), strings.Repeat("\u0301", 255)}))
}

// anyScene is a graph of any shape.
func anyScene(t *rapid.T) scene {
	s := scene{title: anyText().Draw(t, "title")}
	sorts := []string{"external-network", "router", "router-interface", "subnet", "network", "security-group", "vpc", "", evil}
	actions := []engine.Action{engine.Reference, engine.Keep, engine.Create, engine.Update, engine.Replace, engine.Delete, engine.Blocked}
	var names []string
	for i := range rapid.IntRange(0, 14).Draw(t, "views") {
		v := engine.View{
			Name: fmt.Sprint(i, anyText().Draw(t, "name")), Kind: rapid.SampledFrom(sorts).Draw(t, "kind"),
			ID: engine.ID(anyText().Draw(t, "id")), Asked: engine.ID(anyText().Draw(t, "asked")),
			Action: rapid.SampledFrom(actions).Draw(t, "action"), Unknown: rapid.Bool().Draw(t, "unknown"),
			Description: engine.Description{Sort: rapid.SampledFrom(sorts).Draw(t, "sort"), Label: anyText().Draw(t, "label"), Facts: rapid.SliceOfN(anyText(), 0, 7).Draw(t, "facts")},
		}
		if len(names) > 0 {
			v.Needs = rapid.SliceOfN(rapid.SampledFrom(append(names, "no such thing")), 0, 4).Draw(t, "needs")
		}
		names = append(names, v.Name)
		s.views = append(s.views, v)
	}
	for range rapid.IntRange(0, 9).Draw(t, "findings") {
		s.findings = append(s.findings, engine.Finding{
			Rule:     engine.Rule{Code: anyText().Draw(t, "code"), Severity: rapid.SampledFrom([]engine.Severity{engine.Error, engine.Warning, engine.Info}).Draw(t, "severity")},
			Resource: rapid.SampledFrom(append(names, "")).Draw(t, "resource"), Message: anyText().Draw(t, "message"), NotChecked: rapid.Bool().Draw(t, "not checked"),
		})
	}
	return s
}

// Whatever the graph and whatever the texts: a picture is well-formed, has no
// control characters, is the same every time, and nothing lies on anything else.
func TestAnyGraphCanBeDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyScene(t)
		for ending, drawn := range forms {
			text := drawn(s.picture())
			if text != drawn(s.picture()) {
				t.Errorf("%s: not the same twice", ending)
			}
			harmless(t, text)
		}
		p := s.picture()
		wellFormed(t, p.SVG())
		narrow(t, p.Text(80), 80)
		orderly(t, p.layOut())
		lineByLine(t, p)
	})
}

func harmless(t rapid.TB, text string) {
	if !utf8.ValidString(text) {
		t.Errorf("broken UTF-8: %q", text)
	}
	for _, r := range text {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029') {
			t.Errorf("%U in %q", r, text)
		}
	}
}

// wellFormed reads an SVG as a browser's XML parser would.
func wellFormed(t rapid.TB, svg string) {
	d := xml.NewDecoder(strings.NewReader(svg))
	for depth := 0; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch x := token.(type) {
		case xml.StartElement:
			if !strings.Contains(" svg title desc style rect path text g ", " "+x.Name.Local+" ") {
				t.Errorf("an element of somebody else: %s", x.Name.Local)
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.Comment, xml.ProcInst, xml.Directive:
			t.Errorf("%T in %s", x, svg)
		case xml.CharData:
			if depth == 0 && strings.TrimSpace(string(x)) != "" {
				t.Errorf("text outside: %q", x)
			}
		}
	}
}

// narrow checks that no line is wider than it may be.
func narrow(t rapid.TB, text string, width float64) {
	for line := range strings.Lines(text) {
		if w := measure(mono).of(strings.TrimSuffix(line, "\n")); w > width {
			t.Errorf("%v columns: %q", w, line)
		}
	}
}

// orderly checks that boxes lie apart and inside the picture, and that no wire
// crosses a box.
func orderly(t rapid.TB, l layout) {
	for i, a := range l.boxes {
		if a.x < margin || a.y < margin || a.x+boxWidth > l.width-margin || a.bottom() > l.height-margin {
			t.Errorf("box %d lies outside: %d,%d in %d,%d", i, a.x, a.y, l.width, l.height)
		}
		for j, b := range l.boxes[:i] {
			if a.x < b.x+boxWidth && b.x < a.x+boxWidth && a.y < b.bottom() && b.y < a.bottom() {
				t.Errorf("boxes %d and %d overlap", i, j)
			}
		}
		for _, w := range l.wires {
			for _, s := range w.segments() {
				if s.x1 < a.x+boxWidth && a.x < s.x2 && s.y1 < a.bottom() && a.y < s.y2 {
					t.Errorf("a wire crosses box %d", i)
				}
			}
		}
	}
}

type segment struct{ x1, y1, x2, y2 int }

// segments are the parts of a wire as narrow areas.
func (w wire) segments() []segment {
	x, to := w.upper.centre(), w.lower.centre()
	return []segment{
		{x - 1, w.upper.bottom(), x + 1, w.y}, {min(x, to), w.y - 1, max(x, to), w.y + 1}, {to - 1, w.y, to + 1, w.lower.y},
	}
}

// lineByLine checks that every line fits into its box.
func lineByLine(t rapid.TB, p *Picture) {
	for i := range p.items {
		height := 0
		for _, r := range p.rows(&p.items[i]) {
			height += rowSizes[r.kind].height
			m, limit := measure(sans), room(r.kind, 0)
			switch r.kind {
			case idRow:
				m = fixed
			case headRow, plainRow:
				m = regular
			case labelRow, markRow:
			}
			if w := m.of(r.text) + measure(sans).of(r.right); w > limit+0.01 {
				t.Errorf("%v of %v: %q %q", w, limit, r.text, r.right)
			}
		}
		if height > heightOf(p.rows(&p.items[i])) {
			t.Errorf("%d lines are too high", len(p.rows(&p.items[i])))
		}
	}
}
