// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package estate

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/espalier-io/espalier/internal/sim/snapshot"
)

// A Survey is an estate as it was before anybody worked in it: the user's
// things, the neighbours', and the administrator's.
type Survey struct {
	before map[place]json.RawMessage
	guide  Guide
}

// A Guide says what the surveyor has to know of a sort of cloud.
type Guide struct {
	// Mark is what an object says of whom it was made for; empty if it is silent.
	Mark func(object map[string]any) string
	// Chosen says that the cloud chooses a field of an object anew each time. It
	// is asked of the objects within an object, too.
	Chosen func(object map[string]any, field string) bool
}

// A place is where a thing is in a snapshot.
type place struct{ kind, id string }

// Inspect takes the survey of what a snapshot shows.
func Inspect(snapshot []byte, g Guide) (*Survey, error) {
	before, err := things(snapshot)
	return &Survey{before, g}, err
}

// things divides a snapshot.
func things(snapshot []byte) (map[place]json.RawMessage, error) {
	var kinds map[string][]json.RawMessage
	if err := json.Unmarshal(snapshot, &kinds); err != nil {
		return nil, err
	}
	all := map[place]json.RawMessage{}
	for kind, list := range kinds {
		for _, raw := range list {
			var thing struct{ ID string }
			if err := json.Unmarshal(raw, &thing); err != nil {
				return nil, err
			}
			all[place{kind, thing.ID}] = raw
		}
	}
	return all, nil
}

// Allowed says that a difference in a thing of the estate is no harm. If it is
// something that a cluster adds to the thing and has to take away again, made
// is what; it counts as made, and need not have a mark.
type Allowed func(snapshot.Difference) (made []Thing, ok bool)

// Compare says what has happened until a later snapshot.
func (s *Survey) Compare(later []byte, allowed Allowed) (Change, error) {
	now, err := things(later)
	if err != nil {
		return Change{}, err
	}
	before, err := json.Marshal(other(s.before, now))
	if err != nil {
		return Change{}, err
	}
	after, err := json.Marshal(other(now, s.before))
	if err != nil {
		return Change{}, err
	}
	differences, err := snapshot.Compare(before, after)
	if err != nil {
		return Change{}, err
	}
	change := Change{chosen: s.guide.Chosen}
	for _, d := range differences {
		object, ok := d.After.(map[string]any)
		if d.New() && ok {
			change.Made = append(change.Made, Thing{d.Kind, d.ID, d.Name, s.guide.Mark(object), object})
			continue
		}
		made, ok := allowed(d)
		if !ok {
			change.Harm = append(change.Harm, d.String())
		}
		change.Made = append(change.Made, made...)
	}
	return change, nil
}

// other is the part of a snapshot that is not the same in another one. It is
// small, and all that needs to be read.
func other(of, than map[place]json.RawMessage) map[string][]json.RawMessage {
	part := map[string][]json.RawMessage{}
	for at, raw := range of {
		if !bytes.Equal(than[at], raw) {
			part[at.kind] = append(part[at.kind], raw)
		}
	}
	return part
}

// Contains says that a list of JSON has all elements of another one.
func Contains(list, of any) bool { return len(Added(of, list)) == 0 }

// Added are the elements of a list of JSON that another one, before it, has not.
func Added(list, before any) (added []any) {
	have, _ := before.([]any)
	want, _ := list.([]any)
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h any) bool { return plain(w, nil) == plain(h, nil) }) {
			added = append(added, w)
		}
	}
	return added
}
