// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/google/go-cmp/cmp"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
)

// byGardener makes a cluster as Gardener's AWS provider does: names and tags,
// none of our marks, and a reserved block for Services in a worker subnet with
// IPv6. It returns the flat state that the provider would keep. value is what
// it gives to the tag of the cluster, which was 1 in older versions.
func (w *world) byGardener(c v1alpha1.InfrastructureConfig, k Cluster, value string) map[string]string {
	w.t.Helper()
	conf, err := NewConfig(&c, k)
	w.must(err)
	nodes := cluster + "-nodes"
	data := map[string]string{"VPC": w.vpc, "IAMRoleName": nodes, "IAMInstanceProfileName": nodes, "IAMRolePolicyName": nodes, "KeyPair": cluster + "-ssh-publickey", "EgressCIDRs": ""}
	w.groupByGardener(conf, data, value)
	w.accessByGardener(conf, value)
	for _, z := range c.Networks.Zones {
		data["Zones/"+z.Name+"/SubnetWorkers"], data["Zones/"+z.Name+"/ZoneRouteTable"] = *z.WorkersSubnetID, w.private
		for role, id := range map[string]*string{elbTag: z.PublicSubnetID, internalTag: z.InternalSubnetID} {
			w.tag(clusterTag+cluster, "shared", *id)
			w.tag(role, "1", *id)
			w.tag(marker, role, *id)
		}
	}
	if conf.routed() {
		w.tag(clusterTag+cluster, "shared", w.private)
	}
	if k.IPv6 {
		data["ServiceCIDR"] = w.reserve(w.workers["a"], 0x10)
	}
	return data
}

func (w *world) groupByGardener(c Config, data map[string]string, value string) {
	w.t.Helper()
	if id := c.infra.Networks.NodesSecurityGroupID; id != nil {
		data["NodesSecurityGroup"] = *id
		return
	}
	g, err := w.ec2.CreateSecurityGroup(w.t.Context(), &ec2.CreateSecurityGroupInput{
		GroupName: aws.String(cluster + "-nodes"), Description: aws.String("Security group for nodes"), VpcId: &w.vpc,
		TagSpecifications: tagged(types.ResourceTypeSecurityGroup, map[string]string{clusterTag + cluster: value, "Name": cluster + "-nodes"}),
	})
	w.must(err)
	data["NodesSecurityGroup"] = *g.GroupId
	rules := c.nodeRules(nil)
	subnets, err := w.run(c.infra, c.Cluster).look(Reconciliation).session.client.Subnets(w.t.Context(), engine.ID(w.vpc), nil)
	w.must(err)
	for _, z := range c.given().Zones {
		rules = append(append(rules, c.nodePortRules(subnets[z.Public])...), c.nodePortRules(subnets[z.Internal])...)
	}
	_, err = w.ec2.AuthorizeSecurityGroupIngress(w.t.Context(), &ec2.AuthorizeSecurityGroupIngressInput{GroupId: g.GroupId, IpPermissions: toPermissions(engine.ID(*g.GroupId), minus(rules, nil, "ingress"))})
	w.must(err)
}

func (w *world) accessByGardener(c Config, value string) {
	ctx, nodes := w.t.Context(), aws.String(cluster+"-nodes")
	_, err := w.ec2.ImportKeyPair(ctx, &ec2.ImportKeyPairInput{
		KeyName: aws.String(cluster + "-ssh-publickey"), PublicKeyMaterial: []byte(c.SSHPublicKey),
		TagSpecifications: tagged(types.ResourceTypeKeyPair, map[string]string{clusterTag + cluster: value, "Name": cluster}),
	})
	w.must(err)
	_, err = w.iam.CreateRole(ctx, &iam.CreateRoleInput{RoleName: nodes, AssumeRolePolicyDocument: aws.String(trust)})
	w.must(err)
	_, err = w.iam.PutRolePolicy(ctx, &iam.PutRolePolicyInput{RoleName: nodes, PolicyName: nodes, PolicyDocument: aws.String(nodePolicy(true))})
	w.must(err)
	_, err = w.iam.CreateInstanceProfile(ctx, &iam.CreateInstanceProfileInput{InstanceProfileName: nodes})
	w.must(err)
	_, err = w.iam.AddRoleToInstanceProfile(ctx, &iam.AddRoleToInstanceProfileInput{InstanceProfileName: nodes, RoleName: nodes})
	w.must(err)
}

// reserve reserves a /108 of a subnet's IPv6 block.
func (w *world) reserve(subnet string, which byte) string {
	w.t.Helper()
	out, err := w.ec2.DescribeSubnets(w.t.Context(), &ec2.DescribeSubnetsInput{SubnetIds: []string{subnet}})
	w.must(err)
	raw := netip.MustParsePrefix(*out.Subnets[0].Ipv6CidrBlockAssociationSet[0].Ipv6CidrBlock).Addr().As16()
	raw[13] = which
	cidr := netip.PrefixFrom(netip.AddrFrom16(raw), 108).String()
	_, err = w.ec2.CreateSubnetCidrReservation(w.t.Context(), &ec2.CreateSubnetCidrReservationInput{SubnetId: &subnet, Cidr: &cidr, ReservationType: types.SubnetCidrReservationTypeExplicit})
	w.must(err)
	return cidr
}

func (w *world) reservations(subnet string) int {
	w.t.Helper()
	out, err := w.ec2.GetSubnetCidrReservations(w.t.Context(), &ec2.GetSubnetCidrReservationsInput{SubnetId: &subnet})
	w.must(err)
	return len(out.SubnetIpv6CidrReservations)
}

func TestAClusterOfGardenerIsTakenOverWithoutAChange(t *testing.T) {
	for _, v := range append(variants, ipv6Variants...) {
		for _, value := range []string{"owned", "1"} {
			t.Run(fmt.Sprintf("%s, tagged %s", v.name, value), func(t *testing.T) {
				w := newWorld(t)
				infra, k := v.infra(w), v.cluster()
				before := w.everything()
				k.Inherited = w.byGardener(infra, k, value)
				made := w.everything()
				r := w.run(infra, k)
				for _, f := range r.look(Preflight).Check() {
					if f.Severity != engine.Info {
						t.Errorf("finding: %s", f)
					}
				}
				p, err := r.look(Reconciliation).Plan()
				w.must(err)
				if !p.Idle() {
					t.Fatalf("plan:\n%s", p)
				}
				w.must(r.apply())
				if diff := cmp.Diff(made, w.everything()); diff != "" {
					t.Errorf("the cloud has changed:\n%s", diff)
				}
				r.config.Inherited = nil // imported once
				l := r.look(Reconciliation)
				if p, err = l.Plan(); err != nil || !p.Idle() {
					t.Errorf("plan without the old state: %v\n%s", err, p)
				}
				if services := l.Status().Services; k.IPv6 && services[0] != k.Inherited["ServiceCIDR"] {
					t.Errorf("services %v, want %s", services, k.Inherited["ServiceCIDR"])
				}
				w.must(r.delete())
				if diff := cmp.Diff(before, w.everything()); diff != "" {
					t.Errorf("the deletion has left something, or taken too much:\n%s", diff)
				}
				if n := w.reservations(w.workers["a"]); n > 0 {
					t.Errorf("%d blocks are reserved", n)
				}
			})
		}
	}
}

// What the old state names must show that it is this cluster's: the group of
// another cluster, or one without a tag, is neither used nor deleted.
func TestAnOldStateIsNotBelievedWithoutProof(t *testing.T) {
	for name, tags := range map[string]map[string]string{"without a tag": nil, "another cluster's": {clusterTag + cluster + "bud": "owned"}, "shared": {clusterTag + cluster: "shared"}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			infra, k := w.infra("a", "b"), rose()
			for key, value := range tags {
				w.tag(key, value, w.group)
			}
			k.Inherited = map[string]string{"NodesSecurityGroup": w.group}
			before := w.everything()
			r := w.run(infra, k)
			if _, err := r.look(Reconciliation).Plan(); err == nil || !strings.Contains(err.Error(), "EGEN108") || !strings.Contains(err.Error(), w.group) {
				t.Errorf("err = %v", err)
			}
			w.must(r.delete())
			if diff := cmp.Diff(before, w.everything()); diff != "" {
				t.Errorf("not as it was:\n%s", diff)
			}
		})
	}
}

// The user's tags and reserved blocks stay the user's when a cluster is taken over.
func TestATakeoverLeavesTheUsersOwn(t *testing.T) {
	w := newWorld(t)
	w.addIPv6(false)
	w.tag(clusterTag+cluster, "owned", w.internals["a"], w.internals["b"])
	w.reserve(w.workers["a"], 0x20)
	before := w.everything()
	infra, k := w.infra("a"), dual()
	k.Inherited = w.byGardener(infra, k, "owned")
	w.tag(clusterTag+cluster, "owned", w.internals["a"]) // put right by the user
	r := w.run(infra, k)
	w.must(r.apply())
	r.config.Inherited = nil
	w.must(r.apply())
	w.must(r.delete())
	if diff := cmp.Diff(before, w.everything()); diff != "" {
		t.Errorf("not as it was:\n%s", diff)
	}
	if n := w.reservations(w.workers["a"]); n != 1 {
		t.Errorf("%d blocks are reserved", n)
	}
}

// A cluster that is taken over may be deleted at once, without an apply before.
func TestATakenOverClusterIsDeletedAtOnce(t *testing.T) {
	w := newWorld(t)
	before := w.everything()
	infra, k := w.infra("a", "b"), rose()
	k.Inherited = w.byGardener(infra, k, "owned")
	w.must(w.run(infra, k).delete())
	if diff := cmp.Diff(before, w.everything()); diff != "" {
		t.Errorf("the deletion has left something, or taken too much:\n%s", diff)
	}
}

// A key pair of the name that does not bear the cluster's tag is somebody
// else's: it is neither replaced nor deleted, whatever the old state names.
func TestAKeyPairIsNotBelievedByItsName(t *testing.T) {
	w := newWorld(t)
	name := cluster + "-ssh-publickey"
	_, err := w.ec2.ImportKeyPair(t.Context(), &ec2.ImportKeyPairInput{KeyName: &name, PublicKeyMaterial: []byte("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICqXUWw1S2iEjNvY9UoiagpVsh7ROOIHrWxcu5wAqlrq")})
	w.must(err)
	keys := func() string {
		out, err := w.ec2.DescribeKeyPairs(t.Context(), nil)
		w.must(err)
		return fmt.Sprint(*out.KeyPairs[0].KeyPairId, len(out.KeyPairs))
	}
	before := keys()
	k := rose()
	k.Inherited = map[string]string{"KeyPair": name}
	r := w.run(w.infra("a", "b"), k)
	if _, err := r.look(Reconciliation).Plan(); err == nil || !strings.Contains(err.Error(), "EGEN104") {
		t.Errorf("err = %v", err)
	}
	w.must(r.delete())
	if keys() != before {
		t.Error("it is another one, or gone")
	}
}

// The range of a living cluster's Services never changes: an old state that
// does not tell it is refused, unless the configuration does.
func TestAnOldStateHasToTellTheRangeOfServices(t *testing.T) {
	for name, tt := range map[string]struct {
		state    map[string]string
		services []netip.Prefix
		says     string
	}{
		"none":                 {map[string]string{"VPC": "vpc-1"}, nil, `has "" as ServiceCIDR`},
		"no range":             {map[string]string{inheritedServices: "none"}, nil, `has "none" as ServiceCIDR`},
		"an IPv4 range":        {map[string]string{inheritedServices: "100.64.0.0/13"}, nil, `has "100.64.0.0/13" as ServiceCIDR`},
		"the Shoot says it":    {map[string]string{"VPC": "vpc-1"}, prefixes("fd00::/108"), ""},
		"nothing is inherited": {nil, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			infra, k := w.infra("a"), six()
			k.Inherited, k.Services = tt.state, tt.services
			_, err := NewConfig(&infra, k)
			if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("err = %v", err)
			}
		})
	}
}

// A block whose reads are denied is no reason to say that ranges overlap.
func TestADeniedReadOfReservationsConcludesNothing(t *testing.T) {
	w := newWorld(t)
	w.addIPv6(false)
	infra, k := w.infra("a", "b"), dual()
	k.Inherited = w.byGardener(infra, k, "owned")
	w.Deny("a", "ec2:GetSubnetCidrReservations")
	var codes []string
	for _, f := range w.run(infra, k).look(Preflight).Check() {
		codes = append(codes, f.Code)
	}
	if got := strings.Join(codes, " "); got != "EGEN102" {
		t.Errorf("findings %s", got)
	}
}
