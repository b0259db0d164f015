// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"cmp"
	"net/netip"
	"slices"
)

// pool is a range of addresses, both ends included.
type pool struct {
	Start netip.Addr `json:"start"`
	End   netip.Addr `json:"end"`
}

func (p pool) String() string             { return p.Start.String() + "-" + p.End.String() }
func (p pool) contains(a netip.Addr) bool { return !a.Less(p.Start) && !p.End.Less(a) }

// sortPools puts pools in order.
func sortPools(pools []pool) []pool {
	return slices.SortedFunc(slices.Values(pools), func(a, b pool) int { return a.Start.Compare(b.Start) })
}

// last returns the last address of a prefix.
func last(p netip.Prefix) netip.Addr {
	raw := p.Masked().Addr().AsSlice()
	for i := p.Bits(); i < len(raw)*8; i++ {
		raw[i/8] |= 1 << (7 - i%8)
	}
	a, _ := netip.AddrFromSlice(raw) // it has the length of an address
	return a
}

// hosts returns the range of the addresses of a subnet that ports may have: not
// the first (network, or the subnet-router anycast address) nor IPv4's broadcast.
func hosts(p netip.Prefix) pool {
	first, end := p.Masked().Addr(), last(p)
	if p.Bits() >= first.BitLen()-1 { // point to point, or one address
		return pool{first, end}
	}
	if first.Is4() {
		end = end.Prev()
	}
	return pool{first.Next(), end}
}

// without cuts an address out of a range.
func (p pool) without(a netip.Addr) (rest []pool) {
	if !p.contains(a) {
		return []pool{p}
	}
	if p.Start != a {
		rest = append(rest, pool{p.Start, a.Prev()})
	}
	if p.End != a {
		rest = append(rest, pool{a.Next(), p.End})
	}
	return rest
}

// size is how many addresses a range has, or more than can be counted.
func (p pool) size() float64 {
	n := 0.0
	from, to := p.Start.AsSlice(), p.End.AsSlice()
	for i := range from {
		n = n*256 + float64(to[i]) - float64(from[i])
	}
	return n + 1
}

// within says whether one prefix is inside another.
func within(inner, outer netip.Prefix) bool {
	return outer.Bits() <= inner.Bits() && outer.Contains(inner.Addr())
}

// eui64 is the address that SLAAC makes of a prefix and a MAC address.
func eui64(p netip.Prefix, mac [6]byte) netip.Addr {
	raw := p.Masked().Addr().As16()
	copy(raw[8:], []byte{mac[0] ^ 2, mac[1], mac[2], 0xff, 0xfe, mac[3], mac[4], mac[5]})
	return netip.AddrFrom16(raw)
}

// byAddress orders prefixes, larger ones first.
func byAddress(a, b netip.Prefix) int {
	return cmp.Or(a.Addr().Compare(b.Addr()), cmp.Compare(a.Bits(), b.Bits()))
}
