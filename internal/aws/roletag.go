// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// RoleTag is a role tag on a subnet of the user's. All clusters on the subnet
// share it; the last one to leave takes it away.
type RoleTag struct {
	On     engine.ID `plan:"fixed"`
	Key    string    `plan:"fixed"`
	Value  string    `state:"value" plan:"fixed"`
	Marked bool      `plan:"-"` // Gardener's marker says that a cluster set it
	// Cluster is this cluster's own tag key, which says nothing of others.
	Cluster string `state:"cluster" plan:"-"`
}

// RoleTags keeps role tags. They need their subnet's cluster tag First: it is
// set before, so that other clusters see us, and removed before, so that we
// see whether we are the last.
type RoleTags struct{}

var (
	_ engine.Kind[Writer, RoleTag] = RoleTags{}
	_ engine.Namer[RoleTag]        = RoleTags{}
)

// Kind implements engine.Kind.
func (RoleTags) Kind() string { return "role-tag" }

// IDOf implements engine.Namer.
func (RoleTags) IDOf(t RoleTag) engine.ID { return tagID(t.On, t.Key) }

// Create implements engine.Kind. It reads again and sets the tag with its
// marker, unless another cluster has meanwhile.
func (k RoleTags) Create(ctx context.Context, w Writer, want RoleTag) (engine.ID, RoleTag, error) {
	all, err := w.TagsOf(ctx, want.On)
	if err != nil {
		return "", want, fmt.Errorf("%w: %w", engine.ErrRefused, err)
	}
	have := all[want.On]
	if v, ok := have[want.Key]; ok {
		if v != want.Value || have[marker] != want.Key {
			return "", want, fmt.Errorf("%s appeared meanwhile and is the user's: run again: %w", k.IDOf(want), engine.ErrRefused)
		}
		want.Marked = true
		return k.IDOf(want), want, nil
	}
	tags := map[string]string{want.Key: want.Value}
	if _, ok := have[marker]; !ok {
		tags[marker], want.Marked = want.Key, true
	}
	if err := w.SetTags(ctx, tags, want.On); err != nil {
		return "", want, err
	}
	return k.IDOf(want), want, nil
}

// Update implements engine.Kind. It is never asked: a tag with another value
// is the user's.
func (RoleTags) Update(_ context.Context, _ Writer, _ engine.ID, have, _ RoleTag) (RoleTag, error) {
	return have, nil
}

// Delete implements engine.Kind. It reads again and removes tag and marker if
// no other cluster is left on the subnet.
func (RoleTags) Delete(ctx context.Context, w Writer, r engine.Record) error {
	on, key := cutTag(r.ID)
	all, err := w.TagsOf(ctx, on)
	if err != nil {
		return err
	}
	if len(otherClusters(all[on], r.Attrs["cluster"])) > 0 {
		return nil // the last one tidies up
	}
	return w.UnsetTags(ctx, map[string]string{key: r.Attrs["value"], marker: key}, on)
}

// otherClusters are those that tags name besides the one with this tag key, sorted.
func otherClusters(tags map[string]string, own string) (names []string) {
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		if name, ok := strings.CutPrefix(key, clusterTag); ok && key != own {
			names = append(names, name)
		}
	}
	return names
}
