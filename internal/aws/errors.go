// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/smithy-go"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// kindOfCode are the error codes of EC2, IAM, STS and ELB that mean something
// for what is done next. Source: EC2 API Reference, "Error codes"; IAM API
// Reference, "Common Errors" and the errors of each action.
var kindOfCode = map[string]fault.Kind{
	"AuthFailure": fault.Unauthenticated, "InvalidClientTokenId": fault.Unauthenticated, "SignatureDoesNotMatch": fault.Unauthenticated,
	"ExpiredToken": fault.Unauthenticated, "ExpiredTokenException": fault.Unauthenticated, "UnrecognizedClientException": fault.Unauthenticated,
	"UnauthorizedOperation": fault.Denied, "AccessDenied": fault.Denied, "AccessDeniedException": fault.Denied, "OptInRequired": fault.Denied,
	"RequestLimitExceeded": fault.Throttled, "Throttling": fault.Throttled, "ThrottlingException": fault.Throttled, "TooManyRequestsException": fault.Throttled,
	"DependencyViolation": fault.InUse, "DeleteConflict": fault.InUse, "InvalidGroup.InUse": fault.InUse, "ResourceInUse": fault.InUse,
	"InvalidPermission.Duplicate": fault.Conflict, "InvalidGroup.Duplicate": fault.Conflict, "InvalidKeyPair.Duplicate": fault.Conflict,
	"EntityAlreadyExists": fault.Conflict, "ConcurrentModification": fault.Conflict, "IncorrectState": fault.Conflict,
	"TagLimitExceeded": fault.Quota, "LimitExceeded": fault.Quota, "RouteLimitExceeded": fault.Quota, "SecurityGroupLimitExceeded": fault.Quota,
	"RulesPerSecurityGroupLimitExceeded": fault.Quota, "ServiceQuotaExceededException": fault.Quota, "ResourceLimitExceeded": fault.Quota,
	"InsufficientFreeAddressesInSubnet": fault.Exhausted, "InsufficientInstanceCapacity": fault.Exhausted,
	"NoSuchEntity": fault.NotFound, "NoSuchResourceException": fault.NotFound, "LoadBalancerNotFound": fault.NotFound,
	"InternalError": fault.Unavailable, "InternalFailure": fault.Unavailable, "ServiceUnavailable": fault.Unavailable, "Unavailable": fault.Unavailable,
}

// kindOf tells the kind of an error code. What does not exist has a code per
// kind of thing, which ends in .NotFound.
func kindOf(code string) fault.Kind {
	switch kind, ok := kindOfCode[code]; {
	case ok:
		return kind
	case strings.HasSuffix(code, ".NotFound") || strings.HasSuffix(code, "NotFoundException") || code == "InvalidPermission.NotFound":
		return fault.NotFound
	case strings.HasSuffix(code, "LimitExceeded") || strings.HasSuffix(code, "LimitExceededException"):
		return fault.Quota
	case strings.HasPrefix(code, "Invalid") || strings.HasPrefix(code, "Malformed") || strings.HasSuffix(code, "Malformed") || code == "ValidationError" || code == "MissingParameter":
		return fault.Invalid
	}
	return fault.Unavailable
}

// translate gives an error of the SDK its kind, and a text without the noise.
// op says what was tried.
func translate(op string, err error) error {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*fault.Error](err); ok && f == err { //nolint:errorlint // only an error that is itself the translated one
		return err
	}
	if errors.Is(err, ErrGuarded) {
		return fault.New(fault.Denied, op, ErrGuarded)
	}
	api, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		if errors.Is(err, context.Canceled) {
			return fault.New(fault.Unavailable, op, context.Canceled)
		}
		return fault.New(fault.Unavailable, op, err)
	}
	return fault.New(kindOf(api.ErrorCode()), op, fmt.Errorf("%s: %s%w", api.ErrorCode(), api.ErrorMessage(), silent{err}))
}

// silent keeps an error in the chain and out of the text.
type silent struct{ error }

func (silent) Error() string   { return "" }
func (s silent) Unwrap() error { return s.error }

// codeOf returns the code that the cloud gave to an error, or nothing.
func codeOf(err error) string {
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		return api.ErrorCode()
	}
	return ""
}

// gone is for deletions: that there is nothing any more is no error.
func gone(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// creating is translate for a call that creates. It tells the engine which
// failures certainly made nothing.
func creating(op string, err error) error {
	err = translate(op, err)
	switch fault.KindOf(err) {
	case fault.Denied, fault.Unauthenticated, fault.Quota, fault.Throttled, fault.Exhausted, fault.Invalid, fault.NotFound:
		return fmt.Errorf("%w: %w", engine.ErrRefused, err)
	case fault.Unclassified, fault.InUse, fault.Conflict, fault.Unavailable: // it may have made something
	}
	return err
}
