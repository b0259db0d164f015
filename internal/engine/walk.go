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
	waits, next := map[string]int{}, map[string][]string{}
	known := map[string]bool{}
	for _, k := range keys {
		known[k] = true
	}
	var ready []string
	for _, k := range keys {
		for _, b := range before[k] {
			if known[b] {
				waits[k]++
				next[b] = append(next[b], k)
			}
		}
		if waits[k] == 0 {
			ready = append(ready, k)
		}
	}
	type result struct {
		key string
		err error
	}
	results := make(chan result)
	failed := map[string]error{}
	left := len(keys)
	for running := 0; running > 0 || len(ready) > 0; {
		for running < max(limit, 1) && len(ready) > 0 {
			k := ready[0]
			ready = ready[1:]
			running++
			if failed[k] != nil {
				go func() { results <- result{k, errSkipped} }()
			} else {
				go func() { results <- result{k, fn(k)} }()
			}
		}
		res := <-results
		running--
		left--
		if res.err != nil {
			failed[res.key] = res.err
		}
		for _, k := range next[res.key] {
			if res.err != nil {
				failed[k] = errSkipped
			}
			if waits[k]--; waits[k] == 0 {
				ready = append(ready, k)
			}
		}
	}
	if left > 0 {
		failed[""] = fmt.Errorf("%d resources wait for one another", left)
	}
	return failed
}
