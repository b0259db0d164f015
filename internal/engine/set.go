// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// A Set is a slice in which order and repetition do not matter. As with other
// slices nil means "do not care" and empty means "none". Its elements must be
// told apart by their JSON.
type Set[E comparable] []E

func (s Set[E]) same(other any) bool {
	o, _ := other.(Set[E])
	count := map[E]int{}
	for _, e := range s {
		count[e] |= 1
	}
	for _, e := range o {
		count[e] |= 2
	}
	for _, n := range count {
		if n != 3 {
			return false
		}
	}
	return true
}

func (s Set[E]) show() string { return fmt.Sprint(s.list()) }

func (s Set[E]) list() []string {
	list := []string{}
	for _, e := range s {
		list = append(list, fmt.Sprint(e))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// keys returns the JSON of the elements, sorted.
func (s Set[E]) keys() []string {
	list := []string{}
	for _, e := range s {
		list = append(list, jsonKey(e))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// with returns the set and those of others that are neither in it nor put in
// by us, and these alone.
func (s Set[E]) with(others any, put []string) (all any, foreign set) {
	o, _ := others.(Set[E])
	extra := Set[E]{}
	for _, e := range o {
		if !slices.Contains(s, e) && !slices.Contains(put, jsonKey(e)) {
			extra = append(extra, e)
		}
	}
	return append(slices.Clone(s), extra...), extra
}

func jsonKey(e any) string {
	data, err := json.Marshal(e)
	if err != nil {
		return fmt.Sprint(e)
	}
	return string(data)
}

// set is what the engine asks of a Set of any element.
type set interface {
	list() []string
	keys() []string
	with(others any, put []string) (all any, foreign set)
}

// include adds to the include fields of want what others put in: what is there
// and neither wanted nor among put. It lists that, and, by field, what we put
// in with want.
func include[T any](have *T, want T, put map[string][]string) (out T, foreign []string, ours map[string][]string) {
	v := reflect.ValueOf(&want).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		s, ok := v.Field(i).Interface().(set)
		if f.Tag.Get("plan") != "include" || v.Field(i).IsNil() {
			continue
		}
		if !ok {
			misuse("%s of %T is an include field but no Set", f.Name, want)
		}
		if ours == nil {
			ours = map[string][]string{}
		}
		ours[f.Name] = s.keys()
		if have != nil {
			all, extra := s.with(reflect.ValueOf(*have).Field(i).Interface(), put[f.Name])
			v.Field(i).Set(reflect.ValueOf(all))
			for _, e := range extra.list() {
				foreign = append(foreign, f.Name+": "+e)
			}
		}
	}
	return want, foreign, ours
}
