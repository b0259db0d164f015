// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
	"github.com/espalier-io/espalier/test/estate"
)

func fired(t *trial, _ spot) { t.fired.Store(true) }

// often throttles 3 of 10 calls, drawn from the seed.
func often(t *trial, _ spot) {
	t.cloud.Inject(sim.Fault{Times: -1, Status: 429, RetryAfter: time.Second, Match: func(c sim.Call) bool {
		hit := t.draw("throttle", []byte(operation(c)))%10 < 3
		if hit {
			t.fired.Store(true)
		}
		return hit
	}})
}

// mostHidden is from how many reads something is hidden at the most.
const mostHidden = 4

func hide(t *trial, s spot) {
	t.fired.Store(true)
	t.hidden = true
	var reads int
	if _, err := fmt.Sscanf(s.op, "for %d", &reads); err != nil {
		t.t.Fatal(err)
	}
	t.cloud.HideNew(reads)
}

// stale kills after the effect of a call.
func stale(t *trial, s spot) {
	die := t.stale()
	t.at(s.n, sim.After, func(sim.Call) { die() })
}

// stale returns what kills the first run. For 30 s the next ones then read what
// was there when the dead one looked.
func (t *trial) stale() (die func()) {
	first := map[string][]byte{}
	var until time.Time
	t.bent = func(r *http.Request, body []byte) []byte {
		t.mu.Lock()
		defer t.mu.Unlock()
		was, seen := first[r.URL.String()]
		switch {
		case until.IsZero() && !seen:
			first[r.URL.String()] = body
		case seen && time.Now().Before(until):
			return was
		}
		return body
	}
	t.keep = true // answers stay bent when the first run is over
	return func() {
		t.mu.Lock()
		until = time.Now().Add(30 * time.Second)
		t.mu.Unlock()
		t.first.die()
	}
}

// unseen leaves ours out of one list.
func unseen(t *trial, s spot) {
	var at string
	t.at(s.n, sim.Before, func(c sim.Call) {
		t.mu.Lock()
		defer t.mu.Unlock()
		at = c.Path + "?" + c.Query
	})
	t.bent = func(r *http.Request, body []byte) []byte {
		t.mu.Lock()
		defer t.mu.Unlock()
		if at != r.URL.Path+"?"+r.URL.RawQuery {
			return body
		}
		at = ""
		return without(body)
	}
}

// without takes out of a list what bears our mark.
func without(body []byte) []byte {
	var doc map[string]any
	if json.Unmarshal(body, &doc) != nil {
		return body
	}
	for key, v := range doc {
		if all, ok := v.([]any); ok {
			doc[key] = slices.DeleteFunc(all, func(e any) bool {
				thing, _ := e.(map[string]any)
				mark, _ := thing["description"].(string)
				return strings.HasPrefix(mark, estate.Cluster+" "+estate.UID+"/")
			})
		}
	}
	out, err := json.Marshal(doc)
	if err != nil {
		return body
	}
	return out
}

func expire(t *trial, s spot) { t.at(s.n, sim.Before, func(sim.Call) { t.cloud.ExpireTokens() }) }

// stop is SIGTERM or Ctrl-C, which the first run hears in the middle of a call.
func stop(t *trial, s spot) { t.at(s.n, sim.Phase(s.phase), func(sim.Call) { t.first.cancel() }) }

// hang lets a call be answered when nobody waits for it any more.
func hang(t *trial, s spot) {
	t.at(s.n, sim.Phase(s.phase), func(sim.Call) { <-time.After(limbo) })
}

// full lets saves fail.
func (t *trial) full(from, to int) {
	t.first.onSave = func(n int, done bool) error {
		if done || n < from || n > to {
			return nil
		}
		t.fired.Store(true)
		return errFull
	}
}

// skew kills after the effect of a call. The next run is on a machine whose
// clock is behind that of the first by d.
func skew(d time.Duration) func(*trial, spot) {
	return func(t *trial, s spot) {
		s.phase = "after"
		kill(t, s)
		t.then = func() { t.saved = shifted(t.t.Fatal, t.saved, d) }
	}
}

// shifted moves all times in a state.
func shifted(fatal func(...any), data []byte, d time.Duration) []byte {
	if len(data) == 0 {
		return nil
	}
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		fatal(err)
	}
	out, err := json.Marshal(shift(doc, d))
	if err != nil {
		fatal(err)
	}
	return out
}

func shift(v any, d time.Duration) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = shift(value, d)
		}
	case []any:
		for i, value := range v {
			v[i] = shift(value, d)
		}
	case string:
		if at, err := time.Parse(time.RFC3339Nano, v); err == nil && !at.IsZero() {
			return at.Add(d).Format(time.RFC3339Nano)
		}
	}
	return v
}
