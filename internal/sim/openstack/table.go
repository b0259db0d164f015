// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "slices"

// thing is anything that has an ID and belongs to a project.
type thing interface{ std() *standard }

// shower is a thing of Neutron: it says what it has besides the standard fields.
type shower interface {
	thing
	shown() fields
}

// standard is what all things of Neutron have.
type standard struct {
	ID          string
	Project     string
	Description string
	Tags        []string
	Created     string
	Updated     string
	Revision    int

	serial int // rises with every thing that is made
	hidden int // for how many reads it is not seen yet
}

func (s *standard) std() *standard { return s }

func (s *standard) common() fields {
	return fields{
		"id": s.ID, "project_id": s.Project, "tenant_id": s.Project, "description": s.Description, "tags": s.Tags,
		"created_at": s.Created, "updated_at": s.Updated, "revision_number": s.Revision,
	}
}

// value is what a pointer points to, or nil.
func value[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

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
func (t *table[T]) list() []T { return t.where(func(T) bool { return true }) }

// where returns the things that fit, in the order in which they were made.
func (t *table[T]) where(fits func(T) bool) []T {
	var list []T
	for _, v := range t.byID {
		if fits(v) {
			list = append(list, v)
		}
	}
	slices.SortFunc(list, func(a, b T) int { return a.std().serial - b.std().serial })
	return list
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
