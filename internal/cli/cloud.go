// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/espalier-io/espalier/internal/fault"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

const cloudHelp = `Serves the built-in OpenStack (Keystone, Neutron, Nova's key pairs and more) over
HTTP, until it is interrupted, to try things out and to rehearse. It is in memory
only and forgets all at the end. Any OpenStack client can use it.

It prints the OS_* variables of a user as a shell takes them; with --clouds-yaml
it also writes a clouds.yaml with the cloud "espalier". The users a, b and admin
have a project of the same name, and their names as passwords.

Without --world it has what the demo has: a network with subnets, a router, a
security group and neighbours, which the files in examples/ name.`

const cloudExample = `  espalier cloud openstack --listen 127.0.0.1:5000
  espalier cloud openstack --world world.yaml --clouds-yaml clouds.yaml --log
  eval "$(espalier cloud openstack --env-only --listen 127.0.0.1:5000)"`

//go:embed demo/openstack.yaml
var demoWorld []byte

// serving is what the flags of the command say.
type serving struct {
	listen, world, clouds, user string
	latency                     time.Duration
	log, envOnly                bool
}

func (a *app) cloud() *cobra.Command {
	cmd := &cobra.Command{Use: "cloud openstack", Short: "Serve a built-in cloud", Long: cloudHelp, Example: cloudExample}
	s := &serving{}
	cmd.Args = only("openstack")
	cmd.ValidArgs = []string{"openstack"}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), s) }
	f := cmd.Flags()
	f.StringVar(&s.listen, "listen", "127.0.0.1:0", "address to listen on; port 0 is any that is free")
	f.StringVar(&s.world, "world", "", "what is in it, in YAML (default: the world of the demo)")
	f.StringVar(&s.clouds, "clouds-yaml", "", "write a clouds.yaml here")
	f.StringVar(&s.user, "user", "a", "whose variables to print: a, b or admin")
	f.DurationVar(&s.latency, "latency", 0, "how long each call takes at least")
	f.BoolVar(&s.log, "log", false, "print each call to standard error")
	f.BoolVar(&s.envOnly, "env-only", false, "only print the variables for --listen, and serve nothing")
	return cmd
}

// only is for commands that take one word out of a list.
func only(word string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 || args[0] != word {
			return misused(cmd, "say which: espalier %s %s", cmd.Name(), word)
		}
		return nil
	}
}

// serve runs the cloud until ctx ends.
func (a *app) serve(ctx context.Context, s *serving) error {
	if s.envOnly {
		_, err := io.WriteString(a.env.Out, exports("http://"+s.listen+"/identity/v3", s.user))
		return err
	}
	cloud, err := a.stock(s.world)
	if err != nil {
		return err
	}
	cloud.SetLatency(s.latency)
	if s.log {
		cloud.Hook(func(c sim.Call, p sim.Phase) {
			if p == sim.Answered {
				a.note("%4d  %-6s %s %d", c.N, c.Method, c.Path, c.Status)
			}
		})
	}
	l, err := net.Listen("tcp", s.listen)
	if err != nil {
		return fault.Errorf(fault.Invalid, "--listen: %w", err)
	}
	server := cloud.Serve(l)
	defer func() { _ = server.Close() }() // nothing is lost
	if s.clouds != "" {
		if err := writeClouds(s.clouds, server.AuthURL, s.user); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(a.env.Out, exports(server.AuthURL, s.user)); err != nil {
		return err
	}
	a.note("The built-in OpenStack listens on %s. It ends with an interrupt (Ctrl-C).", server.URL)
	<-ctx.Done()
	if unknown := cloud.Unknown(); len(unknown) > 0 {
		a.note("%d requests were refused, since the built-in OpenStack does not know them, such as %s", len(unknown), unknown[0])
	}
	if cause := context.Cause(ctx); !errors.Is(cause, errInterrupted) {
		return cause
	}
	return nil
}

// stock makes a cloud with a world in it.
func (a *app) stock(file string) (*sim.Cloud, error) {
	text := demoWorld
	if file != "" {
		var err error
		if text, err = os.ReadFile(file); err != nil {
			return nil, fault.Errorf(fault.NotFound, "--world: %w", err)
		}
	}
	world, err := sim.ParseWorld(text)
	if err != nil {
		return nil, fault.Errorf(fault.Invalid, "--world: %w", err)
	}
	cloud := sim.New(sim.Options{Seed: "espalier"})
	if err := cloud.Plant(world); err != nil {
		return nil, fault.Errorf(fault.Invalid, "--world: %w", err)
	}
	return cloud, nil
}

// variables are the OS_* variables of a user of the built-in cloud.
func variables(authURL, user string) [][2]string {
	return [][2]string{
		{"OS_AUTH_URL", authURL}, {"OS_USERNAME", user}, {"OS_PASSWORD", user}, {"OS_PROJECT_NAME", user},
		{"OS_USER_DOMAIN_NAME", "Default"}, {"OS_PROJECT_DOMAIN_NAME", "Default"}, {"OS_REGION_NAME", "RegionOne"}, {"OS_IDENTITY_API_VERSION", "3"},
	}
}

func exports(authURL, user string) (text string) {
	for _, v := range variables(authURL, user) {
		text += fmt.Sprintf("export %s=%s\n", v[0], quote(v[1]))
	}
	return text
}

// writeClouds writes a clouds.yaml. A file that is there is not overwritten: it
// may hold the way to real clouds.
func writeClouds(name, authURL, user string) error {
	type auth map[string]string
	data, err := yaml.Marshal(map[string]any{"clouds": map[string]any{"espalier": map[string]any{
		"auth":        auth{"auth_url": authURL, "username": user, "password": user, "project_name": user, "user_domain_name": "Default", "project_domain_name": "Default"},
		"region_name": "RegionOne", "identity_api_version": 3,
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
