// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/espalier-io/espalier/test/clouds"
)

// M is the body of a request, or a part of one.
type M = map[string]any

// A lab is a cloud for one case: as it was after it was set up, and nobody
// else's. a and b are members of projects of their own names, admin is the
// administrator.
type lab struct {
	*testing.T
	cloud       *clouds.Cloud
	admin, a, b *user
	seen        *transcript
}

// A trial is one case of a theme: a sentence that says what is true of
// OpenStack, and the proof.
type trial struct {
	name  string
	prove func(l *lab)
}

// on runs the cases of a theme on every cloud.
func on(t *testing.T, theme string, trials []trial) {
	t.Helper()
	clouds.Each(t, func(t *testing.T, open func(t *testing.T) *clouds.Cloud) {
		for _, c := range trials {
			t.Run(c.name, func(t *testing.T) {
				l := &lab{T: t, cloud: open(t), seen: newTranscript()}
				l.admin, l.a, l.b = l.user("admin"), l.user("a"), l.user("b")
				c.prove(l)
				l.seen.compare(t, theme, c.name, l.cloud.Real)
			})
		}
	})
}

// must ends the case if something failed that has nothing to do with it.
func (l *lab) must(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

// equal fails the case if what the cloud said is not what it must say.
func (l *lab) equal(what string, got, want any) {
	l.Helper()
	if diff := cmp.Diff(norm(want), norm(got)); diff != "" {
		l.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// norm makes numbers comparable: JSON knows only one sort.
func norm(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case []string:
		list := []any{}
		for _, s := range v {
			list = append(list, s)
		}
		return list
	case M:
		m := M{}
		for k, e := range v {
			m[k] = norm(e)
		}
		return m
	case object:
		return norm(M(v))
	case []object:
		list := []any{}
		for _, o := range v {
			list = append(list, norm(M(o)))
		}
		return list
	case []M:
		list := []any{}
		for _, m := range v {
			list = append(list, norm(m))
		}
		return list
	case []any:
		list := []any{}
		for _, e := range v {
			list = append(list, norm(e))
		}
		return list
	}
	return v
}

// An object is what the cloud says of one of its things.
type object M

func (o object) id() string { return o.str("id") }

// str returns a field as text; what is not there is "".
func (o object) str(key string) string {
	if v := o[key]; v != nil {
		return fmt.Sprint(v)
	}
	return ""
}

// revision returns the revision number.
func (o object) revision() int {
	n, _ := o["revision_number"].(float64)
	return int(n)
}

// texts returns a list of texts, sorted.
func (o object) texts(key string) []string {
	list := []string{}
	raw, _ := o[key].([]any)
	for _, v := range raw {
		list = append(list, fmt.Sprint(v))
	}
	slices.Sort(list)
	return list
}

// part returns an object within.
func (o object) part(key string) object {
	m, _ := o[key].(M)
	return m
}

// parts returns the objects of a list within.
func (o object) parts(key string) []object {
	list := []object{}
	raw, _ := o[key].([]any)
	for _, v := range raw {
		if m, ok := v.(M); ok {
			list = append(list, m)
		}
	}
	return list
}

// pluck returns one field of each, sorted.
func pluck(list []object, key string) []string {
	values := inOrder(list, key)
	slices.Sort(values)
	return values
}

// inOrder returns one field of each, in the order of the answer.
func inOrder(list []object, key string) []string {
	values := []string{}
	for _, o := range list {
		values = append(values, o.str(key))
	}
	return values
}

// without returns the object without some of its fields.
func (o object) without(keys ...string) object {
	rest := object{}
	for k, v := range o {
		if !slices.Contains(keys, k) {
			rest[k] = v
		}
	}
	return rest
}
