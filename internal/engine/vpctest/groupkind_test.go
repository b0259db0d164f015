// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package vpctest

import (
	"context"
	"slices"

	"github.com/espalier-io/espalier/internal/engine"
)

// Group is the security group of the nodes with the rules that are ours.
type Group struct {
	VPC   engine.ID          `plan:"fixed"`
	Name  string             `plan:"fixed"`
	Mark  string             `plan:"-"`
	Rules engine.Set[string] `plan:"include"`
}

// Groups keeps security groups.
type Groups struct{}

// Kind names it in records.
func (Groups) Kind() string { return "security-group" }

// Create makes a group; its rules are a second call.
func (Groups) Create(ctx context.Context, w Writer, want Group) (engine.ID, Group, error) {
	return w.CreateGroup(ctx, want)
}

// Update authorises what is missing, then revokes what is too much.
func (Groups) Update(ctx context.Context, w Writer, id engine.ID, have, want Group) (Group, error) {
	minus := func(a, b []string) []string {
		return slices.DeleteFunc(slices.Clone(a), func(r string) bool { return slices.Contains(b, r) })
	}
	return w.ChangeRules(ctx, id, minus(want.Rules, have.Rules), minus(have.Rules, want.Rules))
}

// Delete deletes a group.
func (Groups) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.Delete(ctx, r.Kind, r.ID)
}
