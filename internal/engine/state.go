// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/espalier-io/espalier/internal/fault"
)

// A State is what outlives a run. It belongs to one cluster in one cloud: its
// IDs mean nothing elsewhere, where all of them would read as absent.
// Its methods may be called in parallel.
type State struct {
	save func(context.Context, []byte) error
	mu   sync.Mutex
	doc  document
	last []byte // the document as it was saved last, without the serial
}

type document struct {
	Version int             `json:"version"`
	Serial  int             `json:"serial"`
	UID     string          `json:"uid,omitempty"`
	Cloud   string          `json:"cloud,omitempty"`
	Config  json.RawMessage `json:"config,omitempty"`
	Known   map[string]ID   `json:"known,omitempty"`
	Records []Record        `json:"records"`
}

// LoadState reads a state, or starts one if data is empty. What can not be
// read, or was written by a version to come, is [fault.Invalid]. save is
// called with the whole document whenever it has changed, never twice at once;
// it must be atomic, and should refuse a serial that is not the next one. A
// nil save keeps nothing.
func LoadState(data []byte, save func(context.Context, []byte) error) (*State, error) {
	s := &State{save: save, doc: document{Version: 1}}
	if len(data) > 0 {
		if err := json.Unmarshal(data, &s.doc); err != nil {
			return nil, fault.New(fault.Invalid, "reading the state", err)
		}
		if s.doc.Version != 1 {
			return nil, fault.Errorf(fault.Invalid, "reading the state: version %d is not known; use the version of Espalier that wrote it", s.doc.Version)
		}
	}
	var err error
	if s.doc.Config != nil {
		err = s.SetConfig(s.doc.Config) // without the indentation of the document
	}
	if err == nil {
		s.last, err = s.content()
	}
	return s, err
}

// Serial is how often the state has been saved in all its life.
func (s *State) Serial() int { s.mu.Lock(); defer s.mu.Unlock(); return s.doc.Serial }

// UID is the cluster's, part of every mark; empty in a new state.
func (s *State) UID() string { s.mu.Lock(); defer s.mu.Unlock(); return s.doc.UID }

// Cloud is what the state is bound to; empty before the first Apply.
func (s *State) Cloud() string { s.mu.Lock(); defer s.mu.Unlock(); return s.doc.Cloud }

// SetUID says which cluster the state is of. Once it is set another UID is
// [fault.Conflict]. It is saved with the next change of Apply.
func (s *State) SetUID(uid string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.doc.UID != "" && s.doc.UID != uid {
		return fault.Errorf(fault.Conflict, "the state belongs to the cluster with the UID %s, not %s", s.doc.UID, uid)
	}
	s.doc.UID = uid
	return nil
}

// Config is the configuration that was applied last, or nil.
func (s *State) Config() json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.doc.Config)
}

// SetConfig remembers the configuration that is about to be applied. It is
// saved with the first save of Apply, before the first write. What is not
// JSON is [fault.Invalid].
func (s *State) SetConfig(raw json.RawMessage) error {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return fault.New(fault.Invalid, "keeping the configuration", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.doc.Config = b.Bytes()
	return nil
}

// Known is the ID that the user's thing in a place of the graph had at the
// last Apply, or nothing. It may save a look-up; it never proves anything.
func (s *State) Known(name string) ID { s.mu.Lock(); defer s.mu.Unlock(); return s.doc.Known[name] }

func (s *State) know(known map[string]ID) { s.mu.Lock(); defer s.mu.Unlock(); s.doc.Known = known }

// bind says which cloud the state is of.
func (s *State) bind(cloud string) { s.mu.Lock(); defer s.mu.Unlock(); s.doc.Cloud = cloud }

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

// has says whether an ID is recorded.
func (s *State) has(id ID) bool {
	return id != "" && slices.ContainsFunc(s.Records(), func(r Record) bool { return r.ID == id })
}

// deposed says that an ID is of something that another one takes the place of.
func (s *State) deposed(id ID) bool {
	return slices.ContainsFunc(s.Records(), func(r Record) bool { return r.Deposed && r.ID == id })
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

// flush saves what changed since the last save that worked. It outlives a stop
// of ctx.
func (s *State) flush(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, err := s.content()
	if err != nil || bytes.Equal(now, s.last) {
		return err
	}
	doc := s.doc
	doc.Serial++
	data, err := json.MarshalIndent(doc, "", "  ")
	if err == nil && s.save != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		err = s.save(ctx, data)
	}
	if err != nil {
		return fmt.Errorf("saving the state: %w", err)
	}
	s.doc.Serial, s.last = doc.Serial, now
	return nil
}

// content is the part of the document that is worth a save.
func (s *State) content() ([]byte, error) {
	doc := s.doc
	doc.Serial = 0
	doc.Known = maps.Clone(doc.Known)
	return json.Marshal(doc)
}
