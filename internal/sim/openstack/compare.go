// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"encoding/json"
	"fmt"

	"github.com/espalier-io/espalier/internal/sim/snapshot"
)

// A Difference between two snapshots.
type Difference = snapshot.Difference

// Volatile are the fields that rise with every change of a thing or of what is
// in it. Where a network or a router of the user's legitimately carries a
// cluster, compare without them (and without "networks.subnets").
var Volatile = []string{"revision_number", "updated_at"}

// Compare says what differs between two snapshots, see snapshot.Compare.
func Compare(before, after []byte, ignore ...string) ([]Difference, error) {
	return snapshot.Compare(before, after, ignore...)
}

// Count says how many things a snapshot holds.
func Count(of []byte) (int, error) { return snapshot.Count(of) }

func asJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}
