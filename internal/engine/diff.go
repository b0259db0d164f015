// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Chosen is the value of a wanted field that the cloud chooses at creation.
// Kinds see it as the zero value, a plan prints it, and once the resource is
// there the field is not compared.
const Chosen = "‹chosen by the cloud›"

// A Change is a field that is not as it should be, or, of a resource that is
// to be created, a field as it will be.
type Change struct {
	Field string `json:"field"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
	// Added and Removed are, of a [Set], what differs; From and To are then empty.
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
	Tag     string   `json:"tag,omitempty"` // what the plan tag says: fixed, replace, replace-first
}

// Lines returns the change as people read it: a line, or, of a set, one more
// for each element, with "+" or "-" before it.
func (c Change) Lines() []string {
	if len(c.Added)+len(c.Removed) == 0 {
		return []string{c.String()}
	}
	lines := []string{c.Field + ":"}
	for _, e := range c.Added {
		lines = append(lines, "  + "+e)
	}
	for _, e := range c.Removed {
		lines = append(lines, "  - "+e)
	}
	return lines
}

func (c Change) String() string {
	if len(c.Added)+len(c.Removed) > 0 {
		lines := c.Lines()
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		return lines[0] + " " + strings.Join(lines[1:], ", ")
	}
	s := c.Field + ": "
	if c.From != "" {
		s += c.From + " → "
	}
	s += c.To
	if c.Tag != "" && c.From != "" {
		s += " (" + c.Tag + ")"
	}
	return s
}

// Diff compares the fields of two structs; with a nil have it lists what is
// wanted. A field of want that is a nil pointer, slice or map, or [Chosen], is
// one that we do not care about. The tag plan says what a change means:
//
//	fixed          it can not be changed: the plan is refused
//	replace        the resource is deleted, then made anew
//	replace-first  the new one is made first, the old one deleted at the end
//	include        of a [Set]: elements that others put in stay
//	-              only the cloud sets it; it is not compared
//
// A field with the tag state:"name" is an attribute of the record.
func Diff[T any](have *T, want T) (changes []Change) {
	w := reflect.ValueOf(want)
	for i := range w.NumField() {
		f := w.Type().Field(i)
		tag, v := f.Tag.Get("plan"), w.Field(i)
		if tag == "-" || dontCare(v) {
			continue
		}
		if tag == "include" {
			tag = "" // others' elements are in want by now
		}
		if have == nil {
			if !v.IsZero() {
				changes = append(changes, newChange(f.Name, tag, reflect.Value{}, v))
			}
			continue
		}
		if h := reflect.ValueOf(*have).Field(i); !same(h, v) && !chosen(v) {
			changes = append(changes, newChange(f.Name, tag, h, v))
		}
	}
	return changes
}

// newChange tells what differs; an invalid h is a field of what is to be created.
func newChange(field, tag string, h, v reflect.Value) Change {
	c := Change{Field: field, Tag: tag}
	w, isSet := v.Interface().(set)
	switch {
	case isSet && !h.IsValid():
		c.Added = w.list()
	case isSet:
		old, _ := h.Interface().(set) // of the same type
		had := old.list()
		c.Added = slices.DeleteFunc(w.list(), func(e string) bool { return slices.Contains(had, e) })
		c.Removed = slices.DeleteFunc(had, func(e string) bool { return slices.Contains(w.list(), e) })
	case h.IsValid():
		c.From, c.To = show(h), show(v)
	default:
		c.To = show(v)
	}
	if isSet && len(c.Added)+len(c.Removed) == 0 {
		c.To = "none"
	}
	return c
}

func same(h, w reflect.Value) bool {
	if s, ok := w.Interface().(interface{ same(any) bool }); ok {
		return s.same(h.Interface())
	}
	return reflect.DeepEqual(h.Interface(), w.Interface())
}

func dontCare(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return v.IsNil()
	}
	return false
}

func chosen(v reflect.Value) bool { return v.Kind() == reflect.String && v.String() == Chosen }

func show(v reflect.Value) string {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "unset"
		}
		v = v.Elem()
	}
	if s, ok := v.Interface().(interface{ show() string }); ok {
		return s.show()
	}
	if s := fmt.Sprint(v.Interface()); s != "" {
		return s
	}
	return `""`
}

// toSend returns want as a Kind may see it: without placeholders. It is an
// error if something that it depends on is not known even now.
func toSend[T any](have *T, want T) (T, error) {
	v := reflect.ValueOf(&want).Elem()
	for i := range v.NumField() {
		switch {
		case !chosen(v.Field(i)):
		case have == nil:
			v.Field(i).SetZero()
		default:
			v.Field(i).Set(reflect.ValueOf(*have).Field(i))
		}
	}
	s, err := json.Marshal(want)
	if err == nil && strings.Contains(string(s), "‹") {
		err = fmt.Errorf("still unknown: %s", s)
	}
	return want, err
}

// expected is what others see of a resource that is not yet as wanted: the
// wanted fields over those that are there, and for those that the cloud has
// yet to choose a placeholder.
func expected[T any](name string, have *T, want T) (out T) {
	if have != nil {
		out = *have
	}
	o, w := reflect.ValueOf(&out).Elem(), reflect.ValueOf(want)
	for i := range w.NumField() {
		f := w.Type().Field(i)
		switch {
		case chosen(w.Field(i)):
			if have == nil {
				o.Field(i).SetString("‹" + name + "." + f.Name + "›")
			}
		case f.Tag.Get("plan") == "-" && have != nil, dontCare(w.Field(i)):
		default:
			o.Field(i).Set(w.Field(i))
		}
	}
	return out
}

// attrs returns the attributes that a record keeps.
func attrs[T any](t T) (m map[string]string) {
	v := reflect.ValueOf(t)
	for i := range v.NumField() {
		if key := v.Type().Field(i).Tag.Get("state"); key != "" {
			if m == nil {
				m = map[string]string{}
			}
			m[key] = fmt.Sprint(v.Field(i).Interface())
		}
	}
	return m
}
