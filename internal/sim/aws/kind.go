// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"slices"
	"strings"
	"time"
)

// std is what every thing has.
type std struct {
	ID      string
	account *account
	region  string
	Tags    tags
	made    time.Time

	byID, byFilter int  // reads from which it is still hidden
	leaving        bool // EC2 tells of it for a while, but it is gone: no snapshot shows it
}

func (s *std) self() *std { return s }

// thing is a thing of any kind.
type thing interface {
	comparable
	self() *std
}

// table holds the things of one kind, in the order in which they were made.
type table[T thing] struct{ all []T }

func (t *table[T]) add(v T) { t.all = append(t.all, v) }

func (t *table[T]) remove(v T) {
	t.all = slices.DeleteFunc(t.all, func(o T) bool { return o == v })
}

func (t *table[T]) get(id string) (T, bool) {
	for _, v := range t.all {
		if v.self().ID == id {
			return v, true
		}
	}
	var none T
	return none, false
}

func (t *table[T]) where(ok func(T) bool) (all []T) {
	for _, v := range t.all {
		if ok(v) {
			all = append(all, v)
		}
	}
	return all
}

func (t *table[T]) any(ok func(T) bool) bool { return slices.ContainsFunc(t.all, ok) }

// kind is a kind of things of EC2.
type kind[T thing] struct {
	resource  string // in TagSpecification, like "subnet"
	prefix    string // of IDs, with the dash
	noun      string // in messages about IDs, like "subnet ID"
	notFound  string // error codes
	malformed string
	of        func(*Cloud) *table[T]
	// ids and set are the names of the parameter and of the list in the answer.
	ids, set string
	// ghosts: an unknown ID is left out instead of failing the whole call.
	ghosts bool
	// sees says whether somebody sees what is not his; nil: never.
	sees    func(*call, T) bool
	filters map[string]func(*call, T) []string
	show    func(*call, T) object
	// look is told of each thing that a Describe is about to look at.
	look func(*Cloud, T)
}

// mine says whether a thing is the caller's, here.
func (c *call) mine(s *std) bool { return s.account == c.account && s.region == c.region }

func (k *kind[T]) visible(c *call, v T) bool {
	return c.mine(v.self()) || k.sees != nil && v.self().region == c.region && k.sees(c, v)
}

// check refuses what is no ID.
func (k *kind[T]) check(id string) error {
	if !strings.HasPrefix(id, k.prefix) || len(id) == len(k.prefix) || strings.Trim(id[len(k.prefix):], "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
		return refuse(k.malformed, "Invalid id: %q (expecting %q)", id, k.prefix+"...")
	}
	return nil
}

// missing is the refusal for IDs that there are not.
func (k *kind[T]) missing(ids ...string) *refusal {
	if len(ids) == 1 {
		return refuse(k.notFound, "The %s '%s' does not exist", k.noun, ids[0])
	}
	return refuse(k.notFound, "The %ss '%s' do not exist", k.noun, strings.Join(ids, ", "))
}

// find finds what a parameter names, among what the caller sees.
func (k *kind[T]) find(c *call, id string) (T, error) {
	var none T
	if err := k.check(id); err != nil {
		return none, err
	}
	v, ok := k.of(c.cloud).get(id)
	if !ok || !k.visible(c, v) || v.self().leaving {
		return none, k.missing(id)
	}
	return v, nil
}

// param finds what a parameter names that must be there.
func (k *kind[T]) param(c *call, name string) (T, error) {
	if !c.has(name) {
		var none T
		return none, missing(name)
	}
	return k.find(c, c.str(name))
}

// own finds what a parameter names, to change it: a thing of another account
// that the caller only sees is refused.
func (k *kind[T]) own(c *call, name string) (T, error) {
	v, err := k.param(c, name)
	if err == nil && !c.mine(v.self()) {
		return v, c.foreign(v.self())
	}
	return v, err
}

// foreign refuses to change a thing of another account that was shared.
func (c *call) foreign(s *std) *refusal {
	return refuseWith(403, "UnauthorizedOperation",
		"You are not authorized to perform this operation. %s is owned by account %s; participants cannot change it", s.ID, s.account.id)
}

// begin makes what every thing has. Its ID is made of what it is created with.
func (k *kind[T]) begin(c *call) (std, error) {
	s := std{account: c.account, region: c.region, made: c.now, byID: c.cloud.hide.byID, byFilter: c.cloud.hide.byFilter}
	var err error
	if s.Tags, err = c.tagSpecification(k.resource); err != nil {
		return s, err
	}
	if c.wish != "" {
		if err := k.check(c.wish); err != nil {
			return s, err
		}
		if _, taken := k.of(c.cloud).get(c.wish); taken {
			return s, refuse(k.malformed, "the ID %s is taken", c.wish)
		}
		s.ID = c.wish
		return s, nil
	}
	s.ID = c.cloud.newID(k.prefix, c.account.id, c.region, c.canonical("ClientToken", "DryRun"))
	return s, nil
}

// once returns the ID that an earlier request with the same ClientToken made.
func (c *call) once() (string, error) {
	if !c.has("ClientToken") {
		return "", nil
	}
	t, ok := c.cloud.tokens[c.account.id+c.region+c.action+c.str("ClientToken")]
	if ok && t.request != c.canonical() {
		return "", refuse("IdempotentParameterMismatch", "The client token was used before in a request with other parameters")
	}
	return t.id, nil
}

// remember keeps what the ClientToken made.
func (c *call) remember(id string) {
	if c.has("ClientToken") {
		c.cloud.tokens[c.account.id+c.region+c.action+c.str("ClientToken")] = token{c.canonical(), id}
	}
}
