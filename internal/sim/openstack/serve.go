// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/espalier-io/espalier/internal/sim/traffic"
)

// maxBody is how much of a body is read.
const maxBody = 1 << 20

// serve does all that a request asks for. It does not look at the context: what
// was sent takes effect, whether somebody waits for it or not.
func (c *Cloud) serve(r *http.Request) (traffic.Answer, func(), error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return traffic.Answer{}, func() {}, err
	}
	req := &call{
		cloud: c, method: r.Method, path: strings.TrimSuffix(r.URL.Path, ".json"),
		query: r.URL.Query(), raw: r.URL.RawQuery, header: r.Header, body: body, url: c.address(r),
	}
	l := c.entry(req)
	faults, latency := traffic.Begin(c.flow, l)
	if latency > 0 {
		c.opt.Sleep(latency)
	}
	traffic.Tell(c.flow, l, Before)
	a, err := c.perform(req, faults)
	traffic.Tell(c.flow, l, After)
	traffic.End(c.flow, l, func(l *Call) {
		if err == nil {
			l.Status = a.Status
		}
		if req.who != nil && req.who.project != nil {
			l.Project = req.who.project.name
		}
	})
	return a, func() { traffic.Tell(c.flow, l, Answered) }, err
}

// perform lets the request take effect, and writes the answer down while nobody
// changes what it shows.
func (c *Cloud) perform(req *call, faults []Fault) (traffic.Answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, err := c.effect(req, faults)
	return a.sent(), err
}

// effect is that of the request, unless a fault or the throttle is before it.
func (c *Cloud) effect(req *call, faults []Fault) (answer, error) {
	req.now = c.opt.Now()
	if wait := traffic.Allow(c.flow); wait > 0 {
		return limited(wait), nil
	}
	for _, f := range faults {
		if !f.After {
			return faulty(f)
		}
	}
	a, err := c.dispatch(req)
	for _, f := range faults {
		if f.After {
			return faulty(f)
		}
	}
	return a, err
}

// dispatch finds the route, checks the token and runs the handler.
func (c *Cloud) dispatch(req *call) (answer, error) {
	route, vars := c.routes.find(req.method, req.path)
	if route == nil {
		return c.unknown(req).render(req.path), nil
	}
	req.vars = vars
	req.who = c.session(req.header.Get("X-Auth-Token"))
	if !route.open && req.who == nil {
		return unauthorized(req.url), nil
	}
	a, err := route.do(req)
	var r *refusal
	if errors.As(err, &r) {
		return r.render(req.path), nil
	}
	return a, err
}

// unknown counts and refuses what the cloud does not understand.
func (c *Cloud) unknown(req *call) *refusal {
	c.strange = append(c.strange, req.method+" "+req.path)
	return refuse(http.StatusNotImplemented, "NotImplemented",
		"the embedded OpenStack does not know %s %s?%s with the body %.400q", req.method, req.path, req.raw, req.body)
}

// address is where the client reaches the cloud.
func (c *Cloud) address(r *http.Request) string {
	if c.opt.URL != "" {
		return strings.TrimSuffix(c.opt.URL, "/")
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	host := r.Host
	if host == "" {
		host = r.URL.Host
	}
	return scheme + "://" + host
}

// sent is the answer as it leaves.
func (a answer) sent() traffic.Answer {
	out := traffic.Answer{Status: a.status, Header: a.header.Clone(), Body: a.bytes()}
	if out.Header == nil {
		out.Header = http.Header{}
	}
	if a.body != nil {
		out.Header.Set("Content-Type", "application/json")
	}
	return out
}

// bytes is the body.
func (a answer) bytes() []byte {
	if a.body == nil {
		return nil
	}
	raw, err := json.Marshal(a.body)
	if err != nil { // all bodies are made of strings, numbers, lists and maps
		return []byte(`{"error": "` + err.Error() + `"}`)
	}
	return raw
}

// ServeHTTP implements http.Handler.
func (c *Cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	traffic.Endpoint(c.serve).ServeHTTP(w, r)
}

// Transport returns a RoundTripper that serves every request itself, whatever
// host it names, without a socket: for testing/synctest and for benchmarks.
func (c *Cloud) Transport() http.RoundTripper { return traffic.Endpoint(c.serve) }

// A Server is a cloud that listens on 127.0.0.1. Its URL is that of all services.
type Server struct {
	*traffic.Server
	AuthURL string // of Keystone, as OS_AUTH_URL wants it
}

// Start serves the cloud on a free port of 127.0.0.1, until Close.
func (c *Cloud) Start() (*Server, error) {
	s, err := traffic.Start(c)
	if err != nil {
		return nil, err
	}
	return &Server{s, s.URL + "/identity/v3"}, nil
}

// Serve serves the cloud on a listener, which it closes in the end.
func (c *Cloud) Serve(l net.Listener) *Server {
	s := traffic.Serve(l, c)
	return &Server{s, s.URL + "/identity/v3"}
}
