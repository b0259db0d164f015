// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/internal/sim/aws"
)

var refusedOfGroups = []refusal{
	{"a name is there once in a VPC", ask((*ec2.Client).CreateSecurityGroup, ec2.CreateSecurityGroupInput{
		GroupName: str("nodes"), Description: str("d"), VpcId: str(corp),
	}), "InvalidGroup.Duplicate"},
	{"default is a reserved name", ask((*ec2.Client).CreateSecurityGroup, ec2.CreateSecurityGroupInput{
		GroupName: str("default"), Description: str("d"), VpcId: str(corp),
	}), "InvalidGroup.Reserved"},
	{"a name does not look like an ID", ask((*ec2.Client).CreateSecurityGroup, ec2.CreateSecurityGroupInput{
		GroupName: str("sg-x"), Description: str("d"), VpcId: str(corp),
	}), "InvalidParameterValue"},
	{"a description is plain", ask((*ec2.Client).CreateSecurityGroup, ec2.CreateSecurityGroupInput{
		GroupName: str("g"), Description: str("für"), VpcId: str(corp),
	}), "InvalidParameterValue"},
	{"a rule is there once", authorize(types.IpPermission{IpProtocol: str("-1"), UserIdGroupPairs: []types.UserIdGroupPair{{GroupId: str(nodes)}}}), "InvalidPermission.Duplicate"},
	{"a rule is there once, whatever its description", authorize(types.IpPermission{
		IpProtocol: str("6"), FromPort: port(22), ToPort: port(22), IpRanges: []types.IpRange{{CidrIp: str("10.2.3.4/8"), Description: str("other")}},
	}), "InvalidPermission.Duplicate"},
	{"a request does not say a rule twice", authorize(open("tcp", 80), open("tcp", 80)), "InvalidPermission.Duplicate"},
	{"a rule has a peer", authorize(types.IpPermission{IpProtocol: str("-1")}), "MissingParameter"},
	{"TCP has ports", authorize(types.IpPermission{IpProtocol: str("tcp"), IpRanges: []types.IpRange{{CidrIp: str("0.0.0.0/0")}}}), "InvalidParameterValue"},
	{"a peer must be there", authorize(types.IpPermission{IpProtocol: str("-1"), UserIdGroupPairs: []types.UserIdGroupPair{{GroupId: id("sg-")}}}), "InvalidGroup.NotFound"},
	{"a rule that is not there cannot be revoked", ask((*ec2.Client).RevokeSecurityGroupIngress, ec2.RevokeSecurityGroupIngressInput{
		GroupId: str(nodes), IpPermissions: []types.IpPermission{open("tcp", 80)},
	}), "InvalidPermission.NotFound"},
	{"a group of interfaces stays", ask((*ec2.Client).DeleteSecurityGroup, ec2.DeleteSecurityGroupInput{GroupId: str(nodes)}), "DependencyViolation"},
	{"the default group stays", func(ctx context.Context, x *tester) error {
		out, err := x.ec2.DescribeSecurityGroups(ctx, &ec2.DescribeSecurityGroupsInput{Filters: []types.Filter{filter("group-name", "default"), filter("vpc-id", corp)}})
		_, err = x.ec2.DeleteSecurityGroup(ctx, &ec2.DeleteSecurityGroupInput{GroupId: must(x, out, err).SecurityGroups[0].GroupId})
		return err
	}, "CannotDelete"},
	{"a key pair is there once", ask((*ec2.Client).ImportKeyPair, ec2.ImportKeyPairInput{KeyName: str("corp"), PublicKeyMaterial: []byte(ed25519Key)}), "InvalidKeyPair.Duplicate"},
	{"a key is a key", ask((*ec2.Client).ImportKeyPair, ec2.ImportKeyPairInput{KeyName: str("k"), PublicKeyMaterial: []byte("ssh-rsa AAAA")}), "InvalidKey.Format"},
	{"an unknown key pair", ask((*ec2.Client).DescribeKeyPairs, ec2.DescribeKeyPairsInput{KeyNames: []string{"none"}}), "InvalidKeyPair.NotFound"},
}

func port(n int32) *int32 { return &n }

func authorize(permissions ...types.IpPermission) func(context.Context, *tester) error {
	return ask((*ec2.Client).AuthorizeSecurityGroupIngress, ec2.AuthorizeSecurityGroupIngressInput{GroupId: str(nodes), IpPermissions: permissions})
}

func TestWhatIsRefusedOfGroupsAndKeys(t *testing.T) { runRefusals(t, refusedOfGroups) }

func TestRulesAreMergedAsEC2Does(t *testing.T) {
	x := start(t, aws.Options{})
	ctx := t.Context()
	vpc := x.vpc("10.0.0.0/16")
	made, err := x.ec2.CreateSecurityGroup(ctx, &ec2.CreateSecurityGroupInput{GroupName: str("g"), Description: str("g"), VpcId: &vpc})
	group := must(x, made, err).GroupId
	one := open("tcp", 30000)
	one.ToPort = port(32767)
	six := types.IpPermission{IpProtocol: str("tcp"), FromPort: port(30000), ToPort: port(32767), Ipv6Ranges: []types.Ipv6Range{{CidrIpv6: str("::/0")}}}
	own := types.IpPermission{IpProtocol: str("tcp"), FromPort: port(30000), ToPort: port(32767), UserIdGroupPairs: []types.UserIdGroupPair{{GroupId: group}}}
	for _, p := range []types.IpPermission{one, six, own, open("udp", 53)} {
		out, err := x.ec2.AuthorizeSecurityGroupIngress(ctx, &ec2.AuthorizeSecurityGroupIngressInput{GroupId: group, IpPermissions: []types.IpPermission{p}})
		if n := len(must(x, out, err).SecurityGroupRules); n != 1 {
			t.Errorf("one rule became %d", n)
		}
	}
	out, err := x.ec2.DescribeSecurityGroups(ctx, &ec2.DescribeSecurityGroupsInput{GroupIds: []string{*group}})
	g := must(x, out, err).SecurityGroups[0]
	p := g.IpPermissions
	if len(p) != 2 || len(p[0].IpRanges) != 1 || len(p[0].Ipv6Ranges) != 1 || len(p[0].UserIdGroupPairs) != 1 {
		t.Errorf("four rules are shown as %+v", p)
	}
	if e := g.IpPermissionsEgress; len(e) != 1 || *e[0].IpProtocol != "-1" || e[0].FromPort != nil || *e[0].IpRanges[0].CidrIp != "0.0.0.0/0" {
		t.Errorf("a new group lets out %+v", e)
	}
	_, err = x.ec2.RevokeSecurityGroupIngress(ctx, &ec2.RevokeSecurityGroupIngressInput{GroupId: group, IpPermissions: []types.IpPermission{six}})
	must(x, 0, err)
	list, err := x.ec2.DescribeSecurityGroupRules(ctx, &ec2.DescribeSecurityGroupRulesInput{Filters: []types.Filter{filter("group-id", *group)}})
	if n := len(must(x, list, err).SecurityGroupRules); n != 4 {
		t.Errorf("there are %d rules, not 4", n)
	}
	for _, r := range list.SecurityGroupRules {
		if !*r.IsEgress {
			_, err := x.ec2.RevokeSecurityGroupIngress(ctx, &ec2.RevokeSecurityGroupIngressInput{GroupId: group, SecurityGroupRuleIds: []string{*r.SecurityGroupRuleId}})
			must(x, 0, err)
		}
	}
	_, err = x.ec2.DeleteSecurityGroup(ctx, &ec2.DeleteSecurityGroupInput{GroupId: group})
	must(x, 0, err)
}

const ed25519Key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f corp"

// Keys and what ssh-keygen and openssl say of them: the SHA-256 sum of the key, with padding, and the
// MD5 sum of its DER form.
var fingerprints = []struct{ name, public, print string }{
	{"an ED25519 key", ed25519Key, "ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA="},
	{
		"an RSA key",
		"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDeZBZcTgF5NAWvU66sRSLqos4JIi6SRQ3opFtNxVEH/jPoOyFPHKWbVX4/RTLysC1bE/fj8EvSWuKZTu6m1mwx" +
			"bknWawCvZYKpf+Q5i3Zkz+eP4wD1Br/TfyUmZ4AurPO0HXu1+AVS1mVDn6DnCrsDlIB7gOePnsfJcH42nZ6LOw==",
		"2c:2f:56:60:e5:bb:58:cc:ff:ef:e4:a2:7b:06:92:e9",
	},
}

func TestFingerprints(t *testing.T) {
	x := start(t, aws.Options{})
	for _, c := range fingerprints {
		made, err := x.ec2.ImportKeyPair(t.Context(), &ec2.ImportKeyPairInput{KeyName: &c.name, PublicKeyMaterial: []byte(c.public)})
		if got := *must(x, made, err).KeyFingerprint; got != c.print {
			t.Errorf("%s has the fingerprint %s, not %s", c.name, got, c.print)
		}
	}
}

func TestKeyPairs(t *testing.T) {
	x := start(t, aws.Options{})
	ctx := t.Context()
	made, err := x.ec2.ImportKeyPair(ctx, &ec2.ImportKeyPairInput{
		KeyName: str("k"), PublicKeyMaterial: []byte(ed25519Key), TagSpecifications: tagged(types.ResourceTypeKeyPair, "a", "b"),
	})
	k := must(x, made, err)
	if *k.Tags[0].Key != "a" {
		t.Errorf("the key pair is %+v", k)
	}
	seen, err := x.ec2.DescribeKeyPairs(ctx, &ec2.DescribeKeyPairsInput{Filters: []types.Filter{filter("tag:a", "b")}, IncludePublicKey: &yes})
	if l := must(x, seen, err).KeyPairs; len(l) != 1 || *l[0].PublicKey != ed25519Key || l[0].KeyType != types.KeyTypeEd25519 || *l[0].KeyPairId != *k.KeyPairId {
		t.Errorf("there are %+v", l)
	}
	for range 2 { // also if there is none
		_, err = x.ec2.DeleteKeyPair(ctx, &ec2.DeleteKeyPairInput{KeyName: str("k")})
		must(x, 0, err)
	}
	_, err = x.ec2.DeleteKeyPair(ctx, &ec2.DeleteKeyPairInput{})
	x.refused("MissingParameter", err)
}
