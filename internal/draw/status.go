// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import "github.com/espalier-io/espalier/internal/engine"

// A status says whose a thing is, and what becomes of it.
type status int

const (
	yours status = iota
	ours
	toMake
	toChange
	toReplace
	toRemove
	blocked
	absent
	unread
	statusEnd
)

// A look is how a status shows.
type look struct {
	word   string // stands beside the thing
	legend string // what the word means
	glyph  string // on a terminal
	class  string // of colour
	// corner is how corners look: 's' square, 'r' round, 'c' cut off.
	corner byte
	double bool   // two frames, one in the other
	dash   string // of the frame; empty is solid
}

var looks = [...]look{
	yours:     {"yours", "never changed, never deleted", "■", "yours", 's', true, ""},
	ours:      {"ours", "Espalier's, and as it should be", "●", "ours", 'r', false, ""},
	toMake:    {"to be made", "not there yet; apply makes it", "○", "ours", 'r', false, "7 5"},
	toChange:  {"ours, to be changed", "apply changes it in place", "◐", "ours", 'r', false, "14 4 3 4"},
	toReplace: {"ours, to be replaced", "apply makes it anew", "◐", "ours", 'r', false, "14 4 3 4 3 4"},
	toRemove:  {"ours, to be removed", "no longer wanted; apply deletes it", "◌", "ours", 'r', false, "2 4"},
	blocked:   {"blocked", "left alone, since something could not be read", "?", "doubt", 'c', false, ""},
	absent:    {"yours, absent", "named in the configuration, but not there", "×", "wrong", 's', false, "2 4"},
	unread:    {"yours, not read", "could not be read, so nothing is concluded", "?", "doubt", 'c', false, ""},
}

func (s status) look() look { return looks[s] }

// statusOf reads the status off a view.
func statusOf(v engine.View) status {
	switch v.Action {
	case engine.Keep:
		return ours
	case engine.Create:
		return toMake
	case engine.Update:
		return toChange
	case engine.Replace:
		return toReplace
	case engine.Delete:
		return toRemove
	case engine.Blocked:
		return blocked
	case engine.Reference:
	}
	switch {
	case v.Unknown:
		return unread
	case v.ID == "" && v.Kind == "":
		return absent
	}
	return yours
}
