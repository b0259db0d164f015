// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/espalier-io/espalier/internal/engine"
)

func TestStatusOfAView(t *testing.T) {
	for name, tc := range map[string]struct {
		view engine.View
		want string
	}{
		"the user's":                        {engine.View{Action: engine.Reference, ID: "x"}, "yours"},
		"the user's, absent":                {engine.View{Action: engine.Reference, Asked: "x"}, "yours, absent"},
		"the user's, not readable":          {engine.View{Action: engine.Reference, Asked: "x", Unknown: true}, "yours, not read"},
		"it was there before us":            {engine.View{Action: engine.Reference, Kind: "tag", Owner: engine.Yours}, "yours"},
		"ours":                              {engine.View{Action: engine.Keep}, "ours"},
		"not made yet":                      {engine.View{Action: engine.Create}, "to be made"},
		"different":                         {engine.View{Action: engine.Update}, "ours, to be changed"},
		"different, and can not be changed": {engine.View{Action: engine.Replace}, "ours, to be replaced"},
		"no longer wanted":                  {engine.View{Action: engine.Delete}, "ours, to be removed"},
		"depends on what could not be read": {engine.View{Action: engine.Blocked}, "blocked"},
		"blocked wins over not being there": {engine.View{Action: engine.Blocked, Unknown: true}, "blocked"},
	} {
		if got := statusOf(tc.view).look().word; got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}

// Two statuses that look alike would be told apart by colour alone.
func TestEachStatusHasAShapeOfItsOwn(t *testing.T) {
	seen := map[string]string{}
	for s := range statusEnd {
		l := s.look()
		if l.word == "" || l.legend == "" || l.glyph == "" {
			t.Errorf("status %d has no words", s)
		}
		shape := string(l.corner) + l.dash + strconv.FormatBool(l.double)
		if other, ok := seen[shape]; ok && l.class != "doubt" {
			t.Errorf("%q looks like %q", l.word, other)
		}
		seen[shape] = l.word
	}
}

func TestWidths(t *testing.T) {
	m := measure(mono)
	for s, want := range map[string]float64{"": 0, "abc": 3, "路由器": 6, "a\u0301": 1, "\U0001F469": 2, "‹x›": 3} {
		if got := m.of(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
	for _, tc := range []struct {
		s     string
		width float64
		want  string
	}{
		{"short", 5, "short"}, {"too long", 5, "too…"}, {"toolong", 5, "tool…"}, {"路由器", 5, "路由…"}, {"x", 0, "…"},
		{strings.Repeat("\u0301", most+1), 5, strings.Repeat("\u0301", most) + "…"},
	} {
		if got := m.clip(tc.s, tc.width); got != tc.want {
			t.Errorf("%q in %v: got %q, want %q", tc.s, tc.width, got, tc.want)
		}
	}
	if got := strings.Join(m.fold("shoot--dev--one-ipv6-pod", 21, 2), "|"); got != "shoot--dev--one-ipv6-|pod" {
		t.Errorf("got %q", got)
	}
	if got := strings.Join(m.wrap("one two  threeeeee", 7), "|"); got != "one two|threee…" {
		t.Errorf("got %q", got)
	}
}

func TestShortIDs(t *testing.T) {
	for id, want := range map[string]string{"": "", "vpc-0123456789abcdef": "vpc-0123456789abcdef", networkID: "6e0a0000…0001"} {
		if got := short(id); got != want {
			t.Errorf("%q: got %q, want %q", id, got, want)
		}
	}
}

// A text can be read if its contrast is at least 4.5; a line can be seen at 3.
// Source: WCAG 2.2, 1.4.3 and 1.4.11.
func TestContrast(t *testing.T) {
	paper, soft := toneOf("paper"), toneOf("soft")
	for _, tone := range tones {
		for what, pair := range map[string][2]string{
			"its own ink, light": {tone.lightInk, tone.lightArea}, "its own ink, dark": {tone.dark, tone.darkArea},
			"ink on paper, light": {tone.lightInk, paper.lightArea}, "ink on paper, dark": {tone.dark, paper.darkArea},
			"black on it, light": {paper.lightInk, tone.lightArea}, "black on it, dark": {paper.dark, tone.darkArea},
			"soft on it, light": {soft.lightInk, tone.lightArea}, "soft on it, dark": {soft.dark, tone.darkArea},
		} {
			if c := contrast(pair[0], pair[1]); c < 4.5 {
				t.Errorf("%s, %s: the contrast is %.2f", tone.class, what, c)
			}
		}
	}
}

func contrast(a, b string) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(hex string) (l float64) {
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			l += weight * c / 12.92
		} else {
			l += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return l
}

// Nothing that a name holds may end a label of Mermaid or begin a tag in it.
func TestMermaidLabelsHoldNoSyntax(t *testing.T) {
	got := New("t", []engine.View{given("network", "network", evil, "x")}, nil).Mermaid()
	_, label, _ := strings.Cut(got, `n0[["<b>network</b><br/>`)
	label, _, _ = strings.Cut(label, "<br/>")
	if label == "" || strings.ContainsAny(label, "<>\"`&{}[]|%$'") {
		t.Errorf("%q in %s", label, got)
	}
}

func TestManyFindingsAndFactsAreCounted(t *testing.T) {
	facts := []string{"f1", "f2", "f3", "f4", "f5", "f6"}
	var fs []engine.Finding
	for range 7 {
		fs = append(fs, found("EOS101", engine.Error, "network", "gone"))
	}
	p := New("", []engine.View{with(given("network", "network", "corp", "x"), facts...)}, fs)
	svg := p.SVG()
	for _, want := range []string{">f4<", ">and 2 more<", ">and 3 findings more<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
	if n := strings.Count(svg, "✕ error EOS101"); n != 4 {
		t.Errorf("%d are drawn", n)
	}
}

// A subnet of the user's that lies in another network than the configuration
// says is not drawn as if it lay there.
func TestWhatIsElsewhereIsNotSaidToBeHere(t *testing.T) {
	corp := given("network", "network", "corp", networkID)
	nodes := given("subnet", "subnet", "nodes", subnetID, "network")
	for _, tc := range []struct {
		joined engine.ID
		says   string
	}{{networkID, "lies in"}, {"", "lies in"}, {"another", "should lie in"}} {
		if nodes.Joined = nil; tc.joined != "" {
			nodes.Joined = []engine.ID{tc.joined}
		}
		p := New("", []engine.View{corp, nodes}, nil)
		for form, drawn := range map[string]string{"svg": ">" + tc.says + "<", "mmd": "|" + tc.says + "|"} {
			if got := forms[form](p); !strings.Contains(got, drawn) {
				t.Errorf("joined with %q: no %q in %s", tc.joined, drawn, got)
			}
		}
	}
}
