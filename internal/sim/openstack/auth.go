// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// named is how a request refers to a user, a project or a domain.
type named struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Password string `json:"password"`
	Secret   string `json:"secret"`
	Domain   *named `json:"domain"`
	User     *named `json:"user"`
}

type authRequest struct {
	Auth struct {
		Identity struct {
			Methods    []string `json:"methods"`
			Password   struct{ User named }
			Credential named `json:"application_credential"`
			Token      named `json:"token"`
		} `json:"identity"`
		Scope authScope `json:"scope"`
	} `json:"auth"`
}

// authScope is a project, or the word "unscoped".
type authScope struct {
	Project *named `json:"project"`
	none    bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *authScope) UnmarshalJSON(raw []byte) error {
	if string(raw) == `"unscoped"` {
		s.none = true
		return nil
	}
	type plain authScope
	return json.Unmarshal(raw, (*plain)(s))
}

// fits says whether a request means the thing of that ID and name.
func (n *named) fits(id, name string) bool {
	if n.ID != "" {
		return n.ID == id
	}
	return n.Name == name && n.Domain.isDefault()
}

func (n *named) isDefault() bool { return n != nil && (n.ID == Domain || n.Name == domainName) }

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// createToken is POST /auth/tokens.
func (c *call) createToken() (answer, error) {
	var req authRequest
	if err := c.decode(&req); err != nil {
		return answer{}, err
	}
	s := c.cloud.authenticate(req)
	if id := req.Auth.Identity.Credential.ID; s == nil && id != "" && c.cloud.findCredential(id) == nil {
		return answer{}, refuse(http.StatusNotFound, "", "Could not find Application Credential: %s.", id)
	}
	if s == nil {
		return unauthorized(c.url), nil
	}
	if s.of == nil && !s.scope(c.cloud, req.Auth.Scope) {
		return unauthorized(c.url), nil
	}
	token := c.cloud.issue(s)
	c.who = s
	a, err := created(fields{"token": c.describe(s)})
	a.header = http.Header{"X-Subject-Token": {token}, "Vary": {"X-Auth-Token"}}
	return a, err
}

// authenticate returns who it is, or nil.
func (c *Cloud) authenticate(req authRequest) *session {
	id := req.Auth.Identity
	switch {
	case slices.Equal(id.Methods, []string{"password"}):
		for _, u := range c.identity.users {
			if id.Password.User.fits(u.id, u.name) && same(id.Password.User.Password, u.password) {
				return &session{user: u, method: "password"}
			}
		}
	case slices.Equal(id.Methods, []string{"application_credential"}):
		for _, k := range c.identity.credentials {
			if c.fits(id.Credential, k) && same(id.Credential.Secret, k.secret) {
				return &session{user: k.user, project: k.project, roles: k.roles, method: "application_credential", of: k}
			}
		}
	case slices.Equal(id.Methods, []string{"token"}):
		if s := c.session(id.Token.ID); s != nil {
			return &session{user: s.user, method: "token", of: s.of}
		}
	}
	return nil
}

// findCredential returns the application credential of an ID, or nil.
func (c *Cloud) findCredential(id string) *credential {
	for _, k := range c.identity.credentials {
		if k.id == id {
			return k
		}
	}
	return nil
}

// fits says whether a request means the credential: by its ID, or by its name and its user.
func (c *Cloud) fits(n named, k *credential) bool {
	if !k.expires.IsZero() && !c.opt.Now().Before(k.expires) {
		return false
	}
	if n.ID != "" {
		return n.ID == k.id
	}
	return n.Name == k.name && n.User != nil && n.User.fits(k.user.id, k.user.name)
}

// scope sets project and roles. Without a project in the request it is the
// user's own; "unscoped" is none. It says false if the user has no role there.
func (s *session) scope(c *Cloud, to authScope) bool {
	in := to.Project
	if to.none || in == nil && s.user.home == nil {
		return true
	}
	if in == nil {
		in = &named{ID: s.user.home.id}
	}
	for _, p := range c.identity.projects {
		if in.fits(p.id, p.name) && len(s.user.roles[p.id]) > 0 {
			s.project, s.roles = p, s.user.roles[p.id]
			return true
		}
	}
	return false
}

// describe is the body of a token.
func (c *call) describe(s *session) fields {
	domain := fields{"id": Domain, "name": domainName}
	stamp := func(t time.Time) string { return t.Format("2006-01-02T15:04:05.000000Z") }
	token := fields{
		"methods": []string{s.method}, "issued_at": stamp(s.issued), "expires_at": stamp(s.expires),
		"audit_ids": []string{s.user.id[:22]},
		"user":      fields{"id": s.user.id, "name": s.user.name, "domain": domain, "password_expires_at": nil},
	}
	if s.of != nil {
		token["application_credential"] = fields{"id": s.of.id, "name": s.of.name, "restricted": true}
	}
	if s.project == nil {
		return token
	}
	var roles []fields
	for _, r := range s.roles {
		roles = append(roles, fields{"id": c.cloud.identity.roles[r], "name": r})
	}
	token["project"] = fields{"id": s.project.id, "name": s.project.name, "domain": domain}
	token["is_domain"] = false
	token["roles"] = roles
	token["catalog"] = c.catalog()
	return token
}

// catalog says where the services are.
func (c *call) catalog() []fields {
	var list []fields
	for _, s := range []struct{ kind, name, path string }{
		{"identity", "keystone", "/identity/v3"},
		{"network", "neutron", "/network"},
		{"compute", "nova", "/compute/v2.1"},
		{"sharev2", "manilav2", "/share/v2"},
		{"load-balancer", "octavia", "/load-balancer"},
	} {
		if c.cloud.switches.without[s.kind] {
			continue
		}
		list = append(list, fields{
			"type": s.kind, "name": s.name, "id": fixedHex("service", s.kind),
			"endpoints": []fields{{
				"id": fixedHex("endpoint", s.kind), "interface": "public", "region": Region, "region_id": Region, "url": c.url + s.path,
			}},
		})
	}
	return list
}

// showToken is GET /auth/tokens.
func (c *call) showToken() (answer, error) {
	token := c.header.Get("X-Subject-Token")
	s := c.cloud.session(token)
	if s == nil || (s.user != c.who.user && !c.who.admin()) {
		return answer{}, refuse(http.StatusNotFound, "", "Could not find token.")
	}
	a, err := ok(fields{"token": c.describe(s)})
	a.header = http.Header{"X-Subject-Token": {token}}
	return a, err
}

// revokeToken is DELETE /auth/tokens.
func (c *call) revokeToken() (answer, error) {
	token := c.header.Get("X-Subject-Token")
	if s := c.cloud.session(token); s == nil || (s.user != c.who.user && !c.who.admin()) {
		return answer{}, refuse(http.StatusNotFound, "", "Could not find token.")
	}
	delete(c.cloud.identity.tokens, token)
	return noContent()
}

// showCatalog is GET /auth/catalog.
func (c *call) showCatalog() (answer, error) { return ok(fields{"catalog": c.catalog()}) }
