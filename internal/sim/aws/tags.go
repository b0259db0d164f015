// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxTags is how many tags a thing may have; those of AWS itself do not count.
const maxTags = 50

// A tag of a thing.
type tag struct{ key, value string }

// tags are sorted by key.
type tags []tag

func (t tags) index(key string) int {
	return slices.IndexFunc(t, func(o tag) bool { return o.key == key })
}

// values returns the value of a key, if it is there.
func (t tags) values(key string) []string {
	if i := t.index(key); i >= 0 {
		return []string{t[i].value}
	}
	return nil
}

func (t tags) keys() (all []string) {
	for _, o := range t {
		all = append(all, o.key)
	}
	return all
}

func (t tags) all() (all []string) {
	for _, o := range t {
		all = append(all, o.value)
	}
	return all
}

// count leaves out the tags that AWS itself sets.
func (t tags) count() (n int) {
	for _, o := range t {
		if !strings.HasPrefix(o.key, "aws:") {
			n++
		}
	}
	return n
}

// set returns the tags with one more, or another value.
func (t tags) set(key, value string) tags {
	t = slices.Clone(t)
	if i := t.index(key); i >= 0 {
		t[i].value = value
		return t
	}
	t = append(t, tag{key, value})
	slices.SortFunc(t, func(a, b tag) int { return strings.Compare(a.key, b.key) })
	return t
}

// shown is a tagSet; nil if there are no tags.
func (t tags) shown() any { return t.as("key", "value") }

// as is a list of tags whose fields have these names.
func (t tags) as(key, value string) any {
	if len(t) == 0 {
		return nil
	}
	all := []object{}
	for _, o := range t {
		all = append(all, object{{key, o.key}, {value, o.value}})
	}
	return all
}

// readTags reads a list of tags with EC2's rules.
func readTags(list []*params) (tags, error) {
	var all tags
	for _, p := range list {
		key, value := p.str("Key"), p.str("Value")
		switch {
		case key == "":
			return nil, invalid("Tag key cannot be null or empty")
		case strings.HasPrefix(strings.ToLower(key), "aws:"):
			return nil, invalid("Tag keys starting with 'aws:' are reserved for internal use")
		case utf8.RuneCountInString(key) > 128:
			return nil, invalid("Tag key exceeds the maximum length of 128 characters")
		case utf8.RuneCountInString(value) > 256:
			return nil, invalid("Tag value exceeds the maximum length of 256 characters")
		case all.index(key) >= 0:
			return nil, invalid("Duplicate tag key '%s' specified.", key)
		}
		all = all.set(key, value)
	}
	if len(all) > maxTags {
		return nil, tooManyTags()
	}
	return all, nil
}

func tooManyTags() *refusal {
	return refuse("TagLimitExceeded", "The maximum number of Tags for a resource has been reached.")
}

// tagSpecification reads the tags of a thing that is made.
func (c *call) tagSpecification(resource string) (tags, error) {
	var all []*params
	for _, s := range c.list("TagSpecification") {
		if got := s.str("ResourceType"); got != resource {
			return nil, invalid("'%s' is not a valid taggable resource type for this operation.", got)
		}
		all = append(all, s.list("Tag")...)
	}
	return readTags(all)
}

// tagger finds things of one kind by ID, for tagging.
type tagger struct {
	prefix, resource string
	find             func(*call, string) (*std, error)
	all              func(*Cloud) []*std
}

func (k *kind[T]) tagger() tagger {
	return tagger{
		prefix: k.prefix, resource: k.resource,
		find: func(c *call, id string) (*std, error) {
			v, err := k.find(c, id)
			if err != nil {
				return nil, err
			}
			return v.self(), nil
		},
		all: func(c *Cloud) (all []*std) {
			for _, v := range k.of(c).all {
				all = append(all, v.self())
			}
			return all
		},
	}
}

// taggers are the kinds that have tags.
func taggers(*Cloud) []tagger {
	return []tagger{
		vpcs.tagger(), dhcpSets.tagger(), subnets.tagger(), reservations.tagger(), routeTables.tagger(), internetGateways.tagger(),
		egressGateways.tagger(), natGateways.tagger(), addresses.tagger(), groups.tagger(), rules.tagger(), networkInterfaces.tagger(),
		instances.tagger(), keyPairs.tagger(), endpoints.tagger(),
	}
}

var tagOperations = operations{
	"ec2 CreateTags":   {"ResourceId Tag", createTags},
	"ec2 DeleteTags":   {"ResourceId Tag", deleteTags},
	"ec2 DescribeTags": {"Filter MaxResults NextToken", describeTags},
}

// tagged finds all things that a request for tags names, or fails whole.
func tagged(c *call) (all []*std, err error) {
	ids := c.strs("ResourceId")
	if len(ids) == 0 {
		return nil, missing("resourceIdSet")
	}
	if len(ids) > 1000 {
		return nil, invalid("The maximum number of resources in a request is 1000")
	}
	for _, id := range ids {
		i := slices.IndexFunc(c.cloud.taggable, func(t tagger) bool { return strings.HasPrefix(id, t.prefix) })
		if i < 0 {
			return nil, refuse("InvalidID", "The ID '%s' is not valid", id)
		}
		s, err := c.cloud.taggable[i].find(c, id)
		if err != nil {
			return nil, err
		}
		if !c.mine(s) {
			return nil, c.foreign(s)
		}
		all = append(all, s)
	}
	return all, nil
}

func createTags(c *call) (object, error) {
	things, err := tagged(c)
	if err != nil {
		return nil, err
	}
	if !c.has("Tag") {
		return nil, missing("tagSet")
	}
	wanted, err := readTags(c.list("Tag"))
	if err != nil {
		return nil, err
	}
	for apply := range 2 { // all or none
		for _, s := range things {
			now := s.Tags
			for _, t := range wanted {
				now = now.set(t.key, t.value)
			}
			if now.count() > maxTags {
				return nil, tooManyTags()
			}
			if apply == 1 {
				s.Tags = now
			}
		}
	}
	return object{{"return", true}}, nil
}

// deleteTags removes tags: a key without a value whatever the value is, a key
// with a value only if it is the value. Without any tag all go that are not AWS's.
func deleteTags(c *call) (object, error) {
	things, err := tagged(c)
	if err != nil {
		return nil, err
	}
	doomed := c.list("Tag")
	for _, p := range doomed {
		if strings.HasPrefix(strings.ToLower(p.str("Key")), "aws:") {
			return nil, invalid("Tag keys starting with 'aws:' are reserved for internal use")
		}
	}
	for _, s := range things {
		s.Tags = slices.DeleteFunc(slices.Clone(s.Tags), func(t tag) bool {
			if len(doomed) == 0 {
				return !strings.HasPrefix(t.key, "aws:")
			}
			return slices.ContainsFunc(doomed, func(p *params) bool {
				return p.str("Key") == t.key && (!p.has("Value") || p.str("Value") == t.value)
			})
		})
	}
	return object{{"return", true}}, nil
}

// tagRow is a tag in the answer of DescribeTags.
type tagRow struct {
	resource, id string
	tag
}

func describeTags(c *call) (object, error) {
	rows := []tagRow{}
	for _, k := range c.cloud.taggable {
		for _, s := range k.all(c.cloud) {
			for _, t := range s.Tags {
				if c.mine(s) && !s.leaving {
					rows = append(rows, tagRow{k.resource, s.ID, t})
				}
			}
		}
	}
	for _, f := range c.list("Filter") {
		read := map[string]func(tagRow) string{
			"key": func(r tagRow) string { return r.key }, "value": func(r tagRow) string { return r.value },
			"resource-id": func(r tagRow) string { return r.id }, "resource-type": func(r tagRow) string { return r.resource },
		}[f.str("Name")]
		if read == nil {
			return nil, invalid("The filter '%s' is invalid", f.str("Name"))
		}
		rows = slices.DeleteFunc(rows, func(r tagRow) bool { return !matches(f.strs("Value"), read(r)) })
	}
	rows, next, err := page(c, rows)
	if err != nil {
		return nil, err
	}
	shown := []object{}
	for _, r := range rows {
		shown = append(shown, object{{"resourceId", r.id}, {"resourceType", r.resource}, {"key", r.key}, {"value", r.value}})
	}
	return object{{"tagSet", shown}, {"nextToken", some(next)}}, nil
}
