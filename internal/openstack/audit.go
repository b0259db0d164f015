// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// missingRules returns those of the wanted rules that no rule of a group
// covers, in the order of want.
func missingRules(have, want engine.Set[Rule]) (missing []Rule) {
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h Rule) bool { return h.covers(w) }) {
			missing = append(missing, w)
		}
	}
	return missing
}

// covers says that a rule lets through all that w is there for. NodePorts may
// be open to part of the world only: whom they serve is the user's affair.
func (r Rule) covers(w Rule) bool {
	if r.Direction != w.Direction || r.EtherType != w.EtherType || r.Protocol != "" && r.Protocol != w.Protocol {
		return false
	}
	if (r.From != 0 || r.To != 0) && (w.From == 0 || r.From > w.From || r.To < w.To) {
		return false
	}
	return r.admits(w)
}

// admits says that a rule is for all whom w is for.
func (r Rule) admits(w Rule) bool {
	if r.Remote == "" || r.Remote == w.Remote {
		return true
	}
	rp, rok := prefix(r.Remote)
	if w.Remote == "" {
		return rok && w.From == firstNodePort
	}
	wp, wok := prefix(w.Remote)
	return rok && wok && contains([]netip.Prefix{rp}, wp)
}

// command is how the rule is added by hand.
func (r Rule) command(group string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "openstack security group rule create --%s --ethertype %s", r.Direction, r.EtherType)
	if r.Protocol != "" {
		fmt.Fprintf(&b, " --protocol %s", r.Protocol)
	}
	if r.From != 0 {
		fmt.Fprintf(&b, " --dst-port %d:%d", r.From, r.To)
	}
	switch {
	case r.Remote == "self":
		fmt.Fprintf(&b, " --remote-group %s", group)
	case r.Remote != "":
		fmt.Fprintf(&b, " --remote-ip %s", r.Remote)
	}
	return b.String() + " " + group
}
