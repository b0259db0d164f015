// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// identity is what IAM holds, of all accounts.
type identity struct {
	roles    table[*role]
	profiles table[*profile]
}

// role is a role of IAM. Its ID is made by AWS; its name is what it is found by.
type role struct {
	std
	Name, Path, Trust, Description string
	Policies                       map[string]string // inline
}

// profile is an instance profile.
type profile struct {
	std
	Name, Path, Role string
}

func noEntity(format string, args ...any) *refusal {
	return refuseWith(http.StatusNotFound, "NoSuchEntity", format, args...)
}

func inTheWay(format string, args ...any) *refusal {
	return refuseWith(http.StatusConflict, "DeleteConflict", format, args...)
}

func exists(format string, args ...any) *refusal {
	return refuseWith(http.StatusConflict, "EntityAlreadyExists", format, args...)
}

func limit(format string, args ...any) *refusal {
	return refuseWith(http.StatusConflict, "LimitExceeded", format, args...)
}

var entityName = regexp.MustCompile(`^[\w+=,.@-]+$`)

// entity reads the name of a role, a profile or a policy.
func (c *call) entity(param string, longest int) (string, error) {
	name := c.str(param)
	if !entityName.MatchString(name) || len(name) > longest {
		return "", refuse("ValidationError", "The specified value for %s is invalid. It must contain only alphanumeric characters and/or the following: "+
			"+=,.@_-, and be 1 to %d characters long", strings.ToLower(param[:1])+param[1:], longest)
	}
	return name, nil
}

// policyDocument reads a document, which must be a JSON object with statements.
func (c *call) policyDocument(param string) (string, error) {
	var document struct{ Statement any }
	if err := json.Unmarshal([]byte(c.str(param)), &document); err != nil || document.Statement == nil {
		return "", refuse("MalformedPolicyDocument", "Syntax errors in policy.")
	}
	return c.str(param), nil
}

// encoded is how IAM gives documents back.
func encoded(document string) string {
	return strings.ReplaceAll(url.QueryEscape(document), "+", "%20")
}

// entityTags reads tags with IAM's rules.
func (c *call) entityTags() (tags, error) {
	var all tags
	for _, p := range c.list("Tags") {
		key := p.str("Key")
		switch {
		case key == "" || utf8.RuneCountInString(key) > 128 || utf8.RuneCountInString(p.str("Value")) > 256:
			return nil, refuse("ValidationError", "Tag keys have 1 to 128 characters, values at most 256")
		case strings.HasPrefix(strings.ToLower(key), "aws:"):
			return nil, refuse("InvalidInput", "Tag keys that begin with aws: are reserved")
		case all.index(key) >= 0:
			return nil, refuse("InvalidInput", "Duplicate tag keys found. Please note that Tag keys are case insensitive.")
		}
		all = all.set(key, p.str("Value"))
	}
	if len(all) > maxTags {
		return nil, limit("The number of tags has reached the maximum limit.")
	}
	return all, nil
}

func (c *call) path() string {
	if p := c.str("Path"); p != "" {
		return p
	}
	return "/"
}

func (c *call) owned(s *std) bool { return s.account == c.account }

// role finds the role that RoleName names.
func (c *call) role() (*role, error) {
	name := c.str("RoleName")
	for _, r := range c.cloud.roles.all {
		if c.owned(r.self()) && r.Name == name {
			return r, nil
		}
	}
	return nil, noEntity("The role with name %s cannot be found.", name)
}

func showRole(r *role) object {
	return object{
		{"Path", r.Path}, {"RoleName", r.Name}, {"RoleId", r.ID}, {"Arn", "arn:aws:iam::" + r.account.id + ":role" + r.Path + r.Name},
		{"CreateDate", r.made}, {"AssumeRolePolicyDocument", encoded(r.Trust)}, {"Description", some(r.Description)},
		{"MaxSessionDuration", 3600}, {"Tags", r.Tags.as("Key", "Value")},
	}
}

var roleOperations = operations{
	"iam CreateRole":               {"RoleName AssumeRolePolicyDocument Path Description Tags MaxSessionDuration", createRole},
	"iam GetRole":                  {"RoleName", getRole},
	"iam DeleteRole":               {"RoleName", deleteRole},
	"iam UpdateAssumeRolePolicy":   {"RoleName PolicyDocument", updateTrust},
	"iam TagRole":                  {"RoleName Tags", tagRole},
	"iam UntagRole":                {"RoleName TagKeys", untagRole},
	"iam ListRoleTags":             {"RoleName Marker MaxItems", listRoleTags},
	"iam ListAttachedRolePolicies": {"RoleName PathPrefix Marker MaxItems", listAttached},
}

func createRole(c *call) (object, error) {
	name, err := c.entity("RoleName", 64)
	if err != nil {
		return nil, err
	}
	if _, err := c.role(); err == nil {
		return nil, exists("Role with name %s already exists.", name)
	}
	r := &role{Name: name, Path: c.path(), Description: c.str("Description"), Policies: map[string]string{}}
	if r.Trust, err = c.policyDocument("AssumeRolePolicyDocument"); err != nil {
		return nil, err
	}
	set, err := c.entityTags()
	if err != nil {
		return nil, err
	}
	n := len(c.cloud.roles.where(func(o *role) bool { return c.owned(o.self()) }))
	if float64(n+1) > c.quota("L-FE177D64") {
		return nil, limit("Cannot exceed quota for RolesPerAccount: %d", n)
	}
	r.std = c.newEntity("AROA", set)
	c.cloud.roles.add(r)
	return object{{"Role", showRole(r)}}, nil
}

// newEntity makes what a thing of IAM has; its ID is 21 capitals.
func (c *call) newEntity(prefix string, set tags) std {
	id := strings.ToUpper(c.cloud.digest(prefix, c.account.id, c.canonical()))[:17]
	return std{ID: prefix + id, account: c.account, made: c.now, Tags: set}
}

func getRole(c *call) (object, error) {
	r, err := c.role()
	if err != nil {
		return nil, err
	}
	return object{{"Role", showRole(r)}}, nil
}

func deleteRole(c *call) (object, error) {
	r, err := c.role()
	if err != nil {
		return nil, err
	}
	if c.cloud.profiles.any(func(p *profile) bool { return c.owned(p.self()) && p.Role == r.Name }) {
		return nil, inTheWay("Cannot delete entity, must remove roles from instance profile first.")
	}
	if len(r.Policies) > 0 {
		return nil, inTheWay("Cannot delete entity, must delete policies first.")
	}
	c.cloud.roles.remove(r)
	return object{}, nil
}

func updateTrust(c *call) (object, error) {
	r, err := c.role()
	if err != nil {
		return nil, err
	}
	document, err := c.policyDocument("PolicyDocument")
	if err != nil {
		return nil, err
	}
	r.Trust = document
	return object{}, nil
}

func tagRole(c *call) (object, error) {
	r, err := c.role()
	if err != nil {
		return nil, err
	}
	return object{}, c.addEntityTags(r.self())
}

func (c *call) addEntityTags(s *std) error {
	set, err := c.entityTags()
	if err != nil {
		return err
	}
	now := s.Tags
	for _, t := range set {
		now = now.set(t.key, t.value)
	}
	if len(now) > maxTags {
		return limit("The number of tags has reached the maximum limit.")
	}
	s.Tags = now
	return nil
}

func (c *call) dropEntityTags(s *std) {
	s.Tags = slices.DeleteFunc(slices.Clone(s.Tags), func(t tag) bool { return slices.Contains(c.strs("TagKeys"), t.key) })
}

func untagRole(c *call) (object, error) {
	r, err := c.role()
	if err != nil {
		return nil, err
	}
	c.dropEntityTags(r.self())
	return object{}, nil
}

func listRoleTags(c *call) (object, error) {
	r, err := c.role()
	if err != nil {
		return nil, err
	}
	return object{{"IsTruncated", false}, {"Tags", r.Tags.as("Key", "Value")}}, nil
}

// listAttached: managed policies are not kept, so none is attached.
func listAttached(c *call) (object, error) {
	if _, err := c.role(); err != nil {
		return nil, err
	}
	return object{{"IsTruncated", false}, {"AttachedPolicies", []object{}}}, nil
}
