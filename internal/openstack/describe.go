// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// What pictures tell of each kind. The sort is the same for the user's things
// and for ours.
var (
	_ engine.Described = Network{}
	_ engine.Described = Router{}
	_ engine.Described = Subnet{}
	_ engine.Described = Interface{}
	_ engine.Described = SecurityGroup{}
	_ engine.Described = KeyPair{}
	_ engine.Described = ShareNetwork{}
	_ engine.Described = SubnetPool{}
)

// Describe implements engine.Described.
func (n Network) Describe() engine.Description {
	d := engine.Description{Sort: Networks{}.Kind(), Label: n.Name}
	if n.External {
		d.Sort = externalNode
	} else if n.Shared {
		d.Facts = append(d.Facts, "shared with other projects")
	}
	return d
}

// Describe implements engine.Described.
func (r Router) Describe() engine.Description {
	d := engine.Description{Sort: Routers{}.Kind(), Label: r.Name}
	if r.External != "" {
		d.Joined = []engine.ID{r.External}
	}
	if len(r.ExternalIPs) > 0 {
		d.Facts = append(d.Facts, "gateway address "+strings.Join(r.ExternalIPs, ", "))
	}
	if r.SNAT != nil && !*r.SNAT {
		d.Facts = append(d.Facts, "no SNAT")
	}
	switch n := len(r.Routes); {
	case n == 1:
		d.Facts = append(d.Facts, "1 extra route")
	case n > 1:
		d.Facts = append(d.Facts, fmt.Sprintf("%d extra routes", n))
	}
	return d
}

// Describe implements engine.Described. A range that a pool has yet to give is
// said to be so.
func (s Subnet) Describe() engine.Description {
	d := engine.Description{Sort: Subnets{}.Kind(), Label: s.Name}
	if s.Network != "" {
		d.Joined = []engine.ID{s.Network}
	}
	switch {
	case strings.Contains(s.CIDR, "‹") && s.PrefixLength != nil:
		d.Facts = append(d.Facts, fmt.Sprintf("a /%d from a subnet pool", *s.PrefixLength))
	case strings.Contains(s.CIDR, "‹"):
		d.Facts = append(d.Facts, "a range from a subnet pool")
	case s.CIDR != "":
		d.Facts = append(d.Facts, s.CIDR)
	}
	if s.IPv6Mode != "" {
		d.Facts = append(d.Facts, strings.ToUpper(s.IPv6Mode))
	}
	return d
}

// Describe implements engine.Described.
func (i Interface) Describe() engine.Description {
	return engine.Description{Sort: Interfaces{}.Kind(), Facts: slices.Clone(i.Addresses)}
}

// Describe implements engine.Described.
func (g SecurityGroup) Describe() engine.Description {
	d := engine.Description{Sort: SecurityGroups{}.Kind(), Label: g.Name}
	switch n := len(g.Rules); {
	case n == 1:
		d.Facts = append(d.Facts, "1 rule")
	case n > 1:
		d.Facts = append(d.Facts, fmt.Sprintf("%d rules", n))
	}
	return d
}

// Describe implements engine.Described. Of the key only the type is told.
func (k KeyPair) Describe() engine.Description {
	d := engine.Description{Sort: KeyPairs{}.Kind(), Label: k.Name}
	if typ, _, _ := strings.Cut(k.PublicKey, " "); typ != "" {
		d.Facts = append(d.Facts, typ)
	}
	return d
}

// Describe implements engine.Described.
func (s ShareNetwork) Describe() engine.Description {
	return engine.Description{Sort: ShareNetworks{}.Kind(), Label: s.Name}
}

// Describe implements engine.Described.
func (p SubnetPool) Describe() engine.Description {
	d := engine.Description{Sort: "subnet-pool", Label: p.Name}
	if p.IPVersion > 0 {
		d.Facts = append(d.Facts, fmt.Sprintf("IPv%d, /%d to /%d", p.IPVersion, p.MinPrefix, p.MaxPrefix))
	}
	return d
}
