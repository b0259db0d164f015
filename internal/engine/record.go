// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import "time"

// A Record is what we remember of a resource that we manage. Its ID and its
// attributes may name the user's things; those are never what a write changes.
type Record struct {
	Kind  string            `json:"kind"`
	Name  string            `json:"name"`
	ID    ID                `json:"id,omitempty"` // empty: intended only
	Attrs map[string]string `json:"attrs,omitempty"`
	// Elements are, for each include field, the elements that we put in.
	Elements map[string][]string `json:"elements,omitempty"`
	Needs    []string            `json:"needs,omitempty"`
	After    []string            `json:"after,omitempty"` // what is removed before it
	Intent   *Intent             `json:"intent,omitempty"`
	Made     time.Time           `json:"made,omitzero"`     // when we made it
	Deposed  bool                `json:"deposed,omitempty"` // another one has taken its place
}

// An Intent is a create that was about to be done and has no result yet.
type Intent struct {
	Nonce string    `json:"nonce"`
	At    time.Time `json:"at"`
	ID    ID        `json:"id,omitempty"` // if it is known beforehand
}

// unanswered says that a create may have been sent that has no result, not even
// an ID that is known beforehand.
func (r Record) unanswered() bool { return r.ID == "" && r.Intent != nil && r.Intent.ID == "" }
