// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package kill

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/test/estate"
)

var now, after = time.Now, time.After

// The verbs that write.
const (
	apply  = "apply"
	remove = "delete"
)

// A site is a cloud with the estate, and a directory with the input and the
// state. Each point has its own; the same variant gives the same IDs.
type site struct {
	t       *testing.T
	variant variant
	ground
	dir string // removed when all tests are done
}

func newSite(t *testing.T, v variant) *site {
	t.Helper()
	g, err := v.open()
	if err != nil {
		t.Fatal(err)
	}
	config, err := v.config()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(sites, v.name+"-")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t, v, g, dir}
	if err := os.WriteFile(filepath.Join(s.dir, "config.yaml"), config, 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *site) state() string { return filepath.Join(s.dir, "state.json") }

// args are those of a verb. What the dead had sent is settled when the next one
// begins, so nobody has to wait for what may still show.
func (s *site) args(verb string) []string {
	return append([]string{verb, "-f", filepath.Join(s.dir, "config.yaml"), "--state", s.state(), "--yes", "--settle", "0s"}, s.variant.flags(verb)...)
}

// look says what has happened to the estate, and fails on harm and doubles,
// which must not be there at any time.
func (s *site) look(when string) estate.Change {
	s.t.Helper()
	change, err := s.compare()
	if err != nil {
		s.t.Fatal(err)
	}
	if len(change.Harm) > 0 {
		s.t.Errorf("%s: harm:\n%s", when, strings.Join(change.Harm, "\n"))
	}
	if twice := change.Doubles(); len(twice) > 0 {
		s.t.Errorf("%s: made twice: %v", when, twice)
	}
	return change
}

// records reads the state file, which must be readable whatever happened; nil
// if there is none.
func (s *site) records(when string) []engine.Record {
	s.t.Helper()
	data, err := os.ReadFile(s.state())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		s.t.Fatal(err)
	}
	if what := estate.Leaks(string(data)); what != "" {
		s.t.Errorf("%s: %s is in the state file", when, what)
	}
	var doc struct{ Serial int }
	state, err := engine.LoadState(data, nil)
	if err = errors.Join(err, json.Unmarshal(data, &doc)); err != nil || doc.Serial < 1 {
		s.t.Errorf("%s: the state file can not be read: %v\n%s", when, err, data)
		return nil
	}
	return state.Records()
}

// recorded fails if something of ours is not recorded with its ID.
func (s *site) recorded(when string, change estate.Change) {
	s.t.Helper()
	records := s.records(when)
	for _, t := range change.Made {
		if t.Mark != "" && !slices.ContainsFunc(records, func(r engine.Record) bool { return string(r.ID) == s.recordID(t) }) {
			s.t.Errorf("%s: %s is not recorded", when, t)
		}
	}
}

// files are the names of what lies in the directory.
func (s *site) files() string {
	s.t.Helper()
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// idle runs a verb once more and fails if it writes or says that it failed.
func (s *site) idle(verb string) {
	s.t.Helper()
	code, said := s.within(verb)
	if wrote := writes(s.calls()); code != 0 || len(wrote) > 0 {
		s.t.Errorf("%s once more: exit code %d, %d writes\n%s", verb, code, len(wrote), said)
	}
	s.quiet(verb, said)
}

// quiet fails if a secret was said.
func (s *site) quiet(when, said string) {
	s.t.Helper()
	if what := estate.Leaks(said); what != "" {
		s.t.Errorf("%s: it says %s:\n%s", when, what, said)
	}
	if unknown := s.unknown(); len(unknown) > 0 {
		s.t.Errorf("%s: calls that the cloud does not know: %v", when, unknown)
	}
}

// asBefore deletes, and fails if the estate is not as it was.
func (s *site) asBefore() {
	s.t.Helper()
	if code, said := s.within(remove); code != 0 {
		s.t.Errorf("delete: exit code %d\n%s", code, said)
	}
	s.empty("after delete")
}

// empty fails if anything of ours is left, in the cloud or on the disk.
func (s *site) empty(when string) {
	s.t.Helper()
	if err := s.settle(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	if change := s.look(when); len(change.Made) > 0 {
		s.t.Errorf("%s: left:\n%s", when, change.Print())
	}
	if files := s.files(); files != "config.yaml" {
		s.t.Errorf("%s: the directory holds %s", when, files)
	}
}

// A key names a call in every run of the same command, in whatever order the
// calls come: what it asks for, and which of several equal ones it is.
type key struct {
	says  string
	which int
}

// String implements fmt.Stringer.
func (k key) String() string { return fmt.Sprintf("%s (%d)", k.says, k.which) }

// keys counts equal calls. Each key has to be asked for once per call.
type keys map[string]int

func (ks keys) of(c call) key {
	if c.once {
		return key{c.says, 1}
	}
	ks[c.says]++
	return key{c.says, ks[c.says]}
}
