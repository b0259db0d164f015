// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/smithy-go/middleware"
)

// ErrGuarded is the cause of an error of a call that the guard refused.
var ErrGuarded = errors.New("refused by the write guard")

// A Guard is the last to see a call before it is signed. Calls that only read
// pass. Of those that write it lets pass what the table of operations
// (operations.go) allows, and nothing else: an operation that is not in the
// table is refused. Until [Guard.Allow] is called nothing writes.
type Guard struct {
	mu      sync.Mutex
	rules   Permissions
	refused []error
}

// Permissions say what the writes of one run may touch.
type Permissions struct {
	// Names are those of what is made for the cluster and has a name for an ID.
	Names []string
	// VPC is the one that something of ours may be put into.
	VPC string
	// Mark is a tag that everything that is made must bear: key and value's beginning.
	MarkKey, MarkValue string
	// Tags are those that the plan sets on or removes from the user's things,
	// as resource#key, with the only value that each may have.
	Tags map[string]string
	// Swept are the IDs of what Kubernetes has left and the plan removes.
	Swept map[string]bool
	// Ours says that an ID is of something that we made.
	Ours func(id string) bool
}

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

// attach puts the guard into the stack of every call.
func (g *Guard) attach(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("WriteGuard",
		func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
			name := awsmiddleware.GetOperationName(ctx)
			if err := g.check(name, in.Parameters); err != nil {
				err = fmt.Errorf("%w: %s: %w", ErrGuarded, name, err)
				g.mu.Lock()
				g.refused = append(g.refused, err)
				g.mu.Unlock()
				return middleware.InitializeOutput{}, middleware.Metadata{}, err
			}
			return next.HandleInitialize(ctx, in)
		}), middleware.After)
}

// reads are the beginnings of the names of operations that only read, and of
// those that get credentials.
var reads = []string{"Describe", "Get", "List", "AssumeRole"}

func (g *Guard) check(name string, in any) error {
	if slices.ContainsFunc(reads, func(p string) bool { return strings.HasPrefix(name, p) }) {
		return nil
	}
	g.mu.Lock()
	rules := g.rules
	g.mu.Unlock()
	check, ok := operations[name]
	if !ok {
		return errors.New("not a call that we make")
	}
	return check(rules, in)
}
