// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"slices"
	"time"
)

// Settle is how long, if [Options] say nothing else, a create without an
// answer may still show.
const Settle = time.Minute

// settles is when the create that a record intends can no longer show; zero if
// it is known whether it has: the ID is known, or none was sent yet.
func settles(rec Record, window time.Duration) time.Time {
	if rec.ID != "" || rec.Intent == nil || rec.Intent.ID != "" || rec.Intent.At.IsZero() {
		return time.Time{}
	}
	return rec.Intent.At.Add(window)
}

// Unsettled names the creates of an earlier run that have no answer, do not
// show, and may still show within window; until is when the last of them no
// longer may. now is when the reading of the facts began. Whoever wants to
// apply should wait until then, read the facts anew and build another graph:
// [Graph.Apply] refuses to make these a second time before. What can not be
// made twice (a known ID, an [Idempotent] kind) is not among them.
func (g *Graph[W]) Unsettled(now time.Time, window time.Duration) (until time.Time, names []string) {
	for _, rec := range g.state.Records() {
		n := g.byName[rec.Name]
		if n != nil && n.core().managed && (n.core().id != "" || n.core().unknown != nil) {
			continue
		}
		if at := settles(rec, window); at.After(now) && !g.idempotent(rec.Kind) {
			names = append(names, rec.Name)
			if at.After(until) {
				until = at
			}
		}
	}
	slices.Sort(names)
	return until, names
}

func (g *Graph[W]) idempotent(kind string) bool {
	_, ok := g.kinds[kind].(Idempotent)
	return ok
}

// unsettled says that a create of an earlier run may still show.
func (r *run[W]) unsettled(rec Record) error {
	if at := settles(rec, r.o.Settle); at.After(r.g.built) {
		return fmt.Errorf("%w: wait until %s", ErrUnsettled, at.Format(time.TimeOnly))
	}
	return nil
}
