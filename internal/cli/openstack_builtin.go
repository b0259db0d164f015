// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/spf13/pflag"
	"sigs.k8s.io/yaml"

	"github.com/espalier-io/espalier/internal/fault"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

const openStackHelp = `Serves the built-in OpenStack (Keystone, Neutron, Nova's key pairs and more) over
HTTP, until it is interrupted, to try things out and to rehearse. It is in memory
only and forgets all at the end. Any OpenStack client can use it.

It prints the OS_* variables of a user as a shell takes them; with --clouds-yaml
it also writes a clouds.yaml with the cloud "espalier". The users a, b and admin
have a project of the same name, and their names as passwords.

Without --world it has what the demo has: a network with subnets, a router, a
security group and neighbours, which the files in examples/ name.`

const openStackExample = `  espalier cloud openstack --listen 127.0.0.1:5000
  espalier cloud openstack --world world.yaml --clouds-yaml clouds.yaml --log
  eval "$(espalier cloud openstack --env-only --listen 127.0.0.1:5000)"`

//go:embed demo/openstack.yaml
var openStackWorld []byte

//go:embed demo/openstack-shoot.yaml
var openStackShoot string

const (
	demoNetwork = "        id: 6e0a0000-0000-4000-8000-000000000001\n"
	demoRouter  = "        router:\n          id: 6e0a0000-0000-4000-8000-000000000003\n"
	demoSubnet  = "        subnetId: 6e0a0000-0000-4000-8000-000000000002\n"
	demoGroup   = "        securityGroupId: 6e0a0000-0000-4000-8000-000000000004\n"
	demoWorkers = "        workers: 10.250.0.0/19\n"
)

func (p *openStack) builtIn() builtIn {
	var clouds string
	return builtIn{
		title: "OpenStack", help: openStackHelp, example: openStackExample,
		flags: func(f *pflag.FlagSet) { f.StringVar(&clouds, "clouds-yaml", "", "write a clouds.yaml here") },
		served: func(url, user string) error {
			if clouds == "" {
				return nil
			}
			return writeClouds(clouds, url, user)
		},
		stock: p.stock, variables: p.variables, automatic: []string{"revision_number", "updated_at"},
		shoot: openStackShoot, usual: 5,
		patterns: []pattern{
			{"all of its network is made", demoWorkers},
			{"it is put into a network that is the user's", demoNetwork + demoWorkers},
			{"it is put into a network and behind a router that are the user's", demoNetwork + demoRouter + demoWorkers},
			{"it is put into a subnet that is the user's, as are network and router", demoNetwork + demoRouter + demoSubnet},
			{"network, subnet, router and security group are the user's", demoNetwork + demoRouter + demoSubnet + demoGroup},
		},
	}
}

func (*openStack) stock(text []byte) (stage, error) {
	if text == nil {
		text = openStackWorld
	}
	world, err := sim.ParseWorld(text)
	if err != nil {
		return nil, err
	}
	cloud := sim.New(sim.Options{Seed: "espalier"})
	return openStackStage{cloud}, cloud.Plant(world)
}

func (*openStack) variables(url, user string) [][2]string {
	return [][2]string{
		{"OS_AUTH_URL", url + "/identity/v3"}, {"OS_USERNAME", user}, {"OS_PASSWORD", user}, {"OS_PROJECT_NAME", user},
		{"OS_USER_DOMAIN_NAME", "Default"}, {"OS_PROJECT_DOMAIN_NAME", "Default"}, {"OS_REGION_NAME", "RegionOne"}, {"OS_IDENTITY_API_VERSION", "3"},
	}
}

// writeClouds writes a clouds.yaml. A file that is there is not overwritten: it
// may hold the way to real clouds.
func writeClouds(name, url, user string) error {
	auth := map[string]string{}
	for _, v := range (*openStack)(nil).variables(url, user) {
		if key, ok := map[string]string{
			"OS_AUTH_URL": "auth_url", "OS_USERNAME": "username", "OS_PASSWORD": "password", "OS_PROJECT_NAME": "project_name",
			"OS_USER_DOMAIN_NAME": "user_domain_name", "OS_PROJECT_DOMAIN_NAME": "project_domain_name",
		}[v[0]]; ok {
			auth[key] = v[1]
		}
	}
	data, err := yaml.Marshal(map[string]any{"clouds": map[string]any{"espalier": map[string]any{
		"auth": auth, "region_name": "RegionOne", "identity_api_version": 3,
	}}})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fault.Errorf(fault.Conflict, "--clouds-yaml: %w", err)
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// openStackStage is the OpenStack in memory.
type openStackStage struct{ *sim.Cloud }

func (s openStackStage) calls() (all, writes int) {
	calls := s.Calls()
	return len(calls), len(sim.Writes(calls))
}

func (s openStackStage) watch(tell func(string)) {
	s.Hook(func(c sim.Call, p sim.Phase) {
		if p == sim.Answered {
			tell(fmt.Sprintf("%4d  %-6s %s %d", c.N, c.Method, c.Path, c.Status))
		}
	})
}

func (s openStackStage) serve(l net.Listener) (string, func() error) {
	server := s.Serve(l)
	return server.URL, server.Close
}
