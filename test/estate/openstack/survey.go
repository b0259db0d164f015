// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"slices"
	"strings"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
	"github.com/espalier-io/espalier/test/estate"
)

// A Survey is the estate as it was before anybody worked in it.
type Survey struct{ before *estate.Survey }

// Inspect takes the survey.
func Inspect(c *sim.Cloud) (*Survey, error) {
	before, err := estate.Inspect(c.Snapshot(), estate.Guide{Mark: markOf, Chosen: chosen})
	return &Survey{before}, err
}

// Compare says what has happened, when a cluster may be beside the estate's things.
func (s *Survey) Compare(c *sim.Cloud, beside Beside) (estate.Change, error) {
	return s.before.Compare(c.Snapshot(), func(d sim.Difference) ([]estate.Thing, bool) { return nil, beside.moves(d) })
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

// moves says that a difference comes of something being beside the user's things.
func (b Beside) moves(d sim.Difference) bool {
	theirs := d.ID == Network || d.ID == Router
	switch d.Kind + "." + d.Field {
	case "networks.revision_number", "networks.updated_at", "routers.revision_number", "routers.updated_at":
		return b >= Revisions && theirs
	case "networks.subnets":
		return b >= Revisions && theirs && estate.Contains(d.After, d.Before)
	case "ports.revision_number", "ports.updated_at":
		return b >= Addresses
	case "ports.fixed_ips":
		return b >= Addresses && estate.Contains(d.After, d.Before)
	}
	return false
}

// mark is how the description of all that is made for the cluster begins.
const mark = estate.Cluster + " " + estate.UID + "/"

func markOf(object map[string]any) string {
	if s, ok := object["description"].(string); ok && strings.HasPrefix(s, mark) {
		return s
	}
	return ""
}

// anew are fields that the cloud chooses anew each time.
var anew = []string{"id", "created_at", "updated_at", "revision_number", "mac_address", "ip_address", "provider:segmentation_id"}

// dealt is what of a subnet depends on which came first to the pool.
var dealt = []string{"cidr", "allocation_pools", "gateway_ip"}

func chosen(object map[string]any, field string) bool {
	pool, _ := object["subnetpool_id"].(string)
	return slices.Contains(anew, field) || pool != "" && slices.Contains(dealt, field)
}
