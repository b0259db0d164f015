// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/espalier-io/espalier/internal/engine"
)

// Join returns a Writer that makes one call of those tag calls that are alike
// and come within a moment of each other. If the call fails each resource is
// tried by itself, so that one that is gone does not stop the others.
func Join(w Writer, moment time.Duration) Writer {
	return &joined{Writer: w, moment: moment, open: map[string]*batch{}}
}

type joined struct {
	Writer
	moment time.Duration
	mu     sync.Mutex
	open   map[string]*batch
}

// batch is a call that still takes resources.
type batch struct {
	on   []engine.ID
	done chan struct{}
	tags map[engine.ID]map[string]string
	errs map[engine.ID]error
}

type tagCall func(ctx context.Context, on []engine.ID) (map[engine.ID]map[string]string, error)

// together waits a moment for calls with the same key, and then makes one.
func (j *joined) together(ctx context.Context, key string, on []engine.ID, call tagCall) (map[engine.ID]map[string]string, error) {
	j.mu.Lock()
	b := j.open[key]
	if b == nil {
		b = &batch{done: make(chan struct{}), errs: map[engine.ID]error{}}
		j.open[key] = b
		time.AfterFunc(j.moment, func() { j.flush(context.WithoutCancel(ctx), key, b, call) })
	}
	b.on = append(b.on, on...)
	j.mu.Unlock()
	<-b.done
	for _, id := range on {
		if err := b.errs[id]; err != nil {
			return nil, err
		}
	}
	return b.tags, nil
}

func (j *joined) flush(ctx context.Context, key string, b *batch, call tagCall) {
	j.mu.Lock()
	delete(j.open, key)
	j.mu.Unlock()
	defer close(b.done)
	slices.Sort(b.on)
	b.on = slices.Compact(b.on)
	var err error
	if b.tags, err = call(ctx, b.on); err == nil {
		return
	}
	if len(b.on) == 1 {
		b.errs[b.on[0]] = err
		return
	}
	b.tags = map[engine.ID]map[string]string{}
	for _, id := range b.on {
		got, err := call(ctx, []engine.ID{id})
		b.tags[id], b.errs[id] = got[id], err
	}
}

// TagsOf implements Writer.
func (j *joined) TagsOf(ctx context.Context, on ...engine.ID) (map[engine.ID]map[string]string, error) {
	return j.together(ctx, "get", on, func(ctx context.Context, on []engine.ID) (map[engine.ID]map[string]string, error) {
		return j.Writer.TagsOf(ctx, on...)
	})
}

// SetTags implements Writer.
func (j *joined) SetTags(ctx context.Context, tags map[string]string, on ...engine.ID) error {
	_, err := j.together(ctx, fmt.Sprintf("set %q", tags), on, func(ctx context.Context, on []engine.ID) (map[engine.ID]map[string]string, error) {
		return nil, j.Writer.SetTags(ctx, tags, on...)
	})
	return err
}

// UnsetTags implements Writer.
func (j *joined) UnsetTags(ctx context.Context, tags map[string]string, on ...engine.ID) error {
	_, err := j.together(ctx, fmt.Sprintf("unset %q", tags), on, func(ctx context.Context, on []engine.ID) (map[engine.ID]map[string]string, error) {
		return nil, j.Writer.UnsetTags(ctx, tags, on...)
	})
	return err
}
