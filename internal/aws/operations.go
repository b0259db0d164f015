// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
	classic "github.com/aws/aws-sdk-go-v2/service/elasticloadbalancing"
	elb "github.com/aws/aws-sdk-go-v2/service/elasticloadbalancingv2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"

	"github.com/espalier-io/espalier/internal/engine"
)

// operations is the whole of what Espalier may do to an account: for each
// operation a look at the parameter that names what it changes.
var operations = map[string]func(Permissions, any) error{
	"CreateTags": of(func(p Permissions, in *ec2.CreateTagsInput) error { return p.tags(in.Resources, in.Tags) }),
	"DeleteTags": of(func(p Permissions, in *ec2.DeleteTagsInput) error { return p.tags(in.Resources, in.Tags) }),

	"CreateSecurityGroup": of(func(p Permissions, in *ec2.CreateSecurityGroupInput) error {
		if aws.ToString(in.VpcId) != p.VPC {
			return fmt.Errorf("%s is not the VPC of the configuration", aws.ToString(in.VpcId))
		}
		return errors.Join(p.name(in.GroupName), p.mark(in.TagSpecifications))
	}),
	"AuthorizeSecurityGroupIngress": of(func(p Permissions, in *ec2.AuthorizeSecurityGroupIngressInput) error { return p.mine(in.GroupId) }),
	"AuthorizeSecurityGroupEgress":  of(func(p Permissions, in *ec2.AuthorizeSecurityGroupEgressInput) error { return p.mine(in.GroupId) }),
	"RevokeSecurityGroupIngress":    of(func(p Permissions, in *ec2.RevokeSecurityGroupIngressInput) error { return p.mine(in.GroupId) }),
	"RevokeSecurityGroupEgress":     of(func(p Permissions, in *ec2.RevokeSecurityGroupEgressInput) error { return p.mine(in.GroupId) }),
	"DeleteSecurityGroup": of(func(p Permissions, in *ec2.DeleteSecurityGroupInput) error {
		if in.GroupName != nil {
			return errors.New("a group is deleted by its ID")
		}
		if p.left(in.GroupId) == nil {
			return nil
		}
		return p.mine(in.GroupId)
	}),

	"DeleteRoute": of(func(p Permissions, in *ec2.DeleteRouteInput) error {
		destination := cmp.Or(aws.ToString(in.DestinationCidrBlock), aws.ToString(in.DestinationIpv6CidrBlock))
		return p.left(aws.String(string(routeID(engine.ID(aws.ToString(in.RouteTableId)), destination))))
	}),
	"DeleteSubnetCidrReservation": of(func(p Permissions, in *ec2.DeleteSubnetCidrReservationInput) error {
		return p.mine(in.SubnetCidrReservationId)
	}),
	"DeleteLoadBalancer": deleteBalancer,
	"DeleteTargetGroup":  of(func(p Permissions, in *elb.DeleteTargetGroupInput) error { return p.left(in.TargetGroupArn) }),

	"ImportKeyPair": of(func(p Permissions, in *ec2.ImportKeyPairInput) error {
		return errors.Join(p.name(in.KeyName), p.mark(in.TagSpecifications))
	}),
	"DeleteKeyPair": of(func(p Permissions, in *ec2.DeleteKeyPairInput) error {
		return errors.Join(p.name(in.KeyName), p.mine(in.KeyName))
	}),

	"CreateRole": of(func(p Permissions, in *iam.CreateRoleInput) error {
		return errors.Join(p.name(in.RoleName), p.iamMark(in.Tags))
	}),
	"DeleteRole": of(func(p Permissions, in *iam.DeleteRoleInput) error {
		return errors.Join(p.name(in.RoleName), p.mine(in.RoleName))
	}),
	"PutRolePolicy": of(func(p Permissions, in *iam.PutRolePolicyInput) error {
		return errors.Join(p.name(in.RoleName), p.name(in.PolicyName))
	}),
	"DeleteRolePolicy": of(func(p Permissions, in *iam.DeleteRolePolicyInput) error {
		return errors.Join(p.name(in.RoleName), p.name(in.PolicyName))
	}),
	"CreateInstanceProfile": of(func(p Permissions, in *iam.CreateInstanceProfileInput) error {
		return errors.Join(p.name(in.InstanceProfileName), p.iamMark(in.Tags))
	}),
	"DeleteInstanceProfile": of(func(p Permissions, in *iam.DeleteInstanceProfileInput) error {
		return errors.Join(p.name(in.InstanceProfileName), p.mine(in.InstanceProfileName))
	}),
	"AddRoleToInstanceProfile": of(func(p Permissions, in *iam.AddRoleToInstanceProfileInput) error {
		return errors.Join(p.name(in.InstanceProfileName), p.name(in.RoleName))
	}),
	"RemoveRoleFromInstanceProfile": of(func(p Permissions, in *iam.RemoveRoleFromInstanceProfileInput) error {
		return errors.Join(p.name(in.InstanceProfileName), p.name(in.RoleName))
	}),
}

// deleteBalancer is DeleteLoadBalancer of both services, which share the name.
func deleteBalancer(p Permissions, in any) error {
	switch in := in.(type) {
	case *classic.DeleteLoadBalancerInput:
		return p.left(in.LoadBalancerName)
	case *elb.DeleteLoadBalancerInput:
		return p.left(in.LoadBalancerArn)
	}
	return fmt.Errorf("the parameters are a %T", in)
}

// left allows what Kubernetes has left and the plan lists.
func (p Permissions) left(id *string) error {
	if !p.Swept[aws.ToString(id)] {
		return fmt.Errorf("%q is not in the plan", aws.ToString(id))
	}
	return nil
}

// of makes a check of parameters of one type a check of any.
func of[T any](check func(Permissions, T) error) func(Permissions, any) error {
	return func(p Permissions, in any) error {
		typed, ok := in.(T)
		if !ok {
			return fmt.Errorf("the parameters are a %T", in)
		}
		return check(p, typed)
	}
}

// mine allows what we made.
func (p Permissions) mine(id *string) error {
	if aws.ToString(id) == "" || p.Ours == nil || !p.Ours(*id) {
		return fmt.Errorf("%q is not ours", aws.ToString(id))
	}
	return nil
}

// name allows the names of the cluster's own things.
func (p Permissions) name(name *string) error {
	if !slices.Contains(p.Names, aws.ToString(name)) || aws.ToString(name) == "" {
		return fmt.Errorf("the name %q is not one of ours", aws.ToString(name))
	}
	return nil
}

// tags allows the tags of the plan on the things that the plan names, each
// with the one value that it may have: a deletion without a value would take
// away the user's own.
func (p Permissions) tags(resources []string, tags []types.Tag) error {
	if len(resources) == 0 || len(tags) == 0 {
		return errors.New("no resource or no tag is named")
	}
	for _, r := range resources {
		for _, t := range tags {
			want, ok := p.Tags[r+"#"+aws.ToString(t.Key)]
			if !ok || t.Value == nil || *t.Value != want {
				return fmt.Errorf("the tag %s=%q on %s is not in the plan", aws.ToString(t.Key), aws.ToString(t.Value), r)
			}
		}
	}
	return nil
}

func (p Permissions) mark(specs []types.TagSpecification) error {
	for _, s := range specs {
		for _, t := range s.Tags {
			if p.isMark(aws.ToString(t.Key), aws.ToString(t.Value)) {
				return nil
			}
		}
	}
	return errors.New("it would not bear our mark")
}

func (p Permissions) iamMark(tags []iamtypes.Tag) error {
	for _, t := range tags {
		if p.isMark(aws.ToString(t.Key), aws.ToString(t.Value)) {
			return nil
		}
	}
	return errors.New("it would not bear our mark")
}

func (p Permissions) isMark(key, value string) bool {
	return p.MarkKey != "" && key == p.MarkKey && strings.HasPrefix(value, p.MarkValue)
}
