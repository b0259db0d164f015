// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

var profileOperations = operations{
	"iam CreateInstanceProfile":         {"InstanceProfileName Path Tags", createProfile},
	"iam GetInstanceProfile":            {"InstanceProfileName", getProfile},
	"iam DeleteInstanceProfile":         {"InstanceProfileName", deleteProfile},
	"iam AddRoleToInstanceProfile":      {"InstanceProfileName RoleName", addRole},
	"iam RemoveRoleFromInstanceProfile": {"InstanceProfileName RoleName", removeRole},
	"iam ListInstanceProfilesForRole":   {"RoleName Marker MaxItems", profilesForRole},
	"iam TagInstanceProfile":            {"InstanceProfileName Tags", tagProfile},
	"iam UntagInstanceProfile":          {"InstanceProfileName TagKeys", untagProfile},
	"iam ListInstanceProfileTags":       {"InstanceProfileName Marker MaxItems", listProfileTags},
}

// profile finds the profile that InstanceProfileName names.
func (c *call) profile() (*profile, error) {
	name := c.str("InstanceProfileName")
	for _, p := range c.cloud.profiles.all {
		if c.owned(p.self()) && p.Name == name {
			return p, nil
		}
	}
	return nil, noEntity("Instance Profile %s cannot be found.", name)
}

func (c *call) shownProfile(p *profile) object {
	held := []object{}
	for _, r := range c.cloud.roles.all {
		if r.account == p.account && r.Name == p.Role {
			held = append(held, showRole(r))
		}
	}
	return object{
		{"Path", p.Path}, {"InstanceProfileName", p.Name}, {"InstanceProfileId", p.ID},
		{"Arn", "arn:aws:iam::" + p.account.id + ":instance-profile" + p.Path + p.Name}, {"CreateDate", p.made}, {"Roles", held},
		{"Tags", p.Tags.as("Key", "Value")},
	}
}

func createProfile(c *call) (object, error) {
	name, err := c.entity("InstanceProfileName", 128)
	if err != nil {
		return nil, err
	}
	if _, err := c.profile(); err == nil {
		return nil, exists("Instance Profile %s already exists.", name)
	}
	set, err := c.entityTags()
	if err != nil {
		return nil, err
	}
	n := len(c.cloud.profiles.where(func(o *profile) bool { return c.owned(o.self()) }))
	if float64(n+1) > c.quota("L-6E65F664") {
		return nil, limit("Cannot exceed quota for InstanceProfilesPerAccount: %d", n)
	}
	p := &profile{std: c.newEntity("AIPA", set), Name: name, Path: c.path()}
	c.cloud.profiles.add(p)
	return object{{"InstanceProfile", c.shownProfile(p)}}, nil
}

func getProfile(c *call) (object, error) {
	p, err := c.profile()
	if err != nil {
		return nil, err
	}
	return object{{"InstanceProfile", c.shownProfile(p)}}, nil
}

func deleteProfile(c *call) (object, error) {
	p, err := c.profile()
	if err != nil {
		return nil, err
	}
	if p.Role != "" {
		return nil, inTheWay("Cannot delete entity, must remove roles from instance profile first.")
	}
	c.cloud.profiles.remove(p)
	return object{}, nil
}

func addRole(c *call) (object, error) {
	p, err := c.profile()
	if err != nil {
		return nil, err
	}
	r, err := c.role()
	if err != nil {
		return nil, err
	}
	if p.Role != "" {
		return nil, limit("Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1")
	}
	p.Role = r.Name
	return object{}, nil
}

func removeRole(c *call) (object, error) {
	p, err := c.profile()
	if err != nil {
		return nil, err
	}
	if p.Role == "" || p.Role != c.str("RoleName") {
		return nil, noEntity("Role %s in Instance Profile %s cannot be found.", c.str("RoleName"), p.Name)
	}
	p.Role = ""
	return object{}, nil
}

func profilesForRole(c *call) (object, error) {
	r, err := c.role()
	if err != nil {
		return nil, err
	}
	list := []object{}
	for _, p := range c.cloud.profiles.all {
		if c.owned(p.self()) && p.Role == r.Name {
			list = append(list, c.shownProfile(p))
		}
	}
	return object{{"IsTruncated", false}, {"InstanceProfiles", list}}, nil
}

func tagProfile(c *call) (object, error) {
	p, err := c.profile()
	if err != nil {
		return nil, err
	}
	return object{}, c.addEntityTags(p.self())
}

func untagProfile(c *call) (object, error) {
	p, err := c.profile()
	if err != nil {
		return nil, err
	}
	c.dropEntityTags(p.self())
	return object{}, nil
}

func listProfileTags(c *call) (object, error) {
	p, err := c.profile()
	if err != nil {
		return nil, err
	}
	return object{{"IsTruncated", false}, {"Tags", p.Tags.as("Key", "Value")}}, nil
}
