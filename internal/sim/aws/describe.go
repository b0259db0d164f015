// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"encoding/base64"
	"path"
	"slices"
	"strconv"
	"strings"
)

// describe answers a Describe: by IDs, which fail whole if one is unknown, by
// filters, in pages.
func (k *kind[T]) describe(c *call) (object, error) {
	list, next, err := k.list(c)
	if err != nil {
		return nil, err
	}
	shown := []object{}
	for _, v := range list {
		shown = append(shown, k.show(c, v))
	}
	return object{{k.set, shown}, {"nextToken", some(next)}}, nil
}

// list is what a Describe is about.
func (k *kind[T]) list(c *call) (list []T, next string, err error) {
	ids := c.strs(k.ids)
	list, err = k.chosen(c, ids)
	if err != nil {
		return nil, "", err
	}
	list, err = k.filtered(c, list)
	if err != nil {
		return nil, "", err
	}
	if len(ids) == 0 {
		list = slices.DeleteFunc(list, func(v T) bool { return hidden(&v.self().byFilter) })
	}
	slices.SortFunc(list, func(a, b T) int { return strings.Compare(a.self().ID, b.self().ID) })
	return page(c, list)
}

// hidden counts a read from which a thing is hidden.
func hidden(left *int) bool {
	if *left == 0 {
		return false
	}
	*left--
	return true
}

// chosen are the things with these IDs, or all.
func (k *kind[T]) chosen(c *call, ids []string) ([]T, error) {
	for _, id := range ids {
		if err := k.check(id); err != nil {
			return nil, err
		}
	}
	list := []T{}
	for _, v := range k.of(c.cloud).all {
		if !k.visible(c, v) || len(ids) > 0 && !slices.Contains(ids, v.self().ID) {
			continue
		}
		if k.look != nil {
			k.look(c.cloud, v)
		}
		list = append(list, v)
	}
	unknown := unknown(list, ids)
	if len(unknown) > 0 && !k.ghosts {
		return nil, k.missing(unknown...)
	}
	return slices.DeleteFunc(list, func(v T) bool { return slices.Contains(unknown, v.self().ID) }), nil
}

// unknown are the IDs of which there is nothing in the list, or only what is still hidden.
func unknown[T thing](list []T, ids []string) (missing []string) {
	for _, id := range ids {
		i := slices.IndexFunc(list, func(v T) bool { return v.self().ID == id })
		if i < 0 || hidden(&list[i].self().byID) {
			missing = append(missing, id)
		}
	}
	return missing
}

// filtered are the things that pass all filters; of a filter one value is enough.
func (k *kind[T]) filtered(c *call, list []T) ([]T, error) {
	for _, f := range c.list("Filter") {
		name, values := f.str("Name"), f.strs("Value")
		read := k.filter(name)
		if read == nil {
			return nil, invalid("The filter '%s' is invalid", name)
		}
		if len(values) == 0 {
			return nil, invalid("The filter '%s' has no values", name)
		}
		list = slices.DeleteFunc(list, func(v T) bool {
			return !slices.ContainsFunc(read(c, v), func(s string) bool { return matches(values, s) })
		})
	}
	return list, nil
}

// filter returns what reads the values that a filter looks at.
func (k *kind[T]) filter(name string) func(*call, T) []string {
	if key, ok := strings.CutPrefix(name, "tag:"); ok {
		return func(c *call, v T) []string { return v.self().Tags.values(key) }
	}
	switch name {
	case "tag-key":
		return func(c *call, v T) []string { return v.self().Tags.keys() }
	case "tag-value":
		return func(c *call, v T) []string { return v.self().Tags.all() }
	case "owner-id":
		return func(c *call, v T) []string { return []string{v.self().account.id} }
	}
	return k.filters[name]
}

// matches says whether one of the values, in which * and ? stand for others,
// is the text. Case matters.
func matches(values []string, s string) bool {
	return slices.ContainsFunc(values, func(pattern string) bool {
		if !strings.ContainsAny(pattern, `*?\`) {
			return pattern == s
		}
		// path.Match knows brackets, which filters do not, and stops at slashes.
		escaped := strings.NewReplacer("[", `\[`, "/", "\x00").Replace(pattern)
		hit, err := path.Match(escaped, strings.ReplaceAll(s, "/", "\x00"))
		return err == nil && hit
	})
}

// page cuts a page out of a list.
func page[T any](c *call, list []T) ([]T, string, error) {
	size, err := c.number("MaxResults", c.cloud.opt.PageLimit)
	if err != nil {
		return nil, "", err
	}
	if c.has("MaxResults") && (size < 5 || size > 1000) {
		return nil, "", invalid("Value ( %d ) for parameter maxResults is invalid. Expecting a value between 5 and 1000.", size)
	}
	start, ok := pageStart(c.str("NextToken"))
	if !ok {
		return nil, "", refuse("InvalidNextToken", "The token '%s' is invalid", c.str("NextToken"))
	}
	return cut(list, start, min(size, c.cloud.opt.PageLimit))
}

// pageStart is where a token says that the next page begins.
func pageStart(token string) (int, bool) {
	if token == "" {
		return 0, true
	}
	raw, err := base64.StdEncoding.DecodeString(token)
	if err != nil {
		return 0, false
	}
	start, err := strconv.Atoi(strings.TrimPrefix(string(raw), "page:"))
	return start, err == nil && start > 0
}

// cut cuts a page of that size out of a list.
func cut[T any](list []T, start, size int) ([]T, string, error) {
	start = min(start, len(list))
	end := min(start+size, len(list))
	next := ""
	if end < len(list) {
		next = base64.StdEncoding.EncodeToString([]byte("page:" + strconv.Itoa(end)))
	}
	return list[start:end], next, nil
}

// one is a filter that looks at one value.
func one[T any](read func(T) string) func(*call, T) []string {
	return func(_ *call, v T) []string { return []string{read(v)} }
}

// each is a filter that looks at several values.
func each[T any](read func(T) []string) func(*call, T) []string {
	return func(_ *call, v T) []string { return read(v) }
}
