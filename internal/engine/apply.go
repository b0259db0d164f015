// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/espalier-io/espalier/internal/fault"
)

// Options are how Apply works. The zero value is fit for use.
type Options struct {
	Limit  int           // calls at a time; 8
	Grace  time.Duration // what a running call gets after a stop; 30 s
	Settle time.Duration // how long a create without an answer may still show; 60 s; negative: not at all
	Events func(Event)   // progress; called by one goroutine at a time, and must not block
}

// run is one call of Apply.
type run[W any] struct {
	g        *Graph[W]
	w        W
	o        Options
	ctx      context.Context
	destroys bool
	blocked  blocks
	act      map[string]Action // by node, as planned
	fresh    map[string]bool   // nodes whose intent is of this run, as long as nothing was sent
	hold     map[string]error  // why an earlier attempt can not be tried again yet
	mu       sync.Mutex        // for fresh and events
	halted   atomic.Bool       // a save failed
}

// Apply carries out a plan of this graph, once, and nothing that is not in
// the plan. Before the first write it saves all intents, and after each the
// result; if a save fails nothing more is created, updated or replaced. When
// ctx is cancelled no new call starts; the running ones finish under a context
// of their own and are saved, and the error wraps [ErrStopped]. Nodes that do
// not depend on a failure go on; the error joins all failures in the order of
// the plan. What was blocked is named by errors that wrap [ErrBlocked].
func (g *Graph[W]) Apply(ctx context.Context, w W, p *Plan, o Options) error {
	if p.of != any(g) || g.used {
		return errors.New("engine: the plan is of another graph, or of one that was applied before")
	}
	if err := refusal(g.problems(p.destroy)); err != nil {
		return err
	}
	g.used = true
	o.Limit, o.Grace, o.Settle = cmp.Or(o.Limit, 8), cmp.Or(o.Grace, 30*time.Second), cmp.Or(o.Settle, Settle)
	r := &run[W]{
		g: g, w: w, o: o, ctx: ctx, destroys: p.destroy, blocked: g.blocks(p.destroy),
		act: map[string]Action{}, fresh: map[string]bool{}, hold: map[string]error{},
	}
	known := map[string]ID{}
	for _, n := range g.nodes {
		c := n.core()
		r.act[c.name] = c.step(r.blocked).Action
		if !c.managed && c.id != "" {
			known[c.name] = c.id
		}
	}
	g.state.bind(g.cloud)
	g.state.know(known)
	blocked := g.blockedErrors(r.blocked)
	errs := []error{r.intend()}
	idle := func(rec Record) bool { return rec.ID == "" && r.fresh[rec.Name] }
	if err := g.state.flush(ctx); err != nil {
		g.state.drop(idle)
		return err
	}
	if r.destroys {
		errs = append(errs, r.destroy())
	} else {
		errs = append(errs, r.build())
	}
	g.state.drop(idle)
	errs = append(errs, g.state.flush(ctx))
	return errors.Join(append(errs, blocked...)...)
}

// write does to a node what the plan says.
func (r *run[W]) write(name string) error {
	if r.blocked[name] != nil {
		return errSkipped
	}
	n, ok := r.g.byName[name].(writable[W])
	if !ok || !n.core().ours() {
		return nil
	}
	c := n.core()
	switch act := r.act[name]; {
	case act == Create, act == Replace:
		return r.create(n, act)
	case act == Update:
		return r.call(c.event(act), func(ctx context.Context) (ID, error) { return c.id, n.update(ctx, r.pen(c)) })
	}
	return nil
}

// create carries out an intent.
func (r *run[W]) create(n writable[W], act Action) error {
	c := n.core()
	if err := r.hold[c.name]; err != nil {
		return err
	}
	return r.call(c.event(act), func(ctx context.Context) (ID, error) {
		if err := r.stamp(c.name, stampAfter); err != nil {
			return c.id, err
		}
		r.begun(c.name)
		c.id = "" // of a replacement: the old one is recorded as deposed, or gone
		rec, _ := r.g.state.Get(c.name)
		err := n.create(context.WithValue(ctx, nonceKey, rec.Intent.Nonce), r.pen(c))
		switch {
		case errors.Is(err, ErrRefused) && c.id == "":
			r.g.state.drop(func(o Record) bool { return o.Name == c.name && o.ID == "" })
			err = errors.Join(err, r.save())
		case err != nil && c.id == "": // it may be under way still
			err = errors.Join(err, r.stamp(c.name, 0))
		}
		return c.id, err
	})
}

func (r *run[W]) pen(c *core) pen[W] {
	return pen[W]{
		w:      r.w,
		record: func() error { r.g.state.put(c.record()); return r.save() },
		intend: func(id ID) error {
			rec, _ := r.g.state.Get(c.name)
			if rec.Intent == nil || rec.Intent.ID == id {
				return nil
			}
			rec.Intent = &Intent{rec.Intent.Nonce, time.Now(), id}
			r.g.state.put(rec)
			return r.save()
		},
	}
}

// remove deletes what a record stands for, and forgets it.
func (r *run[W]) remove(name string, rec Record) error {
	for _, n := range r.g.nodes {
		if c := n.core(); !c.managed && c.id == rec.ID {
			return fault.Errorf(fault.Denied, "%s is the user's (%s): not deleted", rec.ID, c.name)
		}
	}
	return r.call(Event{Name: name, Kind: rec.Kind, Action: Delete, ID: rec.ID}, func(ctx context.Context) (ID, error) {
		if err := r.g.kinds[rec.Kind].Delete(ctx, r.w, rec); err != nil {
			return rec.ID, err
		}
		if old, _ := r.g.state.Get(rec.Name); r.act[rec.Name] == Replace && !rec.Deposed {
			next := r.g.byName[rec.Name].core().recordNew()
			next.Intent = old.Intent
			r.g.state.put(next)
		} else {
			r.g.state.drop(func(o Record) bool {
				return o.Name == rec.Name && (o.ID == rec.ID || o.ID == "" && o.Intent != nil && o.Intent.ID == rec.ID)
			})
		}
		return rec.ID, r.save()
	})
}

func (c *core) event(act Action) Event {
	return Event{Name: c.name, Kind: c.kind, Action: act, ID: c.id}
}

// call makes one call, if it may still start. fn returns the ID as it is then.
func (r *run[W]) call(e Event, fn func(context.Context) (ID, error)) error {
	if r.ctx.Err() != nil {
		return ErrStopped
	}
	if e.Action != Delete && r.halted.Load() {
		return fmt.Errorf("%w: the state can not be saved", errNotStarted)
	}
	tell := func(phase Phase, detail string, err error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.o.Events != nil {
			e.Phase, e.Detail, e.Err = phase, detail, err
			r.o.Events(e)
		}
	}
	tell(Started, "", nil)
	ctx, cancel := running(r.ctx, r.o.Grace, func(what string) { tell(Waiting, what, nil) })
	defer cancel()
	err := guard(func() (err error) { e.ID, err = fn(ctx); return err })
	phase := Done
	if err != nil {
		phase = Failed
	}
	tell(phase, "", err)
	return err
}

// begun says that a create is about to be sent.
func (r *run[W]) begun(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.fresh, name)
}

func (r *run[W]) save() error {
	err := r.g.state.flush(r.ctx)
	if err != nil {
		r.halted.Store(true)
	}
	return err
}
