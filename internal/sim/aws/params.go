// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// params are the parameters of a request: a tree, whose path is spelled with
// dots in the query protocols. What is not there is an empty tree.
type params struct {
	value string
	given bool
	sub   map[string]*params
}

var nothing = &params{}

// queryParams reads a form. The "member" of lists of the query protocol is left out,
// so that lists look as those of EC2.
func queryParams(form url.Values) *params {
	root := &params{}
	for key, values := range form {
		at := root
		for _, name := range strings.Split(key, ".") {
			if name == "member" || name == "entry" {
				continue
			}
			at = at.child(name)
		}
		at.value, at.given = values[0], true
	}
	return root
}

// jsonParams reads an object of JSON.
func jsonParams(body []byte) (*params, error) {
	var v map[string]any
	if len(body) == 0 {
		return &params{}, nil
	}
	if err := json.Unmarshal(body, &v); err != nil {
		return nil, err
	}
	root := &params{}
	root.fill(v)
	return root, nil
}

func (p *params) fill(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			p.child(name).fill(value)
		}
	case []any:
		for i, value := range v {
			p.child(strconv.Itoa(i + 1)).fill(value)
		}
	default:
		p.value, p.given = fmt.Sprint(v), v != nil
	}
}

func (p *params) child(name string) *params {
	if p.sub == nil {
		p.sub = map[string]*params{}
	}
	if p.sub[name] == nil {
		p.sub[name] = &params{}
	}
	return p.sub[name]
}

// at returns what lies below a name.
func (p *params) at(name string) *params {
	if c := p.sub[name]; c != nil {
		return c
	}
	return nothing
}

func (p *params) str(name string) string { return p.at(name).value }
func (p *params) has(name string) bool   { return p.at(name).there() }
func (p *params) there() bool            { return p.given || len(p.sub) > 0 }
func (p *params) is(name string) bool    { return p.str(name) == "true" }

// number is a whole number; absent is def.
func (p *params) number(name string, def int) (int, error) {
	if !p.has(name) {
		return def, nil
	}
	n, err := strconv.Atoi(p.str(name))
	if err != nil {
		return 0, invalid("Value (%s) for parameter %s is invalid. It is not a number.", p.str(name), name)
	}
	return n, nil
}

// list returns the elements of a list in the order of their numbers.
func (p *params) list(name string) []*params {
	at := p.at(name)
	numbers := make([]int, 0, len(at.sub))
	for key := range at.sub {
		if n, err := strconv.Atoi(key); err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	list := make([]*params, 0, len(numbers))
	for _, n := range numbers {
		list = append(list, at.sub[strconv.Itoa(n)])
	}
	return list
}

// strs returns the texts of a list.
func (p *params) strs(name string) []string {
	var all []string
	for _, e := range p.list(name) {
		all = append(all, e.value)
	}
	return all
}

// names returns the names at the top, sorted.
func (p *params) names() []string {
	names := make([]string, 0, len(p.sub))
	for name := range p.sub {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// canonical spells all parameters but those that are left out.
func (p *params) canonical(without ...string) string {
	var b strings.Builder
	for _, name := range p.names() {
		if !slices.Contains(without, name) {
			fmt.Fprintf(&b, "%s=%q{%s}", name, p.sub[name].value, p.sub[name].canonical())
		}
	}
	return b.String()
}
