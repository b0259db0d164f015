// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// A kept plan is what plan --out writes and apply FILE reads. It holds all that
// the plan came from, so that it can be made again and compared; no secrets.
type kept struct {
	FormatVersion string         `json:"format_version"`
	Kind          string         `json:"kind"`
	Cluster       string         `json:"cluster"`
	Input         []input.Source `json:"input"`
	Flags         input.Flags    `json:"flags"`
	Accept        []string       `json:"accept,omitempty"`
	State         string         `json:"state"`
	Serial        int            `json:"serial"`
	Plan          *engine.Plan   `json:"plan"`
}

const keptKind = "espalier-plan"

// keep writes a plan to a file, which only its owner may read.
func keep(name string, r *run, sources []input.Source, p *engine.Plan) error {
	for i, s := range sources {
		if s.Name == "-" {
			continue
		}
		abs, err := filepath.Abs(s.Name)
		if err != nil {
			return fault.New(fault.Invalid, "keeping the plan", err)
		}
		sources[i].Name = abs
	}
	state, err := filepath.Abs(r.path)
	if err != nil {
		return fault.New(fault.Invalid, "keeping the plan", err)
	}
	data, err := json.MarshalIndent(kept{formatVersion, keptKind, r.c.TechnicalID, sources, r.o.facts, r.o.accept, state, r.state.Serial(), p}, "", "  ")
	if err != nil {
		return fault.New(fault.Invalid, "keeping the plan", err)
	}
	if err := os.WriteFile(name, append(data, '\n'), 0o600); err != nil {
		return fault.Errorf(fault.Denied, "keeping the plan: %w", err)
	}
	return nil
}

// restore reads a plan that was kept, and says whether its input is as it was.
func restore(name string) (*kept, error) {
	sources, err := input.Read([]string{name}, nil)
	if err != nil {
		return nil, err
	}
	k := &kept{}
	if err := json.Unmarshal([]byte(sources[0].Text), k); err != nil || k.Kind != keptKind || k.Plan == nil {
		return nil, fault.Errorf(fault.Invalid, "%s is not a plan that espalier plan --out wrote (a configuration is given with -f)", name)
	}
	if k.FormatVersion != formatVersion {
		return nil, fault.Errorf(fault.Invalid, "%s has the format %s, this version knows %s: plan again", name, engine.Clean(k.FormatVersion), formatVersion)
	}
	for _, s := range k.Input {
		now, err := os.ReadFile(s.Name)
		switch {
		case s.Name == "-" || errors.Is(err, os.ErrNotExist): // what was kept counts
		case err != nil:
			return nil, fault.Errorf(fault.Invalid, "reading the input of the plan again: %w", err)
		case string(now) != s.Text:
			return nil, failed{fault.Errorf(fault.Conflict, "%s has changed since the plan was made: plan again", s.Name)}
		}
	}
	return k, nil
}

// same refuses to go on if the plan would now be another one.
func (k *kept) same(s *engine.State, now *engine.Plan) error {
	if s.Serial() != k.Serial {
		return failed{fault.Errorf(fault.Conflict, "the state has changed since the plan was made (serial %d then, %d now): plan again", k.Serial, s.Serial())}
	}
	if !k.Plan.Equal(now) {
		return failed{fault.Errorf(fault.Conflict, "the cloud has changed since the plan was made, so that it would be another one now: plan again")}
	}
	return nil
}
