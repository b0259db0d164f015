// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package estate

import (
	_ "embed"

	"github.com/espalier-io/espalier/internal/openstack"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// Who works, and for which cluster.
const (
	Cluster = "shoot--garden--rose"
	UID     = "11112222-3333-4444-5555-666677778888"
	Project = "a"
	User    = "gardener"
	// Secret is the password: it must never be seen anywhere.
	Secret = "canary-7f3a91-never-to-be-seen"
	// TokenPrefix is how each token of the embedded cloud begins; neither must it.
	TokenPrefix = "gAAAAA"
)

// The user's things, by their IDs in the world.
const (
	Network       = "6e0a0000-0000-4000-8000-000000000001"
	Subnet        = "6e0a0000-0000-4000-8000-000000000002"
	Router        = "6e0a0000-0000-4000-8000-000000000003"
	SecurityGroup = "6e0a0000-0000-4000-8000-000000000004"
	SubnetIPv6    = "6e0a0000-0000-4000-8000-000000000005"
	PoolIPv6      = "6e0a0000-0000-4000-8000-000000000006"
	PoolIPv4      = "6e0a0000-0000-4000-8000-000000000007"
	ShareNetwork  = "6e0a0000-0000-4000-8000-000000000008"
)

//go:embed world.yaml
var world []byte

// New returns an embedded OpenStack with the estate in it. The same options
// give the same IDs.
func New(o sim.Options) (*sim.Cloud, error) {
	w, err := sim.ParseWorld(world)
	if err != nil {
		return nil, err
	}
	cloud := sim.New(o)
	return cloud, cloud.Plant(w)
}

// Getenv looks up the OS_* variables of the user, for a Keystone at that URL.
func Getenv(authURL string) func(string) string {
	env := map[string]string{
		"OS_AUTH_URL": authURL, "OS_USERNAME": User, "OS_PASSWORD": Secret, "OS_PROJECT_NAME": Project,
		"OS_USER_DOMAIN_NAME": "Default", "OS_PROJECT_DOMAIN_NAME": "Default",
	}
	return func(key string) string { return env[key] }
}

// Credentials are those of the user, for a cloud without a socket.
func Credentials() (openstack.Credentials, error) {
	return openstack.LoadCredentials("", Getenv("http://cloud/identity/v3"))
}
