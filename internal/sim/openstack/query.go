// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// row is a thing and how the caller sees it.
type row[T shower] struct {
	v T
	f fields
}

func (k *kind[T]) list(c *call) (answer, error) {
	k.look(c)
	if !k.mayGet(c) {
		return answer{}, k.forbidden("get_" + k.one)
	}
	fits, err := k.query(c)
	if err != nil {
		return answer{}, err
	}
	rows := k.rows(c, fits)
	if err := k.sort(c, rows); err != nil {
		return answer{}, err
	}
	rows, links, err := k.page(c, rows)
	if err != nil {
		return answer{}, err
	}
	shown := []fields{}
	for _, r := range rows {
		shown = append(shown, only(r.f, c.query["fields"]))
	}
	body := fields{k.many: shown}
	if len(links) > 0 {
		body[k.many+"_links"] = links
	}
	return ok(body)
}

// rows returns what the caller sees of what fits.
func (k *kind[T]) rows(c *call, fits func(T, fields) bool) (rows []row[T]) {
	ids, few := c.query["id"]
	for _, v := range k.of(c.cloud).list() {
		if few && !slices.Contains(ids, v.std().ID) || !k.visible(c, v) {
			continue
		}
		if f := k.render(c, v); fits(v, f) && seen(v.std()) {
			rows = append(rows, row[T]{v, f})
		}
	}
	return rows
}

// only returns the named fields, or all.
func only(f fields, names []string) fields {
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "" })
	if len(names) == 0 {
		return f
	}
	some := fields{}
	for _, name := range names {
		if v, there := f[name]; there {
			some[name] = v
		}
	}
	return some
}

// query turns the query into a function that says what fits it.
func (k *kind[T]) query(c *call) (func(T, fields) bool, error) {
	var odd []string
	tests := []func(T, fields) bool{}
	for _, name := range slices.Sorted(maps.Keys(c.query)) {
		values := c.query[name]
		switch name {
		case "fields", "limit", "marker", "page_reverse", "sort_key", "sort_dir":
			continue
		}
		if k.attrs[name].flags&filter == 0 {
			odd = append(odd, fmt.Sprintf("'%s'", name))
			continue
		}
		if special := k.filters[name]; special != nil {
			tests = append(tests, func(v T, _ fields) bool { return special(c.cloud, v, values) })
			continue
		}
		if test := tagFilter(name, values); test != nil {
			tests = append(tests, func(v T, _ fields) bool { return test(v.std().Tags) })
			continue
		}
		if isFlag(k.attrs[name].check) {
			for i, v := range values {
				b, fits := truth(v)
				if !fits {
					return nil, invalid("'%s' cannot be converted to boolean.", v)
				}
				values[i] = strconv.FormatBool(b)
			}
		}
		tests = append(tests, func(_ T, f fields) bool { return slices.Contains(values, spell(f[name])) })
	}
	if len(odd) > 0 {
		return nil, badRequest("[%s] is invalid attribute for filtering", strings.Join(odd, ", "))
	}
	return func(v T, f fields) bool {
		return !slices.ContainsFunc(tests, func(test func(T, fields) bool) bool { return !test(v, f) })
	}, nil
}

// isFlag says whether a check is that of truth values.
func isFlag(c check) bool {
	if c == nil {
		return false
	}
	v, err := c("", "true")
	return err == nil && v == true
}

// spell writes a value as queries do. Null is null.
func spell(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return fmt.Sprint(v)
}

// tagFilter returns the test of one of the four filters of tags, or nil. Each
// takes a list with commas.
func tagFilter(name string, values []string) func([]string) bool {
	var want []string
	for _, v := range values {
		want = append(want, strings.Split(v, ",")...)
	}
	has := func(tags []string) func(string) bool {
		return func(w string) bool { return slices.Contains(tags, w) }
	}
	lacks := func(tags []string) func(string) bool {
		return func(w string) bool { return !slices.Contains(tags, w) }
	}
	switch name {
	case "tags":
		return func(tags []string) bool { return !slices.ContainsFunc(want, lacks(tags)) }
	case "tags-any":
		return func(tags []string) bool { return slices.ContainsFunc(want, has(tags)) }
	case "not-tags":
		return func(tags []string) bool { return slices.ContainsFunc(want, lacks(tags)) }
	case "not-tags-any":
		return func(tags []string) bool { return !slices.ContainsFunc(want, has(tags)) }
	}
	return nil
}

// sort orders the rows by the keys of the query, and by ID.
func (k *kind[T]) sort(c *call, rows []row[T]) error {
	keys, dirs := c.query["sort_key"], c.query["sort_dir"]
	if len(keys) != len(dirs) {
		return badRequest("The number of sort_keys and sort_dirs must be same")
	}
	for i, key := range keys {
		if k.attrs[key].flags&filter == 0 {
			return badRequest("['%s'] is invalid attribute for sort keys", key)
		}
		if dirs[i] != "asc" && dirs[i] != "desc" {
			return badRequest("['asc', 'desc'] are the only allowed values for sort_dirs")
		}
	}
	slices.SortFunc(rows, func(a, b row[T]) int {
		for i, key := range keys {
			order := cmp.Compare(spell(a.f[key]), spell(b.f[key]))
			if dirs[i] == "desc" {
				order = -order
			}
			if order != 0 {
				return order
			}
		}
		return cmp.Compare(a.v.std().ID, b.v.std().ID)
	})
	return nil
}

// page cuts the rows to what limit and marker ask for.
func (k *kind[T]) page(c *call, rows []row[T]) ([]row[T], []fields, error) {
	limit, err := c.limit()
	if err != nil {
		return nil, nil, err
	}
	reverse, _ := truth(c.query.Get("page_reverse"))
	rows, err = k.after(c, rows, reverse)
	if limit == 0 || err != nil {
		return rows, nil, err
	}
	full := len(rows) >= limit
	switch from := len(rows) - limit; {
	case from > 0 && reverse:
		rows = rows[from:]
	case from > 0:
		rows = rows[:limit]
	}
	return rows, k.links(c, rows, full, reverse), nil
}

// links are those to the pages around one; there is one behind a full page, and
// one where the client came from.
func (k *kind[T]) links(c *call, rows []row[T], full, reverse bool) (links []fields) {
	if len(rows) == 0 {
		return nil
	}
	if full || reverse {
		links = append(links, c.link("next", rows[len(rows)-1].v.std().ID, false))
	}
	if full || !reverse {
		links = append(links, c.link("previous", rows[0].v.std().ID, true))
	}
	return links
}

// after returns the rows on the far side of the marker.
func (k *kind[T]) after(c *call, rows []row[T], reverse bool) ([]row[T], error) {
	marker := c.query.Get("marker")
	if marker == "" {
		return rows, nil
	}
	i := slices.IndexFunc(rows, func(r row[T]) bool { return r.v.std().ID == marker })
	switch {
	case i < 0:
		return nil, k.none(marker)
	case reverse:
		return rows[:i], nil
	}
	return rows[i+1:], nil
}

// limit is how many things are listed at most; 0 is all.
func (c *call) limit() (int, error) {
	asked := c.query.Get("limit")
	if asked == "" {
		return c.cloud.opt.PageLimit, nil
	}
	n, err := strconv.Atoi(asked)
	if err != nil || n < 0 {
		return 0, refuse(400, "BadRequest", "Bad limit request: Limit must be an integer 0 or greater and not '%s'.", asked)
	}
	if most := c.cloud.opt.PageLimit; most > 0 && (n == 0 || n > most) {
		n = most
	}
	return n, nil
}

// link is a link to another page.
func (c *call) link(rel, marker string, reverse bool) fields {
	var parts []string
	for part := range strings.SplitSeq(c.raw, "&") {
		name, _, _ := strings.Cut(part, "=")
		if part != "" && name != "marker" && name != "page_reverse" {
			parts = append(parts, part)
		}
	}
	parts = append(parts, "marker="+url.QueryEscape(marker))
	if reverse {
		parts = append(parts, "page_reverse=True")
	}
	return fields{"rel": rel, "href": c.url + c.path + "?" + strings.Join(parts, "&")}
}
