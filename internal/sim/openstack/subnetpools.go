// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"net/netip"
	"slices"
	"strconv"
)

type subnetPool struct {
	standard
	Name      string
	Prefixes  []netip.Prefix
	IPVersion int
	Default   int
	Min       int
	Max       int
	Quota     *int
	IsDefault bool
	Shared    bool
	Scope     *string
}

func (p *subnetPool) shown() fields {
	return fields{
		"name": p.Name, "prefixes": p.Prefixes, "ip_version": p.IPVersion, "default_prefixlen": p.Default,
		"min_prefixlen": p.Min, "max_prefixlen": p.Max, "default_quota": value(p.Quota), "is_default": p.IsDefault,
		"shared": p.Shared, "address_scope_id": value(p.Scope),
	}
}

// subnetPoolKind is what the cloud knows about subnet pools.
func subnetPoolKind() *kind[*subnetPool] {
	return &kind[*subnetPool]{
		one: "subnetpool", many: "subnetpools", missing: "SubnetPoolNotFound", text: "Subnet pool %s could not be found.", quota: true,
		of: func(c *Cloud) *table[*subnetPool] { return &c.subnetPools },
		attrs: attributes{
			"name":              {post | put | filter | must, text(255)},
			"prefixes":          {post | put | must, prefixes},
			"ip_version":        {flags: filter},
			"default_prefixlen": {post | put | filter, natural},
			"min_prefixlen":     {post | put | filter, natural},
			"max_prefixlen":     {post | put | filter, natural},
			"default_quota":     {post | put | filter, natural},
			"is_default":        {post | put | filter | guarded, flag},
			"shared":            {post | filter | guarded, flag},
			"address_scope_id":  {post | put | filter, optional(reference)},
		}.common(),
		make: makeSubnetPool, change: changeSubnetPool,
		remove: func(c *call, p *subnetPool) error {
			if c.cloud.subnets.has(func(s *subnet) bool { return s.Pool != nil && *s.Pool == p.ID }) {
				return refuse(http.StatusBadRequest, "SubnetPoolDeleteError", "Unable to delete subnet pool: Subnet pool has existing allocations.")
			}
			return nil
		},
		// The three lengths are texts, except in the answer to a change.
		show: func(c *call, p *subnetPool, f fields) {
			f["shared"] = p.Shared || c.cloud.shares(p, c.who.projectID())
			if c.method != http.MethodPut {
				f["default_prefixlen"], f["min_prefixlen"], f["max_prefixlen"] = strconv.Itoa(p.Default), strconv.Itoa(p.Min), strconv.Itoa(p.Max)
			}
		},
		sees: func(c *call, p *subnetPool) bool { return p.Shared || c.cloud.shares(p, c.who.projectID()) },
	}
}

func makeSubnetPool(c *call, in input) (*subnetPool, error) {
	p := &subnetPool{
		Name: in.text("name"), Prefixes: get(in, "prefixes", []netip.Prefix{}), Min: 8, Max: 32, IPVersion: 4,
		IsDefault: get(in, "is_default", false), Shared: get(in, "shared", false), Quota: in.number("default_quota"), Scope: in.pointer("address_scope_id"),
	}
	if err := p.checkPrefixes(); err != nil {
		return nil, err
	}
	if p.Prefixes[0].Addr().Is6() {
		p.IPVersion, p.Min, p.Max = 6, 64, 128
	}
	set(in, "min_prefixlen", &p.Min)
	set(in, "max_prefixlen", &p.Max)
	p.Default = p.Min
	set(in, "default_prefixlen", &p.Default)
	if err := c.checkPool(p); err != nil {
		return nil, err
	}
	p.standard = c.fresh("subnetpool", in)
	p.Revision = 0
	c.cloud.subnetPools.add(p)
	return p, nil
}

func changeSubnetPool(c *call, p *subnetPool, in input) error {
	next := *p
	if given, named := in.values["prefixes"].([]netip.Prefix); named {
		next.Prefixes = given
		for _, old := range p.Prefixes {
			if !slices.ContainsFunc(given, func(o netip.Prefix) bool { return within(old, o) }) {
				return refuse(http.StatusBadRequest, "IllegalSubnetPoolPrefixUpdate", "Illegal update to prefixes: Existing prefixes must be a subset of the new prefixes.")
			}
		}
	}
	set(in, "name", &next.Name)
	set(in, "min_prefixlen", &next.Min)
	set(in, "max_prefixlen", &next.Max)
	set(in, "default_prefixlen", &next.Default)
	set(in, "is_default", &next.IsDefault)
	if in.has("address_scope_id") {
		next.Scope = in.pointer("address_scope_id")
	}
	if err := next.checkPrefixes(); err != nil {
		return err
	}
	if err := c.checkPool(&next); err != nil {
		return err
	}
	*p = next
	return nil
}

// checkPrefixes refuses an empty list and one of both versions.
func (p *subnetPool) checkPrefixes() error {
	if len(p.Prefixes) == 0 {
		return refuse(http.StatusBadRequest, "EmptySubnetPoolPrefixList", "Empty subnet pool prefix list.")
	}
	for _, o := range p.Prefixes {
		if o.Addr().Is4() != p.Prefixes[0].Addr().Is4() {
			return refuse(http.StatusBadRequest, "PrefixVersionMismatch", "Cannot mix IPv4 and IPv6 prefixes in a subnet pool.")
		}
	}
	p.Prefixes = compact(p.Prefixes)
	return nil
}

// checkPool refuses bounds that do not fit, a second default and a scope that
// the pool cannot be in.
func (c *call) checkPool(p *subnetPool) error {
	if err := p.checkBounds(); err != nil {
		return err
	}
	if p.IsDefault && c.cloud.subnetPools.has(func(o *subnetPool) bool { return o.IsDefault && o.ID != p.ID && o.IPVersion == p.IPVersion }) {
		return invalid("A default subnetpool for this IP family has already been set. Only one default may exist per IP family.")
	}
	return c.checkScope(p)
}

// checkScope refuses a scope of the other version, and one that has the
// addresses already.
func (c *call) checkScope(p *subnetPool) error {
	if p.Scope == nil {
		return nil
	}
	s, err := c.cloud.kinds.scopes.find(c, *p.Scope)
	if err != nil {
		return err
	}
	if s.IPVersion != p.IPVersion {
		return refuse(http.StatusBadRequest, "IllegalSubnetPoolIpVersionAssociationToAddressScope",
			"Illegal subnetpool association: subnetpool %s cannot associate with address scope %s because subnetpool ip_version is not %d.", p.ID, s.ID, s.IPVersion)
	}
	for _, o := range c.cloud.subnetPools.list() {
		if o.ID != p.ID && o.Scope != nil && *o.Scope == s.ID && overlapping(o.Prefixes, p.Prefixes) {
			return conflict("AddressScopePrefixConflict", "Failed to associate address scope: subnetpools within an address scope must have unique prefixes.")
		}
	}
	return nil
}

func (p *subnetPool) checkBounds() error {
	type bound struct {
		name string
		n    int
	}
	low, high, usual := bound{"min_prefixlen", p.Min}, bound{"max_prefixlen", p.Max}, bound{"default_prefixlen", p.Default}
	most := bound{"ip_version_max", map[int]int{4: 32, 6: 128}[p.IPVersion]}
	for _, b := range []struct {
		is      bound
		than    bound
		illegal bool
	}{{low, high, p.Min > p.Max}, {high, most, p.Max > most.n}, {usual, low, p.Default < p.Min}, {usual, high, p.Default > p.Max}} {
		if b.illegal {
			return refuse(http.StatusBadRequest, "IllegalSubnetPoolPrefixBounds", "Illegal prefix bounds: %s=%d, %s=%d.", b.is.name, b.is.n, b.than.name, b.than.n)
		}
	}
	return nil
}

// prefixes allows a list of CIDRs.
func prefixes(name string, v any) (any, error) {
	list := []netip.Prefix{}
	all, isList := v.([]any)
	if !isList {
		return nil, why(name, "'%s' is not a list", python(v))
	}
	for _, e := range all {
		p := wholePrefix(python(e))
		if !p.IsValid() {
			return nil, why(name, "'%s' is not a valid IP subnet.", python(e))
		}
		list = append(list, p.Masked())
	}
	return list, nil
}
