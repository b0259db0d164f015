// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
)

// blockV4 reads an IPv4 block and clears its host bits, as EC2 does.
func blockV4(name, s string) (netip.Prefix, error) {
	p, err := netip.ParsePrefix(s)
	if err != nil || !p.Addr().Is4() {
		return p, invalid("Value (%s) for parameter %s is invalid. This is not a valid CIDR block.", s, name)
	}
	return p.Masked(), nil
}

// blockV6 reads an IPv6 block and clears its host bits.
func blockV6(name, s string) (netip.Prefix, error) {
	p, err := netip.ParsePrefix(s)
	if err != nil || !p.Addr().Is6() || p.Addr().Is4In6() {
		return p, invalid("Value (%s) for parameter %s is invalid. This is not a valid IPv6 CIDR block.", s, name)
	}
	return p.Masked(), nil
}

// within says whether a block lies in another.
func within(outer, inner netip.Prefix) bool {
	return outer.Bits() <= inner.Bits() && outer.Contains(inner.Addr())
}

// block is a block that is associated with a VPC or a subnet.
type block struct {
	ID     string
	Prefix netip.Prefix
	State  string // associating, associated, disassociating, disassociated, failing, failed
	Pool   string // of IPv6 blocks of VPCs
}

func (b block) lives() bool { return b.State == "associated" || b.State == "associating" }

func living(blocks []*block) (all []netip.Prefix) {
	for _, b := range blocks {
		if b.lives() {
			all = append(all, b.Prefix)
		}
	}
	return all
}

// amazonBlock is the IPv6 block of Amazon's that a VPC gets: a /56 made of its ID.
func (c *Cloud) amazonBlock(vpc string) netip.Prefix {
	raw, err := hex.DecodeString(c.digest("ipv6", vpc)[:8])
	if err != nil {
		raw = make([]byte, 4)
	}
	a := [16]byte{0x2a, 0x05, 0xd0, 0x14}
	binary.BigEndian.PutUint32(a[3:], binary.BigEndian.Uint32(raw)&0x00ffffff|uint32(0x14)<<24)
	return netip.PrefixFrom(netip.AddrFrom16(a), 56).Masked()
}

// addressIn is the n-th address of a block, counted from 0.
func addressIn(p netip.Prefix, n uint32) netip.Addr {
	a := p.Addr().As4()
	binary.BigEndian.PutUint32(a[:], binary.BigEndian.Uint32(a[:])+n)
	return netip.AddrFrom4(a)
}

// spelledAddress is the text of an address, or nil if there is none.
func spelledAddress(a netip.Addr) any {
	if !a.IsValid() {
		return nil
	}
	return a.String()
}
