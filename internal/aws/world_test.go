// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/aws"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	cluster = "shoot--garden--rose"
	uid     = "11112222-3333-4444-5555-666677778888"
	region  = "eu-central-1"
	sshKey  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3RJiUp6ZS4UXFTLM3qjLDzSYKMwsvd4vC8lE1kJv7n somebody@somewhere"
)

// A world is an embedded AWS with what a user has in it: the VPC of Gardener's
// recipe for an IPv4 cluster, in zones a and b.
type world struct {
	*sim.Cloud
	key   string // the access key that options uses; empty: a
	t     *testing.T
	ec2   *ec2.Client
	iam   *iam.Client
	names map[string]string // ID → what golden files call it

	vpc, igw, nat, private, public, group string
	workers, publics, internals           map[string]string // by zone
}

// options lets the SDK talk to the embedded cloud as a user of account a.
func (w *world) options() Options {
	client := &http.Client{Transport: w.Transport()}
	return Options{Load: []func(*config.LoadOptions) error{
		config.WithHTTPClient(client), config.WithBaseEndpoint("http://aws"),
		config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider(cmp.Or(w.key, "a"), "secret", "")),
		config.WithSharedConfigFiles([]string{}), config.WithSharedCredentialsFiles([]string{}),
	}}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	for _, v := range []string{"AWS_CA_BUNDLE", "AWS_PROFILE", "AWS_ENDPOINT_URL"} { // of whoever runs the tests
		t.Setenv(v, "")
	}
	w := &world{Cloud: sim.New(sim.Options{Seed: t.Name()}), t: t, names: map[string]string{}, workers: map[string]string{}, publics: map[string]string{}, internals: map[string]string{}}
	conf, err := config.LoadDefaultConfig(t.Context(), append(w.options().Load, config.WithRegion(region))...)
	w.must(err)
	w.ec2, w.iam = ec2.NewFromConfig(conf), iam.NewFromConfig(conf)
	w.makeVPC()
	for i, zone := range []string{"a", "b"} {
		w.workers[zone] = w.subnet("workers-"+zone, zone, fmt.Sprintf("10.0.%d.0/24", i))
		w.publics[zone] = w.subnet("public-"+zone, zone, fmt.Sprintf("10.0.1%d.0/24", i))
		w.internals[zone] = w.subnet("internal-"+zone, zone, fmt.Sprintf("10.0.2%d.0/24", i))
	}
	w.makeTables()
	out, err := w.ec2.CreateSecurityGroup(t.Context(), &ec2.CreateSecurityGroupInput{GroupName: aws.String("nodes"), Description: aws.String("nodes"), VpcId: &w.vpc})
	w.must(err)
	w.group = w.name("sg", out.GroupId)
	_, err = w.ec2.AuthorizeSecurityGroupIngress(t.Context(), &ec2.AuthorizeSecurityGroupIngressInput{GroupId: &w.group, IpPermissions: toPermissions(engine.ID(w.group), []Rule{{"ingress", "-1", 0, 0, "self"}})})
	w.must(err)
	return w
}

func (w *world) makeVPC() {
	ctx := w.t.Context()
	v, err := w.ec2.CreateVpc(ctx, &ec2.CreateVpcInput{CidrBlock: aws.String("10.0.0.0/16")})
	w.must(err)
	w.vpc = w.name("vpc", v.Vpc.VpcId)
	yes := &types.AttributeBooleanValue{Value: aws.Bool(true)}
	_, err = w.ec2.ModifyVpcAttribute(ctx, &ec2.ModifyVpcAttributeInput{VpcId: &w.vpc, EnableDnsSupport: yes})
	w.must(err)
	_, err = w.ec2.ModifyVpcAttribute(ctx, &ec2.ModifyVpcAttributeInput{VpcId: &w.vpc, EnableDnsHostnames: yes})
	w.must(err)
	g, err := w.ec2.CreateInternetGateway(ctx, &ec2.CreateInternetGatewayInput{})
	w.must(err)
	w.igw = w.name("igw", g.InternetGateway.InternetGatewayId)
	_, err = w.ec2.AttachInternetGateway(ctx, &ec2.AttachInternetGatewayInput{InternetGatewayId: &w.igw, VpcId: &w.vpc})
	w.must(err)
}

func (w *world) subnet(name, zone, cidr string) string {
	w.t.Helper()
	s, err := w.ec2.CreateSubnet(w.t.Context(), &ec2.CreateSubnetInput{VpcId: &w.vpc, CidrBlock: &cidr, AvailabilityZone: aws.String(region + zone)})
	w.must(err)
	return w.name(name, s.Subnet.SubnetId)
}

// makeTables gives the workers and the internal subnets a way out through a NAT
// gateway, and the public subnets one through the internet gateway.
func (w *world) makeTables() {
	ctx := w.t.Context()
	a, err := w.ec2.AllocateAddress(ctx, &ec2.AllocateAddressInput{Domain: types.DomainTypeVpc})
	w.must(err)
	w.name("eip", a.AllocationId)
	n, err := w.ec2.CreateNatGateway(ctx, &ec2.CreateNatGatewayInput{SubnetId: aws.String(w.publics["a"]), AllocationId: a.AllocationId})
	w.must(err)
	w.nat = w.name("nat", n.NatGateway.NatGatewayId)
	for range 5 { // until it is available
		_, err = w.ec2.DescribeNatGateways(ctx, &ec2.DescribeNatGatewaysInput{})
		w.must(err)
	}
	w.private = w.table("rtb-private", &ec2.CreateRouteInput{DestinationCidrBlock: aws.String("0.0.0.0/0"), NatGatewayId: &w.nat})
	w.public = w.table("rtb-public", &ec2.CreateRouteInput{DestinationCidrBlock: aws.String("0.0.0.0/0"), GatewayId: &w.igw})
	for _, zone := range []string{"a", "b"} {
		w.associate(w.private, w.workers[zone])
		w.associate(w.private, w.internals[zone])
		w.associate(w.public, w.publics[zone])
	}
}

func (w *world) table(name string, route *ec2.CreateRouteInput) string {
	w.t.Helper()
	out, err := w.ec2.CreateRouteTable(w.t.Context(), &ec2.CreateRouteTableInput{VpcId: &w.vpc})
	w.must(err)
	route.RouteTableId = out.RouteTable.RouteTableId
	_, err = w.ec2.CreateRoute(w.t.Context(), route)
	w.must(err)
	return w.name(name, out.RouteTable.RouteTableId)
}

func (w *world) associate(table, subnet string) {
	w.t.Helper()
	_, err := w.ec2.AssociateRouteTable(w.t.Context(), &ec2.AssociateRouteTableInput{RouteTableId: &table, SubnetId: &subnet})
	w.must(err)
}

func (w *world) tag(key, value string, on ...string) {
	w.t.Helper()
	_, err := w.ec2.CreateTags(w.t.Context(), &ec2.CreateTagsInput{Resources: on, Tags: []types.Tag{{Key: &key, Value: &value}}})
	w.must(err)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) name(name string, id *string) string {
	w.names[*id] = name
	return *id
}

// infra is the configuration of a cluster in the given zones.
func (w *world) infra(zones ...string) v1alpha1.InfrastructureConfig {
	c := v1alpha1.InfrastructureConfig{}
	c.Networks.VPC.ID = &w.vpc
	for _, z := range zones {
		c.Networks.Zones = append(c.Networks.Zones, v1alpha1.Zone{
			Name: region + z, WorkersSubnetID: aws.String(w.workers[z]), PublicSubnetID: aws.String(w.publics[z]), InternalSubnetID: aws.String(w.internals[z]),
		})
	}
	return c
}

func rose() Cluster {
	return Cluster{TechnicalID: cluster, UID: uid, Region: region, IPv4: true, SSHPublicKey: sshKey}
}

// A run is a cluster with the state that outlives its runs.
type run struct {
	*world
	config Config
	saved  []byte
}

func (w *world) run(infra v1alpha1.InfrastructureConfig, c Cluster) *run {
	w.t.Helper()
	conf, err := NewConfig(&infra, c)
	w.must(err)
	return &run{world: w, config: conf}
}

// look is a new process that looks.
func (r *run) look(why Purpose) *Look {
	r.t.Helper()
	s, err := engine.LoadState(r.saved, func(_ context.Context, b []byte) error { r.saved = b; return nil })
	r.must(err)
	session, err := Open(r.t.Context(), r.config, s, r.options())
	r.must(err)
	l, err := session.Look(r.t.Context(), why)
	r.must(err)
	return l
}

func (r *run) apply() error {
	l := r.look(Reconciliation)
	p, err := l.Plan()
	if err != nil {
		return err
	}
	return l.Apply(r.t.Context(), p, engine.Options{Settle: time.Nanosecond})
}

func (r *run) delete() error {
	l := r.look(Deletion)
	p, err := l.PlanDelete()
	if err != nil {
		return err
	}
	return l.Apply(r.t.Context(), p, engine.Options{Settle: time.Nanosecond})
}

// readable puts names in the place of IDs.
func (w *world) readable(s string) string {
	ids := make([]string, 0, len(w.names))
	for id := range w.names {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		s = strings.ReplaceAll(s, id, w.names[id])
	}
	return s
}

// call names what a plan has made.
func (w *world) call(l *Look) {
	for _, v := range l.Views() {
		if v.Owner == engine.Ours && strings.HasPrefix(string(v.ID), "sg-") {
			w.names[string(v.ID)] = "our-" + v.Name
		}
	}
}

// everything is all that a cluster could change or leave.
func (w *world) everything() string {
	ctx := w.t.Context()
	var out strings.Builder
	for _, list := range []func() (any, error){
		func() (any, error) { o, err := w.ec2.DescribeVpcs(ctx, nil); return o.Vpcs, err },
		func() (any, error) { o, err := w.ec2.DescribeSubnets(ctx, nil); return o.Subnets, err },
		func() (any, error) { o, err := w.ec2.DescribeRouteTables(ctx, nil); return o.RouteTables, err },
		func() (any, error) { o, err := w.ec2.DescribeSecurityGroups(ctx, nil); return o.SecurityGroups, err },
		func() (any, error) { o, err := w.ec2.DescribeKeyPairs(ctx, nil); return o.KeyPairs, err },
		func() (any, error) { o, err := w.ec2.DescribeTags(ctx, nil); return o.Tags, err },
		func() (any, error) {
			o, err := w.iam.GetRole(ctx, &iam.GetRoleInput{RoleName: aws.String(cluster + "-nodes")})
			return o, gone(translate("", err))
		},
		func() (any, error) {
			o, err := w.iam.GetInstanceProfile(ctx, &iam.GetInstanceProfileInput{InstanceProfileName: aws.String(cluster + "-nodes")})
			return o, gone(translate("", err))
		},
	} {
		all, err := list()
		w.must(err)
		raw, err := json.MarshalIndent(all, "", " ")
		w.must(err)
		out.Write(raw)
	}
	return out.String()
}

func (w *world) figures() string {
	calls := w.Calls()
	w.ClearCalls()
	return fmt.Sprintf("%d calls, %d writes, depth %d", len(calls), len(sim.Writes(calls)), sim.Depth(calls))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}
