// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gophercloud/gophercloud/v2"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// kinds by the type that Neutron, Nova, Manila and Octavia give to an error.
// What is not here is told by the status code.
var kindOfType = map[string]fault.Kind{
	// Neutron: NeutronError.type
	"NetworkNotFound":                        fault.NotFound,
	"SubnetNotFound":                         fault.NotFound,
	"RouterNotFound":                         fault.NotFound,
	"PortNotFound":                           fault.NotFound,
	"SecurityGroupNotFound":                  fault.NotFound,
	"SecurityGroupRuleNotFound":              fault.NotFound,
	"SubnetPoolNotFound":                     fault.NotFound,
	"RouterInterfaceNotFound":                fault.NotFound,
	"RouterInterfaceNotFoundForSubnet":       fault.NotFound,
	"ExternalGatewayForFloatingIPNotFound":   fault.Conflict,
	"PolicyNotAuthorized":                    fault.Denied,
	"PolicyCheckError":                       fault.Denied,
	"OverQuota":                              fault.Quota,
	"NetworkInUse":                           fault.InUse,
	"SubnetInUse":                            fault.InUse,
	"RouterInUse":                            fault.InUse,
	"SecurityGroupInUse":                     fault.InUse,
	"ServicePortInUse":                       fault.InUse,
	"RouterInterfaceInUseByRoute":            fault.InUse,
	"RouterInterfaceInUseByFloatingIP":       fault.InUse,
	"RouterExternalGatewayInUseByFloatingIp": fault.InUse,
	"SubnetPoolInUse":                        fault.InUse,
	"SubnetPoolDeleteError":                  fault.InUse,
	"AddressScopeInUse":                      fault.InUse,
	"RbacPolicyInUse":                        fault.InUse,
	"SecurityGroupRuleExists":                fault.Conflict,
	"IpAddressAlreadyAllocated":              fault.Conflict,
	"IpAddressGenerationFailure":             fault.Exhausted,
	"ExternalIpAddressExhausted":             fault.Exhausted,
	"NoNetworkAvailable":                     fault.Exhausted,
	"SubnetAllocationError":                  fault.Exhausted,
	"NetworkSubnetPoolAffinityError":         fault.Invalid,
	"MinPrefixSubnetAllocationError":         fault.Invalid,
	"MaxPrefixSubnetAllocationError":         fault.Invalid,
	"InvalidRoutes":                          fault.Invalid,
	"InvalidInput":                           fault.Invalid,
	"BadRequest":                             fault.Invalid,
	"RevisionNumberConstraintFailed":         fault.Conflict,
	// Nova and Manila: the key of the answer
	"itemNotFound":       fault.NotFound,
	"forbidden":          fault.Denied,
	"conflictingRequest": fault.Conflict,
	"badRequest":         fault.Invalid,
	"overLimit":          fault.Quota,
}

func kindOfStatus(code int) fault.Kind {
	switch code {
	case http.StatusUnauthorized:
		return fault.Unauthenticated
	case http.StatusForbidden:
		return fault.Denied
	case http.StatusNotFound:
		return fault.NotFound
	case http.StatusConflict, http.StatusPreconditionFailed:
		return fault.Conflict
	case http.StatusTooManyRequests:
		return fault.Throttled
	case http.StatusRequestEntityTooLarge:
		return fault.Quota
	}
	if code >= 400 && code < 500 && code != http.StatusRequestTimeout {
		return fault.Invalid
	}
	return fault.Unavailable
}

// translate gives an error of gophercloud its kind, and a text without the
// noise. op says what was tried.
func translate(op string, err error) error {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*fault.Error](err); ok && f == err { //nolint:errorlint // only an error that is itself the translated one
		return err
	}
	code, ok := errors.AsType[gophercloud.ErrUnexpectedResponseCode](err)
	if !ok {
		switch {
		case errors.Is(err, ErrGuarded):
			return fault.New(fault.Denied, op, err)
		case errors.Is(err, context.Canceled):
			return fault.New(fault.Unavailable, op, context.Canceled)
		}
		return fault.New(fault.Unavailable, op, err)
	}
	typ, message := answer(code.Body)
	kind, known := kindOfType[typ]
	if !known {
		kind = kindOfStatus(code.Actual)
	}
	text := message
	if typ != "" {
		text = typ + ": " + message
	}
	if text == "" {
		text = "no message"
	}
	text = fmt.Sprintf("%s (%s %d", text, code.Method, code.Actual)
	if id := code.ResponseHeader.Get("X-Openstack-Request-Id"); id != "" {
		text += ", " + id
	}
	return fault.New(kind, op, &apiError{text + ")", typ, err})
}

// An apiError is an answer of the cloud. Its text is the cloud's.
type apiError struct {
	text, typ string
	err       error
}

func (e *apiError) Error() string { return e.text }
func (e *apiError) Unwrap() error { return e.err }

// typeOf returns the type that the cloud gave to an error, or nothing.
func typeOf(err error) string {
	if e, ok := errors.AsType[*apiError](err); ok {
		return e.typ
	}
	return ""
}

// answer returns type and message of the body of an error, in the shapes of
// Neutron, Keystone, Nova, Manila and Octavia.
func answer(body []byte) (typ, message string) {
	var octavia struct{ Faultcode, Faultstring string }
	if json.Unmarshal(body, &octavia) == nil && octavia.Faultstring != "" {
		return octavia.Faultcode, octavia.Faultstring
	}
	var outer map[string]json.RawMessage
	if json.Unmarshal(body, &outer) != nil {
		return "", string(bytes.TrimSpace(body[:min(len(body), 300)]))
	}
	for _, key := range slices.Sorted(maps.Keys(outer)) {
		var inner struct{ Type, Message string }
		var text string
		switch {
		case json.Unmarshal(outer[key], &inner) == nil && inner.Message != "":
			if key != "NeutronError" && key != "error" {
				inner.Type = key
			}
			return inner.Type, strings.TrimSpace(inner.Message)
		case (key == "NeutronError" || key == "message") && json.Unmarshal(outer[key], &text) == nil:
			return "", strings.TrimSpace(text)
		}
	}
	return "", ""
}

func statusOf(err error) int {
	if code, ok := errors.AsType[gophercloud.ErrUnexpectedResponseCode](err); ok {
		return code.Actual
	}
	return 0
}

// gone is for deletions: that there is nothing any more is no error.
func gone(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// creating is translate for a call that creates. It tells the engine which
// failures certainly made nothing. A conflict may be with what an earlier try
// of the same call made, and no answer says nothing.
func creating(op string, err error) error {
	err = translate(op, err)
	switch fault.KindOf(err) {
	case fault.Denied, fault.Unauthenticated, fault.Quota, fault.Throttled, fault.Exhausted, fault.Invalid, fault.NotFound:
		return fmt.Errorf("%w: %w", engine.ErrRefused, err)
	default:
		return err
	}
}
