// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"github.com/espalier-io/espalier/internal/fault"
)

// once are the operations that do not bear to be done again: what they make
// would be there twice, or be refused as being there already although it is
// ours. All other operations that we use end the same however often they are done.
var once = []string{"CreateSecurityGroup", "ImportKeyPair", "CreateRole", "CreateInstanceProfile", "AddRoleToInstanceProfile"}

// attachOnce keeps the SDK from doing such a call again while nobody knows
// whether it has taken effect. The engine has noted that it was about to make
// something and looks for it in the next run. What the cloud certainly
// refused, as for too many requests, is done again.
func attachOnce(stack *middleware.Stack) error {
	return stack.Finalize.Insert(middleware.FinalizeMiddlewareFunc("Once",
		func(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (middleware.FinalizeOutput, middleware.Metadata, error) {
			out, meta, err := next.HandleFinalize(ctx, in)
			if err != nil && slices.Contains(once, awsmiddleware.GetOperationName(ctx)) && !answered(err) {
				err = final{err}
			}
			return out, meta, err
		}), "Retry", middleware.After)
}

// answered says that the cloud has told what became of a call.
func answered(err error) bool {
	api, ok := errors.AsType[smithy.APIError](err)
	return ok && kindOf(api.ErrorCode()) != fault.Unavailable
}

// final is an error after which the SDK does not try again.
type final struct{ error }

func (f final) Unwrap() error      { return f.error }
func (final) RetryableError() bool { return false } // what the SDK's retryer asks for

// plainBodies hides from net/http that a request's body can write itself. The
// SDK closes the body as soon as there is an answer; a body that writes itself
// then fails net/http's look for surplus bytes, which breaks the connection
// before a long answer is read, and the SDK does the whole call again.
type plainBodies struct{ aws.HTTPClient }

// Do implements aws.HTTPClient.
func (p plainBodies) Do(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		r.Body = struct {
			io.Reader
			io.Closer
		}{r.Body, r.Body}
	}
	return p.HTTPClient.Do(r)
}
