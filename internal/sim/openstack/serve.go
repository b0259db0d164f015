// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxBody is how much of a body is read.
const maxBody = 1 << 20

// errDropped says that the client gets no answer.
var errDropped = errors.New("the connection is closed without an answer")

// serve does all that a request asks for. It does not look at the context: what
// was sent takes effect, whether somebody waits for it or not.
func (c *Cloud) serve(r *http.Request) (answer, func(), error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return answer{}, func() {}, err
	}
	req := &call{
		cloud: c, method: r.Method, path: strings.TrimSuffix(r.URL.Path, ".json"),
		query: r.URL.Query(), raw: r.URL.RawQuery, header: r.Header, body: body, url: c.address(r),
	}
	n, faults, latency := c.begin(req)
	if latency > 0 {
		c.opt.Sleep(latency)
	}
	c.tell(n, Before)
	a, err := c.perform(req, faults)
	c.tell(n, After)
	c.end(n, req, a, err)
	return a, func() { c.tell(n, Answered) }, err
}

// perform lets the request take effect, unless a fault or the throttle is before it.
func (c *Cloud) perform(req *call, faults []Fault) (a answer, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() { a.raw = a.bytes() }() // while nobody changes what it shows
	req.now = c.opt.Now()
	if a, limited := c.throttle(req.now); limited {
		return a, nil
	}
	for _, f := range faults {
		if !f.After {
			return f.answer()
		}
	}
	a, err = c.dispatch(req)
	for _, f := range faults {
		if f.After {
			return f.answer()
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
	c.log.unknown = append(c.log.unknown, req.method+" "+req.path)
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

// ServeHTTP implements http.Handler.
func (c *Cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a, answered, err := c.serve(r)
	defer answered()
	if err != nil {
		hangUp(w)
		return
	}
	h := w.Header()
	for k, v := range a.header {
		h[k] = v
	}
	if a.body != nil {
		h.Set("Content-Type", "application/json")
	}
	if a.status != http.StatusNoContent {
		h.Set("Content-Length", strconv.Itoa(len(a.raw)))
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.raw)                     // the client may be gone
	_ = http.NewResponseController(w).Flush() // so that it has the answer before the hook is told
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

// hangUp closes the connection without an answer.
func hangUp(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) //nolint:forbidigo // how net/http is told to drop a connection
	}
	_ = conn.Close()
}

// transport serves requests in the process.
type transport struct{ cloud *Cloud }

// Transport returns a RoundTripper that serves every request itself, whatever
// host it names, without a socket: for testing/synctest and for benchmarks.
func (c *Cloud) Transport() http.RoundTripper { return transport{c} }

// RoundTrip implements http.RoundTripper. A request whose context ends has its
// effect nevertheless.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r = r.Clone(r.Context())
		r.Body = http.NoBody
	}
	type result struct {
		a   answer
		err error
	}
	done := make(chan result, 1)
	go func() {
		a, answered, err := t.cloud.serve(r)
		done <- result{a, err}
		answered()
	}()
	select {
	case <-r.Context().Done():
		return nil, context.Cause(r.Context())
	case got := <-done:
		if got.err != nil {
			return nil, got.err
		}
		return got.a.response(r), nil
	}
}

func (a answer) response(r *http.Request) *http.Response {
	h := a.header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Set("Content-Type", "application/json")
	return &http.Response{
		Status: strconv.Itoa(a.status) + " " + http.StatusText(a.status), StatusCode: a.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: h, Request: r,
		Body: io.NopCloser(bytes.NewReader(a.raw)), ContentLength: int64(len(a.raw)),
	}
}

// A Server is a cloud that listens on 127.0.0.1.
type Server struct {
	URL     string // of all services, without a slash at the end
	AuthURL string // of Keystone, as OS_AUTH_URL wants it
	http    *http.Server
}

// Start serves the cloud on a free port of 127.0.0.1, until Close.
func (c *Cloud) Start() (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return c.Serve(l), nil
}

// Serve serves the cloud on a listener, which it closes in the end.
func (c *Cloud) Serve(l net.Listener) *Server {
	s := &Server{URL: "http://" + l.Addr().String(), http: &http.Server{Handler: c, ReadHeaderTimeout: time.Minute}}
	s.AuthURL = s.URL + "/identity/v3"
	go func() { _ = s.http.Serve(l) }() // ends with Close
	return s
}

// Close ends the server at once, connections included.
func (s *Server) Close() error { return s.http.Close() }
