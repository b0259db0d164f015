// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import "fmt"

// A tone is a pair of colours on a light and on a dark ground: the area, and
// what is drawn on it or around it.
type tone struct {
	class                               string
	lightArea, lightInk, darkArea, dark string
}

// tones are all colours of the picture. Every ink has a contrast of at least
// 4.5 to its own area and to the paper, so that it can be read.
var tones = []tone{
	{"paper", "#ffffff", "#1c2128", "#14181d", "#e8edf2"},
	{"soft", "#ffffff", "#555f6b", "#14181d", "#a9b4c0"},
	{"yours", "#eef3f9", "#2b5580", "#182635", "#8ab8e6"},
	{"ours", "#eff6f0", "#2c6342", "#17281d", "#86cc9f"},
	{"doubt", "#fbf5e3", "#755300", "#2b2513", "#dfbb5c"},
	{"wrong", "#fcf0ee", "#9c2a14", "#331c18", "#ff9f8e"},
}

func toneOf(class string) tone {
	for _, t := range tones {
		if t.class == class {
			return t
		}
	}
	return tones[0]
}

// area fills with the area of a tone and draws its frame.
func area(class string) string {
	t := toneOf(class)
	return fmt.Sprintf(`class="es-%s" fill="%s" stroke="%s"`, class, t.lightArea, t.lightInk)
}

// ink writes in the ink of a tone.
func ink(class string) string {
	return fmt.Sprintf(`class="es-%s-ink" fill="%s"`, class, toneOf(class).lightInk)
}

// dark is the style sheet for a dark ground; the attributes are for a light one.
func dark() (css string) {
	for _, t := range tones {
		css += fmt.Sprintf(".es-%s{fill:%s;stroke:%s}.es-%s-ink{fill:%s}", t.class, t.darkArea, t.dark, t.class, t.dark)
	}
	return "@media screen and (prefers-color-scheme:dark){" + css + fmt.Sprintf(".es-wire{stroke:%s}.es-ground{fill:%s}}", toneOf("soft").dark, toneOf("paper").darkArea)
}
