// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package vpctest

import (
	"context"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// Tag is one tag on one resource, mostly of the user's. The tag is ours, the
// resource is not.
type Tag struct {
	On    engine.ID `plan:"fixed"`
	Key   string    `plan:"fixed"`
	Value string    `state:"value" plan:"fixed"`
}

func tagID(on engine.ID, key string) engine.ID { return on + "#" + engine.ID(key) }

func cutTag(id engine.ID) (on engine.ID, key string) {
	o, key, _ := strings.Cut(string(id), "#")
	return engine.ID(o), key
}

// Tags keeps tags.
type Tags struct{}

// Kind names it in records.
func (Tags) Kind() string { return "tag" }

// IDOf is known beforehand.
func (Tags) IDOf(t Tag) engine.ID { return tagID(t.On, t.Key) }

// Create sets the tag.
func (k Tags) Create(ctx context.Context, w Writer, want Tag) (engine.ID, Tag, error) {
	if err := w.SetTags(ctx, map[string]string{want.Key: want.Value}, want.On); err != nil {
		return "", want, err
	}
	return k.IDOf(want), want, nil
}

// Update is never asked: a tag with another value is not ours.
func (Tags) Update(_ context.Context, _ Writer, _ engine.ID, have, _ Tag) (Tag, error) {
	return have, nil
}

// Delete removes the tag if it still has the value that we set.
func (Tags) Delete(ctx context.Context, w Writer, r engine.Record) error {
	on, key := cutTag(r.ID)
	return w.UnsetTags(ctx, map[string]string{key: r.Attrs["value"]}, on)
}
