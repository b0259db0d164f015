// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"testing"

	"github.com/gophercloud/gophercloud/v2"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// An embedded cloud is made anew for each case.
type embedded struct {
	cloud *sim.Cloud
	url   string
}

// public is what the real servers are seeded with too.
const public = `
projects:
  admin:
    networks:
    - name: public
      external: true
      subnets:
      - {name: public, cidr: 203.0.113.0/24, enable_dhcp: false}
`

func startEmbedded(*testing.T) func(t *testing.T) backend {
	return func(t *testing.T) backend {
		t.Helper()
		cloud := sim.New(sim.Options{Seed: t.Name()})
		world, err := sim.ParseWorld([]byte(public))
		if err != nil {
			t.Fatal(err)
		}
		if err := cloud.Plant(world); err != nil {
			t.Fatal(err)
		}
		server, err := cloud.Start()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := server.Close(); err != nil {
				t.Error(err)
			}
		})
		return &embedded{cloud: cloud, url: server.AuthURL}
	}
}

func (e *embedded) fresh(ctx context.Context, options gophercloud.AuthOptions) (*gophercloud.ProviderClient, error) {
	return authenticate(ctx, e.url, options)
}

func (e *embedded) login(ctx context.Context, options gophercloud.AuthOptions) (*gophercloud.ProviderClient, error) {
	return e.fresh(ctx, options)
}

func (e *embedded) hold(_ testing.TB, still bool) {
	looks := 1
	if still {
		looks = 10 // more than a case looks while it wants it pending
	}
	e.cloud.SetPending(looks)
}
