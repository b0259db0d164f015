// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"testing"
)

func TestDiff(t *testing.T) {
	type res struct {
		Name string
		Zone string `plan:"fixed"`
		DNS  []string
		Set  Set[string]
		MTU  *int
		IP   string `plan:"-"`
	}
	mtu := 1400
	for _, tt := range []struct {
		name string
		have *res
		want res
		diff string
	}{
		{"the same is no change", &res{Name: "a"}, res{Name: "a"}, "[]"},
		{"another value is a change", &res{Name: "a"}, res{Name: "b"}, "[Name: a → b]"},
		{"a fixed field says so", &res{Zone: "a"}, res{Zone: "b"}, "[Zone: a → b (fixed)]"},
		{"nil is do not care", &res{DNS: []string{"1.1.1.1"}, MTU: &mtu, Set: Set[string]{"a"}}, res{}, "[]"},
		{"empty is not nil", &res{DNS: []string{"1.1.1.1"}}, res{DNS: []string{}}, "[DNS: [1.1.1.1] → []]"},
		{"order matters in a slice", &res{DNS: []string{"a", "b"}}, res{DNS: []string{"b", "a"}}, "[DNS: [a b] → [b a]]"},
		{"order does not matter in a set", &res{Set: Set[string]{"a", "b", "b"}}, res{Set: Set[string]{"b", "a"}}, "[]"},
		{"a set with one more", &res{Set: Set[string]{"b", "a"}}, res{Set: Set[string]{"b", "a", "c"}}, "[Set: + c]"},
		{"a set with one less", &res{Set: Set[string]{"b", "a"}}, res{Set: Set[string]{"b"}}, "[Set: - a]"},
		{"an empty set is none", &res{Set: Set[string]{"b"}}, res{Set: Set[string]{}}, "[Set: - b]"},
		{"a pointer is what it points to", &res{}, res{MTU: &mtu}, "[MTU: unset → 1400]"},
		{"the cloud's own is not compared", &res{IP: "10.0.0.1"}, res{}, "[]"},
		{"what the cloud chose stays", &res{Name: "x"}, res{Name: Chosen}, "[]"},
		{"nothing there: all that is wanted", nil, res{Name: Chosen, Zone: "a", Set: Set[string]{"b", "a"}}, "[Name: ‹chosen by the cloud› Zone: a Set: + a, + b]"},
		{"an empty value is seen", &res{Name: "a"}, res{}, `[Name: a → ""]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(Diff(tt.have, tt.want)); got != tt.diff {
				t.Errorf("got %s, want %s", got, tt.diff)
			}
		})
	}
}

// Superset fields: what others put in stays, what we put in and no longer
// want goes.
func TestInclude(t *testing.T) {
	for _, tt := range []struct {
		name       string
		have, want Set[string]
		put        []string
		diff       string
		foreign    string
	}{
		{"what is missing is a change", Set[string]{"a"}, Set[string]{"a", "b"}, nil, "[Leaves: + b]", "[]"},
		{"what others put in is none", Set[string]{"a", "x"}, Set[string]{"a"}, nil, "[]", "[Leaves: x]"},
		{"both", Set[string]{"x", "y"}, Set[string]{"a"}, []string{"a"}, "[Leaves: + a]", "[Leaves: x Leaves: y]"},
		{"what we put in and no longer want goes", Set[string]{"a", "b", "x"}, Set[string]{"a"}, []string{"a", "b"}, "[Leaves: - b]", "[Leaves: x]"},
		{"nothing wanted: ours goes, theirs stays", Set[string]{"a", "x"}, Set[string]{}, []string{"a"}, "[Leaves: - a]", "[Leaves: x]"},
		{"nil is do not care", Set[string]{"a"}, nil, []string{"a"}, "[]", "[]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			put := map[string][]string{}
			for _, p := range tt.put {
				put["Leaves"] = append(put["Leaves"], jsonKey(p))
			}
			have := thing{Leaves: tt.have}
			want, foreign, ours := include(&have, thing{Leaves: tt.want}, put)
			if got := fmt.Sprint(Diff(&have, want)); got != tt.diff || fmt.Sprint(foreign) != tt.foreign {
				t.Errorf("got %s, foreign %v", got, foreign)
			}
			if n := len(ours["Leaves"]); n != len(tt.want) {
				t.Errorf("ours: %v", ours)
			}
		})
	}
}
