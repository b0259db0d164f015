// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import (
	"reflect"
	"slices"
	"strings"
)

// suggest returns the field that is most likely meant by the last part of a
// path in documents of type t, or nothing.
func suggest(t reflect.Type, path string) string {
	parts := strings.Split(path, ".")
	for _, part := range parts[:len(parts)-1] {
		name, _, _ := strings.Cut(part, "[")
		if t = fieldsOf(t)[name]; t == nil {
			return ""
		}
	}
	wrong := parts[len(parts)-1]
	best, least := "", 3 // more than two slips are another word
	for name := range fieldsOf(t) {
		if n := slips(strings.ToLower(wrong), strings.ToLower(name)); n < least || n == least && name < best {
			best, least = name, n
		}
	}
	return best
}

// fieldsOf are the fields that an object of this type has in JSON. A list has
// those of its elements.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			fields[name] = f.Type
		}
	}
	return fields
}

// slips is how many letters have to be put in, left out or changed to make b of
// a (the distance of Levenshtein).
func slips(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before := slices.Clone(row)
		row[0] = i + 1
		for j := range b {
			change := before[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, before[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
