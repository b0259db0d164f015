// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// prefix reads a CIDR that may be none, and clears its host bits.
func prefix(s string) (netip.Prefix, bool) {
	p, err := netip.ParsePrefix(s)
	return p.Masked(), err == nil
}

// startsOrEndsIn is how the cloud controller manager tells its own routes: the
// first or the last address lies in a pod network.
func startsOrEndsIn(pods []netip.Prefix, dest netip.Prefix) bool {
	return slices.ContainsFunc(pods, func(p netip.Prefix) bool {
		return p.Contains(dest.Addr()) || p.Contains(last(dest))
	})
}

// last returns the last address of a range.
func last(p netip.Prefix) netip.Addr {
	raw := p.Masked().Addr().AsSlice()
	for bit := p.Bits(); bit < len(raw)*8; bit++ {
		raw[bit/8] |= 1 << (7 - bit%8)
	}
	a, _ := netip.AddrFromSlice(raw)
	return a
}

// join lists ranges in words.
func join(ps []netip.Prefix) string {
	var out []string
	for _, p := range ps {
		out = append(out, p.String())
	}
	return strings.Join(out, ", ")
}

// ParsePrefixes reads CIDRs; the error names the one that is none.
func ParsePrefixes(cidrs ...string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, s := range cidrs {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, fmt.Errorf("%q is not a CIDR: %w", s, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// contains says that inner lies in one of the outer ranges.
func contains(outer []netip.Prefix, inner netip.Prefix) bool {
	return slices.ContainsFunc(outer, func(o netip.Prefix) bool { return o.Bits() <= inner.Bits() && o.Contains(inner.Addr()) })
}

// overlap returns the first range that shares an address with p.
func overlap(ranges []netip.Prefix, p netip.Prefix) (netip.Prefix, bool) {
	i := slices.IndexFunc(ranges, p.Overlaps)
	if i < 0 {
		return netip.Prefix{}, false
	}
	return ranges[i], true
}
