// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// Policy is the inline policy of the nodes' role. Its ID is role/name.
type Policy struct {
	Role     engine.ID `plan:"replace"`
	Name     string    `plan:"replace"`
	Document string    // JSON in one spelling
}

// nodePolicy is what nodes may do: find themselves, and, unless it is switched
// off, pull images from ECR. Source: Gardener AWS provider.
func nodePolicy(ecr bool) string {
	type statement struct {
		Effect   string
		Action   []string
		Resource []string
	}
	all := []statement{{"Allow", []string{"ec2:DescribeInstances"}, []string{"*"}}}
	if ecr {
		all = append(all, statement{"Allow", []string{
			"ecr:GetAuthorizationToken", "ecr:BatchCheckLayerAvailability", "ecr:GetDownloadUrlForLayer", "ecr:GetRepositoryPolicy",
			"ecr:DescribeRepositories", "ecr:ListImages", "ecr:BatchGetImage",
		}, []string{"*"}})
	}
	raw, err := json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": all})
	if err != nil {
		return "" // strings only
	}
	return oneSpelling(string(raw))
}

// oneSpelling makes all spellings of a JSON document one: IAM answers in an
// encoding for URLs and with the white space that it was given.
func oneSpelling(document string) string {
	if plain, err := url.PathUnescape(document); err == nil && strings.HasPrefix(plain, "{") {
		document = plain
	}
	var v any
	if json.Unmarshal([]byte(document), &v) != nil {
		return document
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return document
	}
	return string(raw)
}

func policyID(role, name engine.ID) engine.ID { return role + "/" + name }

// Policies keeps inline policies.
type Policies struct{}

var (
	_ engine.Kind[Writer, Policy] = Policies{}
	_ engine.Namer[Policy]        = Policies{}
)

// Kind implements engine.Kind.
func (Policies) Kind() string { return "iam-role-policy" }

// IDOf implements engine.Namer.
func (Policies) IDOf(p Policy) engine.ID { return policyID(p.Role, engine.ID(p.Name)) }

// Create implements engine.Kind.
func (k Policies) Create(ctx context.Context, w Writer, want Policy) (engine.ID, Policy, error) {
	if err := w.PutRolePolicy(ctx, want); err != nil {
		return "", want, err
	}
	return k.IDOf(want), want, nil
}

// Update implements engine.Kind.
func (Policies) Update(ctx context.Context, w Writer, _ engine.ID, _, want Policy) (Policy, error) {
	return want, w.PutRolePolicy(ctx, want)
}

// Delete implements engine.Kind.
func (Policies) Delete(ctx context.Context, w Writer, r engine.Record) error {
	role, name, _ := strings.Cut(string(r.ID), "/")
	return w.DeleteRolePolicy(ctx, engine.ID(role), engine.ID(name))
}

// RolePolicy implements Reader. It returns nil if there is none.
func (c *Client) RolePolicy(ctx context.Context, role, name engine.ID) (*Policy, error) {
	out, err := c.iam.GetRolePolicy(ctx, &iam.GetRolePolicyInput{RoleName: text(role), PolicyName: text(name)})
	if err := translate("reading the policy of role "+string(role), err); err != nil {
		if fault.Is(err, fault.NotFound) {
			return nil, nil
		}
		return nil, err
	}
	return &Policy{role, string(name), oneSpelling(aws.ToString(out.PolicyDocument))}, nil
}

// PutRolePolicy implements Writer.
func (c *Client) PutRolePolicy(ctx context.Context, want Policy) error {
	_, err := c.iam.PutRolePolicy(ctx, &iam.PutRolePolicyInput{RoleName: text(want.Role), PolicyName: aws.String(want.Name), PolicyDocument: aws.String(want.Document)})
	return creating("setting the policy of role "+string(want.Role), err)
}

// DeleteRolePolicy implements Writer.
func (c *Client) DeleteRolePolicy(ctx context.Context, role, name engine.ID) error {
	_, err := c.iam.DeleteRolePolicy(ctx, &iam.DeleteRolePolicyInput{RoleName: text(role), PolicyName: text(name)})
	return gone(translate("deleting the policy of role "+string(role), err))
}
