// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"cmp"
	"slices"
)

// Sizes in pixels.
const (
	boxWidth = 252
	padding  = 14 // inside a box
	gapX     = 36
	gapY     = 18 // between things that are beside
	margin   = 28
	channel  = 40 // between layers, without tracks
	track    = 12 // a horizontal line between layers
)

// A box is an item where it lies.
type box struct {
	item        *item
	at          int // in the items
	x, y        int
	height      int
	lines       []row // what stands in it
	centreOfOwn int   // where it would like to be in the middle
}

func (b *box) centre() int { return b.x + boxWidth/2 }
func (b *box) bottom() int { return b.y + b.height }

// A wire joins two boxes: down from the upper to the track, along it, and down
// to the lower.
type wire struct {
	upper, lower *box
	y            int // of the track
	label        string
	astray       bool // it should be there
}

// A layout says where everything lies.
type layout struct {
	boxes         []*box // in the order of the items
	wires         []wire
	width, height int // without title and legend
}

// layOut puts the layers one below the other, and what is beside them in a
// column to the right.
func (p *Picture) layOut() layout {
	l := layout{}
	var rows [placesEnd][]*box
	for i := range p.items {
		b := &box{item: &p.items[i], at: i, lines: p.rows(&p.items[i])}
		b.height = heightOf(b.lines)
		l.boxes = append(l.boxes, b)
		rows[b.item.place] = append(rows[b.item.place], b)
	}
	l.columns(p, rows)
	l.connect(p)
	y := margin
	for place := range beside {
		if len(rows[place]) == 0 {
			continue
		}
		bottom := y
		for _, b := range rows[place] {
			b.y = y
			bottom = max(bottom, b.bottom())
		}
		y = bottom + l.tracks(rows[place], bottom)
		l.height = bottom
	}
	l.besides(rows[beside])
	l.width += margin
	l.height += margin
	return l
}

// besides puts what is beside the layers in a column to their right, or in rows
// below them if they are wide already.
func (l *layout) besides(boxes []*box) {
	right := 0
	for _, b := range l.boxes {
		if b.item.place != beside {
			right = max(right, b.x+boxWidth)
		}
	}
	l.width = right
	if len(boxes) == 0 {
		return
	}
	left, top, columns := right+2*gapX, margin, 1
	switch {
	case right == 0:
		left, columns = margin, 3
	case right > 3*(boxWidth+gapX):
		left, top, columns = margin, l.height+2*gapY, (right-margin+gapX)/(boxWidth+gapX)
	}
	for len(boxes) > 0 {
		n := min(columns, len(boxes))
		bottom := top
		for i, b := range boxes[:n] {
			b.x, b.y = left+i*(boxWidth+gapX), top
			bottom = max(bottom, b.bottom())
			l.width = max(l.width, b.x+boxWidth)
		}
		l.height = max(l.height, bottom)
		boxes, top = boxes[n:], bottom+gapY
	}
}

// columns finds a place for the boxes of each layer: the subnets first, all
// others as near as they can to the middle of those that they are joined with.
func (l *layout) columns(p *Picture, rows [placesEnd][]*box) {
	arrange(rows[inside])
	for _, step := range []struct{ of, by place }{{link, inside}, {gateway, link}, {outside, gateway}, {ground, inside}} {
		for _, b := range rows[step.of] {
			b.centreOfOwn = l.middle(p, b, step.by)
			if b.centreOfOwn == 0 {
				b.centreOfOwn = middleOf(rows[inside])
			}
		}
		slices.SortStableFunc(rows[step.of], func(a, b *box) int { return cmp.Compare(a.centreOfOwn, b.centreOfOwn) })
		arrange(rows[step.of])
	}
}

// arrange puts boxes side by side, none further left than it likes to be.
func arrange(boxes []*box) {
	x := margin
	for _, b := range boxes {
		b.x = max(x, b.centreOfOwn-boxWidth/2)
		x = b.x + boxWidth + gapX
	}
}

// middle is the middle of the boxes of a layer that b is joined with; 0 if
// there are none.
func (l *layout) middle(p *Picture, b *box, layer place) int {
	var joined []*box
	for _, o := range l.boxes {
		if o.item.place == layer && (slices.Contains(b.item.needs, o.at) || slices.Contains(o.item.needs, b.at)) {
			joined = append(joined, o)
		}
	}
	return middleOf(joined)
}

func middleOf(boxes []*box) int {
	if len(boxes) == 0 {
		return 0
	}
	first, last := boxes[0].centre(), boxes[0].centre()
	for _, b := range boxes {
		first, last = min(first, b.centre()), max(last, b.centre())
	}
	return (first + last) / 2
}

// connect makes the wires, those of one hub in a row.
func (l *layout) connect(p *Picture) {
	for _, b := range l.boxes {
		for _, n := range b.item.needs {
			o := l.boxes[n]
			if !p.drawn(*b.item, *o.item) {
				continue
			}
			w := wire{upper: b, lower: o}
			if o.item.place.outer(b.item.place) {
				w.upper, w.lower = o, b
			}
			if b.item.place != link {
				w.label, w.astray = relation(*b.item, *o.item), b.item.astray(*o.item)
			}
			l.wires = append(l.wires, w)
		}
	}
}

// hub is the end of a wire whose wires share a track: the one that others
// gather at.
func (w wire) hub() *box {
	if w.lower.item.place == ground {
		return w.lower
	}
	return w.upper
}

// tracks gives the wires below a layer their tracks, and returns how much room
// they take.
func (l *layout) tracks(row []*box, bottom int) int {
	var hubs []*box
	for i := range l.wires {
		w := &l.wires[i]
		if !slices.Contains(row, w.upper) {
			continue
		}
		n := slices.Index(hubs, w.hub())
		if n < 0 {
			n = len(hubs)
			hubs = append(hubs, w.hub())
		}
		w.y = bottom + channel/2 + n*track
	}
	return channel + max(0, len(hubs)-1)*track
}
