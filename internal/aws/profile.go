// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// Profile is the instance profile of the nodes. Its ID is its name.
type Profile struct {
	Name  string            `plan:"fixed"`
	Roles []engine.ID       `plan:"-"`
	Marks map[string]string `plan:"-"`
}

// Profiles keeps instance profiles.
type Profiles struct{}

// ProfileRole says that a role is in an instance profile. Its ID is profile/role.
type ProfileRole struct {
	Profile engine.ID `plan:"replace"`
	Role    engine.ID `plan:"replace"`
}

// ProfileRoles keeps roles in instance profiles.
type ProfileRoles struct{}

var (
	_ engine.Kind[Writer, Profile]     = Profiles{}
	_ engine.Namer[Profile]            = Profiles{}
	_ engine.Kind[Writer, ProfileRole] = ProfileRoles{}
	_ engine.Namer[ProfileRole]        = ProfileRoles{}
)

// Kind implements engine.Kind.
func (Profiles) Kind() string { return "iam-instance-profile" }

// IDOf implements engine.Namer.
func (Profiles) IDOf(p Profile) engine.ID { return engine.ID(p.Name) }

// Create implements engine.Kind.
func (Profiles) Create(ctx context.Context, w Writer, want Profile) (engine.ID, Profile, error) {
	if err := w.CreateProfile(ctx, want); err != nil {
		return "", want, err
	}
	return engine.ID(want.Name), want, nil
}

// Update implements engine.Kind. Nothing of a profile is changed.
func (Profiles) Update(_ context.Context, _ Writer, _ engine.ID, have, _ Profile) (Profile, error) {
	return have, nil
}

// Delete implements engine.Kind.
func (Profiles) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.DeleteProfile(ctx, r.ID)
}

// Kind implements engine.Kind.
func (ProfileRoles) Kind() string { return "iam-profile-role" }

// IDOf implements engine.Namer.
func (ProfileRoles) IDOf(p ProfileRole) engine.ID { return p.Profile + "/" + p.Role }

// Create implements engine.Kind.
func (k ProfileRoles) Create(ctx context.Context, w Writer, want ProfileRole) (engine.ID, ProfileRole, error) {
	if err := w.AddRole(ctx, want.Profile, want.Role); err != nil {
		return "", want, err
	}
	return k.IDOf(want), want, nil
}

// Update implements engine.Kind. Another role is another membership.
func (ProfileRoles) Update(_ context.Context, _ Writer, _ engine.ID, have, _ ProfileRole) (ProfileRole, error) {
	return have, nil
}

// Delete implements engine.Kind.
func (ProfileRoles) Delete(ctx context.Context, w Writer, r engine.Record) error {
	profile, role, _ := strings.Cut(string(r.ID), "/")
	return w.RemoveRole(ctx, engine.ID(profile), engine.ID(role))
}

// Profile implements Reader. It returns nil if there is none.
func (c *Client) Profile(ctx context.Context, name engine.ID) (*Profile, error) {
	out, err := c.iam.GetInstanceProfile(ctx, &iam.GetInstanceProfileInput{InstanceProfileName: text(name)})
	if err := translate("reading instance profile "+string(name), err); err != nil {
		if fault.Is(err, fault.NotFound) {
			return nil, nil
		}
		return nil, err
	}
	p := &Profile{Name: aws.ToString(out.InstanceProfile.InstanceProfileName), Marks: fromIAMTags(out.InstanceProfile.Tags)}
	for _, r := range out.InstanceProfile.Roles {
		p.Roles = append(p.Roles, engine.ID(aws.ToString(r.RoleName)))
	}
	return p, nil
}

// CreateProfile implements Writer.
func (c *Client) CreateProfile(ctx context.Context, want Profile) error {
	_, err := c.iam.CreateInstanceProfile(ctx, &iam.CreateInstanceProfileInput{InstanceProfileName: aws.String(want.Name), Tags: toIAMTags(want.Marks)})
	return creating("creating instance profile "+want.Name, err)
}

// DeleteProfile implements Writer.
func (c *Client) DeleteProfile(ctx context.Context, name engine.ID) error {
	_, err := c.iam.DeleteInstanceProfile(ctx, &iam.DeleteInstanceProfileInput{InstanceProfileName: text(name)})
	return gone(translate("deleting instance profile "+string(name), err))
}

// AddRole implements Writer.
func (c *Client) AddRole(ctx context.Context, profile, role engine.ID) error {
	_, err := c.iam.AddRoleToInstanceProfile(ctx, &iam.AddRoleToInstanceProfileInput{InstanceProfileName: text(profile), RoleName: text(role)})
	return creating("adding role "+string(role)+" to instance profile "+string(profile), err)
}

// RemoveRole implements Writer.
func (c *Client) RemoveRole(ctx context.Context, profile, role engine.ID) error {
	_, err := c.iam.RemoveRoleFromInstanceProfile(ctx, &iam.RemoveRoleFromInstanceProfileInput{InstanceProfileName: text(profile), RoleName: text(role)})
	return gone(translate("removing role "+string(role)+" from instance profile "+string(profile), err))
}
