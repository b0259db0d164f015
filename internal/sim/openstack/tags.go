// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"slices"
)

// maxTag is how long a tag may be.
const maxTag = 255

// tagRoutes are the routes of the tags of a kind.
func (k *kind[T]) tagRoutes() routes {
	at := k.path() + "/{id}/tags"
	return routes{
		{"GET", at, k.listTags, false},
		{"PUT", at, k.replaceTags, false},
		{"DELETE", at, k.clearTags, false},
		{"GET", at + "/{tag}", k.getTag, false},
		{"PUT", at + "/{tag}", k.addTag, false},
		{"DELETE", at + "/{tag}", k.removeTag, false},
	}
}

func (k *kind[T]) listTags(c *call) (answer, error) {
	v, err := k.findTagged(c)
	if err != nil {
		return answer{}, err
	}
	return ok(fields{"tags": v.std().Tags})
}

func (k *kind[T]) getTag(c *call) (answer, error) {
	v, err := k.findTagged(c)
	if err != nil {
		return answer{}, err
	}
	if !slices.Contains(v.std().Tags, c.vars["tag"]) {
		return answer{}, noTag(c.vars["tag"])
	}
	return noContent()
}

// findTagged is find with the error that the tags' own plugin gives.
func (k *kind[T]) findTagged(c *call) (T, error) {
	v, err := k.find(c, c.vars["id"])
	if err != nil {
		return v, notFound("TagResourceNotFound", "Resource %s %s could not be found.", k.many, c.vars["id"])
	}
	return v, nil
}

func noTag(tag string) error { return notFound("TagNotFound", "Tag %s could not be found.", tag) }

// tagged returns a thing whose tags the caller may change.
func (k *kind[T]) tagged(c *call) (v T, err error) {
	if v, err = k.findTagged(c); err != nil {
		return v, err
	}
	return v, c.demand("update_"+k.one, c.owns(v.std().Project))
}

func (k *kind[T]) addTag(c *call) (answer, error) {
	v, err := k.tagged(c)
	if err != nil {
		return answer{}, err
	}
	tag := c.vars["tag"]
	if len([]rune(tag)) > maxTag {
		return answer{}, invalid("'%s' exceeds maximum length of %d.", tag, maxTag)
	}
	if !slices.Contains(v.std().Tags, tag) {
		v.std().Tags = append(v.std().Tags, tag)
		c.touch(v)
	}
	return answer{status: http.StatusCreated, body: null{}}, nil
}

// null is JSON's null as a body.
type null struct{}

// MarshalJSON implements json.Marshaler.
func (null) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

func (k *kind[T]) replaceTags(c *call) (answer, error) {
	var body struct {
		Tags []string `json:"tags"`
	}
	if err := c.decode(&body); err != nil || body.Tags == nil {
		return answer{}, invalid("Invalid tags body.")
	}
	v, err := k.tagged(c)
	if err != nil {
		return answer{}, err
	}
	for i, tag := range body.Tags {
		if len([]rune(tag)) > maxTag {
			return answer{}, invalid("'%s' exceeds maximum length of %d.", tag, maxTag)
		}
		if slices.Contains(body.Tags[:i], tag) {
			return answer{}, invalid("Duplicate items in the list: '%s'.", tag)
		}
	}
	v.std().Tags = body.Tags
	c.touch(v)
	return ok(fields{"tags": body.Tags})
}

func (k *kind[T]) removeTag(c *call) (answer, error) {
	v, err := k.tagged(c)
	if err != nil {
		return answer{}, err
	}
	i := slices.Index(v.std().Tags, c.vars["tag"])
	if i < 0 {
		return answer{}, noTag(c.vars["tag"])
	}
	v.std().Tags = slices.Delete(v.std().Tags, i, i+1)
	c.touch(v)
	return noContent()
}

func (k *kind[T]) clearTags(c *call) (answer, error) {
	v, err := k.tagged(c)
	if err != nil {
		return answer{}, err
	}
	v.std().Tags = []string{}
	c.touch(v)
	return noContent()
}
