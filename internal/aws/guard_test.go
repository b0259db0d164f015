// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
	classic "github.com/aws/aws-sdk-go-v2/service/elasticloadbalancing"
	elb "github.com/aws/aws-sdk-go-v2/service/elasticloadbalancingv2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
)

func tags(kv ...string) (out []types.Tag) {
	for i := 0; i < len(kv); i += 2 {
		out = append(out, types.Tag{Key: aws.String(kv[i]), Value: aws.String(kv[i+1])})
	}
	return out
}

var ourMark = []types.TagSpecification{{Tags: tags("espalier.io/c", "u1/security-group")}}

var guardRows = []struct {
	name, operation string
	in              any
	pass            bool
}{
	{"reading is free", "DescribeSubnets", &ec2.DescribeSubnetsInput{}, true},
	{"a role is taken", "AssumeRole", nil, true},
	{"a tag of the plan", "CreateTags", &ec2.CreateTagsInput{Resources: []string{"subnet-1"}, Tags: tags("kubernetes.io/cluster/c", "shared")}, true},
	{"a tag of the plan with another value", "CreateTags", &ec2.CreateTagsInput{Resources: []string{"subnet-1"}, Tags: tags("kubernetes.io/cluster/c", "owned")}, false},
	{"a tag of the plan on another thing", "CreateTags", &ec2.CreateTagsInput{Resources: []string{"subnet-1", "subnet-2"}, Tags: tags("kubernetes.io/cluster/c", "shared")}, false},
	{"a tag of the plan and a name", "CreateTags", &ec2.CreateTagsInput{Resources: []string{"subnet-1"}, Tags: tags("kubernetes.io/cluster/c", "shared", "Name", "mine")}, false},
	{"another cluster's tag", "CreateTags", &ec2.CreateTagsInput{Resources: []string{"subnet-1"}, Tags: tags("kubernetes.io/cluster/d", "shared")}, false},
	{"a tag taken away with its value", "DeleteTags", &ec2.DeleteTagsInput{Resources: []string{"subnet-1"}, Tags: tags("kubernetes.io/cluster/c", "shared")}, true},
	{"a tag taken away whatever its value", "DeleteTags", &ec2.DeleteTagsInput{Resources: []string{"subnet-1"}, Tags: []types.Tag{{Key: aws.String("kubernetes.io/cluster/c")}}}, false},
	{"a tag taken away with an empty value", "DeleteTags", &ec2.DeleteTagsInput{Resources: []string{"subnet-1"}, Tags: tags("kubernetes.io/cluster/c", "")}, false},
	{"all tags taken away", "DeleteTags", &ec2.DeleteTagsInput{Resources: []string{"subnet-1"}}, false},
	{"our group in their VPC", "CreateSecurityGroup", &ec2.CreateSecurityGroupInput{VpcId: aws.String("vpc-1"), GroupName: aws.String("c-nodes"), TagSpecifications: ourMark}, true},
	{"our group in another VPC", "CreateSecurityGroup", &ec2.CreateSecurityGroupInput{VpcId: aws.String("vpc-2"), GroupName: aws.String("c-nodes"), TagSpecifications: ourMark}, false},
	{"a group without our mark", "CreateSecurityGroup", &ec2.CreateSecurityGroupInput{VpcId: aws.String("vpc-1"), GroupName: aws.String("c-nodes")}, false},
	{"a group of another name", "CreateSecurityGroup", &ec2.CreateSecurityGroupInput{VpcId: aws.String("vpc-1"), GroupName: aws.String("web"), TagSpecifications: ourMark}, false},
	{"rules of our group", "AuthorizeSecurityGroupIngress", &ec2.AuthorizeSecurityGroupIngressInput{GroupId: aws.String("sg-ours")}, true},
	{"rules of their group", "AuthorizeSecurityGroupIngress", &ec2.AuthorizeSecurityGroupIngressInput{GroupId: aws.String("sg-theirs")}, false},
	{"rules taken from their group", "RevokeSecurityGroupEgress", &ec2.RevokeSecurityGroupEgressInput{GroupId: aws.String("sg-theirs")}, false},
	{"their group", "DeleteSecurityGroup", &ec2.DeleteSecurityGroupInput{GroupId: aws.String("sg-theirs")}, false},
	{"a group by its name", "DeleteSecurityGroup", &ec2.DeleteSecurityGroupInput{GroupName: aws.String("c-nodes")}, false},
	{"our key pair", "DeleteKeyPair", &ec2.DeleteKeyPairInput{KeyName: aws.String("c-ssh-publickey")}, true},
	{"their key pair", "DeleteKeyPair", &ec2.DeleteKeyPairInput{KeyName: aws.String("mine")}, false},
	{"their role", "DeleteRole", &iam.DeleteRoleInput{RoleName: aws.String("admin")}, false},
	{"a policy of their role", "PutRolePolicy", &iam.PutRolePolicyInput{RoleName: aws.String("admin"), PolicyName: aws.String("c-nodes")}, false},
	{"their role in our profile", "AddRoleToInstanceProfile", &iam.AddRoleToInstanceProfileInput{InstanceProfileName: aws.String("c-nodes"), RoleName: aws.String("admin")}, false},
	{"a route", "CreateRoute", &ec2.CreateRouteInput{RouteTableId: aws.String("rtb-1")}, false},
	{"a route taken away", "DeleteRoute", &ec2.DeleteRouteInput{RouteTableId: aws.String("rtb-1"), DestinationCidrBlock: aws.String("0.0.0.0/0")}, false},
	{"a route to pods that the plan lists", "DeleteRoute", &ec2.DeleteRouteInput{RouteTableId: aws.String("rtb-1"), DestinationCidrBlock: aws.String("100.64.0.0/24")}, true},
	{"a load balancer that Kubernetes has left", "DeleteLoadBalancer", &elb.DeleteLoadBalancerInput{LoadBalancerArn: aws.String("arn:left")}, true},
	{"their load balancer", "DeleteLoadBalancer", &elb.DeleteLoadBalancerInput{LoadBalancerArn: aws.String("arn:theirs")}, false},
	{"a classic one that Kubernetes has left", "DeleteLoadBalancer", &classic.DeleteLoadBalancerInput{LoadBalancerName: aws.String("left")}, true},
	{"their classic one", "DeleteLoadBalancer", &classic.DeleteLoadBalancerInput{LoadBalancerName: aws.String("theirs")}, false},
	{"a target group that Kubernetes has left", "DeleteTargetGroup", &elb.DeleteTargetGroupInput{TargetGroupArn: aws.String("arn:left")}, true},
	{"their target group", "DeleteTargetGroup", &elb.DeleteTargetGroupInput{TargetGroupArn: aws.String("arn:theirs")}, false},
	{"a group that Kubernetes has left", "DeleteSecurityGroup", &ec2.DeleteSecurityGroupInput{GroupId: aws.String("sg-left")}, true},
	{"their subnet", "DeleteSubnet", &ec2.DeleteSubnetInput{SubnetId: aws.String("subnet-1")}, false},
	{"an attribute of their VPC", "ModifyVpcAttribute", &ec2.ModifyVpcAttributeInput{VpcId: aws.String("vpc-1")}, false},
	{"an operation that nobody knows", "ExplodeVpc", nil, false},
	{"parameters of another operation", "CreateTags", &ec2.DeleteTagsInput{}, false},
}

func TestGuard(t *testing.T) {
	for _, tt := range guardRows {
		t.Run(tt.name, func(t *testing.T) {
			g := &Guard{}
			g.Allow(Permissions{
				Names: []string{"c-nodes", "c-ssh-publickey"}, VPC: "vpc-1", MarkKey: "espalier.io/c", MarkValue: "u1/",
				Tags:  map[string]string{"subnet-1#kubernetes.io/cluster/c": "shared"},
				Swept: map[string]bool{"rtb-1#100.64.0.0/24": true, "arn:left": true, "left": true, "sg-left": true},
				Ours:  func(id string) bool { return id == "sg-ours" || id == "c-ssh-publickey" || id == "mine" },
			})
			if err := g.check(tt.operation, tt.in); (err == nil) != tt.pass {
				t.Errorf("err = %v", err)
			}
		})
	}
}

// The guard stands in the stack of every call, and lets nothing write before
// it is told what.
func TestTheGuardIsInTheWay(t *testing.T) {
	w := newWorld(t)
	c, err := Connect(t.Context(), region, w.options())
	w.must(err)
	for what, call := range map[string]func(context.Context) error{
		"a tag": func(ctx context.Context) error { return c.SetTags(ctx, map[string]string{"a": "b"}, "vpc-1") },
		"a route": func(ctx context.Context) error {
			_, err := c.ec2.DeleteRoute(ctx, &ec2.DeleteRouteInput{RouteTableId: &w.private, DestinationCidrBlock: aws.String("0.0.0.0/0")})
			return err
		},
		"a role": func(ctx context.Context) error { return c.DeleteRole(ctx, "x") },
	} {
		w.ClearCalls()
		if err := call(t.Context()); !errors.Is(err, ErrGuarded) || len(w.Calls()) > 0 {
			t.Errorf("%s: err = %v, %d calls", what, err, len(w.Calls()))
		}
	}
	if len(c.guard.Refused()) != 3 {
		t.Errorf("refused: %v", c.guard.Refused())
	}
}
