// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// things are all objects of a snapshot by "kind ID".
type things map[string]map[string]json.RawMessage

// take is a snapshot of all that is in a cloud.
func take(cloud *sim.Cloud) (things, error) {
	var kinds map[string][]map[string]json.RawMessage
	if err := json.Unmarshal(cloud.Snapshot(), &kinds); err != nil {
		return nil, fmt.Errorf("reading the snapshot of the cloud: %w", err)
	}
	all := things{}
	for kind, objects := range kinds {
		for _, o := range objects {
			var id string
			if err := json.Unmarshal(o["id"], &id); err != nil {
				return nil, fmt.Errorf("reading the snapshot of the cloud: %s: %w", kind, err)
			}
			all[kind+" "+id] = o
		}
	}
	return all, nil
}

// automatic fields are counted by the cloud itself, whenever something happens to a thing or near
// it; no owner can set them.
var automatic = []string{"revision_number", "updated_at"}

// against compares with what was there before: what is unchanged, what differs
// (with the fields), and what is there now only.
func (now things) against(before things) (unchanged int, differs, leaked []string) {
	for _, name := range slices.Sorted(maps.Keys(before)) {
		was, is := before[name], now[name]
		if is == nil {
			differs = append(differs, name+" is gone")
			continue
		}
		fields := changed(was, is)
		if len(fields) == 0 {
			unchanged++
			continue
		}
		for _, f := range fields {
			differs = append(differs, fmt.Sprintf("%s: %s was %s and is %s", name, f, was[f], is[f]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if before[name] == nil {
			leaked = append(leaked, name)
		}
	}
	return unchanged, differs, leaked
}

// changed are the fields that differ.
func changed(was, is map[string]json.RawMessage) (fields []string) {
	both := maps.Clone(was)
	maps.Copy(both, is)
	for _, f := range slices.Sorted(maps.Keys(both)) {
		if !slices.Contains(automatic, f) && !bytes.Equal(was[f], is[f]) {
			fields = append(fields, f)
		}
	}
	return fields
}

// prove prints the proof, and fails if it does not hold.
func (s *show) prove(before things, again counter) error {
	after, err := take(s.cloud)
	if err != nil {
		return err
	}
	unchanged, differs, leaked := after.against(before)
	calls := s.cloud.Calls()
	holds := len(differs) == 0 && len(leaked) == 0 && again.writes == 0 && len(s.cloud.Unknown()) == 0
	verdictWord, colour := "it holds", green
	if !holds {
		verdictWord, colour = "it does NOT hold", red
	}
	fmt.Fprintf(s, "\n%s\n", s.in(colour, "Proof: "+verdictWord))
	fmt.Fprintf(s, "  the user's and the neighbours' things: %d unchanged of %d\n", unchanged, len(before))
	fmt.Fprintf(s, "  leaked: %d\n", len(leaked))
	fmt.Fprintf(s, "  calls: %d, of them %d write\n", len(calls), len(sim.Writes(calls)))
	fmt.Fprintf(s, "  writes in the second run: %d\n", again.writes)
	for _, d := range differs {
		fmt.Fprintf(s, "  differs: %s\n", d)
	}
	for _, l := range leaked {
		fmt.Fprintf(s, "  leaked: %s\n", l)
	}
	for _, u := range s.cloud.Unknown() {
		fmt.Fprintf(s, "  not understood by the built-in cloud: %s\n", u)
	}
	if !holds {
		return verdict(exitBad)
	}
	fmt.Fprintln(s, "Next: espalier cloud openstack lets you try it yourself; examples/ has configurations for it.")
	return nil
}
