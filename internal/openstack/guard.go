// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/espalier-io/espalier/internal/validate"
)

// ErrGuarded is the cause of an error of a request that the guard refused.
var ErrGuarded = errors.New("refused by the write guard")

// A Guard is the last to see a request before it leaves. Requests that only
// read pass. Of those that write, it lets pass what the table of operations
// (operations.go) allows, and nothing else. It goes by the path and the body
// and does not trust the code behind it. Until [Guard.Allow] is called it
// lets nothing write but the request for a token.
type Guard struct {
	base http.RoundTripper

	mu       sync.Mutex
	services []service
	rules    Permissions
	refused  []error
}

// Permissions say what the writes of one run may touch.
type Permissions struct {
	Mark  string              // what the description of each thing that is made begins with
	Name  string              // what the name of each thing that is made begins with
	Given []string            // the user's: IDs that the configuration names, and those found for it
	Into  map[string][]string // field of a body → the IDs of the user's that it may hold
	Ours  func(id string) bool
	Pods  []netip.Prefix // routes inside these may be removed from the user's router
	// Swept says that the plan lists a leftover: the ID of a load balancer, or a
	// route as routeID spells it. Routes are all that the router had.
	Swept  func(id string) bool
	Routes []string
}

// A service is where the catalogue says that an API is.
type service struct{ kind, host, path string }

// Allow replaces the permissions.
func (g *Guard) Allow(p Permissions) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rules = p
}

// Refused returns what was refused so far. A run that is right has nothing.
func (g *Guard) Refused() []error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.refused)
}

// serve tells the guard where an API is.
func (g *Guard) serve(s service) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.services = append(g.services, s)
}

// RoundTrip implements http.RoundTripper.
func (g *Guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := g.check(req); err != nil {
		err = fmt.Errorf("%w: %s %s: %w", ErrGuarded, req.Method, req.URL.Path, err)
		g.mu.Lock()
		g.refused = append(g.refused, err)
		g.mu.Unlock()
		return nil, err
	}
	return g.base.RoundTrip(req)
}

func (g *Guard) check(req *http.Request) error {
	if req.Method == http.MethodGet || req.Method == http.MethodHead {
		return nil
	}
	kind, rest, err := g.locate(req)
	if err != nil {
		return err
	}
	body, err := peek(req)
	if err != nil {
		return err
	}
	g.mu.Lock()
	rules := g.rules
	g.mu.Unlock()
	for _, op := range operations {
		if id, ok := op.matches(kind, req.Method, rest); ok {
			return op.check(rules, id, body)
		}
	}
	return errors.New("not a call that we make")
}

// locate returns which API a request is for, and the path within it.
func (g *Guard) locate(req *http.Request) (kind string, rest []string, err error) {
	if req.URL.Path != path.Clean(req.URL.Path) || req.URL.RawPath != "" {
		return "", nil, errors.New("the path is not plain")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.services {
		if tail, ok := strings.CutPrefix(req.URL.Path, s.path); ok && req.URL.Host == s.host {
			return s.kind, strings.Split(tail, "/"), nil
		}
	}
	return "", nil, errors.New("not an API of the catalogue that we write to")
}

// given says that an ID is the user's, however it is spelled.
func (p Permissions) given(id string) bool {
	return slices.ContainsFunc(p.Given, func(given string) bool { return sameID(given, id) })
}

// into says that a field of a body may hold an ID of the user's.
func (p Permissions) into(field, id string) bool {
	return slices.ContainsFunc(p.Into[field], func(may string) bool { return may != "" && sameID(may, id) })
}

// mine says that an ID is ours and not the user's.
func (p Permissions) mine(id string) bool {
	return id != "" && !p.given(id) && p.Ours != nil && p.Ours(id)
}

// sameID compares two IDs, which are UUIDs in any spelling, or else names.
func sameID(a, b string) bool {
	ua, aok := validate.CanonicalUUID(a)
	ub, bok := validate.CanonicalUUID(b)
	if aok && bok {
		return ua == ub
	}
	return a == b
}

// peek reads a body of JSON and puts it back.
func peek(req *http.Request) (body map[string]any, err error) {
	if req.Body == nil || req.Body == http.NoBody {
		return nil, nil
	}
	raw, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the body: %w", err)
	}
	if err := req.Body.Close(); err != nil {
		return nil, fmt.Errorf("reading the body: %w", err)
	}
	req.Body = io.NopCloser(bytes.NewReader(raw))
	if len(raw) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return nil, fmt.Errorf("the body is not an object: %w", err)
	}
	return body, nil
}
