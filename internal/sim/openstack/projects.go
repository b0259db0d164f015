// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"slices"
)

func (c *call) shownProject(p *project) fields {
	return fields{
		"id": p.id, "name": p.name, "domain_id": Domain, "parent_id": Domain, "enabled": true, "is_domain": false, "description": "",
		"tags": []string{}, "options": fields{}, "links": fields{"self": c.url + "/identity/v3/projects/" + p.id},
	}
}

// listOwnProjects is GET /auth/projects: those in which the user has a role.
func (c *call) listOwnProjects() (answer, error) {
	return c.listProjectsWhere(func(p *project) bool { return len(c.who.user.roles[p.id]) > 0 })
}

// listProjects is GET /projects, for admins.
func (c *call) listProjects() (answer, error) {
	if !c.who.admin() {
		return answer{}, forbiddenByKeystone("identity:list_projects")
	}
	name := c.query.Get("name")
	return c.listProjectsWhere(func(p *project) bool { return name == "" || p.name == name })
}

func forbiddenByKeystone(rule string) error {
	return refuse(http.StatusForbidden, "", "You are not authorized to perform the requested action: %s.", rule)
}

func (c *call) listProjectsWhere(fits func(*project) bool) (answer, error) {
	list := []fields{}
	for _, p := range c.cloud.identity.projects {
		if fits(p) {
			list = append(list, c.shownProject(p))
		}
	}
	return ok(fields{"projects": list, "links": fields{"next": nil, "previous": nil, "self": c.url + c.path}})
}

// showProject is GET /projects/{id}, for those who have a role in it, and admins.
func (c *call) showProject() (answer, error) {
	p := c.cloud.findProject(c.vars["id"])
	if p == nil || p.id != c.vars["id"] {
		if !c.who.admin() {
			return answer{}, forbiddenByKeystone("identity:get_project")
		}
		return answer{}, refuse(http.StatusNotFound, "", "Could not find project: %s.", c.vars["id"])
	}
	if !c.who.admin() && c.who.projectID() != p.id {
		return answer{}, forbiddenByKeystone("identity:get_project")
	}
	return ok(fields{"project": c.shownProject(p)})
}

func (c *call) shownCredential(k *credential) fields {
	roles := []fields{}
	for _, r := range k.roles {
		roles = append(roles, fields{"id": c.cloud.identity.roles[r], "name": r})
	}
	return fields{
		"id": k.id, "name": k.name, "project_id": k.project.id, "roles": roles, "description": nil, "expires_at": nil, "unrestricted": false,
		"links": fields{"self": c.url + c.path + "/" + k.id},
	}
}

// ownCredentials refuses to look at another user.
func (c *call) ownCredentials(rule string) error {
	if c.vars["user"] != c.who.user.id {
		return forbiddenByKeystone(rule)
	}
	return nil
}

// listCredentials is GET /users/{user}/application_credentials.
func (c *call) listCredentials() (answer, error) {
	if err := c.ownCredentials("identity:list_application_credentials"); err != nil {
		return answer{}, err
	}
	list := []fields{}
	for _, k := range c.cloud.identity.credentials {
		if k.user == c.who.user {
			list = append(list, c.shownCredential(k))
		}
	}
	return ok(fields{"application_credentials": list, "links": fields{"next": nil, "previous": nil, "self": c.url + c.path}})
}

// createCredential is POST /users/{user}/application_credentials.
func (c *call) createCredential() (answer, error) {
	var body struct {
		Credential struct {
			Name   string `json:"name"`
			Secret string `json:"secret"`
		} `json:"application_credential"`
	}
	if err := c.decode(&body); err != nil {
		return answer{}, err
	}
	if err := c.ownCredentials("identity:create_application_credential"); err != nil {
		return answer{}, err
	}
	in := body.Credential
	switch {
	case c.who.of != nil || c.who.project == nil:
		return answer{}, forbiddenByKeystone("identity:create_application_credential")
	case in.Name == "":
		return answer{}, refuse(http.StatusBadRequest, "", "'name' is a required property")
	case slices.ContainsFunc(c.cloud.identity.credentials, func(k *credential) bool { return k.user == c.who.user && k.name == in.Name }):
		return answer{}, refuse(http.StatusConflict, "", "Conflict occurred attempting to store application_credential - Duplicate entry found with name %s.", in.Name)
	}
	if in.Secret == "" {
		in.Secret = c.cloud.hexID("secret", c.who.user.id, in.Name)
	}
	k := &credential{
		id: c.cloud.hexID("credential", c.who.user.id, in.Name), name: in.Name, secret: in.Secret, user: c.who.user, project: c.who.project, roles: c.who.roles,
	}
	c.cloud.identity.credentials = append(c.cloud.identity.credentials, k)
	shown := c.shownCredential(k)
	shown["secret"] = k.secret
	return created(fields{"application_credential": shown})
}

// deleteCredential is DELETE /users/{user}/application_credentials/{id}. Tokens
// that were got with it end, too.
func (c *call) deleteCredential() (answer, error) {
	if err := c.ownCredentials("identity:delete_application_credential"); err != nil {
		return answer{}, err
	}
	list := c.cloud.identity.credentials
	i := slices.IndexFunc(list, func(k *credential) bool { return k.id == c.vars["id"] && k.user == c.who.user })
	if i < 0 {
		return answer{}, refuse(http.StatusNotFound, "", "Could not find Application Credential: %s.", c.vars["id"])
	}
	for token, s := range c.cloud.identity.tokens {
		if s.of == list[i] {
			delete(c.cloud.identity.tokens, token)
		}
	}
	c.cloud.identity.credentials = slices.Delete(list, i, i+1)
	return noContent()
}
