// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/tokens"
)

// A user is the cloud as one user sees it. Paths are relative to the API of
// Neutron; another service's begin with its type and a colon:
// "compute:os-keypairs".
type user struct {
	lab   *lab
	name  string
	login func() *gophercloud.ProviderClient
	// headers go with every request.
	headers http.Header
}

// user returns a user whose password and project have the user's name. The
// token is fetched when it is needed first.
func (l *lab) user(name string) *user {
	return &user{lab: l, name: name, login: sync.OnceValue(func() *gophercloud.ProviderClient {
		l.Helper()
		p, err := l.cloud.login(l.Context(), password(name, name, name))
		if err != nil {
			l.Fatalf("logging in as %s: %v", name, err)
		}
		return p
	})}
}

// password returns the options of a user of the domain Default.
func password(user, secret, project string) gophercloud.AuthOptions {
	return gophercloud.AuthOptions{Username: user, Password: secret, TenantName: project, DomainName: "Default"}
}

// authenticate gets a token from Keystone.
func authenticate(ctx context.Context, url string, options gophercloud.AuthOptions) (*gophercloud.ProviderClient, error) {
	options.IdentityEndpoint = url
	p, err := openstack.NewClient(url)
	if err != nil {
		return nil, err
	}
	return p, openstack.Authenticate(ctx, p, options)
}

// project returns the ID of the user's project.
func (u *user) project() string {
	u.lab.Helper()
	r, ok := u.login().GetAuthResult().(tokens.CreateResult)
	if !ok {
		u.lab.Fatalf("%s has no token of Keystone v3", u.name)
	}
	p, err := r.ExtractProject()
	if err != nil {
		u.lab.Fatal(err)
	}
	return p.ID
}

// services: the type in the catalogue, and what of the URL gophercloud adds.
var services = map[string]struct{ kind, version string }{
	"network":  {"network", "v2.0/"},
	"compute":  {"compute", ""},
	"share":    {"sharev2", ""},
	"lb":       {"load-balancer", "v2.0/"},
	"identity": {"identity", "v3/"},
}

// base returns where a service is.
func (u *user) base(service string) string {
	u.lab.Helper()
	s := services[service]
	where := gophercloud.EndpointOpts{Region: "RegionOne"}
	where.ApplyDefaults(s.kind)
	url, err := u.login().EndpointLocator(where)
	if err != nil {
		u.lab.Fatalf("looking for %s in the catalogue: %v", s.kind, err)
	}
	return strings.TrimSuffix(url, s.version) + s.version
}

// An answer is what came back.
type answer struct {
	status int
	body   M
}

// try sends one request, without a word about it in the transcript.
func (u *user) try(method, path string, body any) answer {
	u.lab.Helper()
	service, rest, other := strings.Cut(path, ":")
	if !other || strings.ContainsAny(service, "/?=") {
		service, rest = "network", path
	}
	return u.send(method, u.base(service)+rest, body)
}

// ifMatch changes an object if it has a certain revision, and returns the status.
func (u *user) ifMatch(path string, revision int, body M) int {
	u.lab.Helper()
	u.headers = http.Header{"If-Match": {fmt.Sprintf("revision_number=%d", revision)}}
	defer func() { u.headers = nil }()
	return u.do(http.MethodPut, path, body).status
}

func (u *user) send(method, url string, body any) answer {
	u.lab.Helper()
	var content io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			u.lab.Fatal(err)
		}
		content = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(u.lab.Context(), method, url, content)
	if err != nil {
		u.lab.Fatal(err)
	}
	r.Header.Set("X-Auth-Token", u.login().Token())
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(r.Header, u.headers)
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		u.lab.Fatal(err)
	}
	defer w.Body.Close()
	got := answer{status: w.StatusCode}
	raw, err := io.ReadAll(w.Body)
	if err != nil {
		u.lab.Fatal(err)
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &got.body); err != nil {
			got.body = M{"text": string(raw)}
		}
	}
	return got
}

// do sends one request and writes both sides down.
func (u *user) do(method, path string, body any) answer {
	u.lab.Helper()
	got := u.try(method, path, body)
	u.lab.seen.exchange(u, method, path, body, got)
	return got
}

// ok sends a request that must succeed.
func (u *user) ok(method, path string, body any) answer {
	u.lab.Helper()
	got := u.do(method, path, body)
	if got.status/100 != 2 {
		u.lab.Fatalf("%s may not %s %s: %d %v", u.name, method, path, got.status, got.body)
	}
	return got
}

// make creates an object and returns what the cloud says of it.
func (u *user) make(collection string, fields M) object {
	u.lab.Helper()
	return u.ok(http.MethodPost, collection, M{singular(collection): fields}).only()
}

// get reads one object.
func (u *user) get(path string) object {
	u.lab.Helper()
	return u.ok(http.MethodGet, path, nil).only()
}

// list reads a collection, or a part of it; only its first page.
func (u *user) list(path string) []object {
	u.lab.Helper()
	body := object(u.ok(http.MethodGet, path, nil).body)
	for key := range body {
		if !strings.HasSuffix(key, "_links") {
			return body.parts(key)
		}
	}
	return nil
}

// set changes fields of an object and returns the cloud's answer.
func (u *user) set(path string, fields M) object {
	u.lab.Helper()
	collection := path[:strings.LastIndex(path, "/")]
	return u.ok(http.MethodPut, path, M{singular(collection): fields}).only()
}

// put sends a body as it is.
func (u *user) put(path string, body M) object {
	u.lab.Helper()
	return u.ok(http.MethodPut, path, body).only()
}

// drop deletes an object.
func (u *user) drop(path string) {
	u.lab.Helper()
	u.ok(http.MethodDelete, path, nil)
}

// refused sends a request that the cloud must refuse with a status and a type
// (Neutron's error type, or the key of another service's error) and returns the
// message.
func (u *user) refused(status int, kind, method, path string, body M) string {
	u.lab.Helper()
	var content any
	if body != nil {
		content = body
	}
	got := u.do(method, path, content)
	if got.status != status {
		u.lab.Fatalf("%s %s %s must be refused with %d %s, not %d %v", u.name, method, path, status, kind, got.status, got.body)
	}
	said, text := got.reason()
	if said != kind {
		u.lab.Errorf("%s %s %s must be refused as %q, not %q (%s)", u.name, method, path, kind, said, text)
	}
	return text
}

// only returns the object that the answer holds under its single key.
func (a answer) only() object {
	if len(a.body) == 1 {
		for _, v := range a.body {
			if m, ok := v.(M); ok {
				return m
			}
		}
	}
	return a.body
}

// reason returns the type and the text of a refusal.
func (a answer) reason() (kind, text string) {
	for key, v := range a.body {
		o, _ := v.(M)
		switch {
		case key == "NeutronError" && o != nil:
			return object(o).str("type"), object(o).str("message")
		case key == "NeutronError":
			return "text", object(a.body).str(key)
		case o != nil: // Nova, Manila, Keystone
			return key, object(o).str("message")
		case key == "faultstring": // Octavia
			return "octavia", object(a.body).str(key)
		}
	}
	return "", ""
}

// singular returns the key of one object of a collection.
func singular(collection string) string {
	_, name, other := strings.Cut(collection, ":")
	if !other {
		name = collection
	}
	name = name[strings.LastIndex(name, "/")+1:]
	switch name {
	case "rbac-policies":
		return "rbac_policy"
	case "os-keypairs":
		return "keypair"
	}
	return strings.ReplaceAll(strings.TrimSuffix(name, "s"), "-", "_")
}
