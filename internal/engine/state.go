// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A Record is what we remember of a resource that we manage. Its ID and its
// attributes may name the user's things; those are never what a write changes.
type Record struct {
	Kind    string            `json:"kind"`
	Name    string            `json:"name"`
	ID      ID                `json:"id,omitempty"` // empty: intended only
	Attrs   map[string]string `json:"attrs,omitempty"`
	Needs   []string          `json:"needs,omitempty"`
	After   []string          `json:"after,omitempty"` // what is removed before it
	Intent  *Intent           `json:"intent,omitempty"`
	Deposed bool              `json:"deposed,omitempty"` // another one has taken its place
}

// An Intent is a create that was about to be done and has no result yet.
type Intent struct {
	Nonce string    `json:"nonce"`
	At    time.Time `json:"at"`
	ID    ID        `json:"id,omitempty"` // if it is known beforehand
}

// State is what outlives a run. It belongs to one cloud: its IDs mean nothing
// in another, where all of them would read as absent.
type State struct {
	save func(context.Context, []byte) error
	mu   sync.Mutex
	doc  document
	last []byte
}

type document struct {
	Version int      `json:"version"`
	Serial  int      `json:"serial"`
	Cloud   string   `json:"cloud"`
	Records []Record `json:"records"`
}

// LoadState reads a state, or starts one if data is empty. save is called with
// the whole document after each change; it must be atomic.
func LoadState(data []byte, save func(context.Context, []byte) error) (*State, error) {
	s := &State{save: save, doc: document{Version: 1}}
	if len(data) > 0 {
		if err := json.Unmarshal(data, &s.doc); err != nil {
			return nil, fmt.Errorf("reading the state: %w", err)
		}
		if s.doc.Version != 1 {
			return nil, fmt.Errorf("reading the state: version %d is not known", s.doc.Version)
		}
	}
	s.last = s.records()
	return s, nil
}

// Records returns all records, in the order in which they came.
func (s *State) Records() []Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.doc.Records)
}

// Get returns the record of a node, be it of a resource or of an intent.
func (s *State) Get(name string) (Record, bool) {
	for _, r := range s.Records() {
		if r.Name == name && !r.Deposed {
			return r, true
		}
	}
	return Record{}, false
}

// named returns the records of a node that have an ID, the deposed ones last.
func (s *State) named(name string) (rs []Record) {
	for _, deposed := range []bool{false, true} {
		for _, r := range s.Records() {
			if r.Name == name && r.ID != "" && r.Deposed == deposed {
				rs = append(rs, r)
			}
		}
	}
	return rs
}

// put replaces the record of the same node, or of the same deposed resource.
func (s *State) put(r Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.doc.Records, func(o Record) bool {
		return o.Name == r.Name && o.Deposed == r.Deposed && (!r.Deposed || o.ID == r.ID)
	})
	if i < 0 {
		s.doc.Records = append(s.doc.Records, r)
		return
	}
	s.doc.Records[i] = r
}

// drop forgets the records that match.
func (s *State) drop(match func(Record) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.doc.Records = slices.DeleteFunc(slices.Clone(s.doc.Records), match)
}

// flush saves what changed since the last save that worked.
func (s *State) flush(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.records()
	if slices.Equal(now, s.last) {
		return nil
	}
	s.doc.Serial++
	data, err := json.MarshalIndent(s.doc, "", "  ")
	if err == nil && s.save != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		err = s.save(ctx, data)
	}
	if err != nil {
		return fmt.Errorf("saving the state: %w", err)
	}
	s.last = now
	return nil
}

// records is the part of the document that is worth a save.
func (s *State) records() []byte {
	data, err := json.Marshal(struct {
		Cloud   string
		Records []Record
	}{s.doc.Cloud, s.doc.Records})
	if err != nil {
		panic(err) // strings and times only
	}
	return data
}
