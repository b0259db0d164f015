// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package snapshot compares what an embedded cloud held at two times. A
// snapshot is JSON: kinds, each with a list of objects that have an id and may
// have a name.
package snapshot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// A Difference between two snapshots.
type Difference struct {
	Kind string // "networks", …
	ID   string
	Name string
	// Field is what changed; empty: the whole thing is new or gone.
	Field         string
	Before, After any // nil: not there
}

// Gone says that the thing is not there any more.
func (d Difference) Gone() bool { return d.Field == "" && d.After == nil }

// New says that the thing was not there before.
func (d Difference) New() bool { return d.Field == "" && d.Before == nil }

// String says it in a line.
func (d Difference) String() string {
	what := fmt.Sprintf("%s %s (%s)", d.Kind, d.ID, d.Name)
	switch {
	case d.Gone():
		return what + " is gone"
	case d.New():
		return what + " is new"
	}
	return fmt.Sprintf("%s: %s was %s and is %s", what, d.Field, asJSON(d.Before), asJSON(d.After))
}

func asJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// Compare says what differs between two snapshots, in the order of kinds, IDs
// and fields. Ignored are fields of all kinds ("updated_at") or of one
// ("networks.subnets").
func Compare(before, after []byte, ignore ...string) ([]Difference, error) {
	was, err := Read(before)
	if err != nil {
		return nil, fmt.Errorf("the snapshot before: %w", err)
	}
	is, err := Read(after)
	if err != nil {
		return nil, fmt.Errorf("the snapshot after: %w", err)
	}
	var all []Difference
	for _, kind := range union(was, is) {
		for _, id := range union(was[kind], is[kind]) {
			old, had := was[kind][id]
			now, has := is[kind][id]
			d := Difference{Kind: kind, ID: id, Name: nameOf(old, now)}
			switch {
			case !has:
				d.Before = old
				all = append(all, d)
			case !had:
				d.After = now
				all = append(all, d)
			default:
				all = append(all, changes(d, old, now, ignore)...)
			}
		}
	}
	return all, nil
}

func changes(d Difference, old, now map[string]any, ignore []string) (all []Difference) {
	for _, field := range union(old, now) {
		if slices.Contains(ignore, field) || slices.Contains(ignore, d.Kind+"."+field) || reflect.DeepEqual(old[field], now[field]) {
			continue
		}
		d.Field, d.Before, d.After = field, old[field], now[field]
		all = append(all, d)
	}
	return all
}

// Count says how many things a snapshot holds.
func Count(snapshot []byte) (int, error) {
	all, err := Read(snapshot)
	n := 0
	for _, things := range all {
		n += len(things)
	}
	return n, err
}

// Read returns the things of a snapshot by kind and ID.
func Read(snapshot []byte) (map[string]map[string]map[string]any, error) {
	var kinds map[string][]map[string]any
	d := json.NewDecoder(bytes.NewReader(snapshot))
	d.UseNumber()
	if err := d.Decode(&kinds); err != nil {
		return nil, err
	}
	all := map[string]map[string]map[string]any{}
	for kind, list := range kinds {
		all[kind] = map[string]map[string]any{}
		for _, f := range list {
			all[kind][fmt.Sprint(f["id"])] = f
		}
	}
	return all, nil
}

func union[T any](a, b map[string]T) []string {
	names := slices.Collect(maps.Keys(a))
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func nameOf(candidates ...map[string]any) string {
	for _, f := range candidates {
		if s, isText := f["name"].(string); isText && s != "" {
			return s
		}
	}
	return ""
}
