// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"math"
	"net/http"
	"strconv"
	"time"
)

// Phase is a moment of a call.
type Phase string

// The phases in which a hook is told of a call.
const (
	Before   Phase = "before"   // it has arrived, and has had no effect yet
	After    Phase = "after"    // it has had its effect, and is not answered yet
	Answered Phase = "answered" // the answer has left
)

// A Fault is something that goes wrong with calls.
type Fault struct {
	// Call is the number of the call in the log, from 1; 0 is any.
	Call int
	// Match says whether a call is meant; nil is any.
	Match func(Call) bool
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
	// Body of the answer; empty is a text that says what it is.
	Body string
}

// switches are what goes wrong, or slowly.
type switches struct {
	latency time.Duration
	faults  []Fault
	hook    func(Call, Phase)
	bucket  bucket
	hide    int
	without map[string]bool
	pending int // reads until a load balancer that is PENDING_… moves on

	openExternal bool
	withoutExt   map[string]bool
}

// bucket is a token bucket.
type bucket struct {
	rate   float64 // tokens per second; 0: no limit
	size   float64
	tokens float64
	last   time.Time
}

// SetLatency lets every call take at least that long, before it has its effect.
func (c *Cloud) SetLatency(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.switches.latency = d
}

// Inject adds faults. Of several that fit a call all count, and the first that
// is before the effect, else the first after it, is what the client sees.
func (c *Cloud) Inject(faults ...Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range faults {
		if f.Times == 0 {
			f.Times = 1
		}
		c.switches.faults = append(c.switches.faults, f)
	}
}

// ClearFaults takes all faults away.
func (c *Cloud) ClearFaults() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.switches.faults = nil
}

// Hook sets what is told of every call, in each phase, from the goroutine that
// serves it; nil ends it. It may block, and it may call the cloud.
func (c *Cloud) Hook(f func(Call, Phase)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.switches.hook = f
}

// Throttle allows so many calls per second, and bursts of that size. More get
// 429 with Retry-After. A rate of 0 allows all.
func (c *Cloud) Throttle(perSecond float64, burst int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.switches.bucket = bucket{rate: perSecond, size: float64(burst), tokens: float64(burst), last: c.opt.Now()}
}

// HideNew lets things that are made from now on be absent from so many reads
// that would have shown them. Only reads are late: what refers to them works.
func (c *Cloud) HideNew(reads int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.switches.hide = reads
}

// Without takes a service (by its type, like "sharev2") out of the catalogue, or puts
// it back.
func (c *Cloud) Without(service string, gone bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.switches.without == nil {
		c.switches.without = map[string]bool{}
	}
	c.switches.without[service] = gone
}

// OpenExternalSubnets lets members see the subnets of external networks, as
// releases after 2024.1 do.
func (c *Cloud) OpenExternalSubnets(open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.switches.openExternal = open
}

// takeFaults returns the faults of a call, and counts them.
func (c *Cloud) takeFaults(l Call) (hit []Fault) {
	kept := c.switches.faults[:0]
	for _, f := range c.switches.faults {
		if (f.Call == 0 || f.Call == l.N) && (f.Match == nil || f.Match(l)) {
			hit = append(hit, f)
			if f.Times--; f.Times == 0 {
				continue
			}
		}
		kept = append(kept, f)
	}
	c.switches.faults = kept
	return hit
}

// answer is what the client sees of a fault.
func (f Fault) answer() (answer, error) {
	if f.Status == 0 {
		return answer{}, errDropped
	}
	a := answer{status: f.Status, header: http.Header{}, body: fields{"message": f.Body}}
	if f.Body == "" {
		a.body = fields{"message": "a fault was injected: " + http.StatusText(f.Status)}
	}
	if f.RetryAfter > 0 {
		a.header.Set("Retry-After", seconds(f.RetryAfter))
	}
	return a, nil
}

func seconds(d time.Duration) string { return strconv.Itoa(int(math.Ceil(d.Seconds()))) }

// throttle says whether there are too many calls, and what is answered then.
func (c *Cloud) throttle(now time.Time) (answer, bool) {
	b := &c.switches.bucket
	if b.rate <= 0 {
		return answer{}, false
	}
	b.tokens = min(b.size, b.tokens+now.Sub(b.last).Seconds()*b.rate)
	b.last = now
	if b.tokens >= 1 {
		b.tokens--
		return answer{}, false
	}
	wait := time.Duration((1 - b.tokens) / b.rate * float64(time.Second))
	return answer{
		status: http.StatusTooManyRequests, header: http.Header{"Retry-After": {seconds(wait)}},
		body: fields{"overLimit": fields{
			"code": http.StatusTooManyRequests, "message": "This request was rate-limited.", "retryAfter": seconds(wait),
		}},
	}, true
}

// tell tells the hook.
func (c *Cloud) tell(n int, p Phase) {
	c.mu.Lock()
	hook := c.switches.hook
	var l Call
	if n <= len(c.log.calls) {
		l = *c.log.calls[n-1]
	}
	c.mu.Unlock()
	if hook != nil {
		hook(l, p)
	}
}
