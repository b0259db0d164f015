// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

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

// contains says that inner lies in one of the outer ranges.
func contains(outer []netip.Prefix, inner netip.Prefix) bool {
	return slices.ContainsFunc(outer, func(o netip.Prefix) bool { return o.Bits() <= inner.Bits() && o.Contains(inner.Addr()) })
}

// family keeps the ranges of one IP family.
func family(ranges []netip.Prefix, six bool) []netip.Prefix {
	return slices.DeleteFunc(slices.Clone(ranges), func(p netip.Prefix) bool { return p.Addr().Is6() != six })
}

func join[T any](all []T) string {
	var out []string
	for _, e := range all {
		out = append(out, fmt.Sprint(e))
	}
	return strings.Join(out, ", ")
}
