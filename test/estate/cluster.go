// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package estate

import (
	"net/netip"
	"slices"
	"strings"
)

// The cluster that all is made for.
const (
	Cluster = "shoot--garden--rose"
	UID     = "11112222-3333-4444-5555-666677778888"
)

// Keys of its nodes: that of a new cluster, and another one.
const (
	Key      = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3RJiUp6ZS4UXFTLM3qjLDzSYKMwsvd4vC8lE1kJv7n nodes"
	OtherKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKr0VYJvJ2mJqBSj1Lk9uZC1v7QH0vVhQ8bL0nqk3m1S nodes"
)

// Ranges are those of a cluster, any of which may be empty.
type Ranges struct{ Nodes, Pods, Services []netip.Prefix }

// Flags are those of the command line that say them.
func (r Ranges) Flags() (flags []string) {
	for _, one := range []struct {
		flag  string
		cidrs []netip.Prefix
	}{{"--nodes", r.Nodes}, {"--pods", r.Pods}, {"--services", r.Services}} {
		var all []string
		for _, c := range one.cidrs {
			all = append(all, c.String())
		}
		slices.Sort(all)
		if len(all) > 0 {
			flags = append(flags, one.flag, strings.Join(all, ","))
		}
	}
	return flags
}
