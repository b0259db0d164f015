// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"github.com/espalier-io/espalier/internal/sim/aws"
)

const document = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["ec2:DescribeInstances"],"Resource":"*"}]}`

func askIAM[I, O any](do func(*iam.Client, context.Context, *I, ...func(*iam.Options)) (*O, error), in I) func(context.Context, *tester) error {
	return func(ctx context.Context, x *tester) error {
		_, err := do(x.iam, ctx, &in)
		return err
	}
}

var refusedOfIdentity = []refusal{
	{"a role is there once", askIAM((*iam.Client).CreateRole, iam.CreateRoleInput{RoleName: str("corp"), AssumeRolePolicyDocument: str(document)}), "EntityAlreadyExists"},
	{"a document is JSON", askIAM((*iam.Client).CreateRole, iam.CreateRoleInput{RoleName: str("r"), AssumeRolePolicyDocument: str("{")}), "MalformedPolicyDocument"},
	{"a name has no slash", askIAM((*iam.Client).CreateRole, iam.CreateRoleInput{RoleName: str("a/b"), AssumeRolePolicyDocument: str(document)}), "ValidationError"},
	{"a tag is given once", askIAM((*iam.Client).CreateRole, iam.CreateRoleInput{
		RoleName: str("r"), AssumeRolePolicyDocument: str(document), Tags: []types.Tag{{Key: str("k"), Value: str("v")}, {Key: str("k"), Value: str("w")}},
	}), "InvalidInput"},
	{"an unknown role", askIAM((*iam.Client).GetRole, iam.GetRoleInput{RoleName: str("none")}), "NoSuchEntity"},
	{"an unknown policy", askIAM((*iam.Client).GetRolePolicy, iam.GetRolePolicyInput{RoleName: str("corp"), PolicyName: str("none")}), "NoSuchEntity"},
	{"an unknown profile", askIAM((*iam.Client).GetInstanceProfile, iam.GetInstanceProfileInput{InstanceProfileName: str("none")}), "NoSuchEntity"},
	{"a role that a profile has stays", askIAM((*iam.Client).DeleteRole, iam.DeleteRoleInput{RoleName: str("corp")}), "DeleteConflict"},
	{"a profile that has a role stays", askIAM((*iam.Client).DeleteInstanceProfile, iam.DeleteInstanceProfileInput{InstanceProfileName: str("corp")}), "DeleteConflict"},
	{"a profile has one role", askIAM((*iam.Client).AddRoleToInstanceProfile, iam.AddRoleToInstanceProfileInput{
		InstanceProfileName: str("corp"), RoleName: str("corp"),
	}), "LimitExceeded"},
	{"a role that a profile does not have is not removed", askIAM((*iam.Client).RemoveRoleFromInstanceProfile, iam.RemoveRoleFromInstanceProfileInput{
		InstanceProfileName: str("corp"), RoleName: str("none"),
	}), "NoSuchEntity"},
	{"policies have a length", askIAM((*iam.Client).PutRolePolicy, iam.PutRolePolicyInput{
		RoleName: str("corp"), PolicyName: str("q"), PolicyDocument: str(`{"Statement":"` + strings.Repeat("x", 10240) + `"}`),
	}), "LimitExceeded"},
	{"a profile is there once", askIAM((*iam.Client).CreateInstanceProfile, iam.CreateInstanceProfileInput{InstanceProfileName: str("corp")}), "EntityAlreadyExists"},
}

func TestWhatIsRefusedOfIdentity(t *testing.T) { runRefusals(t, refusedOfIdentity) }

func TestTheLifeOfARole(t *testing.T) {
	x := start(t, aws.Options{})
	ctx := t.Context()
	tags := []types.Tag{{Key: str("k"), Value: str("v")}}
	made, err := x.iam.CreateRole(ctx, &iam.CreateRoleInput{RoleName: str("nodes"), AssumeRolePolicyDocument: str(document), Tags: tags})
	if r := must(x, made, err).Role; !strings.HasSuffix(*r.Arn, ":role/nodes") || !strings.HasPrefix(*r.RoleId, "AROA") || *r.Tags[0].Value != "v" {
		t.Errorf("the role is %+v", r)
	}
	_, err = x.iam.PutRolePolicy(ctx, &iam.PutRolePolicyInput{RoleName: str("nodes"), PolicyName: str("p"), PolicyDocument: str(document)})
	must(x, 0, err)
	got, err := x.iam.GetRolePolicy(ctx, &iam.GetRolePolicyInput{RoleName: str("nodes"), PolicyName: str("p")})
	if text, err := url.QueryUnescape(*must(x, got, err).PolicyDocument); err != nil || text != document || *got.PolicyDocument == document {
		t.Errorf("the policy is %s", *got.PolicyDocument)
	}
	list, err := x.iam.ListRolePolicies(ctx, &iam.ListRolePoliciesInput{RoleName: str("nodes")})
	if p := must(x, list, err).PolicyNames; len(p) != 1 || p[0] != "p" {
		t.Errorf("the policies are %v", p)
	}
	_, err = x.iam.DeleteRole(ctx, &iam.DeleteRoleInput{RoleName: str("nodes")})
	x.refused("DeleteConflict", err)
	_, err = x.iam.CreateInstanceProfile(ctx, &iam.CreateInstanceProfileInput{InstanceProfileName: str("nodes"), Tags: tags})
	must(x, 0, err)
	_, err = x.iam.AddRoleToInstanceProfile(ctx, &iam.AddRoleToInstanceProfileInput{InstanceProfileName: str("nodes"), RoleName: str("nodes")})
	must(x, 0, err)
	profile, err := x.as("a", "us-west-2").iam.GetInstanceProfile(ctx, &iam.GetInstanceProfileInput{InstanceProfileName: str("nodes")})
	if p := must(x, profile, err).InstanceProfile; len(p.Roles) != 1 || *p.Tags[0].Key != "k" {
		t.Errorf("the profile is %+v", p)
	}
	for _, call := range []func(context.Context, *tester) error{
		askIAM((*iam.Client).RemoveRoleFromInstanceProfile, iam.RemoveRoleFromInstanceProfileInput{InstanceProfileName: str("nodes"), RoleName: str("nodes")}),
		askIAM((*iam.Client).DeleteInstanceProfile, iam.DeleteInstanceProfileInput{InstanceProfileName: str("nodes")}),
		askIAM((*iam.Client).DeleteRolePolicy, iam.DeleteRolePolicyInput{RoleName: str("nodes"), PolicyName: str("p")}),
		askIAM((*iam.Client).DeleteRole, iam.DeleteRoleInput{RoleName: str("nodes")}),
	} {
		must(x, 0, call(ctx, x))
	}
	x.refused("NoSuchEntity", askIAM((*iam.Client).GetRole, iam.GetRoleInput{RoleName: str("nodes")})(ctx, x))
}

func TestRolesAndProfilesHaveQuotas(t *testing.T) {
	x := start(t, aws.Options{})
	x.cloud.SetQuota("a", "", "L-FE177D64", 0)
	x.cloud.SetQuota("a", "", "L-6E65F664", 0)
	x.refused("LimitExceeded", askIAM((*iam.Client).CreateRole, iam.CreateRoleInput{RoleName: str("r"), AssumeRolePolicyDocument: str(document)})(t.Context(), x))
	x.refused("LimitExceeded", askIAM((*iam.Client).CreateInstanceProfile, iam.CreateInstanceProfileInput{InstanceProfileName: str("r")})(t.Context(), x))
}

func TestWhoAmI(t *testing.T) {
	x := start(t, aws.Options{})
	out, err := x.sts.GetCallerIdentity(t.Context(), &sts.GetCallerIdentityInput{})
	if id := must(x, out, err); *id.Account != x.cloud.AccountID("a") || !strings.HasPrefix(*id.Arn, "arn:aws:iam::"+*id.Account+":") {
		t.Errorf("the caller is %+v", id)
	}
}
