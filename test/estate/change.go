// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package estate

import (
	"fmt"
	"slices"
	"strings"
)

// A Thing has been made since the survey.
type Thing struct {
	Kind   string // "networks", …
	ID     string
	Name   string
	Mark   string // what it says of whom it was made for
	Object map[string]any
}

// String names the thing without its ID.
func (t Thing) String() string {
	what := t.Kind + " " + t.Name
	for _, more := range []any{t.Object["device_owner"], t.Mark} {
		if s, ok := more.(string); ok && s != "" {
			what += " " + s
		}
	}
	return what
}

// Change is what has happened since the survey.
type Change struct {
	// Harm is what of the estate is not as it was, in words. What is allowed of
	// a cluster that is beside it is none.
	Harm []string
	Made []Thing

	chosen func(object map[string]any, field string) bool
}

// Doubles names what was made twice: two things of a kind with the same mark.
func (c Change) Doubles() (twice []string) {
	seen := map[string]bool{}
	for _, t := range c.Made {
		if t.Mark == "" {
			continue
		}
		if seen[t.String()] {
			twice = append(twice, t.String())
		}
		seen[t.String()] = true
	}
	return twice
}

// Print is a text that is equal if, but for IDs and times, the same was made.
func (c Change) Print() string {
	var names []string
	for _, t := range c.Made {
		names = append(names, t.ID, "‹"+t.String()+"›")
	}
	named := strings.NewReplacer(names...)
	var lines []string
	for _, t := range c.Made {
		lines = append(lines, t.Kind+" "+named.Replace(plain(t.Object, c.chosen)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// plain writes a value of JSON in an order that does not depend on IDs, without
// what is chosen anew each time.
func plain(v any, chosen func(map[string]any, string) bool) string {
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for key, value := range v {
			if chosen == nil || !chosen(v, key) {
				parts = append(parts, key+"="+plain(value, chosen))
			}
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, " ") + "}"
	case []any:
		var parts []string
		for _, value := range v {
			parts = append(parts, plain(value, chosen))
		}
		slices.Sort(parts)
		return "[" + strings.Join(parts, " ") + "]"
	}
	return fmt.Sprint(v)
}
