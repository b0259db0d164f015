// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import "fmt"

// A row is a line of text in a box.
type row struct {
	kind  rowKind
	text  string
	right string // of the head: whose it is
	mark  mark   // of a finding
	tip   string // what a pointer shows
}

type rowKind int

const (
	headRow rowKind = iota
	labelRow
	idRow
	plainRow
	markRow
)

// rowSizes are heights and font sizes in pixels.
var rowSizes = [...]struct{ height, font int }{headRow: {19, 12}, labelRow: {21, 15}, idRow: {17, 12}, plainRow: {17, 12}, markRow: {25, 12}}

// mostRows is how many facts, words or findings a box has room for.
const mostRows = 5

// rows is the text of a box, each line no wider than the box.
func (p *Picture) rows(it *item) []row {
	rs := it.head()
	for i, line := range fold(sans, labelRow, it.label) {
		r := row{kind: labelRow, text: line}
		if i == 0 {
			r.tip = it.label
		}
		rs = append(rs, r)
	}
	if it.id != "" {
		rs = append(rs, row{kind: idRow, text: measure(fixed).clip(short(it.id), room(idRow, 0)), tip: it.id})
	}
	for _, s := range few(append(append([]string{}, it.facts...), p.words(*it)...)) {
		for _, line := range fold(regular, plainRow, s) {
			rs = append(rs, row{kind: plainRow, text: line, tip: s})
		}
	}
	for i, f := range it.findings {
		m := markOf(f)
		if i == mostRows-1 && len(it.findings) > mostRows {
			rs = append(rs, row{kind: plainRow, text: fmt.Sprintf("and %d findings more", len(it.findings)-i)})
			break
		}
		m.code = measure(sans).clip(m.code, room(markRow, 16)-measure(sans).of(m.sign+" "+m.word+" "))
		rs = append(rs, row{kind: markRow, mark: m, text: m.String(), tip: f.Message})
	}
	return rs
}

// head says what a thing is and whose, in two lines if one is too short.
func (it *item) head() []row {
	word := it.status.look().word
	if left := room(headRow, 10) - measure(sans).of(word); measure(regular).of(it.sort) > left {
		return []row{{kind: headRow, text: measure(regular).clip(it.sort, room(headRow, 0))}, {kind: headRow, right: word}}
	}
	return []row{{kind: headRow, text: it.sort, right: word}}
}

// room is how wide a line may be, in its font size, less some pixels.
func room(kind rowKind, less float64) float64 {
	return (boxWidth - 2*padding - less) / float64(rowSizes[kind].font)
}

// fold breaks a text into the two lines that it may take.
func fold(m measure, kind rowKind, s string) []string {
	if s == "" {
		return nil
	}
	return m.fold(s, room(kind, 0), 2)
}

// few are no more texts than a box has room for.
func few(all []string) []string {
	if len(all) <= mostRows {
		return all
	}
	return append(all[:mostRows-1:mostRows-1], fmt.Sprintf("and %d more", len(all)-mostRows+1))
}

func heightOf(rs []row) (h int) {
	for _, r := range rs {
		h += rowSizes[r.kind].height
	}
	return h + 2*padding - 4
}
