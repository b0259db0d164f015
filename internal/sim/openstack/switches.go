// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/espalier-io/espalier/internal/sim/traffic"
)

// Phase is a moment of a call.
type Phase = traffic.Phase

// The phases in which a hook is told of a call.
const (
	Before   = traffic.Before
	After    = traffic.After
	Answered = traffic.Answered
)

// A Fault is something that goes wrong with calls. Its Code is not used.
type Fault = traffic.Fault[Call]

// switches are what is different from the clouds that most people have.
type switches struct {
	hide    int
	without map[string]bool
	pending int // reads until a load balancer that is PENDING_… moves on

	openExternal bool
	withoutExt   map[string]bool
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

// faulty is what the client sees of a fault.
func faulty(f Fault) (answer, error) {
	if f.Status == 0 {
		return answer{}, traffic.ErrDropped
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

// limited is the answer to one call too many.
func limited(wait time.Duration) answer {
	return answer{
		status: http.StatusTooManyRequests, header: http.Header{"Retry-After": {seconds(wait)}},
		body: fields{"overLimit": fields{
			"code": http.StatusTooManyRequests, "message": "This request was rate-limited.", "retryAfter": seconds(wait),
		}},
	}
}
