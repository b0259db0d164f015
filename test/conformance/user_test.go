// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/gophercloud/gophercloud/v2"

	"github.com/espalier-io/espalier/test/clouds"
)

// A user is the cloud as one user sees it. Paths are as [clouds.User.Do] takes
// them.
type user struct {
	lab   *lab
	name  string
	login func() *clouds.User
	// headers go with every request.
	headers http.Header
}

// user returns a user whose password and project have the user's name. The
// token is fetched when it is needed first.
func (l *lab) user(name string) *user {
	return &user{lab: l, name: name, login: sync.OnceValue(func() *clouds.User {
		l.Helper()
		u, err := l.cloud.User(l.Context(), name)
		l.must(err)
		return u
	})}
}

// project returns the ID of the user's project.
func (u *user) project() string {
	u.lab.Helper()
	id, err := u.login().Project()
	u.lab.must(err)
	return id
}

// service returns gophercloud's client of a service.
func (u *user) service(name string) *gophercloud.ServiceClient {
	u.lab.Helper()
	s, err := u.login().Service(name)
	u.lab.must(err)
	return s
}

// An answer is what came back.
type answer struct{ clouds.Answer }

// ifMatch changes an object if it has a certain revision, and returns the status.
func (u *user) ifMatch(path string, revision int, body M) int {
	u.lab.Helper()
	u.headers = http.Header{"If-Match": {fmt.Sprintf("revision_number=%d", revision)}}
	defer func() { u.headers = nil }()
	return u.do(http.MethodPut, path, body).Status
}

// try sends one request, without a word about it in the transcript.
func (u *user) try(method, path string, body any) answer {
	u.lab.Helper()
	got, err := u.login().Do(u.lab.Context(), method, path, u.headers, body)
	u.lab.must(err)
	return answer{got}
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
	if got.Status/100 != 2 {
		u.lab.Fatalf("%s may not %s %s: %d %v", u.name, method, path, got.Status, got.Body)
	}
	return got
}

// make creates an object and returns what the cloud says of it.
func (u *user) make(collection string, fields M) object {
	u.lab.Helper()
	return u.ok(http.MethodPost, collection, M{clouds.Singular(collection): fields}).only()
}

// get reads one object.
func (u *user) get(path string) object {
	u.lab.Helper()
	return u.ok(http.MethodGet, path, nil).only()
}

// list reads a collection, or a part of it; only its first page.
func (u *user) list(path string) []object {
	u.lab.Helper()
	body := object(u.ok(http.MethodGet, path, nil).Body)
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
	return u.ok(http.MethodPut, path, M{clouds.Singular(collection): fields}).only()
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
	return u.check(u.do(method, path, content), status, kind, method+" "+path)
}

// refusedInAnyWords is the same for refusals whose text depends on chance: it
// stands in no transcript.
func (u *user) refusedInAnyWords(status int, kind, method, path string, body M) {
	u.lab.Helper()
	u.check(u.try(method, path, body), status, kind, method+" "+path)
}

// check fails the case unless an answer is the refusal that is expected.
func (u *user) check(got answer, status int, kind, request string) string {
	u.lab.Helper()
	if got.Status != status {
		u.lab.Fatalf("%s %s must be refused with %d %s, not %d %v", u.name, request, status, kind, got.Status, got.Body)
	}
	said, text := got.reason()
	if said != kind {
		u.lab.Errorf("%s %s must be refused as %q, not %q (%s)", u.name, request, kind, said, text)
	}
	return text
}

// only returns the object that the answer holds under its single key.
func (a answer) only() object {
	if len(a.Body) == 1 {
		for _, v := range a.Body {
			if m, ok := v.(M); ok {
				return m
			}
		}
	}
	return a.Body
}

// reason returns the type and the text of a refusal.
func (a answer) reason() (kind, text string) {
	for key, v := range a.Body {
		o, _ := v.(M)
		switch {
		case key == "NeutronError" && o != nil:
			return object(o).str("type"), object(o).str("message")
		case key == "NeutronError":
			return "text", object(a.Body).str(key)
		case o != nil: // Nova, Manila, Keystone
			return key, object(o).str("message")
		case key == "faultstring": // Octavia
			return "octavia", object(a.Body).str(key)
		}
	}
	return "", ""
}
