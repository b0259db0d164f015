// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"
)

const (
	sansFonts = `system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif`
	monoFonts = `ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace`
	narrowest = 520 // for title and legend
)

// SVG draws the picture as an SVG document: layers from the outside world
// inward, what is beside them on the right, and a legend. It needs nothing from
// elsewhere, runs no script, has a title and a description for those who can
// not see it, and can stand in an HTML page; its classes begin with "es-".
func (p *Picture) SVG() string {
	l := p.layOut()
	c := &sheet{}
	width := max(l.width, narrowest)
	top := 0
	title := cmp.Or(p.title, "Network")
	if p.title != "" {
		top = margin + 6
		c.text(margin, margin+12, 16, `font-weight="bold" `+ink("paper"), measure(sans).clip(p.title, float64(width-2*margin)/16))
	}
	c.printf(`<g transform="translate(0 %d)">`+"\n", top)
	for _, w := range l.wires {
		c.wire(w)
	}
	for _, b := range l.boxes {
		c.box(b)
	}
	c.printf("</g>\n")
	height := top + l.height
	if len(p.items) > 0 {
		height = c.legend(p, height, width)
	}
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="espalier-title espalier-desc" viewBox="0 0 %d %d" width="%d" height="%d" font-family="%s">`+"\n",
		width, height, width, height, sansFonts)
	head += fmt.Sprintf("<title id=\"espalier-title\">%s</title>\n<desc id=\"espalier-desc\">%s</desc>\n<style>%s</style>\n",
		escape(title), escape(p.Describe()), dark())
	paper := toneOf("paper")
	head += fmt.Sprintf(`<rect class="es-ground" width="%d" height="%d" fill="%s"/>`+"\n", width, height, paper.lightArea)
	return head + c.b.String() + "</svg>\n"
}

// A sheet is what is drawn on.
type sheet struct{ b strings.Builder }

func (c *sheet) printf(format string, args ...any) { fmt.Fprintf(&c.b, format, args...) }

// text writes a line whose baseline is at y.
func (c *sheet) text(x, y, size int, attributes, s string) {
	if s == "" {
		return
	}
	c.printf(`<text x="%d" y="%d" font-size="%d" %s>%s</text>`+"\n", x, y, size, attributes, escape(s))
}

// wire draws a line, and a dot where it leaves the track.
func (c *sheet) wire(w wire) {
	x, y, to := w.upper.centre(), w.upper.bottom(), w.lower.centre()
	attributes := fmt.Sprintf(`class="es-wire" fill="none" stroke="%s" stroke-width="2"`, toneOf("soft").lightInk)
	if w.astray {
		attributes += ` stroke-dasharray="2 4"`
	}
	if x == to {
		c.printf(`<path d="M%d %dV%d" %s/>`+"\n", x, y, w.lower.y, attributes)
	} else {
		c.printf(`<path d="M%d %dV%dH%dV%d" %s/>`+"\n", x, y, w.y, to, w.lower.y, attributes)
	}
	if w.label == "" {
		return
	}
	if w.hub() == w.upper {
		c.text(to+8, w.lower.y-5, 11, ink("soft"), w.label)
	} else {
		c.text(x+8, w.y-5, 11, ink("soft"), w.label)
	}
}

// frame draws the outline of a thing, in the shape of its status.
func (c *sheet) frame(s status, x, y, width, height int) {
	l := s.look()
	attributes := area(l.class) + ` stroke-width="2"`
	if l.dash != "" {
		attributes += fmt.Sprintf(` stroke-dasharray="%s"`, l.dash)
	}
	round, cut := min(12, height/3), min(12, height/3)
	switch l.corner {
	case 'c':
		c.printf(`<path d="M%d %dh%dl%d %dv%dl%d %dh%dl%d %dv%dz" %s/>`+"\n", x+cut, y, width-2*cut, cut, cut, height-2*cut, -cut, cut, 2*cut-width, -cut, -cut, 2*cut-height, attributes)
	case 'r':
		c.printf(`<rect x="%d" y="%d" width="%d" height="%d" rx="%d" %s/>`+"\n", x, y, width, height, round, attributes)
	default:
		c.printf(`<rect x="%d" y="%d" width="%d" height="%d" %s/>`+"\n", x, y, width, height, attributes)
	}
	if l.double {
		c.printf(`<rect x="%d" y="%d" width="%d" height="%d" %s/>`+"\n", x+4, y+4, width-8, height-8, area(l.class))
	}
}

// box draws a thing with what is to be said of it.
func (c *sheet) box(b *box) {
	c.printf("<g class=\"es-box\">\n")
	c.frame(b.item.status, b.x, b.y, boxWidth, b.height)
	x, y := b.x+padding, b.y+padding-2
	for _, r := range b.lines {
		size := rowSizes[r.kind]
		base := y + size.height - 5
		tip := ""
		if r.tip != "" && r.tip != r.text {
			tip = "<title>" + escape(r.tip) + "</title>"
		}
		c.printf("<g>%s\n", tip)
		switch r.kind {
		case headRow:
			c.text(x, base, size.font, ink("paper"), r.text)
			c.text(b.x+boxWidth-padding, base, size.font, `text-anchor="end" font-weight="bold" `+ink(b.item.status.look().class), r.right)
		case labelRow:
			c.text(x, base, size.font, `font-weight="bold" `+ink("paper"), r.text)
		case idRow:
			c.text(x, base, size.font, fmt.Sprintf(`font-family="%s" `, monoFonts)+ink("soft"), r.text)
		case plainRow:
			c.text(x, base, size.font, ink("paper"), r.text)
		case markRow:
			width := int(measure(sans).of(r.text)*float64(size.font)) + 16
			c.printf(`<rect x="%d" y="%d" width="%d" height="%d" rx="3" %s/>`+"\n", x, y+2, width, size.height-4, area(r.mark.class))
			c.text(x+8, base-2, size.font, `font-weight="bold" `+ink(r.mark.class), r.text)
		}
		c.printf("</g>\n")
		y += size.height
	}
	c.printf("</g>\n")
}

// legend explains the shapes that are in the picture, and returns how high the
// whole is.
func (c *sheet) legend(p *Picture, y, width int) int {
	var seen [statusEnd]bool
	for _, it := range p.items {
		seen[it.status] = true
	}
	c.printf("<g class=\"es-legend\">\n")
	c.printf(`<path d="M%d %dH%d" class="es-wire" stroke="%s"/>`+"\n", margin, y, width-margin, toneOf("soft").lightInk)
	y += 16
	for s := range statusEnd {
		if !seen[s] {
			continue
		}
		c.frame(s, margin, y, 34, 22)
		c.text(margin+46, y+15, 12, `font-weight="bold" `+ink("paper"), s.look().word)
		c.text(margin+46+150, y+15, 12, ink("paper"), s.look().legend)
		y += 32
	}
	if n := len(p.loose); n > 0 {
		c.text(margin, y+15, 12, ink("paper"), "Not in the picture: "+plural(n, "finding")+" about other things")
		y += 32
	}
	c.printf("</g>\n")
	return y + margin/2
}

// escape makes a text fit to stand in XML.
func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return "" // a strings.Builder takes everything
	}
	return b.String()
}
