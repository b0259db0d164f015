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

// settles is when a resource that does not show, although we made it or a
// create without an answer may have, is certainly not there. It is zero if it
// shows, can not be made twice, or no create was sent yet. A deletion has to
// know it also of what can not be made twice.
func (g *Graph[W]) settles(rec Record, window time.Duration, destroy bool) time.Time {
	c := g.managed(rec.Name)
	if c != nil && (c.unknown != nil || c.named || c.id != "" && !g.state.deposed(c.id)) {
		return time.Time{}
	}
	var at time.Time
	_, idempotent := g.kinds[rec.Kind].(Idempotent)
	switch {
	case rec.unanswered():
		if !idempotent || destroy {
			at = rec.Intent.At
		}
	case c != nil:
		at = rec.Made
	}
	if !at.IsZero() {
		at = at.Add(window)
	}
	return at
}

// Unsettled names what does not show although an earlier run has made it, or
// may have (there was no answer), and may still show within window; until is
// when the last of them no longer may. now is when the reading of the facts
// began. Whoever wants to apply should wait until then, read the facts anew
// and build another graph: [Graph.Apply] refuses to make these a second time
// before. What can not be made twice (its ID is known beforehand, or its kind
// is [Idempotent]) is not among them.
func (g *Graph[W]) Unsettled(now time.Time, window time.Duration) (until time.Time, names []string) {
	for _, rec := range g.state.Records() {
		at := g.settles(rec, window, false)
		if !at.After(now) {
			continue
		}
		names = append(names, rec.Name)
		if at.After(until) {
			until = at
		}
	}
	slices.Sort(names)
	return until, names
}

// unsettled says that something that was made, or may have been, may still show.
func (r *run[W]) unsettled(rec Record) error {
	if at := r.g.settles(rec, r.o.Settle, r.destroys); at.After(r.g.built) {
		return fmt.Errorf("%w: wait until %s", ErrUnsettled, at.Format(time.TimeOnly))
	}
	return nil
}

// stampAfter is how old the time of an intent may be when its create is sent.
const stampAfter = Settle / 6

// stamp sets the time of an intent anew if it is older than that. A create may
// be sent long after all intents were saved, and may be under way for as long
// as somebody waits for it: the window in which it can still show begins then.
func (r *run[W]) stamp(name string, older time.Duration) error {
	rec, _ := r.g.state.Get(name)
	if rec.Intent == nil || rec.Intent.At.IsZero() || time.Since(rec.Intent.At) <= older {
		return nil
	}
	rec.Intent = &Intent{rec.Intent.Nonce, time.Now(), rec.Intent.ID}
	r.g.state.put(rec)
	return r.save()
}
