// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package clouds

import (
	"testing"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// seeded is what the real servers are seeded with too.
const seeded = `
projects:
  admin:
    networks:
    - name: public
      external: true
      subnets:
      - {name: public, cidr: 203.0.113.0/24, enable_dhcp: false}
`

func openEmbedded(t *testing.T) *Cloud {
	t.Helper()
	cloud := sim.New(sim.Options{Seed: t.Name()})
	world, err := sim.ParseWorld([]byte(seeded))
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
		for _, request := range cloud.Unknown() {
			t.Logf("the embedded OpenStack does not know %s", request)
		}
	})
	hold := func(still bool) error {
		looks := 1
		if still {
			looks = 10 // more than a test looks while it wants it pending
		}
		cloud.SetPending(looks)
		return nil
	}
	return &Cloud{AuthURL: server.AuthURL, hold: hold, logins: newLogins()}
}
