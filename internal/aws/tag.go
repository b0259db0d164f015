// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"

	"github.com/espalier-io/espalier/internal/engine"
)

// Tag is one tag on one resource of the user's. The tag is ours, the resource
// is not. Its ID is resource#key.
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

// tagWriter writes tags. The read in it is the one that the removal of a
// shared tag must not be done without.
type tagWriter interface {
	TagsOf(ctx context.Context, on ...engine.ID) (map[engine.ID]map[string]string, error)
	SetTags(ctx context.Context, tags map[string]string, on ...engine.ID) error
	// UnsetTags removes tags where they have just these values.
	UnsetTags(ctx context.Context, tags map[string]string, on ...engine.ID) error
}

// Tags keeps tags.
type Tags struct{}

var (
	_ engine.Kind[Writer, Tag] = Tags{}
	_ engine.Namer[Tag]        = Tags{}
)

// Kind implements engine.Kind.
func (Tags) Kind() string { return "tag" }

// IDOf implements engine.Namer.
func (Tags) IDOf(t Tag) engine.ID { return tagID(t.On, t.Key) }

// Create implements engine.Kind.
func (k Tags) Create(ctx context.Context, w Writer, want Tag) (engine.ID, Tag, error) {
	if err := w.SetTags(ctx, map[string]string{want.Key: want.Value}, want.On); err != nil {
		return "", want, err
	}
	return k.IDOf(want), want, nil
}

// Update implements engine.Kind. It is never asked: a tag with another value
// is the user's.
func (Tags) Update(_ context.Context, _ Writer, _ engine.ID, have, _ Tag) (Tag, error) {
	return have, nil
}

// Delete implements engine.Kind. The tag goes if it still has the value that
// we set.
func (Tags) Delete(ctx context.Context, w Writer, r engine.Record) error {
	on, key := cutTag(r.ID)
	return w.UnsetTags(ctx, map[string]string{key: r.Attrs["value"]}, on)
}

// TagsOf implements Writer.
func (c *Client) TagsOf(ctx context.Context, on ...engine.ID) (map[engine.ID]map[string]string, error) {
	var values []string
	out := map[engine.ID]map[string]string{}
	for _, id := range on {
		values = append(values, string(id))
		out[id] = map[string]string{}
	}
	pages := ec2.NewDescribeTagsPaginator(c.ec2, &ec2.DescribeTagsInput{Filters: filters("resource-id", values...)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, translate("reading tags", err)
		}
		for _, t := range page.Tags {
			if m := out[engine.ID(aws.ToString(t.ResourceId))]; m != nil {
				m[aws.ToString(t.Key)] = aws.ToString(t.Value)
			}
		}
	}
	return out, nil
}

func resources(on []engine.ID) (out []string) {
	for _, id := range on {
		out = append(out, string(id))
	}
	return out
}

// SetTags implements Writer.
func (c *Client) SetTags(ctx context.Context, tags map[string]string, on ...engine.ID) error {
	_, err := c.ec2.CreateTags(ctx, &ec2.CreateTagsInput{Resources: resources(on), Tags: toTags(tags)})
	return creating("tagging "+strings.Join(resources(on), ", "), err)
}

// UnsetTags implements Writer. What is gone has no tags any more.
func (c *Client) UnsetTags(ctx context.Context, tags map[string]string, on ...engine.ID) error {
	_, err := c.ec2.DeleteTags(ctx, &ec2.DeleteTagsInput{Resources: resources(on), Tags: toTags(tags)})
	err = translate("removing tags from "+strings.Join(resources(on), ", "), err)
	if len(on) == 1 {
		return gone(err)
	}
	return err
}
