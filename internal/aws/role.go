// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// Role is the IAM role of the nodes. Its ID is its name, unique in the account.
type Role struct {
	Name  string            `plan:"fixed"`
	ARN   string            `plan:"-"`
	Marks map[string]string `plan:"-"`
}

// trust lets EC2 instances take the role.
const trust = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}`

type iamReader interface {
	Role(ctx context.Context, name engine.ID) (*Role, error)
	RolePolicy(ctx context.Context, role, name engine.ID) (*Policy, error)
	Profile(ctx context.Context, name engine.ID) (*Profile, error)
}

type iamWriter interface {
	CreateRole(ctx context.Context, want Role) (Role, error)
	DeleteRole(ctx context.Context, name engine.ID) error
	PutRolePolicy(ctx context.Context, want Policy) error
	DeleteRolePolicy(ctx context.Context, role, name engine.ID) error
	CreateProfile(ctx context.Context, want Profile) error
	DeleteProfile(ctx context.Context, name engine.ID) error
	AddRole(ctx context.Context, profile, role engine.ID) error
	RemoveRole(ctx context.Context, profile, role engine.ID) error
}

// Roles keeps IAM roles.
type Roles struct{}

var (
	_ engine.Kind[Writer, Role] = Roles{}
	_ engine.Namer[Role]        = Roles{}
)

// Kind implements engine.Kind.
func (Roles) Kind() string { return "iam-role" }

// IDOf implements engine.Namer.
func (Roles) IDOf(r Role) engine.ID { return engine.ID(r.Name) }

// Create implements engine.Kind.
func (Roles) Create(ctx context.Context, w Writer, want Role) (engine.ID, Role, error) {
	have, err := w.CreateRole(ctx, want)
	if err != nil {
		return "", have, err
	}
	return engine.ID(want.Name), have, nil
}

// Update implements engine.Kind. Nothing of a role is changed.
func (Roles) Update(_ context.Context, _ Writer, _ engine.ID, have, _ Role) (Role, error) {
	return have, nil
}

// Delete implements engine.Kind.
func (Roles) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.DeleteRole(ctx, r.ID)
}

// Role implements Reader. It returns nil if there is none.
func (c *Client) Role(ctx context.Context, name engine.ID) (*Role, error) {
	out, err := c.iam.GetRole(ctx, &iam.GetRoleInput{RoleName: text(name)})
	if err := translate("reading role "+string(name), err); err != nil {
		if fault.Is(err, fault.NotFound) {
			return nil, nil
		}
		return nil, err
	}
	return &Role{aws.ToString(out.Role.RoleName), aws.ToString(out.Role.Arn), fromIAMTags(out.Role.Tags)}, nil
}

// CreateRole implements Writer.
func (c *Client) CreateRole(ctx context.Context, want Role) (Role, error) {
	out, err := c.iam.CreateRole(ctx, &iam.CreateRoleInput{RoleName: aws.String(want.Name), AssumeRolePolicyDocument: aws.String(trust), Tags: toIAMTags(want.Marks)})
	if err != nil {
		return Role{}, creating("creating role "+want.Name, err)
	}
	return Role{want.Name, aws.ToString(out.Role.Arn), want.Marks}, nil
}

// DeleteRole implements Writer.
func (c *Client) DeleteRole(ctx context.Context, name engine.ID) error {
	_, err := c.iam.DeleteRole(ctx, &iam.DeleteRoleInput{RoleName: text(name)})
	return gone(translate("deleting role "+string(name), err))
}
