// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"maps"
	"slices"
)

// thing is anything that has an ID and belongs to a project.
type thing interface{ std() *standard }

// standard is what all things of Neutron have.
type standard struct {
	ID          string   `json:"id"`
	Project     string   `json:"project_id"`
	Tenant      string   `json:"tenant_id"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Created     string   `json:"created_at"`
	Updated     string   `json:"updated_at"`
	Revision    int      `json:"revision_number"`

	serial int // rises with every thing that is made
	hidden int // for how many reads it is not seen yet
}

func (s *standard) std() *standard { return s }

// table holds the things of one kind.
type table[T thing] struct {
	byID map[string]T
	last int
}

func (t *table[T]) add(v T) {
	if t.byID == nil {
		t.byID = map[string]T{}
	}
	t.last++
	v.std().serial = t.last
	t.byID[v.std().ID] = v
}

func (t *table[T]) get(id string) (T, bool) {
	v, ok := t.byID[id]
	return v, ok
}

func (t *table[T]) remove(v T) { delete(t.byID, v.std().ID) }

// list returns all things in the order in which they were made.
func (t *table[T]) list() []T {
	return slices.SortedFunc(maps.Values(t.byID), func(a, b T) int { return a.std().serial - b.std().serial })
}

// where returns the things that fit, in the order in which they were made.
func (t *table[T]) where(fits func(T) bool) []T {
	return slices.DeleteFunc(t.list(), func(v T) bool { return !fits(v) })
}

// has says whether one fits.
func (t *table[T]) has(fits func(T) bool) bool {
	for _, v := range t.byID {
		if fits(v) {
			return true
		}
	}
	return false
}
