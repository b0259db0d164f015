// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// flags of an attribute: where it may be.
type flags int

const (
	post    flags = 1 << iota // in the body of a creation
	put                       // in the body of a change
	filter                    // in the query of a list
	must                      // has to be in the body of a creation
	guarded                   // setting it passes a rule of its own
	secret                    // showing it passes a rule of its own
)

// attribute is one field of a kind of Neutron.
type attribute struct {
	flags flags
	check check // of what a body says; nil: anything
}

// check returns what is stored for a value of a body.
type check func(name string, v any) (any, error)

type attributes map[string]attribute

// common is what all kinds have. project_id stands for tenant_id, too.
func (as attributes) common() attributes {
	all := attributes{
		"id":          {flags: filter},
		"project_id":  {post | filter, text(255)},
		"tenant_id":   {post | filter, text(255)},
		"description": {post | put | filter, text(255)},
		"created_at":  {}, "updated_at": {},
		"revision_number": {flags: filter},
		"tags":            {flags: filter},
		"tags-any":        {flags: filter}, "not-tags": {flags: filter}, "not-tags-any": {flags: filter},
	}
	maps.Copy(all, as)
	return all
}

// input is the body of a request for one thing, checked.
type input struct {
	values map[string]any
	id     string // the ID that the thing must have; empty: any. Only worlds say it
}

func (in input) has(name string) bool { _, ok := in.values[name]; return ok }

// get returns a value, or what stands for none.
func get[T any](in input, name string, none T) T {
	if v, ok := in.values[name].(T); ok {
		return v
	}
	return none
}

func (in input) text(name string) string { return get(in, name, "") }

// number returns a number, or nil where the body says none or null.
func (in input) number(name string) *int {
	if n, ok := in.values[name].(int); ok {
		return &n
	}
	return nil
}

// set changes a field if the body names it.
func set[T any](in input, name string, field *T) {
	if v, ok := in.values[name].(T); ok {
		*field = v
	}
}

// read checks a body against the table. With making it is of a creation.
func (as attributes) read(body map[string]any, making bool) (input, error) {
	in := input{values: map[string]any{}}
	if err := as.allowed(body, making); err != nil {
		return in, err
	}
	for _, name := range slices.Sorted(maps.Keys(as)) {
		if _, there := body[name]; making && as[name].flags&must != 0 && !there {
			return in, badRequest("Failed to parse request. Required attribute '%s' not specified", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(body)) {
		v := body[name]
		if check := as[name].check; check != nil {
			var err error
			if v, err = check(name, v); err != nil {
				return in, err
			}
		}
		in.values[name] = v
	}
	return in, nil
}

// allowed refuses attributes that there are not, or not in such a body.
func (as attributes) allowed(body map[string]any, making bool) error {
	var odd []string
	for _, name := range slices.Sorted(maps.Keys(body)) {
		a, known := as[name]
		switch {
		case !known || strings.HasPrefix(name, "not-") || name == "tags-any":
			odd = append(odd, name)
		case making && a.flags&post == 0:
			return badRequest("Attribute '%s' not allowed in POST", name)
		case !making && a.flags&put == 0 && name != "project_id" && name != "tenant_id":
			return badRequest("Cannot update read-only attribute %s", name)
		}
	}
	if len(odd) > 0 {
		return badRequest("Unrecognized attribute(s) '%s'", strings.Join(odd, ", "))
	}
	return nil
}

// guarded returns the names of the attributes of the body that pass rules of their own.
func (as attributes) guarded(in input) (names []string) {
	for name := range in.values {
		if as[name].flags&guarded != 0 {
			names = append(names, name)
		}
	}
	return names
}

func why(name, format string, args ...any) error {
	return badRequest("Invalid input for %s. Reason: %s", name, fmt.Sprintf(format, args...))
}

// text allows strings of so many characters.
func text(most int) check {
	return func(name string, v any) (any, error) {
		s, isText := v.(string)
		switch {
		case !isText:
			return nil, why(name, "'%s' is not a valid string.", python(v))
		case len([]rune(s)) > most:
			return nil, why(name, "'%s' exceeds maximum length of %d.", s, most)
		}
		return s, nil
	}
}

// flag allows truth values, in the spellings that Neutron knows.
func flag(_ string, v any) (any, error) {
	b, fits := truth(v)
	if !fits {
		return nil, invalid("'%s' cannot be converted to boolean.", python(v))
	}
	return b, nil
}

func truth(v any) (value, fits bool) {
	switch strings.ToLower(fmt.Sprint(v)) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

// whole allows whole numbers, also as texts, and null.
func whole(name string, v any) (any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case float64:
		if v == float64(int(v)) {
			return int(v), nil
		}
	case int:
		return v, nil
	case string:
		if n, err := strconv.Atoi(v); err == nil {
			return n, nil
		}
	}
	return nil, invalid("'%s' is not an integer.", python(v))
}

// natural allows whole numbers from 0.
func natural(name string, v any) (any, error) {
	n, err := whole(name, v)
	if i, isNumber := n.(int); err == nil && isNumber && i < 0 {
		return nil, why(name, "'%d' should be non-negative.", i)
	}
	return n, err
}

var uuidShape = regexp.MustCompile(`^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$`)

// reference allows what has the shape of a UUID.
func reference(name string, v any) (any, error) {
	if s, _ := v.(string); uuidShape.MatchString(s) {
		return s, nil
	}
	return nil, why(name, "'%s' is not a valid UUID.", python(v))
}

// optional allows null besides what the check allows.
func optional(c check) check {
	return func(name string, v any) (any, error) {
		if v == nil {
			return nil, nil
		}
		return c(name, v)
	}
}

// oneOf allows some texts, and null.
func oneOf(words ...string) check {
	return func(name string, v any) (any, error) {
		if s, isText := v.(string); v == nil || isText && slices.Contains(words, s) {
			return v, nil
		}
		return nil, why(name, "%s is not in valid_values.", python(v))
	}
}

// address allows an address of IP, and null.
func address(name string, v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	s, _ := v.(string)
	a, err := netip.ParseAddr(s)
	if err != nil {
		return nil, why(name, "'%s' is not a valid IP address.", python(v))
	}
	return a, nil
}

// python spells a value as the real services do in their texts.
func python(v any) string {
	if s, isText := v.(string); isText {
		return s
	}
	return literal(v)
}

// literal is the same with texts in quotes.
func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case string:
		return "'" + v + "'"
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, literal(name)+": "+literal(v[name]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, literal(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// keys refuses an object that has not exactly these keys.
func keys(name string, m map[string]any, want ...string) error {
	have := slices.Sorted(maps.Keys(m))
	if slices.Equal(have, want) {
		return nil
	}
	set := func(names []string) string { return "{'" + strings.Join(names, "', '") + "'}" }
	return why(name, "Validation of dictionary's keys failed. Expected keys: %s Provided keys: %s.", set(want), set(have))
}
