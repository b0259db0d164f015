// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"
	"fmt"
)

var errSkipped = errors.New("skipped: something before it failed")

// walk calls fn for each key after all that before names for it. At most limit
// calls run at once. A key is skipped if one before it failed; the others
// still get their turn. It returns the keys that did not succeed.
//
// One goroutine, this one, holds all the state, and so there are no locks.
func walk(keys []string, before map[string][]string, limit int, fn func(string) error) map[string]error {
	type result struct {
		key string
		err error
	}
	results := make(chan result)
	s := newSchedule(keys, before)
	left := len(keys)
	for running := 0; running > 0 || len(s.ready) > 0; {
		for running < max(limit, 1) && len(s.ready) > 0 {
			k := s.ready[0]
			s.ready = s.ready[1:]
			running++
			call := fn
			if s.failed[k] != nil {
				call = func(string) error { return errSkipped }
			}
			go func() { results <- result{k, call(k)} }()
		}
		res := <-results
		running--
		left--
		s.done(res.key, res.err)
	}
	if left > 0 {
		s.failed[""] = fmt.Errorf("%d resources wait for one another", left)
	}
	return s.failed
}

// A schedule knows which keys may have their turn.
type schedule struct {
	ready  []string
	waits  map[string]int // for how many others
	next   map[string][]string
	failed map[string]error
}

func newSchedule(keys []string, before map[string][]string) *schedule {
	s := &schedule{waits: map[string]int{}, next: map[string][]string{}, failed: map[string]error{}}
	known := map[string]bool{}
	for _, k := range keys {
		known[k] = true
	}
	for _, k := range keys {
		for _, b := range before[k] {
			if known[b] {
				s.waits[k]++
				s.next[b] = append(s.next[b], k)
			}
		}
		if s.waits[k] == 0 {
			s.ready = append(s.ready, k)
		}
	}
	return s
}

// done gives those their turn that waited for nothing else.
func (s *schedule) done(key string, err error) {
	if err != nil {
		s.failed[key] = err
	}
	for _, k := range s.next[key] {
		if err != nil {
			s.failed[k] = errSkipped
		}
		if s.waits[k]--; s.waits[k] == 0 {
			s.ready = append(s.ready, k)
		}
	}
}
