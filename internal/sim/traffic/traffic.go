// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package traffic is what every embedded cloud does with requests, whatever
// they ask for: it logs them, lets them be slow, fail or be too many, tells a
// hook of them, and serves them over HTTP or in the process.
//
// C is the cloud's own type of a call, a struct that holds a Span.
package traffic

import (
	"slices"
	"sync"
	"time"
)

// A Span is when a call ran.
type Span struct {
	N     int // from 1, in the order of arrival
	Start time.Time
	End   time.Time // zero while it runs

	began, ended int // one count for beginnings and ends
}

// When returns the span itself; it is promoted to the type that holds it.
func (s *Span) When() *Span { return s }

// A Record is a pointer to a call.
type Record[C any] interface {
	*C
	When() *Span
}

// Phase is a moment of a call.
type Phase string

// The phases in which a hook is told of a call.
const (
	Before   Phase = "before"   // it has arrived, and has had no effect yet
	After    Phase = "after"    // it has had its effect, and is not answered yet
	Answered Phase = "answered" // the answer has left
)

// A Fault is something that goes wrong with calls.
type Fault[C any] struct {
	// Call is the number of the call in the log, from 1; 0 is any.
	Call int
	// Match says whether a call is meant; nil is any.
	Match func(C) bool
	// Times is how often the fault happens; 0 is once, -1 for ever.
	Times int
	// After: the call has its effect first. Otherwise it has none.
	After bool
	// Status is what is answered; 0 closes the connection without an answer.
	// (Go's HTTP client sends a GET again by itself if that happens on a
	// connection that was used before.)
	Status int
	// RetryAfter is said in the answer, in full seconds.
	RetryAfter time.Duration
	// Code is the error code, for clouds whose errors have one.
	Code string
	// Body is the text of the answer; empty is a text that says what it is.
	Body string
}

// Switches are the log, and what is made slow or wrong. Make them with New.
type Switches[C any, P Record[C]] struct {
	now func() time.Time

	mu      sync.Mutex
	calls   []P
	ticks   int
	latency time.Duration
	faults  []Fault[C]
	hook    func(C, Phase)
	bucket  bucket
}

// New returns switches that are all off. Now tells the time.
func New[C any, P Record[C]](now func() time.Time) *Switches[C, P] {
	return &Switches[C, P]{now: now}
}

// bucket is a token bucket.
type bucket struct {
	rate   float64 // tokens per second; 0: no limit
	size   float64
	tokens float64
	last   time.Time
}

// SetLatency lets every call take at least that long, before it has its effect.
func (s *Switches[C, P]) SetLatency(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latency = d
}

// Inject adds faults. Of several that fit a call all count, and the first that
// is before the effect, else the first after it, is what the client sees.
func (s *Switches[C, P]) Inject(faults ...Fault[C]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range faults {
		if f.Times == 0 {
			f.Times = 1
		}
		s.faults = append(s.faults, f)
	}
}

// ClearFaults takes all faults away.
func (s *Switches[C, P]) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Hook sets what is told of every call, in each phase, from the goroutine that
// serves it; nil ends it. It may block, and it may call the cloud.
func (s *Switches[C, P]) Hook(f func(C, Phase)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = f
}

// Throttle allows so many calls per second, and bursts of that size; more are
// refused. A rate of 0 allows all.
func (s *Switches[C, P]) Throttle(perSecond float64, burst int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bucket = bucket{rate: perSecond, size: float64(burst), tokens: float64(burst), last: s.now()}
}

// Calls returns the log.
func (s *Switches[C, P]) Calls() []C {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := make([]C, 0, len(s.calls))
	for _, l := range s.calls {
		calls = append(calls, *l)
	}
	return calls
}

// ClearCalls empties the log; the next call is number 1. It must not be called
// while calls run.
func (s *Switches[C, P]) ClearCalls() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = nil
}

// Begin puts a call into the log, and takes the faults that are meant for it.
// The cloud must not write to the call afterwards but through End.
func Begin[C any, P Record[C]](s *Switches[C, P], l P) (faults []Fault[C], latency time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ticks++
	span := l.When()
	span.N, span.Start, span.began = len(s.calls)+1, s.now(), s.ticks
	s.calls = append(s.calls, l)
	kept := s.faults[:0]
	for _, f := range s.faults {
		if (f.Call == 0 || f.Call == span.N) && (f.Match == nil || f.Match(*l)) {
			faults = append(faults, f)
			if f.Times--; f.Times == 0 {
				continue
			}
		}
		kept = append(kept, f)
	}
	s.faults = kept
	return faults, s.latency
}

// End completes the log with what finish writes, before the answer leaves, so
// that what the client sends next begins after it.
func End[C any, P Record[C]](s *Switches[C, P], l P, finish func(P)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ticks++
	finish(l)
	span := l.When()
	span.End, span.ended = s.now(), s.ticks
}

// Tell tells the hook.
func Tell[C any, P Record[C]](s *Switches[C, P], l P, p Phase) {
	s.mu.Lock()
	hook, copied := s.hook, *l
	s.mu.Unlock()
	if hook != nil {
		hook(copied, p)
	}
}

// Allow says how long the next call would have to wait; 0: it may go on.
func Allow[C any, P Record[C]](s *Switches[C, P]) (wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := &s.bucket
	if b.rate <= 0 {
		return 0
	}
	now := s.now()
	b.tokens = min(b.size, b.tokens+now.Sub(b.last).Seconds()*b.rate)
	b.last = now
	if b.tokens >= 1 {
		b.tokens--
		return 0
	}
	return time.Duration((1 - b.tokens) / b.rate * float64(time.Second))
}

// Depth returns the length of the longest chain of calls of which each began
// after the one before had ended. It goes by the order of events, not by the
// time; to be exact it wants some latency, so that calls that are sent together
// overlap. A call that has not ended ends no chain before others.
func Depth[C any, P Record[C]](calls []C) int {
	spans := make([]Span, 0, len(calls))
	for i := range calls {
		spans = append(spans, *P(&calls[i]).When())
	}
	slices.SortFunc(spans, func(a, b Span) int { return a.began - b.began })
	type end struct{ at, depth int }
	var ends []end
	deepest := 0
	for _, l := range spans {
		depth := 1
		for _, e := range ends {
			if e.at < l.began {
				depth = max(depth, e.depth+1)
			}
		}
		if l.ended > 0 {
			ends = append(ends, end{l.ended, depth})
		}
		deepest = max(deepest, depth)
	}
	return deepest
}
