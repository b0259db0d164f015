// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"

	"github.com/espalier-io/espalier/internal/engine"
)

// formatVersion is that of what machines read. A field more is a minor step,
// anything else a major one.
const formatVersion = "1.0"

// A report is the result of a command, as machines read it. Lists that a
// command has at all are there even if they are empty.
type report struct {
	FormatVersion string            `json:"format_version"`
	Verb          string            `json:"verb"`
	Cluster       string            `json:"cluster,omitempty"`
	Outcome       string            `json:"outcome,omitempty"`
	Findings      *[]engine.Finding `json:"findings,omitempty"`
	NotChecked    []notChecked      `json:"not_checked,omitempty"`
	Steps         *[]engine.Step    `json:"steps,omitempty"`
	Summary       map[string]int    `json:"summary,omitempty"`
	Remains       []remain          `json:"remains,omitempty"`
	State         *stateView        `json:"state,omitempty"`
	Status        any               `json:"status,omitempty"`
	Codes         []explanation     `json:"codes,omitempty"`
	Version       *versionView      `json:"version,omitempty"`
	Error         *failure          `json:"error,omitempty"`
}

// A failure is an error as machines read it.
type failure struct {
	// Kind is that of package fault; empty if it is none of them.
	Kind    string `json:"kind,omitempty"`
	Message string `json:"message"`
}

// notChecked is a rule that nobody could check.
type notChecked struct {
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// stateView is what status tells of the state.
type stateView struct {
	File    string `json:"file,omitempty"`
	Serial  int    `json:"serial"`
	UID     string `json:"uid,omitempty"`
	Cloud   string `json:"cloud,omitempty"`
	Records int    `json:"records"`
}

// machine says whether the result is for a machine.
func (a *app) machine() bool { return a.output == "json" || a.output == "yaml" }

// emit prints the result: as JSON or YAML, or by table.
func (a *app) emit(r report, table func(w canvas)) error {
	if !a.machine() {
		if table == nil {
			return nil
		}
		var b bytes.Buffer
		table(a.canvas(&b, a.env.OutTTY))
		_, err := a.env.Out.Write(b.Bytes())
		return err
	}
	r.FormatVersion = formatVersion
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("printing the result: %w", err)
	}
	data := b.Bytes()
	if a.output == "yaml" {
		var err error
		if data, err = yaml.JSONToYAML(data); err != nil {
			return fmt.Errorf("printing the result: %w", err)
		}
	}
	_, err := a.env.Out.Write(data)
	return err
}

// note says something on the way, above the lines of what is running.
func (a *app) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if p := a.live.Load(); p != nil {
		p.say(text)
		return
	}
	fmt.Fprintln(a.env.Err, text)
}
