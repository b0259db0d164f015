// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	_ "embed"

	"github.com/espalier-io/espalier/internal/openstack"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
	"github.com/espalier-io/espalier/test/estate"
)

// Who works.
const (
	Project = "a"
	User    = "gardener"
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

// Env are the OS_* variables of the user, for an OpenStack at that URL.
func Env(url string) map[string]string {
	return map[string]string{
		"OS_AUTH_URL": url + "/identity/v3", "OS_USERNAME": User, "OS_PASSWORD": estate.Secret, "OS_PROJECT_NAME": Project,
		"OS_USER_DOMAIN_NAME": "Default", "OS_PROJECT_DOMAIN_NAME": "Default",
	}
}

// Credentials are those of the user, for a cloud without a socket.
func Credentials() (openstack.Credentials, error) {
	return openstack.LoadCredentials("", func(name string) string { return Env("http://cloud")[name] })
}
