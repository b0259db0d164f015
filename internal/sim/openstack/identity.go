// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"slices"
	"strings"
	"time"
)

// Region is the only region, and Domain the ID of the only domain.
const (
	Region = "RegionOne"
	Domain = "default"
)

// domainName is the name of the only domain.
const domainName = "Default"

// project owns things.
type project struct{ id, name string }

// user makes requests.
type user struct {
	id, name, password string
	home               *project            // of tokens that are asked for without one
	roles              map[string][]string // project ID to roles
}

// credential is an application credential: a user, a project and roles behind
// an ID and a secret.
type credential struct {
	id, name, secret string
	user             *user
	project          *project
	roles            []string
	expires          time.Time // zero: never
}

// session is what a token stands for.
type session struct {
	user    *user
	project *project // nil: unscoped
	roles   []string
	method  string
	issued  time.Time
	expires time.Time
	of      *credential
}

// admin says whether the session may do everything.
func (s *session) admin() bool { return slices.Contains(s.roles, "admin") }

// projectID is the ID of the project, or empty.
func (s *session) projectID() string {
	if s.project == nil {
		return ""
	}
	return s.project.id
}

type identity struct {
	projects    []*project
	users       []*user
	credentials []*credential
	tokens      map[string]*session
	roles       map[string]string // name to ID
}

// member is the roles of those who are no admins.
var member = []string{"load-balancer_member", "member", "reader"}

func newIdentity(c *Cloud) identity {
	c.identity = identity{tokens: map[string]*session{}, roles: map[string]string{}}
	for _, name := range []string{"admin", "a", "b"} {
		roles := member
		if name == "admin" {
			roles = []string{"admin", "member", "reader"}
		}
		c.addUser(name, name, c.addProject(name), roles)
	}
	return c.identity
}

// addProject returns the project of that name, which it makes if there is none.
func (c *Cloud) addProject(name string) *project {
	if p := c.findProject(name); p != nil {
		return p
	}
	p := &project{c.hexID("project", name), name}
	c.identity.projects = append(c.identity.projects, p)
	c.addDefaultGroup(p.id)
	return p
}

// addUser makes a user, or gives roles in another project to one who is there.
func (c *Cloud) addUser(name, password string, p *project, roles []string) *user {
	i := slices.IndexFunc(c.identity.users, func(u *user) bool { return u.name == name })
	if i < 0 {
		i = len(c.identity.users)
		c.identity.users = append(c.identity.users, &user{c.hexID("user", name), name, password, p, map[string][]string{}})
	}
	u := c.identity.users[i]
	u.roles[p.id] = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(u.roles[p.id]), roles...))))
	for _, r := range roles {
		if c.identity.roles[r] == "" {
			c.identity.roles[r] = c.hexID("role", r)
		}
	}
	return u
}

// findProject finds by ID or name.
func (c *Cloud) findProject(idOrName string) *project {
	for _, p := range c.identity.projects {
		if p.id == idOrName || p.name == idOrName {
			return p
		}
	}
	return nil
}

// ExpireTokens makes all tokens invalid, as if they had expired.
func (c *Cloud) ExpireTokens() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.identity.tokens)
}

// ProjectID returns the ID of a project, or an empty string.
func (c *Cloud) ProjectID(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.findProject(name); p != nil {
		return p.id
	}
	return ""
}

// session returns what a token stands for, or nil.
func (c *Cloud) session(token string) *session {
	s := c.identity.tokens[token]
	if s == nil || !c.opt.Now().Before(s.expires) {
		return nil
	}
	return s
}

// issue makes a token.
func (c *Cloud) issue(s *session) (token string) {
	s.issued = c.opt.Now().UTC()
	s.expires = s.issued.Add(c.opt.TokenLife)
	if s.of != nil && !s.of.expires.IsZero() && s.of.expires.Before(s.expires) {
		s.expires = s.of.expires
	}
	token = "gAAAAA" + strings.ReplaceAll(c.uuid("token", s.user.id, s.projectID()), "-", "")
	c.identity.tokens[token] = s
	return token
}
