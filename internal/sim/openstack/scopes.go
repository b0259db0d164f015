// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

// scope is an address scope: pools in it do not overlap.
type scope struct {
	standard
	Name      string
	IPVersion int
	Shared    bool
}

func (s *scope) shown() fields {
	return fields{
		"name": s.Name, "ip_version": s.IPVersion, "shared": s.Shared,
	}
}

// scopeKind is what the cloud knows about address scopes.
func scopeKind() *kind[*scope] {
	return &kind[*scope]{
		one: "address_scope", many: "address_scopes", missing: "AddressScopeNotFound", text: "Address scope %s could not be found.",
		of: func(c *Cloud) *table[*scope] { return &c.scopes },
		attrs: attributes{
			"name":       {post | put | filter, text(255)},
			"ip_version": {post | filter | must, versionOfIP},
			"shared":     {post | put | filter | guarded, flag},
		}.common().plain(),
		make: func(c *call, in input) (*scope, error) {
			s := &scope{standard: c.fresh("address_scope", in), Name: in.text("name"), IPVersion: get(in, "ip_version", 4), Shared: get(in, "shared", false)}
			c.cloud.scopes.add(s)
			return s, nil
		},
		change: func(_ *call, s *scope, in input) error {
			if s.Shared && !get(in, "shared", true) {
				return refuse(400, "AddressScopeUpdateError", "Unable to update address scope %s : Shared address scope can't be unshared.", s.ID)
			}
			set(in, "name", &s.Name)
			set(in, "shared", &s.Shared)
			return nil
		},
		remove: func(c *call, s *scope) error {
			if c.cloud.subnetPools.has(func(p *subnetPool) bool { return p.Scope != nil && *p.Scope == s.ID }) {
				return conflict("AddressScopeInUse", "Unable to complete operation on address scope %s. There are one or more subnet pools in use on the address scope.", s.ID)
			}
			return nil
		},
		show: func(c *call, s *scope, f fields) {
			plain(f)
			f["shared"] = s.Shared || c.cloud.shares(s, c.who.projectID())
		},
		sees: func(c *call, s *scope) bool { return s.Shared || c.cloud.shares(s, c.who.projectID()) },
	}
}

// unknownToPlain are the fields that plain kinds do not have.
var unknownToPlain = []string{"description", "tags", "created_at", "updated_at", "revision_number"}

// plain takes away what kinds without standard attributes do not show.
func plain(f fields) {
	for _, name := range unknownToPlain {
		delete(f, name)
	}
}

// plain takes away what kinds without standard attributes do not know.
func (as attributes) plain() attributes {
	for _, name := range append([]string{"tags-any", "not-tags", "not-tags-any"}, unknownToPlain...) {
		delete(as, name)
	}
	return as
}
