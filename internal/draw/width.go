// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"strings"
	"unicode"
)

// most is how many characters of a text are drawn at most, however little room
// they take: marks that stack on one letter take none.
const most = 120

// A measure is how wide a character is, in a unit of its own.
type measure func(r rune) float64

// mono counts the cells of a terminal: two for the characters of East Asia and
// for pictures, none for marks that stand on the letter before.
func mono(r rune) float64 {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case broad(r):
		return 2
	}
	return 1
}

// wide lists ASCII characters by how wide they are in a bold sans-serif, in
// 1/100 of the font size: the widths of DejaVu Sans Bold, which is as wide as
// any font that is common, rounded up into classes. Others are narrower, and
// leave some room.
var wide = []struct {
	width float64
	chars string
}{
	{0.40, " '.,ijlIJ/\\|"}, {0.50, "!()[]`_:;-ftr"}, {0.72, "\"*?0123456789$abcdeghknopqsuvxyzL{}EFTS"},
	{0.86, "ABCDGHKNOPQRUVXYZ"}, {0.94, "w&#+<=>^~"}, {1.11, "@%MWm"},
}

// regular measures text that is not bold, in font sizes.
func regular(r rune) float64 { return 0.92 * sans(r) }

// sans measures in font sizes. It is an estimate from above.
func sans(r rune) float64 {
	for _, c := range wide {
		if r < unicode.MaxASCII && strings.ContainsRune(c.chars, r) {
			return c.width
		}
	}
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r < 0x250: // Latin
		return 0.95
	}
	return 1.4
}

// fixed measures a monospaced font, in font sizes.
func fixed(r rune) float64 {
	if r <= unicode.MaxASCII {
		return 0.62
	}
	return sans(r)
}

// broadRanges are the blocks whose characters take two cells, Unicode's East
// Asian Width W and F in outline.
var broadRanges = []struct{ first, last rune }{
	{0x1100, 0x115f}, {0x231a, 0x231b}, {0x23e9, 0x23f3}, {0x2e80, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3},
	{0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x16fe0, 0x1b2ff}, {0x1f000, 0x1faff}, {0x20000, 0x3fffd},
}

func broad(r rune) bool {
	for _, b := range broadRanges {
		if r >= b.first && r <= b.last {
			return true
		}
	}
	return false
}

// of is the width of a text.
func (m measure) of(s string) (w float64) {
	for _, r := range s {
		w += m(r)
	}
	return w
}

// clip shortens a text to a width; an ellipsis shows that it did.
func (m measure) clip(s string, width float64) string {
	if len([]rune(s)) <= most && m.of(s) <= width {
		return s
	}
	width -= m('…')
	n := 0
	var w float64
	for i, r := range s {
		if w += m(r); w > width || n >= most {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		n++
	}
	return s + "…"
}

// fold breaks a text anywhere, into no more than n lines of a width.
func (m measure) fold(s string, width float64, n int) (lines []string) {
	for ; n > 1 && m.of(s) > width; n-- {
		var w float64
		cut := len(s)
		for i, r := range s {
			if w += m(r); w > width && i > 0 {
				cut = i
				break
			}
		}
		if at := strings.LastIndexAny(s[:cut], " -"); at > cut/2 {
			cut = at + 1
		}
		lines, s = append(lines, m.clip(strings.TrimRight(s[:cut], " "), width)), s[cut:]
	}
	return append(lines, m.clip(s, width))
}

// wrap breaks a text into lines of a width at its spaces; a word that is wider
// is clipped.
func (m measure) wrap(s string, width float64) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(s) {
		word = m.clip(word, width)
		switch {
		case line == "":
			line = word
		case m.of(line)+m(' ')+m.of(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
