// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

const demoHelp = `Shows what Espalier does, on an OpenStack that is built in: it validates, plans,
applies, applies again and deletes a cluster on a network that a user has
already, with the very commands that you would use, and proves at the end that
all that the user and the neighbours have is as it was. It needs no cloud, no
credentials and no files.

The patterns are those of the proposal: 1 nothing is there yet; 2 the network is
the user's; 3 network and router; 4 network, router and subnet; 5 these and the
security group.

Exit codes: 0 the proof holds, 1 it does not.`

const demoExample = `  espalier demo openstack
  espalier demo openstack --pattern 3`

//go:embed demo/shoot.yaml
var demoShoot string

// A pattern is what a user brings, and how the configuration says so.
type pattern struct{ title, networks string }

const (
	demoNetwork = "        id: 6e0a0000-0000-4000-8000-000000000001\n"
	demoRouter  = "        router:\n          id: 6e0a0000-0000-4000-8000-000000000003\n"
	demoSubnet  = "        subnetId: 6e0a0000-0000-4000-8000-000000000002\n"
	demoGroup   = "        securityGroupId: 6e0a0000-0000-4000-8000-000000000004\n"
	demoWorkers = "        workers: 10.250.0.0/19\n"
	demoKey     = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICqXUWw1S2iEjNvY9UoiagpVsh7ROOIHrWxcu5wAqlrq demo\n"
)

var patterns = []pattern{
	{"all of its network is made", demoWorkers},
	{"it is put into a network that is the user's", demoNetwork + demoWorkers},
	{"it is put into a network and behind a router that are the user's", demoNetwork + demoRouter + demoWorkers},
	{"it is put into a subnet that is the user's, as are network and router", demoNetwork + demoRouter + demoSubnet},
	{"network, subnet, router and security group are the user's", demoNetwork + demoRouter + demoSubnet + demoGroup},
}

func (a *app) demo() *cobra.Command {
	number := len(patterns)
	cmd := &cobra.Command{Use: "demo [openstack]", Short: "See it work, on a built-in cloud", Long: demoHelp, Example: demoExample}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return only("openstack")(cmd, args)
	}
	cmd.ValidArgs = []string{"openstack"}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if number < 1 || number > len(patterns) {
			return misused(cmd, "--pattern %d: it must be from 1 to %d", number, len(patterns))
		}
		return a.show(cmd.Context(), number)
	}
	cmd.Flags().IntVar(&number, "pattern", number, "what the user brings, from 1 (nothing) to 5 (everything)")
	return cmd
}

// A show is one run of the demo.
type show struct {
	canvas
	app   *app
	cloud *sim.Cloud
	dir   string
	vars  map[string]string
	steps int
	seen  int // calls that have been told of
}

// An act is one command of the demo.
type act struct {
	verb, flags, why string
	hide             string // lines that begin so are of no interest
}

var acts = []act{
	{"validate", "", "Is the configuration sound? No cloud is asked.", "unchecked"},
	{"preflight", "", "Will the network carry a cluster? It only reads.", ""},
	{"plan", "", "What would be done?", ""},
	{"apply", " --yes", "Do it.", ""},
	{"apply", "", "Once more: there is nothing to do, and nobody is asked.", ""},
	{"status", "", "What is there now?", ""},
	{"delete", " --yes", "Take it all away again.", ""},
}

// show runs all acts and ends with the proof.
func (a *app) show(ctx context.Context, number int) error {
	s, end, err := a.stage(number)
	if err != nil {
		return err
	}
	defer end()
	before, err := take(s.cloud)
	if err != nil {
		return err
	}
	fmt.Fprintf(s, "Pattern %d: a cluster is made, and %s.\n", number, patterns[number-1].title)
	fmt.Fprintf(s, "An OpenStack runs in this process; in it are %d things of the user and of neighbours.\n", len(before))
	var again counter
	for i, act := range acts {
		n, err := s.play(ctx, act)
		if err != nil {
			return err
		}
		if i > 0 && acts[i-1].verb == "apply" && act.verb == "apply" {
			again = n
		}
	}
	return s.prove(before, again)
}

// stage starts the cloud and writes the files.
func (a *app) stage(number int) (*show, func(), error) {
	cloud, err := a.stock("")
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "espalier-demo-")
	if err != nil {
		return nil, nil, err
	}
	s := &show{canvas: a.canvas(a.env.Out, a.env.OutTTY), app: a, cloud: cloud, dir: dir, vars: map[string]string{}}
	for name, text := range map[string]string{"shoot.yaml": demoShoot + patterns[number-1].networks, "key.pub": demoKey} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, nil, err
		}
	}
	server, err := cloud.Start()
	if err != nil {
		return nil, nil, err
	}
	for _, v := range variables(server.AuthURL, "a") {
		s.vars[v[0]] = v[1]
	}
	return s, func() {
		_ = server.Close()
		_ = os.RemoveAll(dir)
	}, nil
}

// A counter is how many calls there were, and how many of them write.
type counter struct{ calls, writes int }

// play runs one command, as a user would, and prints what came of it.
func (s *show) play(ctx context.Context, act act) (counter, error) {
	s.steps++
	flags := act.flags
	if act.verb != "validate" {
		flags += " --ssh-public-key @key.pub"
	}
	fmt.Fprintf(s, "\n%s\n  $ espalier %s%s -f shoot.yaml\n", s.in(cyan, fmt.Sprintf("%d. %s", s.steps, act.why)), act.verb, flags)
	var out, errs bytes.Buffer
	env := s.app.env
	env.In, env.Out, env.Err = strings.NewReader(""), &out, &errs
	env.InTTY, env.OutTTY, env.ErrTTY = false, s.app.colours(env.OutTTY), false
	env.Interrupts, env.clouds = nil, nil
	env.Getenv = func(name string) string { return s.vars[name] }
	args := strings.Fields(act.verb + strings.ReplaceAll(flags, "@key.pub", "@"+filepath.Join(s.dir, "key.pub")))
	code := Run(ctx, env, append(args, "-f", filepath.Join(s.dir, "shoot.yaml")))
	for line := range strings.Lines(strings.ReplaceAll(out.String(), s.dir+string(filepath.Separator), "")) {
		if !strings.HasPrefix(line, "Next:") && (act.hide == "" || !strings.HasPrefix(line, act.hide)) {
			fmt.Fprintf(s, "  %s", line)
		}
	}
	calls := s.cloud.Calls()
	n := counter{len(calls) - s.seen, len(sim.Writes(calls[s.seen:]))}
	s.seen = len(calls)
	if n.calls > 0 {
		fmt.Fprintf(s, "  %s\n", s.in(faint, fmt.Sprintf("(%d calls, %d of them write)", n.calls, n.writes)))
	}
	if code != exitGood {
		s.app.note("%s", strings.TrimSpace(errs.String()))
		return n, failed{fmt.Errorf("step %d of the demo ended with the exit code %d", s.steps, code)}
	}
	return n, nil
}
