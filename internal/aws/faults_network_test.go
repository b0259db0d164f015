// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/google/go-cmp/cmp"

	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/aws"
)

// W2: rules of a group are compared one by one, however EC2 joins them in its
// answer, and in both IP families; a rule that somebody adds stays. Flows under
// a rule that is taken away, if only for a moment, are cut.
func TestRulesAreNotWrittenAgain(t *testing.T) {
	w := newWorld(t)
	w.addIPv6(false)
	r := w.run(w.infra("a", "b"), dual())
	w.must(r.apply())
	group := r.look(Reconciliation).Status().Provider.VPC.SecurityGroups[0].ID
	_, err := w.ec2.AuthorizeSecurityGroupIngress(t.Context(), &ec2.AuthorizeSecurityGroupIngressInput{GroupId: &group, IpPermissions: toPermissions("", []Rule{
		{"ingress", "tcp", firstNodePort, lastNodePort, "192.0.2.0/24"}, {"ingress", "tcp", 22, 22, "2001:db8::/32"},
	})})
	w.must(err)
	before := w.everything()
	w.ClearCalls()
	w.must(r.apply())
	if n := len(sim.Writes(w.Calls())); n > 0 || w.everything() != before {
		t.Errorf("%d writes", n)
	}
}

// W15 and W33: what is there is found again when the state is lost: nothing is
// doubled, and the key pair keeps its ID.
func TestALostStateDoublesNothing(t *testing.T) {
	w := newWorld(t)
	before := w.everything()
	r := w.run(w.infra("a", "b"), rose())
	w.must(r.apply())
	made := w.everything()
	r.saved = nil
	w.must(r.apply())
	if diff := cmp.Diff(made, w.everything()); diff != "" {
		t.Errorf("with the state lost:\n%s", diff)
	}
	w.must(r.delete())
	// Cluster tags can not tell whose they are: they stay, as the guide says.
	tags := toTags(map[string]string{clusterTag + cluster: "shared"})
	_, err := w.ec2.DeleteTags(t.Context(), &ec2.DeleteTagsInput{Tags: tags, Resources: []string{w.publics["a"], w.publics["b"], w.internals["a"], w.internals["b"], w.private}})
	w.must(err)
	if diff := cmp.Diff(before, w.everything()); diff != "" {
		t.Errorf("left:\n%s", diff)
	}
}

// W17 and W24: of the IPv6 blocks of a VPC those that are associated count,
// whatever is before them in the list, and no run adds one again.
func TestTheStatusHasTheBlocksThatAreAssociated(t *testing.T) {
	w := newWorld(t)
	associate := func() string {
		out, err := w.ec2.AssociateVpcCidrBlock(t.Context(), &ec2.AssociateVpcCidrBlockInput{VpcId: &w.vpc, AmazonProvidedIpv6CidrBlock: aws.Bool(true)})
		w.must(err)
		return *out.Ipv6CidrBlockAssociation.AssociationId
	}
	_, err := w.ec2.DisassociateVpcCidrBlock(t.Context(), &ec2.DisassociateVpcCidrBlockInput{AssociationId: aws.String(associate())})
	w.must(err)
	associate()
	w.addIPv6ToSubnets(false, 1)
	r := w.run(w.infra("a", "b"), dual())
	w.must(r.apply())
	first := r.look(Reconciliation).Status()
	if len(first.EgressCIDRs) != 1 {
		t.Errorf("egress %v", first.EgressCIDRs)
	}
	for range 3 {
		w.must(r.apply())
	}
	if diff := cmp.Diff(first, r.look(Reconciliation).Status()); diff != "" {
		t.Error(diff)
	}
}

// W22: a gateway that is not there is a finding, and those of other VPCs are
// nobody's business.
func TestAMissingGatewayIsAFinding(t *testing.T) {
	w := newWorld(t)
	w.addIPv6(false)
	other, err := w.ec2.CreateVpc(t.Context(), &ec2.CreateVpcInput{CidrBlock: aws.String("10.9.0.0/16"), AmazonProvidedIpv6CidrBlock: aws.Bool(true)})
	w.must(err)
	_, err = w.ec2.CreateEgressOnlyInternetGateway(t.Context(), &ec2.CreateEgressOnlyInternetGatewayInput{VpcId: other.Vpc.VpcId})
	w.must(err)
	all, err := w.ec2.DescribeEgressOnlyInternetGateways(t.Context(), &ec2.DescribeEgressOnlyInternetGatewaysInput{})
	w.must(err)
	for _, g := range all.EgressOnlyInternetGateways {
		if *g.Attachments[0].VpcId == w.vpc {
			_, err = w.ec2.DeleteEgressOnlyInternetGateway(t.Context(), &ec2.DeleteEgressOnlyInternetGatewayInput{EgressOnlyInternetGatewayId: g.EgressOnlyInternetGatewayId})
			w.must(err)
		}
	}
	r := w.run(w.infra("a", "b"), dual())
	l := r.look(Preflight)
	if found := fmt.Sprint(l.Check()); !strings.Contains(found, "EAWS142") || !strings.Contains(found, everyIPv6) {
		t.Errorf("findings %s", found)
	}
	for _, v := range l.Views() {
		if strings.HasPrefix(v.Name, "egress-only") {
			t.Errorf("%s is referred to", v.Name)
		}
	}
	w.must(r.apply())
}

// W23: a subnet that bears the cluster's tag and is not in the configuration is
// no obstacle, and stays as it is.
func TestAnUnrelatedSubnetWithTheClustersTag(t *testing.T) {
	w := newWorld(t)
	w.addIPv6(false)
	stranger := w.subnet("stranger", "b", "10.0.90.0/24")
	w.tag(clusterTag+cluster, "owned", stranger)
	before := w.everything()
	r := w.run(w.infra("a", "b"), dual())
	w.must(r.apply())
	w.must(r.delete())
	if diff := cmp.Diff(before, w.everything()); diff != "" {
		t.Errorf("not as it was:\n%s", diff)
	}
}

// W25: NodePorts are opened to the ranges that load balancer subnets have, in
// both families, not to computed ones.
func TestNodePortsAreOpenToTheRealRanges(t *testing.T) {
	w := newWorld(t)
	w.addIPv6(false)
	r := w.run(w.infra("a", "b"), dual())
	w.must(r.apply())
	group := r.look(Reconciliation).group
	_, have := group.Now()
	out, err := w.ec2.DescribeSubnets(t.Context(), &ec2.DescribeSubnetsInput{})
	w.must(err)
	for _, s := range out.Subnets {
		balanced := slices.Contains([]string{w.publics["a"], w.publics["b"], w.internals["a"], w.internals["b"]}, *s.SubnetId)
		for _, cidr := range []string{*s.CidrBlock, *s.Ipv6CidrBlockAssociationSet[0].Ipv6CidrBlock} {
			for _, rule := range nodePorts(cidr) {
				if slices.Contains(have.Rules, rule) != balanced {
					t.Errorf("%s of %s: want it %t", rule, w.names[*s.SubnetId], balanced)
				}
			}
		}
	}
}

// W28: one ID that does not exist says nothing of the others.
func TestAnUnknownSubnetHidesNoOther(t *testing.T) {
	w := newWorld(t)
	infra := w.infra("a", "b")
	infra.Networks.Zones[0].PublicSubnetID = aws.String("subnet-0nowhere")
	l := w.run(infra, rose()).look(Reconciliation)
	for _, f := range l.Check() {
		if f.Severity == engine.Error && !strings.Contains(f.String(), "subnet-0nowhere") {
			t.Errorf("finding: %s", w.readable(f.String()))
		}
	}
	if n := len(l.Status().Provider.VPC.Subnets); n != 5 {
		t.Errorf("%d subnets in the status", n)
	}
}
