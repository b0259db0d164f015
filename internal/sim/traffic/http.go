// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// ErrDropped says that the client gets no answer.
var ErrDropped = errors.New("the connection is closed without an answer")

// An Answer is what a client gets.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// An Endpoint does all that a request asks for. What was sent takes effect,
// whether somebody waits for it or not. With an error the client gets no
// answer. Answered is called when the answer has left.
type Endpoint func(r *http.Request) (a Answer, answered func(), err error)

// ServeHTTP implements http.Handler.
func (e Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a, answered, err := e(r)
	defer answered()
	if err != nil {
		hangUp(w)
		return
	}
	h := w.Header()
	for k, v := range a.Header {
		h[k] = v
	}
	if a.Status != http.StatusNoContent {
		h.Set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body)                    // the client may be gone
	_ = http.NewResponseController(w).Flush() // so that it has the answer before the hook is told
}

// hangUp closes the connection without an answer.
func hangUp(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) //nolint:forbidigo // how net/http is told to drop a connection
	}
	_ = conn.Close()
}

// RoundTrip implements http.RoundTripper: it serves every request itself,
// whatever host it names, without a socket. A request whose context ends has
// its effect nevertheless.
func (e Endpoint) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r = r.Clone(r.Context())
		r.Body = http.NoBody
	}
	type result struct {
		a   Answer
		err error
	}
	done := make(chan result, 1)
	go func() {
		a, answered, err := e(r)
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

func (a Answer) response(r *http.Request) *http.Response {
	h := a.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	return &http.Response{
		Status: strconv.Itoa(a.Status) + " " + http.StatusText(a.Status), StatusCode: a.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: h, Request: r,
		Body: io.NopCloser(bytes.NewReader(a.Body)), ContentLength: int64(len(a.Body)),
	}
}

// A Server is a cloud that listens on 127.0.0.1.
type Server struct {
	URL  string // without a slash at the end
	http *http.Server
}

// Start serves on a free port of 127.0.0.1, until Close.
func Start(h http.Handler) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return Serve(l, h), nil
}

// Serve serves on a listener, which it closes in the end.
func Serve(l net.Listener, h http.Handler) *Server {
	s := &Server{URL: "http://" + l.Addr().String(), http: &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}}
	go func() { _ = s.http.Serve(l) }() // ends with Close
	return s
}

// Close ends the server at once, connections included.
func (s *Server) Close() error { return s.http.Close() }
