// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// What pictures tell of each kind. The sort is the same for the user's things
// and for ours.
var (
	_ engine.Described = VPC{}
	_ engine.Described = Subnet{}
	_ engine.Described = RouteTable{}
	_ engine.Described = SecurityGroup{}
	_ engine.Described = KeyPair{}
	_ engine.Described = Role{}
	_ engine.Described = Policy{}
	_ engine.Described = Profile{}
	_ engine.Described = ProfileRole{}
	_ engine.Described = Tag{}
	_ engine.Described = RoleTag{}
)

// Describe implements engine.Described.
func (v VPC) Describe() engine.Description {
	d := engine.Description{Sort: "vpc"}
	for _, cidrs := range [][]string{v.CIDRs, v.IPv6CIDRs} {
		if len(cidrs) > 0 {
			d.Facts = append(d.Facts, strings.Join(cidrs, ", "))
		}
	}
	return d
}

// Describe implements engine.Described.
func (s Subnet) Describe() engine.Description {
	d := engine.Description{Sort: "subnet", Label: s.Tags[nameTag]}
	if s.VPC != "" {
		d.Joined = []engine.ID{s.VPC}
	}
	if s.Zone != "" {
		d.Facts = append(d.Facts, "zone "+s.Zone)
	}
	if s.CIDR != "" {
		d.Facts = append(d.Facts, s.CIDR)
	}
	if len(s.IPv6CIDRs) > 0 {
		d.Facts = append(d.Facts, strings.Join(s.IPv6CIDRs, ", "))
	}
	if s.Native {
		d.Facts = append(d.Facts, "IPv6 only")
	}
	return d
}

// Describe implements engine.Described. The subnets are those that are
// associated with the table; others use it for being the main one.
func (t RouteTable) Describe() engine.Description {
	d := engine.Description{Sort: "route-table", Label: t.Tags[nameTag], Joined: t.Subnets}
	if t.Main {
		d.Facts = append(d.Facts, "main table of the VPC")
	}
	for _, r := range t.Routes {
		if r.Destination != "0.0.0.0/0" && r.Destination != "::/0" {
			continue
		}
		text := r.Destination + " to " + r.Target
		if r.Blackhole {
			text += ", which is gone"
		}
		d.Facts = append(d.Facts, text)
	}
	return d
}

// Describe implements engine.Described.
func (g SecurityGroup) Describe() engine.Description {
	d := engine.Description{Sort: SecurityGroups{}.Kind(), Label: g.Name}
	if n := len(g.Rules); n > 0 {
		d.Facts = append(d.Facts, fmt.Sprintf("%d rules", n))
	}
	return d
}

// Describe implements engine.Described.
func (k KeyPair) Describe() engine.Description {
	return engine.Description{Sort: KeyPairs{}.Kind(), Label: k.Name}
}

// Describe implements engine.Described.
func (r Role) Describe() engine.Description {
	return engine.Description{Sort: Roles{}.Kind(), Label: r.Name}
}

// Describe implements engine.Described.
func (p Policy) Describe() engine.Description {
	return engine.Description{Sort: Policies{}.Kind(), Label: p.Name}
}

// Describe implements engine.Described.
func (p Profile) Describe() engine.Description {
	return engine.Description{Sort: Profiles{}.Kind(), Label: p.Name}
}

// Describe implements engine.Described.
func (p ProfileRole) Describe() engine.Description {
	return engine.Description{Sort: ProfileRoles{}.Kind()}
}

// Describe implements engine.Described.
func (t Tag) Describe() engine.Description {
	return engine.Description{Sort: Tags{}.Kind(), Label: t.Key}
}

// Describe implements engine.Described.
func (t RoleTag) Describe() engine.Description {
	return engine.Description{Sort: RoleTags{}.Kind(), Label: t.Key}
}
