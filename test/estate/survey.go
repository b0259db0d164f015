// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package estate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// A Survey is the estate as it was before anybody worked in it: the user's
// things, the neighbours', and the administrator's.
type Survey struct{ before map[place]json.RawMessage }

// A place is where a thing is in a snapshot.
type place struct{ kind, id string }

// Inspect takes the survey.
func Inspect(c *sim.Cloud) (*Survey, error) {
	before, err := things(c.Snapshot())
	return &Survey{before}, err
}

// things divides a snapshot.
func things(snapshot []byte) (map[place]json.RawMessage, error) {
	var kinds map[string][]json.RawMessage
	if err := json.Unmarshal(snapshot, &kinds); err != nil {
		return nil, err
	}
	all := map[place]json.RawMessage{}
	for kind, list := range kinds {
		for _, raw := range list {
			var thing struct{ ID string }
			if err := json.Unmarshal(raw, &thing); err != nil {
				return nil, err
			}
			all[place{kind, thing.ID}] = raw
		}
	}
	return all, nil
}

// A Thing has been made since the survey.
type Thing struct {
	Kind   string // "networks", …
	ID     string
	Name   string
	Mark   string // its description
	Object map[string]any
}

// String names the thing without its ID.
func (t Thing) String() string {
	what := t.Kind + " " + t.Name
	for _, more := range []any{t.Object["device_owner"], t.Mark} {
		if s, ok := more.(string); ok && s != "" {
			what += " " + s
		}
	}
	return what
}

// Change is what has happened since the survey.
type Change struct {
	// Harm is what of the estate is not as it was, in words. What comes of the
	// cluster being in the user's network ([Beside]) is none.
	Harm []string
	Made []Thing
}

// Beside says what a cluster moves of the user's things by being beside them.
type Beside int

// What it may move. No field that the user has set is among it; but Neutron
// gives each port of a network an address of each new IPv6 subnet that tells
// addresses by itself, and takes it away with the subnet.
const (
	Nothing   Beside = iota
	Revisions        // of their network and router, and the network's list of subnets
	Addresses        // that too, and the IPv6 addresses of ports in their network
)

// Compare says what has happened, when a cluster may be beside the estate's things.
func (s *Survey) Compare(c *sim.Cloud, beside Beside) (Change, error) {
	now, err := things(c.Snapshot())
	if err != nil {
		return Change{}, err
	}
	before, err := json.Marshal(other(s.before, now))
	if err != nil {
		return Change{}, err
	}
	after, err := json.Marshal(other(now, s.before))
	if err != nil {
		return Change{}, err
	}
	differences, err := sim.Compare(before, after)
	if err != nil {
		return Change{}, err
	}
	var change Change
	for _, d := range differences {
		object, ok := d.After.(map[string]any)
		switch {
		case d.New() && ok:
			description, _ := object["description"].(string)
			change.Made = append(change.Made, Thing{d.Kind, d.ID, d.Name, description, object})
		case !beside.moves(d):
			change.Harm = append(change.Harm, d.String())
		}
	}
	return change, nil
}

// other is the part of a snapshot that is not the same in another one. It is
// small, and all that needs to be read.
func other(of, than map[place]json.RawMessage) map[string][]json.RawMessage {
	part := map[string][]json.RawMessage{}
	for at, raw := range of {
		if !bytes.Equal(than[at], raw) {
			part[at.kind] = append(part[at.kind], raw)
		}
	}
	return part
}

// moves says that a difference comes of something being beside the user's things.
func (b Beside) moves(d sim.Difference) bool {
	theirs := d.ID == Network || d.ID == Router
	switch d.Kind + "." + d.Field {
	case "networks.revision_number", "networks.updated_at", "routers.revision_number", "routers.updated_at":
		return b >= Revisions && theirs
	case "networks.subnets":
		return b >= Revisions && theirs && all(d.After, d.Before)
	case "ports.revision_number", "ports.updated_at":
		return b >= Addresses
	case "ports.fixed_ips":
		return b >= Addresses && all(d.After, d.Before)
	}
	return false
}

// all says that a list has all elements of another one.
func all(list, of any) bool {
	have, _ := list.([]any)
	want, _ := of.([]any)
	return !slices.ContainsFunc(want, func(w any) bool {
		return !slices.ContainsFunc(have, func(h any) bool { return reflect.DeepEqual(h, w) })
	})
}

// mark is how the description of all that is made for the cluster begins.
const mark = Cluster + " " + UID + "/"

// Doubles names what was made twice: two things of a kind with the same mark.
func (c Change) Doubles() (twice []string) {
	seen := map[string]bool{}
	for _, t := range c.Made {
		if !strings.HasPrefix(t.Mark, mark) {
			continue
		}
		if seen[t.String()] {
			twice = append(twice, t.String())
		}
		seen[t.String()] = true
	}
	return twice
}

// Print is a text that is equal if, but for IDs and times, the same was made.
func (c Change) Print() string {
	var names []string
	for _, t := range c.Made {
		names = append(names, t.ID, "‹"+t.String()+"›")
	}
	named := strings.NewReplacer(names...)
	var lines []string
	for _, t := range c.Made {
		lines = append(lines, t.Kind+" "+named.Replace(plain(t.Object)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// chosen are fields that the cloud chooses anew each time.
var chosen = []string{"id", "created_at", "updated_at", "revision_number", "mac_address", "ip_address", "provider:segmentation_id"}

// dealt is what of a subnet depends on which came first to the pool.
var dealt = []string{"cidr", "allocation_pools", "gateway_ip"}

// plain writes a value of JSON in an order that does not depend on IDs.
func plain(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		pool, _ := v["subnetpool_id"].(string)
		for key, value := range v {
			if !slices.Contains(chosen, key) && (pool == "" || !slices.Contains(dealt, key)) {
				parts = append(parts, key+"="+plain(value))
			}
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, " ") + "}"
	case []any:
		var parts []string
		for _, value := range v {
			parts = append(parts, plain(value))
		}
		slices.Sort(parts)
		return "[" + strings.Join(parts, " ") + "]"
	}
	return fmt.Sprint(v)
}
