// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gophercloud/gophercloud/v2"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

func answered(status int, body string) error {
	return gophercloud.ErrUnexpectedResponseCode{Method: "POST", URL: "http://cloud/x", Actual: status, Body: []byte(body), ResponseHeader: http.Header{"X-Openstack-Request-Id": {"req-1"}}}
}

// The bodies are those that Keystone, Neutron, Nova, Manila and Octavia send.
func TestErrorsAreTranslatedByTheirType(t *testing.T) {
	for _, tt := range []struct {
		name    string
		err     error
		kind    fault.Kind
		refused bool // a create that failed so certainly made nothing
		says    string
	}{
		{"a quota", answered(409, `{"NeutronError":{"type":"OverQuota","message":"Quota exceeded for resources: ['router'].","detail":""}}`), fault.Quota, true,
			"OverQuota: Quota exceeded for resources: ['router']. (POST 409, req-1)"},
		{"something in use", answered(409, `{"NeutronError":{"type":"NetworkInUse","message":"in use","detail":""}}`), fault.InUse, false, "NetworkInUse"},
		{"a conflict of an unknown type", answered(409, `{"NeutronError":{"type":"New","message":"m","detail":""}}`), fault.Conflict, false, "New: m"},
		{"a rule that exists", answered(409, `{"NeutronError":{"type":"SecurityGroupRuleExists","message":"m","detail":""}}`), fault.Conflict, false, ""},
		{"no address left, which Neutron calls a bad request", answered(400, `{"NeutronError":{"type":"ExternalIpAddressExhausted","message":"m","detail":""}}`), fault.Exhausted, true, ""},
		{"a policy", answered(403, `{"NeutronError":{"type":"PolicyNotAuthorized","message":"m","detail":""}}`), fault.Denied, true, ""},
		{"an error of Neutron that is only a text", answered(400, `{"NeutronError":"Bad thing"}`), fault.Invalid, true, "Bad thing"},
		{"Nova's conflict", answered(409, `{"conflictingRequest":{"code":409,"message":"Key pair 'a' already exists."}}`), fault.Conflict, false, "Key pair 'a' already exists."},
		{"Nova's absence", answered(404, `{"itemNotFound":{"code":404,"message":"none"}}`), fault.NotFound, true, ""},
		{"Nova's quota", answered(403, `{"overLimit":{"code":403,"message":"too many"}}`), fault.Quota, true, ""},
		{"Keystone", answered(401, `{"error":{"code":401,"message":"The request you have made requires authentication.","title":"Unauthorized"}}`), fault.Unauthenticated, true, "requires authentication"},
		{"Octavia", answered(409, `{"faultcode":"Client","faultstring":"Invalid state PENDING_CREATE","debuginfo":null}`), fault.Conflict, false, "Invalid state PENDING_CREATE"},
		{"throttling", answered(429, `slow down`), fault.Throttled, true, "slow down"},
		{"a proxy's page", answered(502, `<html>Bad Gateway</html>`), fault.Unavailable, false, "Bad Gateway"},
		{"a server error says nothing of the effect", answered(500, `{"NeutronError":{"type":"HTTPInternalServerError","message":"m","detail":""}}`), fault.Unavailable, false, ""},
		{"a gateway's message", answered(503, `{"message":"try again"}`), fault.Unavailable, false, "try again"},
		{"no body", answered(503, ``), fault.Unavailable, false, "no message"},
		{"no answer", errors.New("connection reset by peer"), fault.Unavailable, false, "connection reset"},
		{"a stop", context.Canceled, fault.Unavailable, false, ""},
		{"the guard", ErrGuarded, fault.Denied, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := creating("creating it", tt.err)
			if got := fault.KindOf(err); got != tt.kind {
				t.Errorf("kind %q, want %q", got, tt.kind)
			}
			if got := errors.Is(err, engine.ErrRefused); got != tt.refused {
				t.Errorf("refused %v", got)
			}
			if !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "creating it: ") {
				t.Errorf("text %q", err)
			}
		})
	}
}

func TestTranslationIsDoneOnce(t *testing.T) {
	first := translate("a", answered(404, `{"NeutronError":{"type":"NetworkNotFound","message":"m","detail":""}}`))
	if again := translate("b", first); again != first { //nolint:errorlint // the very same
		t.Errorf("got %v", again)
	}
	if typeOf(first) != "NetworkNotFound" || gone(first) != nil || translate("x", nil) != nil {
		t.Errorf("type %q, gone %v", typeOf(first), gone(first))
	}
}

func TestOnlyWhatCanDoNoHarmIsTriedAgain(t *testing.T) {
	for _, tt := range []struct {
		name  string
		err   error
		again bool
	}{
		{"no answer", errors.New("reset"), true},
		{"a server error", answered(500, ""), true},
		{"unavailable", answered(503, ""), true},
		{"a conflict", answered(409, ""), false},
		{"not found", answered(404, ""), false},
		{"a stop", context.Canceled, false},
		{"the guard", ErrGuarded, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := transient(tt.err); got != tt.again {
				t.Errorf("got %v", got)
			}
		})
	}
}
