// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"net/http"
	"net/netip"
	"os"
	"testing"
	"time"

	sdk "github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/aws"
	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/aws"
)

// What a cluster on AWS is made of, besides its configuration.
const (
	Region      = "eu-central-1"
	TechnicalID = "shoot--dev--one"
	UID         = "5d0f3f0e-4a3a-4b53-9f6f-1f5d7f6b2a10"
	SSHKey      = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3RJiUp6ZS4UXFTLM3qjLDzSYKMwsvd4vC8lE1kJv7n"
	Nodes       = "10.10.0.0/16"
	Pods        = "100.96.0.0/11"
	Services    = "100.64.0.0/13"
)

// latency is what each call takes while it is measured.
const latency = 100 * time.Millisecond

// A Setting is a cluster in subnets that the user brings, in three zones.
type Setting struct {
	Name       string
	Example    string // the file in examples that names the subnets
	IPv4, IPv6 bool
}

// Settings are the three sets of IP families.
var Settings = []Setting{
	{"IPv4", "aws-ipv4.yaml", true, false},
	{"dual-stack", "aws-dual-stack.yaml", true, true},
	{"IPv6 alone", "aws-ipv6.yaml", false, true},
}

// An AWS is the embedded AWS with the world of the demo, and one cluster to be
// made there, with its state. It belongs into a bubble of testing/synctest.
type AWS struct {
	*sim.Cloud
	t     testing.TB
	conf  aws.Config
	state []byte
}

// NewAWS prepares a cluster. The test must run in a folder two below the root.
func NewAWS(t testing.TB, s Setting) *AWS { t.Helper(); return TakenOver(t, s, NewAWSCloud(t), nil) }

// TakenOver is a cluster that is there, and the flat state that Gardener's
// provider has of it; nil: there is none.
func TakenOver(t testing.TB, s Setting, cloud *sim.Cloud, inherited map[string]string) *AWS {
	t.Helper()
	c := &AWS{Cloud: cloud, t: t}
	infra, err := v1alpha1.DecodeStrict[v1alpha1.InfrastructureConfig](s.Configuration(t))
	c.must(err)
	k := aws.Cluster{TechnicalID: TechnicalID, UID: UID, Region: Region, IPv4: s.IPv4, IPv6: s.IPv6, SSHPublicKey: SSHKey, Inherited: inherited}
	if s.IPv4 {
		k.Nodes, k.Pods, k.Services = ranges(Nodes), ranges(Pods), ranges(Services)
	}
	c.conf, err = aws.NewConfig(infra, k)
	c.must(err)
	return c
}

// NewAWSCloud is the embedded AWS with the world of the demo, in which nobody
// has made a cluster yet. The test must run in a folder two below the root.
func NewAWSCloud(t testing.TB) *sim.Cloud {
	t.Helper()
	text, err := os.ReadFile("../../internal/cli/demo/aws.yaml")
	if err != nil {
		t.Fatal(err)
	}
	world, err := sim.ParseWorld(text)
	if err != nil {
		t.Fatal(err)
	}
	cloud := sim.New(sim.Options{Seed: "bench"})
	if err := cloud.Plant(world); err != nil {
		t.Fatal(err)
	}
	return cloud
}

// Configuration is the text of the example. The test must run in a folder two
// below the root.
func (s Setting) Configuration(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile("../../examples/" + s.Example)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func ranges(cidr string) []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix(cidr)} }

func (c *AWS) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// connection is that of a user of account a; nothing else counts.
func (c *AWS) connection() aws.Options {
	return aws.Options{Config: &sdk.Config{
		Region: Region, BaseEndpoint: sdk.String("http://aws"), HTTPClient: &http.Client{Transport: c.Transport()},
		Credentials: credentials.NewStaticCredentialsProvider("a", "secret", ""),
	}}
}

// look is a new process that reads its state and looks.
func (c *AWS) look(ctx context.Context, purpose aws.Purpose) *aws.Look {
	c.t.Helper()
	state, err := engine.LoadState(c.state, func(_ context.Context, data []byte) error { c.state = data; return nil })
	c.must(err)
	session, err := aws.Open(ctx, c.conf, state, c.connection())
	c.must(err)
	look, err := session.Look(ctx, purpose)
	c.must(err)
	return look
}

// Plan is what a run would do.
func (c *AWS) Plan(ctx context.Context) *engine.Plan {
	c.t.Helper()
	plan, err := c.look(ctx, aws.Reconciliation).Plan()
	c.must(err)
	return plan
}

// Apply is a run that makes the cluster, or finds that it is there.
func (c *AWS) Apply(ctx context.Context) {
	c.t.Helper()
	look := c.look(ctx, aws.Reconciliation)
	for _, f := range look.Check() {
		if f.Severity == engine.Error {
			c.t.Fatal(f)
		}
	}
	plan, err := look.Plan()
	c.must(err)
	if plan.Idle() && len(c.state) > 0 {
		return
	}
	c.must(look.Apply(ctx, plan, engine.Options{}))
}

// Delete is a run that takes the cluster away.
func (c *AWS) Delete(ctx context.Context) {
	c.t.Helper()
	look := c.look(ctx, aws.Deletion)
	plan, err := look.PlanDelete()
	c.must(err)
	c.must(look.Apply(ctx, plan, engine.Options{}))
}

// MeasureAWS lets each call take 100 ms and counts those that f makes.
func MeasureAWS(cloud *sim.Cloud, f func()) Cost {
	cloud.SetLatency(latency)
	cloud.ClearCalls()
	f()
	cloud.SetLatency(0)
	calls := cloud.Calls()
	return Cost{len(calls), len(sim.Writes(calls)), sim.Depth(calls)}
}
