// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"net/http"
	"strings"
)

// fields is an object of JSON.
type fields = map[string]any

// answer is what a handler gives back.
type answer struct {
	status int
	header http.Header
	body   any // nil: none
}

func ok(body any) (answer, error)      { return answer{status: http.StatusOK, body: body}, nil }
func created(body any) (answer, error) { return answer{status: http.StatusCreated, body: body}, nil }
func noContent() (answer, error)       { return answer{status: http.StatusNoContent}, nil }

// refusal is an error that the client gets as such.
type refusal struct {
	status int
	kind   string // NeutronError.type, or the key of Nova's and Manila's bodies
	text   string
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s: %s", r.status, r.kind, r.text) }

func refuse(status int, kind, format string, args ...any) *refusal {
	return &refusal{status, kind, fmt.Sprintf(format, args...)}
}

// badRequest is how Neutron's framework refuses a body or a query.
func badRequest(format string, args ...any) *refusal {
	return refuse(http.StatusBadRequest, "HTTPBadRequest", format, args...)
}

// invalid is how Neutron's plugins refuse a value.
func invalid(format string, args ...any) *refusal {
	return refuse(http.StatusBadRequest, "InvalidInput", "Invalid input for operation: "+format, args...)
}

func conflict(kind, format string, args ...any) *refusal {
	return refuse(http.StatusConflict, kind, format, args...)
}

func notFound(kind, format string, args ...any) *refusal {
	return refuse(http.StatusNotFound, kind, format, args...)
}

// service is the first segment of a path.
func service(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}

// render gives an error the shape that the service of the path gives it.
func (r *refusal) render(path string) answer {
	a := answer{status: r.status}
	switch service(path) {
	case "network":
		a.body = fields{"NeutronError": fields{"type": r.kind, "message": r.text, "detail": ""}}
	case "compute", "share":
		a.body = fields{r.kind: fields{"code": r.status, "message": r.text}}
	case "load-balancer":
		who := "Client"
		if r.status >= 500 {
			who = "Server"
		}
		a.body = fields{"faultcode": who, "faultstring": r.text, "debuginfo": nil}
	default:
		a.body = fields{"error": fields{"code": r.status, "message": r.text, "title": http.StatusText(r.status)}}
	}
	return a
}

// unauthorized is the answer of Keystone, and of the filter before all others,
// to wrong credentials and to tokens that are none.
func unauthorized(url string) answer {
	return answer{
		status: http.StatusUnauthorized,
		header: http.Header{"Www-Authenticate": {fmt.Sprintf("Keystone uri=%q", url+"/identity/v3")}},
		body: fields{"error": fields{
			"code": 401, "title": "Unauthorized", "message": "The request you have made requires authentication.",
		}},
	}
}
