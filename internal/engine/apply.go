// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Options are how Apply works. The zero value is fit for use.
type Options struct {
	Limit  int              // calls at a time; 8
	Grace  time.Duration    // what a running call gets after a stop; 30 s
	Settle time.Duration    // how long a create without an answer may still show; 60 s
	Now    func() time.Time // the clock
	Events func(Event)      // progress; called by one goroutine at a time
}

// An Event is a step of progress.
type Event struct {
	Name   string
	Action Action
	Phase  string // started, done, failed
	Err    error
}

// run is one call of Apply.
type run[W any] struct {
	g       *Graph[W]
	w       W
	o       Options
	ctx     context.Context
	act     map[string]Action // by node, as planned
	fresh   map[string]bool   // nodes whose intent is of this run
	hold    map[string]error  // why an earlier attempt can not be tried again yet
	mu      sync.Mutex        // for started and events
	started map[string]bool
	halted  atomic.Bool // a save failed
}

// Apply carries out a plan of this graph, once, and nothing that is not in
// the plan. Before the first write it saves all intents, and after each the
// result; if a save fails nothing more is created, updated or replaced. When
// ctx is cancelled no new call starts; the running ones finish under a context
// of their own and are saved. Nodes that do not depend on a failure go on.
func (g *Graph[W]) Apply(ctx context.Context, w W, p *Plan, o Options) error {
	if p.of != any(g) {
		return errors.New("engine: the plan is of another graph")
	}
	if err := blocking(g.problems(p.destroy)); err != nil {
		return err
	}
	p.of = nil
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Limit, o.Grace, o.Settle = cmpOr(o.Limit, 8), cmpOr(o.Grace, 30*time.Second), cmpOr(o.Settle, time.Minute)
	r := &run[W]{g: g, w: w, o: o, ctx: ctx, act: map[string]Action{}, fresh: map[string]bool{}, hold: map[string]error{}, started: map[string]bool{}}
	for _, n := range g.nodes {
		r.act[n.core().name] = n.core().step().Action
	}
	g.state.doc.Cloud = g.cloud
	errs := []error{r.intend(p.destroy)}
	if err := g.state.flush(ctx); err != nil {
		return err
	}
	if p.destroy {
		errs = append(errs, r.destroy())
	} else {
		errs = append(errs, r.build())
	}
	g.state.drop(func(rec Record) bool { return rec.ID == "" && r.fresh[rec.Name] && !r.started[rec.Name] })
	return errors.Join(append(errs, g.state.flush(ctx))...)
}

// cmpOr is cmp.Or for a value and its default; negative is none.
func cmpOr[T int | time.Duration](v, def T) T {
	if v == 0 {
		return def
	}
	return v
}

// write does to a node what the plan says.
func (r *run[W]) write(name string) error {
	n, ok := r.g.byName[name].(writable[W])
	if !ok || !n.core().ours() {
		return nil
	}
	c := n.core()
	record := func() error { r.g.state.put(c.record()); return r.save() }
	switch act := r.act[name]; act {
	case Create, Replace:
		rec, _ := r.g.state.Get(name)
		if err := r.hold[name]; err != nil {
			return err
		}
		if rec.Intent == nil {
			return errors.New("engine: a create without an intent")
		}
		return r.call(name, act, func(ctx context.Context) error {
			c.id = "" // of a replacement: the old one is recorded as deposed, or gone
			rec.ID = ""
			err := n.create(context.WithValue(ctx, nonceKey, rec.Intent.Nonce), r.w, record)
			if errors.Is(err, ErrRefused) && c.id == "" {
				r.g.state.drop(func(o Record) bool { return o.Name == name && o.ID == "" })
				return errors.Join(err, r.save())
			}
			return err
		})
	case Update:
		return r.call(name, act, func(ctx context.Context) error { return n.update(ctx, r.w, record) })
	}
	return nil
}

// remove deletes what a record stands for, and forgets it.
func (r *run[W]) remove(name string, rec Record) error {
	for _, n := range r.g.nodes {
		if c := n.core(); !c.managed && c.id == rec.ID {
			return fmt.Errorf("engine: %s is the user's (%s)", rec.ID, c.name)
		}
	}
	return r.call(name, Delete, func(ctx context.Context) error {
		if err := r.g.kinds[rec.Kind].Delete(ctx, r.w, rec); err != nil {
			return err
		}
		old, _ := r.g.state.Get(rec.Name)
		switch anew := r.act[rec.Name] == Replace && !rec.Deposed; {
		case anew:
			old.ID = ""
			r.g.state.put(old)
		default:
			r.g.state.drop(func(o Record) bool {
				return o.Name == rec.Name && (o.ID == rec.ID || o.ID == "" && o.Intent != nil && o.Intent.ID == rec.ID)
			})
		}
		return r.save()
	})
}

// call makes one call, if it may still start.
func (r *run[W]) call(name string, act Action, fn func(context.Context) error) error {
	if r.ctx.Err() != nil {
		return ErrStopped
	}
	if act != Delete && r.halted.Load() {
		return errors.New("not started: the state can not be saved")
	}
	r.event(Event{name, act, "started", nil})
	ctx, cancel := running(r.ctx, r.o.Grace)
	defer cancel()
	err := guard(func() error { return fn(ctx) })
	if err != nil {
		r.event(Event{name, act, "failed", err})
		return err
	}
	r.event(Event{name, act, "done", nil})
	return nil
}

func (r *run[W]) event(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started[e.Name] = true
	if r.o.Events != nil {
		r.o.Events(e)
	}
}

func (r *run[W]) save() error {
	err := r.g.state.flush(r.ctx)
	if err != nil {
		r.halted.Store(true)
	}
	return err
}

// report joins the errors in the order of the keys; a stop is told once.
func report(keys []string, failed map[string]error) error {
	var errs []error
	stopped := false
	failed = maps.Clone(failed)
	for _, k := range append(slices.Clone(keys), "") {
		switch err := failed[k]; {
		case err == nil, err == errSkipped:
		case err == ErrStopped:
			stopped = true
		default:
			errs = append(errs, fmt.Errorf("%s: %w", k, err))
		}
	}
	if stopped {
		errs = append(errs, ErrStopped)
	}
	return errors.Join(errs...)
}
