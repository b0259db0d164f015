// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Describe implements Described: a thing is what its owner marked it as.
func (t thing) Describe() Description {
	return Description{Sort: "thing", Label: t.Mark, Facts: []string{fmt.Sprint("size ", t.Size)}, Joined: t.On}
}

func (v View) line() string {
	return fmt.Sprintf("%s|%s|%s|%s|%s|%v|%s|%v|%s|%s|%s|%v", v.Name, v.Kind, v.ID, v.Owner, v.Action, v.Needs, v.Asked, v.Unknown, v.Sort, v.Label, v.Facts, v.Joined)
}

// A picture shows each resource after what it needs, with what a plan says, and
// what its state tells of it: as it is, or as it will be.
func TestViews(t *testing.T) {
	g, f := newGraph(state(t, "", nil)), all(newToy())
	u := Refer(g, "u", Rule{}, There("id", thing{Mark: "x\x1b\u202ey", Size: 7, On: []ID{"id-\x079"}}), nil)
	Refer(g, "gone", Rule{}, Absent[thing]("id-2"), nil)
	Refer(g, "denied", Rule{}, Unknown[thing]("id-3", errors.New("denied")), nil)
	mark(g, f, "a", Needs(u), just("a"))
	var got []string
	for _, v := range g.Views() {
		got = append(got, v.line())
	}
	want := []string{
		"u||id|yours|reference|[]|id|false|thing|xy|[size 7]|[id-9]",
		"gone|||yours|reference|[]|id-2|false|thing||[size 0]|[]",
		"denied|||yours|reference|[]|id-3|true|thing||[size 0]|[]",
		"a|plain||ours|create|[u]||false|thing|a|[size 0]|[]",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What is ours and in the graph no more is shown apart, since no node needs it.
func TestLeftovers(t *testing.T) {
	s := state(t, "", nil)
	g := newGraph(s)
	if vs := g.Leftovers(); vs != nil {
		t.Errorf("got %v of an empty state", vs)
	}
	s.put(Record{Kind: "plain", Name: "old", ID: "id-9", Needs: []string{"u"}})
	vs := newGraph(s).Leftovers()
	if len(vs) != 1 || vs[0].line() != "old|plain|id-9|ours|delete|[]||false|||[]|[]" {
		t.Errorf("got %v", vs)
	}
}
