// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"github.com/aws/aws-sdk-go-v2/service/elasticloadbalancing"
	"github.com/aws/aws-sdk-go-v2/service/elasticloadbalancingv2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/aws-sdk-go-v2/service/servicequotas"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

const document = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}`

const policy = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["ec2:DescribeInstances"],"Resource":["*"]}]}`

func (l *lab) role() {
	_, err := l.iam.CreateRole(l.ctx, &iam.CreateRoleInput{
		RoleName: str("nodes"), AssumeRolePolicyDocument: str(document), Tags: []types.Tag{{Key: str("a"), Value: str("1")}},
	})
	get(l, 0, err)
}

var identityTrials = []trial{
	{"a role is there once, with its tags", func(l *lab) {
		l.role()
		_, err := l.iam.CreateRole(l.ctx, &iam.CreateRoleInput{RoleName: str("nodes"), AssumeRolePolicyDocument: str(document)})
		l.code("CreateRole again", "EntityAlreadyExists", err)
		out, err := l.iam.GetRole(l.ctx, &iam.GetRoleInput{RoleName: str("nodes")})
		l.equal("the tag", *get(l, out, err).Role.Tags[0].Value, "1")
	}},
	{"what is not there is NoSuchEntity", func(l *lab) {
		_, err := l.iam.GetRole(l.ctx, &iam.GetRoleInput{RoleName: str("none")})
		l.code("GetRole", "NoSuchEntity", err)
		_, err = l.iam.GetInstanceProfile(l.ctx, &iam.GetInstanceProfileInput{InstanceProfileName: str("none")})
		l.code("GetInstanceProfile", "NoSuchEntity", err)
		l.role()
		_, err = l.iam.GetRolePolicy(l.ctx, &iam.GetRolePolicyInput{RoleName: str("nodes"), PolicyName: str("none")})
		l.code("GetRolePolicy", "NoSuchEntity", err)
	}},
	{"a role with a policy or a profile is not deleted", func(l *lab) {
		l.role()
		_, err := l.iam.PutRolePolicy(l.ctx, &iam.PutRolePolicyInput{RoleName: str("nodes"), PolicyName: str("p"), PolicyDocument: str(policy)})
		l.code("PutRolePolicy", "", err)
		_, err = l.iam.DeleteRole(l.ctx, &iam.DeleteRoleInput{RoleName: str("nodes")})
		l.code("DeleteRole with a policy", "DeleteConflict", err)
		_, err = l.iam.DeleteRolePolicy(l.ctx, &iam.DeleteRolePolicyInput{RoleName: str("nodes"), PolicyName: str("p")})
		l.code("DeleteRolePolicy", "", err)
		_, err = l.iam.CreateInstanceProfile(l.ctx, &iam.CreateInstanceProfileInput{InstanceProfileName: str("nodes")})
		l.code("CreateInstanceProfile", "", err)
		_, err = l.iam.AddRoleToInstanceProfile(l.ctx, &iam.AddRoleToInstanceProfileInput{InstanceProfileName: str("nodes"), RoleName: str("nodes")})
		l.code("AddRoleToInstanceProfile", "", err)
		_, err = l.iam.DeleteRole(l.ctx, &iam.DeleteRoleInput{RoleName: str("nodes")})
		l.code("DeleteRole with a profile", "DeleteConflict", err)
		_, err = l.iam.DeleteInstanceProfile(l.ctx, &iam.DeleteInstanceProfileInput{InstanceProfileName: str("nodes")})
		l.code("DeleteInstanceProfile", "DeleteConflict", err)
	}},
	{"an instance profile has one role", func(l *lab) {
		l.role()
		_, err := l.iam.CreateInstanceProfile(l.ctx, &iam.CreateInstanceProfileInput{InstanceProfileName: str("nodes")})
		l.code("CreateInstanceProfile", "", err)
		in := iam.AddRoleToInstanceProfileInput{InstanceProfileName: str("nodes"), RoleName: str("nodes")}
		_, err = l.iam.AddRoleToInstanceProfile(l.ctx, &in)
		l.code("AddRoleToInstanceProfile", "", err)
		_, err = l.iam.AddRoleToInstanceProfile(l.ctx, &in)
		l.code("AddRoleToInstanceProfile again", "LimitExceeded", err)
	}},
	{"a policy must be JSON", func(l *lab) {
		l.role()
		_, err := l.iam.PutRolePolicy(l.ctx, &iam.PutRolePolicyInput{RoleName: str("nodes"), PolicyName: str("p"), PolicyDocument: str("{")})
		l.code("PutRolePolicy", "MalformedPolicyDocument", err)
	}},
	{"a caller has an account", func(l *lab) {
		out, err := l.sts.GetCallerIdentity(l.ctx, &sts.GetCallerIdentityInput{})
		l.equal("the length of the account", len(*get(l, out, err).Account), 12)
	}},
	{"routes per route table are a quota", func(l *lab) {
		_, err := l.quotas.GetServiceQuota(l.ctx, &servicequotas.GetServiceQuotaInput{ServiceCode: str("vpc"), QuotaCode: str("L-93826ACB")})
		l.code("GetServiceQuota", "", err)
	}},
	{"load balancers that there are not are deleted without an error", func(l *lab) {
		_, err := l.elb.DeleteLoadBalancer(l.ctx, &elasticloadbalancing.DeleteLoadBalancerInput{LoadBalancerName: str("none")})
		l.code("DeleteLoadBalancer", "", err)
		_, err = l.elb.DescribeLoadBalancers(l.ctx, &elasticloadbalancing.DescribeLoadBalancersInput{LoadBalancerNames: []string{"none"}})
		l.code("DescribeLoadBalancers", "LoadBalancerNotFound", err)
		out, err := l.elbv2.DescribeLoadBalancers(l.ctx, &elasticloadbalancingv2.DescribeLoadBalancersInput{})
		l.equal("the number of load balancers", len(get(l, out, err).LoadBalancers), 0)
	}},
}
