// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"os"
	"testing"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/openstack"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// A cluster is one network to be made in an embedded cloud, with its state.
type cluster struct {
	t     testing.TB
	cloud *sim.Cloud
	creds openstack.Credentials
	conf  openstack.Config
	state []byte
}

func newCluster(t testing.TB, pattern int) *cluster {
	t.Helper()
	c := &cluster{t: t, cloud: sim.New(sim.Options{Seed: t.Name()})}
	text, err := os.ReadFile("testdata/world.yaml")
	c.must(err)
	world, err := sim.ParseWorld(text)
	c.must(err)
	c.must(c.cloud.Plant(world))
	env := map[string]string{
		"OS_AUTH_URL": "http://cloud/identity/v3", "OS_USERNAME": "a", "OS_PASSWORD": "a", "OS_PROJECT_NAME": "a",
		"OS_USER_DOMAIN_NAME": "Default", "OS_PROJECT_DOMAIN_NAME": "Default",
	}
	c.creds, err = openstack.LoadCredentials("", func(key string) string { return env[key] })
	c.must(err)
	c.conf, err = openstack.NewConfig(infrastructure(pattern), openstack.Cluster{
		TechnicalID: "shoot--dev--one", UID: "5d0f3f0e-4a3a-4b53-9f6f-1f5d7f6b2a10", Overlay: true,
		SSHPublicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3RJiUp6ZS4UXFTLM3qjLDzSYKMwsvd4vC8lE1kJv7n",
	}, nil)
	c.must(err)
	return c
}

// infrastructure is the configuration of a pattern, with the IDs of the world.
func infrastructure(pattern int) *v1alpha1.InfrastructureConfig {
	id := func(n string) *string { s := "6e0a0000-0000-4000-8000-00000000000" + n; return &s }
	c := &v1alpha1.InfrastructureConfig{FloatingPoolName: "public"}
	c.Networks.Workers = "10.250.0.0/16"
	if pattern >= 2 {
		c.Networks.ID = id("1")
	}
	if pattern >= 3 {
		c.Networks.Router = &v1alpha1.Router{ID: *id("3")}
	}
	if pattern >= 4 {
		c.Networks.SubnetID, c.Networks.Workers = id("2"), ""
	}
	if pattern >= 5 {
		c.Networks.SecurityGroupID = id("4")
	}
	return c
}

func (c *cluster) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// look is a new process that reads its state, gets a token and looks.
func (c *cluster) look(ctx context.Context, purpose openstack.Purpose) *openstack.Look {
	c.t.Helper()
	state, err := engine.LoadState(c.state, func(_ context.Context, data []byte) error { c.state = data; return nil })
	c.must(err)
	session, err := openstack.Open(ctx, c.creds, c.conf, state, openstack.Options{Transport: c.cloud.Transport()})
	c.must(err)
	look, err := session.Look(ctx, purpose)
	c.must(err)
	return look
}

func (c *cluster) apply(ctx context.Context) {
	c.t.Helper()
	look := c.look(ctx, openstack.Reconciliation)
	for _, f := range look.Check() {
		if f.Severity == engine.Error {
			c.t.Fatal(f)
		}
	}
	plan, err := look.Plan()
	c.must(err)
	if plan.Idle() {
		return
	}
	c.must(look.Apply(ctx, plan, engine.Options{}))
}

func (c *cluster) delete(ctx context.Context) {
	c.t.Helper()
	look := c.look(ctx, openstack.Deletion)
	plan, err := look.PlanDelete()
	c.must(err)
	c.must(look.Apply(ctx, plan, engine.Options{}))
}

func (c *cluster) facts(ctx context.Context) *openstack.Facts {
	c.t.Helper()
	client, err := openstack.Connect(ctx, c.creds, "", "", c.cloud.Transport())
	c.must(err)
	state, err := engine.LoadState(c.state, nil)
	c.must(err)
	return openstack.Read(ctx, client, c.conf, state, client.Cloud(), client.Project(), openstack.Reconciliation)
}
