// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A relay stands between a program and a cloud and writes down the calls. To
// the program it is the cloud: it puts itself into the catalogue of each token.
type relay struct {
	t       testing.TB
	mu      sync.Mutex
	calls   []call
	servers map[string]*httptest.Server // by the origin that each stands for
}

// A call is one request that went through.
type call struct {
	Method, Path string
	Status       int
}

// write reports whether the call may have changed something. Asking for a token
// changes nothing.
func (c call) write() bool {
	return c.Method != http.MethodGet && !c.token()
}

func (c call) token() bool { return strings.HasSuffix(c.Path, "/auth/tokens") }

// newRelay starts a relay and returns it with the URL that stands for the one
// of Keystone.
func newRelay(t testing.TB, authURL string) (*relay, string) {
	r := &relay{t: t, servers: map[string]*httptest.Server{}}
	at, err := url.Parse(authURL)
	if err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r, r.stand(at) + at.Path
}

// stand returns the origin of the server that stands for the origin of a URL.
// The caller holds the lock.
func (r *relay) stand(at *url.URL) string {
	origin := &url.URL{Scheme: at.Scheme, Host: at.Host}
	for _, s := range r.servers {
		if s.URL == origin.String() { // a cloud that names itself as it was called
			return s.URL
		}
	}
	s := r.servers[origin.String()]
	if s == nil {
		s = httptest.NewServer(&httputil.ReverseProxy{
			Rewrite: func(p *httputil.ProxyRequest) {
				p.SetURL(origin)
				p.Out.Host = p.In.Host // links in answers lead back here
			},
			ModifyResponse: r.answered,
		})
		r.t.Cleanup(s.Close)
		r.servers[origin.String()] = s
	}
	return s.URL
}

// answered notes a call, and leads the services of a new token to the relay.
func (r *relay) answered(w *http.Response) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := call{w.Request.Method, w.Request.URL.Path, w.StatusCode}
	r.calls = append(r.calls, c)
	if !c.token() || w.StatusCode != http.StatusCreated {
		return nil
	}
	raw, err := io.ReadAll(w.Body)
	if err != nil {
		return err
	}
	var body struct {
		Token struct {
			Catalog []struct {
				Endpoints []struct{ URL string }
			}
		}
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return err
	}
	for _, service := range body.Token.Catalog {
		for _, e := range service.Endpoints {
			at, err := url.Parse(e.URL)
			if err != nil {
				return err
			}
			raw = bytes.ReplaceAll(raw, []byte(at.Scheme+"://"+at.Host), []byte(r.stand(at)))
		}
	}
	w.Body = io.NopCloser(bytes.NewReader(raw))
	w.ContentLength = int64(len(raw))
	w.Header.Set("Content-Length", strconv.Itoa(len(raw)))
	return nil
}

// take returns the calls since the last time, without those for tokens.
func (r *relay) take() calls {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list calls
	for _, c := range r.calls {
		if !c.token() {
			list = append(list, c)
		}
	}
	r.calls = nil
	return list
}

type calls []call

func (l calls) writes() calls {
	var list calls
	for _, c := range l {
		if c.write() {
			list = append(list, c)
		}
	}
	return list
}
