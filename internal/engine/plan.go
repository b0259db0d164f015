// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An Action is what a plan does to a resource.
type Action string

// The actions, in the words of the trade.
const (
	Reference Action = "reference" // it is the user's: nothing
	Keep      Action = "keep"
	Create    Action = "create"
	Update    Action = "update"
	Replace   Action = "replace"
	Delete    Action = "delete"
	Blocked   Action = "blocked" // something that it depends on is unknown: nothing, for now
)

// An Owner says whose a resource is.
type Owner string

// The owners.
const (
	Yours Owner = "yours" // the user's: never changed
	Ours  Owner = "ours"
)

// Found says how we know that something is ours.
type Found string

// The ways to find what is ours. What is deleted although only its mark says
// that it is ours deserves a question.
const (
	Recorded   Found = "recorded" // the state has its ID
	ByMark     Found = "mark"     // it bears our mark, or is part of what does
	ByAdoption Found = "adopted"  // a rule of the configuration's document, or proof from another tool's state
	ByContent  Found = "content"  // it is exactly what ours would be
)

// A Step is one line of a plan.
type Step struct {
	Name   string `json:"name"`
	Kind   string `json:"kind,omitempty"` // empty for a reference
	Action Action `json:"action"`
	ID     ID     `json:"id,omitempty"`
	Owner  Owner  `json:"owner"`
	// Found is empty for what is the user's or is not there.
	Found Found `json:"found,omitempty"`
	// Changes are, for a create, all that is wanted.
	Changes []Change `json:"changes,omitempty"`
	// Because lists why there is such a resource.
	Because []string `json:"because,omitempty"`
	Note    string   `json:"note,omitempty"`
	// Foreign are the elements that others put into what is ours. They stay.
	Foreign []string `json:"foreign,omitempty"`
}

// cleaned returns the step as it may be printed.
func (s Step) cleaned() Step {
	s.Name, s.ID, s.Note = Clean(s.Name), ID(Clean(string(s.ID))), Clean(s.Note)
	s.Because, s.Foreign, s.Changes = cleanAll(s.Because), cleanAll(s.Foreign), slices.Clone(s.Changes)
	for i, c := range s.Changes {
		s.Changes[i].From, s.Changes[i].To = Clean(c.From), Clean(c.To)
		s.Changes[i].Added, s.Changes[i].Removed = cleanAll(c.Added), cleanAll(c.Removed)
	}
	return s
}

func cleanAll(all []string) (out []string) {
	for _, s := range all {
		out = append(out, Clean(s))
	}
	return out
}

// A Plan is what Apply will do. Text that comes from the cloud is cleaned.
// A plan can be written as JSON and read again, to be compared with a later
// one; one that was read can not be applied.
type Plan struct {
	Steps   []Step
	destroy bool
	of      any // the graph that can carry it out, once
}

type planJSON struct {
	Delete bool   `json:"delete,omitempty"`
	Steps  []Step `json:"steps"`
}

// MarshalJSON implements json.Marshaler. The keys are stable.
func (p *Plan) MarshalJSON() ([]byte, error) {
	return json.Marshal(planJSON{p.destroy, append([]Step{}, p.Steps...)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *Plan) UnmarshalJSON(data []byte) error {
	var j planJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return fmt.Errorf("reading the plan: %w", err)
	}
	*p = Plan{Steps: j.Steps, destroy: j.Delete}
	return nil
}

// Destroys says whether it is a plan of a deletion.
func (p *Plan) Destroys() bool { return p.destroy }

// Equal says whether both would do the same to the same things.
func (p *Plan) Equal(q *Plan) bool {
	a, aerr := json.Marshal(p)
	b, berr := json.Marshal(q)
	return aerr == nil && berr == nil && bytes.Equal(a, b)
}

// Idle says whether all is as it should be: nothing to write, nothing blocked.
func (p *Plan) Idle() bool {
	return !slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Action != Keep && s.Action != Reference })
}

// Count returns the number of steps per action.
func (p *Plan) Count() map[Action]int {
	n := map[Action]int{}
	for _, s := range p.Steps {
		n[s.Action]++
	}
	return n
}

func (p *Plan) String() string {
	var b strings.Builder
	for _, s := range p.Steps {
		line := fmt.Sprintf("%-10s%s", s.Action, s.Name)
		if s.ID != "" {
			line += " [" + string(s.ID) + "]"
		}
		if len(s.Because) > 0 {
			line += " (" + strings.Join(s.Because, ", ") + ")"
		}
		if s.Note != "" {
			line += ": " + s.Note
		}
		b.WriteString(line + "\n")
		for _, c := range s.Changes {
			for _, line := range c.Lines() {
				fmt.Fprintf(&b, "            %s\n", line)
			}
		}
		for _, f := range s.Foreign {
			fmt.Fprintf(&b, "            foreign, stays: %s\n", f)
		}
	}
	return b.String()
}
