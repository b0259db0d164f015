// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
)

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f corp"

func (l *lab) group(vpc string) string {
	out, err := l.ec2.CreateSecurityGroup(l.ctx, &ec2.CreateSecurityGroupInput{GroupName: str("nodes"), Description: str("nodes"), VpcId: &vpc})
	return *get(l, out, err).GroupId
}

func open(port int32, cidr string) types.IpPermission {
	return types.IpPermission{IpProtocol: str("tcp"), FromPort: &port, ToPort: &port, IpRanges: []types.IpRange{{CidrIp: &cidr}}}
}

func (l *lab) authorize(group string, p ...types.IpPermission) error {
	_, err := l.ec2.AuthorizeSecurityGroupIngress(l.ctx, &ec2.AuthorizeSecurityGroupIngressInput{GroupId: &group, IpPermissions: p})
	return err
}

func (l *lab) shown(group string) types.SecurityGroup {
	out, err := l.ec2.DescribeSecurityGroups(l.ctx, &ec2.DescribeSecurityGroupsInput{GroupIds: []string{group}})
	return get(l, out, err).SecurityGroups[0]
}

var groupTrials = []trial{
	{"a new group lets everything out and nothing in", func(l *lab) {
		g := l.shown(l.group(l.vpc("10.0.0.0/16")))
		l.equal("the number of permissions", len(g.IpPermissions), 0)
		l.equal("the way out", *g.IpPermissionsEgress[0].IpProtocol+" "+*g.IpPermissionsEgress[0].IpRanges[0].CidrIp, "-1 0.0.0.0/0")
	}},
	{"a name of a group is there once in a VPC", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		l.group(vpc)
		_, err := l.ec2.CreateSecurityGroup(l.ctx, &ec2.CreateSecurityGroupInput{GroupName: str("nodes"), Description: str("again"), VpcId: &vpc})
		l.code("CreateSecurityGroup", "InvalidGroup.Duplicate", err)
	}},
	{"a rule is there once", func(l *lab) {
		group := l.group(l.vpc("10.0.0.0/16"))
		l.code("AuthorizeSecurityGroupIngress", "", l.authorize(group, open(80, "0.0.0.0/0")))
		l.code("AuthorizeSecurityGroupIngress again", "InvalidPermission.Duplicate", l.authorize(group, open(80, "0.0.0.0/0")))
		l.code("AuthorizeSecurityGroupIngress with one that is there", "InvalidPermission.Duplicate", l.authorize(group, open(81, "0.0.0.0/0"), open(80, "0.0.0.0/0")))
		l.equal("the number of permissions", len(l.shown(group).IpPermissions), 1)
	}},
	{"rules of the same ports are shown as one permission", func(l *lab) {
		group := l.group(l.vpc("10.0.0.0/16"))
		six := open(80, "")
		six.IpRanges, six.Ipv6Ranges = nil, []types.Ipv6Range{{CidrIpv6: str("::/0")}}
		l.code("AuthorizeSecurityGroupIngress", "", l.authorize(group, open(80, "10.0.0.0/8")))
		l.code("AuthorizeSecurityGroupIngress", "", l.authorize(group, open(80, "192.168.0.0/16")))
		l.code("AuthorizeSecurityGroupIngress", "", l.authorize(group, six))
		p := l.shown(group).IpPermissions
		l.equal("the number of permissions", len(p), 1)
		l.equal("the number of ranges", len(p[0].IpRanges)+len(p[0].Ipv6Ranges), 3)
	}},
	{"host bits of a range are cleared", func(l *lab) {
		group := l.group(l.vpc("10.0.0.0/16"))
		l.code("AuthorizeSecurityGroupIngress", "", l.authorize(group, open(80, "10.1.2.3/8")))
		l.equal("the range", *l.shown(group).IpPermissions[0].IpRanges[0].CidrIp, "10.0.0.0/8")
	}},
	{"a rule that is not there is not revoked", func(l *lab) {
		group := l.group(l.vpc("10.0.0.0/16"))
		_, err := l.ec2.RevokeSecurityGroupIngress(l.ctx, &ec2.RevokeSecurityGroupIngressInput{GroupId: &group, IpPermissions: []types.IpPermission{open(80, "0.0.0.0/0")}})
		l.code("RevokeSecurityGroupIngress", "InvalidPermission.NotFound", err)
	}},
	{"the way out of a new group is a rule like any other", func(l *lab) {
		group := l.group(l.vpc("10.0.0.0/16"))
		out := []types.IpPermission{{IpProtocol: str("-1"), IpRanges: []types.IpRange{{CidrIp: str("0.0.0.0/0")}}}}
		_, err := l.ec2.AuthorizeSecurityGroupEgress(l.ctx, &ec2.AuthorizeSecurityGroupEgressInput{GroupId: &group, IpPermissions: out})
		l.code("AuthorizeSecurityGroupEgress", "InvalidPermission.Duplicate", err)
		for _, code := range []string{"", "InvalidPermission.NotFound"} {
			_, err := l.ec2.RevokeSecurityGroupEgress(l.ctx, &ec2.RevokeSecurityGroupEgressInput{GroupId: &group, IpPermissions: out})
			l.code("RevokeSecurityGroupEgress", code, err)
		}
		l.equal("the number of permissions", len(l.shown(group).IpPermissionsEgress), 0)
	}},
	{"a group that another refers to is not deleted", func(l *lab) {
		vpc := l.vpc("10.0.0.0/16")
		group := l.group(vpc)
		out, err := l.ec2.CreateSecurityGroup(l.ctx, &ec2.CreateSecurityGroupInput{GroupName: str("other"), Description: str("o"), VpcId: &vpc})
		other := *get(l, out, err).GroupId
		l.code("AuthorizeSecurityGroupIngress", "", l.authorize(other, types.IpPermission{IpProtocol: str("-1"), UserIdGroupPairs: []types.UserIdGroupPair{{GroupId: &group}}}))
		_, err = l.ec2.DeleteSecurityGroup(l.ctx, &ec2.DeleteSecurityGroupInput{GroupId: &group})
		l.code("DeleteSecurityGroup", "DependencyViolation", err)
	}},
	{"the default group is not deleted", func(l *lab) {
		out, err := l.ec2.DescribeSecurityGroups(l.ctx, &ec2.DescribeSecurityGroupsInput{Filters: []types.Filter{filter("vpc-id", l.vpc("10.0.0.0/16"))}})
		_, err = l.ec2.DeleteSecurityGroup(l.ctx, &ec2.DeleteSecurityGroupInput{GroupId: get(l, out, err).SecurityGroups[0].GroupId})
		l.code("DeleteSecurityGroup", "CannotDelete", err)
	}},
	{"a key pair is there once, and deleted as often as one likes", func(l *lab) {
		in := ec2.ImportKeyPairInput{KeyName: str("k"), PublicKeyMaterial: []byte(publicKey), TagSpecifications: tagged(types.ResourceTypeKeyPair, "a", "b")}
		_, err := l.ec2.ImportKeyPair(l.ctx, &in)
		l.code("ImportKeyPair", "", err)
		_, err = l.ec2.ImportKeyPair(l.ctx, &in)
		l.code("ImportKeyPair again", "InvalidKeyPair.Duplicate", err)
		out, err := l.ec2.DescribeKeyPairs(l.ctx, &ec2.DescribeKeyPairsInput{Filters: []types.Filter{filter("tag:a", "b")}})
		l.equal("the number of key pairs", len(get(l, out, err).KeyPairs), 1)
		for range 2 {
			_, err = l.ec2.DeleteKeyPair(l.ctx, &ec2.DeleteKeyPairInput{KeyName: str("k")})
			l.code("DeleteKeyPair", "", err)
		}
		_, err = l.ec2.DescribeKeyPairs(l.ctx, &ec2.DescribeKeyPairsInput{KeyNames: []string{"k"}})
		l.code("DescribeKeyPairs", "InvalidKeyPair.NotFound", err)
	}},
	{"a fingerprint of an ED25519 key is its SHA-256 sum, with padding", func(l *lab) {
		out, err := l.ec2.ImportKeyPair(l.ctx, &ec2.ImportKeyPairInput{KeyName: str("k"), PublicKeyMaterial: []byte(publicKey)})
		l.equal("the fingerprint", *get(l, out, err).KeyFingerprint, "ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA=")
	}},
}
