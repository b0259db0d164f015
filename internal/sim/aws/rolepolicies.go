// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"maps"
	"slices"
)

var rolePolicyOperations = operations{
	"iam PutRolePolicy":    {"RoleName PolicyName PolicyDocument", putPolicy},
	"iam GetRolePolicy":    {"RoleName PolicyName", getPolicy},
	"iam DeleteRolePolicy": {"RoleName PolicyName", deletePolicy},
	"iam ListRolePolicies": {"RoleName Marker MaxItems", listPolicies},
}

// maxInline is how many characters all inline policies of a role may have together.
const maxInline = 10240

func putPolicy(c *call) (object, error) {
	r, err := c.role()
	if err != nil {
		return nil, err
	}
	name, err := c.entity("PolicyName", 128)
	if err != nil {
		return nil, err
	}
	document, err := c.policyDocument("PolicyDocument")
	if err != nil {
		return nil, err
	}
	size := len(document)
	for other, text := range r.Policies {
		if other != name {
			size += len(text)
		}
	}
	if size > maxInline {
		return nil, limit("Maximum policy size of %d bytes exceeded for role %s", maxInline, r.Name)
	}
	r.Policies[name] = document
	return object{}, nil
}

// policy finds the policy that PolicyName names.
func (c *call) policy() (r *role, name string, err error) {
	if r, err = c.role(); err != nil {
		return nil, "", err
	}
	name = c.str("PolicyName")
	if _, ok := r.Policies[name]; !ok {
		return nil, "", noEntity("The role policy with name %s cannot be found.", name)
	}
	return r, name, nil
}

func getPolicy(c *call) (object, error) {
	r, name, err := c.policy()
	if err != nil {
		return nil, err
	}
	return object{{"RoleName", r.Name}, {"PolicyName", name}, {"PolicyDocument", encoded(r.Policies[name])}}, nil
}

func deletePolicy(c *call) (object, error) {
	r, name, err := c.policy()
	if err != nil {
		return nil, err
	}
	delete(r.Policies, name)
	return object{}, nil
}

func listPolicies(c *call) (object, error) {
	r, err := c.role()
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(r.Policies))
	if names == nil {
		names = []string{}
	}
	return object{{"IsTruncated", false}, {"PolicyNames", names}}, nil
}
