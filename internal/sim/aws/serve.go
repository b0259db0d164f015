// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/espalier-io/espalier/internal/sim/traffic"
)

// maxBody is how much of a body is read.
const maxBody = 1 << 20

// A Call is one request in the log.
type Call struct {
	traffic.Span
	Service string // as signatures spell it: ec2, iam, sts, elasticloadbalancing, servicequotas
	Action  string // as policies spell it, like DescribeSubnets
	Account string // its name; empty if the access key is nobody's
	Region  string //
	Status  int    // 0: no answer was given
	Code    string // of the error; empty if there was none
	Write   bool   // it may have changed something
	Body    string // of the request, as it came
}

// A Fault is something that goes wrong with calls. With Code empty and Status
// 503 it is what the service says of too many requests.
type Fault = traffic.Fault[Call]

// Phase is a moment of a call.
type Phase = traffic.Phase

// The phases in which a hook is told of a call.
const (
	Before   = traffic.Before
	After    = traffic.After
	Answered = traffic.Answered
)

// A Server is a cloud that listens on 127.0.0.1. Its URL is what
// AWS_ENDPOINT_URL wants, for all services.
type Server = traffic.Server

// switches are the log, and what is made slow or wrong.
type switches = traffic.Switches[Call, *Call]

// call is a request while it is served.
type call struct {
	cloud    *Cloud
	protocol *protocol
	action   string
	version  string
	key      string
	region   string
	account  *account
	now      time.Time
	planted  bool   // by a World: quotas do not count
	wish     string // the ID that a World gives
	*params
}

var scope = regexp.MustCompile(`Credential=([^/]+)/(\d{8})/([^/]*)/([^/]+)/aws4_request`)

// read takes a request apart. The error says why it cannot be understood at all.
func (c *Cloud) read(r *http.Request) (*call, []byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return nil, nil, err
	}
	req := &call{cloud: c, protocol: protocols["ec2"], params: &params{}}
	signature := scope.FindStringSubmatch(r.Header.Get("Authorization"))
	if signature != nil {
		req.key, req.region = signature[1], signature[3]
		if p := protocols[signature[4]]; p != nil {
			req.protocol = p
		} else {
			req.protocol = &protocol{name: signature[4], style: query}
		}
	}
	if target := r.Header.Get("X-Amz-Target"); target != "" {
		_, req.action, _ = strings.Cut(target, ".")
		req.params, err = jsonParams(body)
		return req, body, err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, body, err
	}
	for name, values := range r.URL.Query() {
		form[name] = values
	}
	req.action, req.version = form.Get("Action"), form.Get("Version")
	delete(form, "Action")
	delete(form, "Version")
	req.params = queryParams(form)
	return req, body, nil
}

// serve does all that a request asks for.
func (c *Cloud) serve(r *http.Request) (traffic.Answer, func(), error) {
	req, body, err := c.read(r)
	if err != nil {
		bad := refuse("MalformedQueryString", "%v", err)
		return protocols["ec2"].render(bad, c.requestID(0)), func() {}, nil //nolint:nilerr // the client gets it
	}
	l := &Call{Service: req.protocol.name, Action: req.action, Region: req.region, Write: writes(req.action), Body: string(body)}
	if a := c.accountOf(req.key); a != nil {
		l.Account = a.name
	}
	faults, latency := traffic.Begin(c.switches, l)
	if latency > 0 {
		c.opt.Sleep(latency)
	}
	traffic.Tell(c.switches, l, Before)
	a, code, err := c.perform(req, c.requestID(l.N), faults)
	traffic.Tell(c.switches, l, After)
	traffic.End(c.switches, l, func(l *Call) {
		if err == nil {
			l.Status, l.Code = a.Status, code
		}
	})
	return a, func() { traffic.Tell(c.switches, l, Answered) }, err
}

// perform lets the request take effect, unless a fault or the throttle is
// before it. Code is that of the error which the client gets.
func (c *Cloud) perform(req *call, request string, faults []Fault) (a traffic.Answer, code string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	req.now = c.opt.Now()
	req.account = c.accounts[c.keys[req.key]]
	p := req.protocol
	no := func(r *refusal) (traffic.Answer, string, error) { return p.render(r, request), r.code, nil }
	if c.throttled(req) {
		return no(p.throttled())
	}
	for _, f := range faults {
		if !f.After {
			return p.fault(f, request)
		}
	}
	o, err := c.dispatch(req)
	for _, f := range faults {
		if f.After {
			return p.fault(f, request)
		}
	}
	var r *refusal
	switch {
	case errors.As(err, &r):
		return no(r)
	case err != nil:
		return no(refuseWith(http.StatusInternalServerError, "InternalError", "%v", err))
	}
	return p.answer(req.action, o, request), "", nil
}

// throttled is how a service says that there are too many requests.
func (p *protocol) throttled() *refusal {
	if p.style == ec2Query {
		return refuseWith(http.StatusServiceUnavailable, p.toomany, "Request limit exceeded.")
	}
	return refuse(p.toomany, "Rate exceeded")
}

// fault is what the client sees of a fault.
func (p *protocol) fault(f Fault, request string) (traffic.Answer, string, error) {
	if f.Status == 0 {
		return traffic.Answer{}, "", traffic.ErrDropped
	}
	r := &refusal{status: f.Status, code: f.Code, text: f.Body}
	if r.code == "" {
		r.code = map[bool]string{true: "InternalError", false: "InvalidParameterValue"}[f.Status >= 500]
		if f.Status == http.StatusServiceUnavailable {
			r.code = p.toomany
		}
	}
	if r.text == "" {
		r.text = "a fault was injected: " + http.StatusText(f.Status)
	}
	a := p.render(r, request)
	if f.RetryAfter > 0 {
		a.Header.Set("Retry-After", text(int(f.RetryAfter.Seconds()+0.999)))
	}
	return a, r.code, nil
}

// ServeHTTP implements http.Handler.
func (c *Cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	traffic.Endpoint(c.serve).ServeHTTP(w, r)
}

// Transport returns a RoundTripper that serves every request itself, whatever
// host it names, without a socket: for testing/synctest and for benchmarks.
func (c *Cloud) Transport() http.RoundTripper { return traffic.Endpoint(c.serve) }

// Start serves the cloud on a free port of 127.0.0.1, until Close.
func (c *Cloud) Start() (*Server, error) { return traffic.Start(c) }

// Serve serves the cloud on a listener, which it closes in the end.
func (c *Cloud) Serve(l net.Listener) *Server { return traffic.Serve(l, c) }

// Depth returns the length of the longest chain of calls of which each began
// after the one before had ended, see traffic.Depth.
func Depth(calls []Call) int { return traffic.Depth[Call, *Call](calls) }

// Writes returns the calls that may have changed something.
func Writes(calls []Call) (all []Call) {
	for _, l := range calls {
		if l.Write {
			all = append(all, l)
		}
	}
	return all
}
