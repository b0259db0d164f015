// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
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

// unless returns a problem if ok is false.
func unless(ok bool, value, format string, args ...any) engine.Problem {
	if ok {
		return engine.Problem{}
	}
	return engine.Problem{Value: value, Message: fmt.Sprintf(format, args...)}
}
