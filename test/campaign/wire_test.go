// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"time"
)

// longest is how long a call is on its way at the most, in virtual time.
const longest = 100 * time.Millisecond

// wire carries the requests of a process to the cloud. Each is on its way for a
// time of its own.
type wire struct{ *process }

// RoundTrip implements http.RoundTripper.
func (w wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if w.dead.Load() {
		return nil, errDead
	}
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	draw := w.draw(fmt.Sprint(w.number, r.Method, r.URL.Path, r.URL.RawQuery), body)
	select {
	case <-time.After(time.Duration(draw>>1) % longest):
	case <-r.Context().Done():
		return nil, context.Cause(r.Context())
	}
	if w.dead.Load() && draw&1 == 0 {
		return nil, errDead // it had not left yet; half of them had
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	answer, err := w.cloud.Transport().RoundTrip(r)
	if w.dead.Load() {
		return nil, errDead
	}
	if err != nil {
		return nil, err
	}
	return w.bend(r, answer)
}

// draw returns a number that depends on the seed, what it is for, and how often
// that was asked before.
func (g *ground) draw(what string, more []byte) uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %s %s", g.seed, g.variant.Name, what, more)
	key := h.Sum64()
	g.drawn[key]++
	fmt.Fprintf(h, " %d", g.drawn[key])
	sum := h.Sum64()
	return sum ^ sum>>29 // the low bits of FNV are weak
}

// bend changes an answer if a fault says so.
func (w wire) bend(r *http.Request, answer *http.Response) (*http.Response, error) {
	if w.bent == nil || r.Method != http.MethodGet || answer.StatusCode != http.StatusOK {
		return answer, nil
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	body = w.bent(r, body)
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return answer, nil
}
