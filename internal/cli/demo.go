// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/espalier-io/espalier/internal/sim/snapshot"
)

const demoHelp = `Shows what Espalier does, on a cloud that is built in: it validates, plans,
applies, applies again and deletes a cluster on a network that a user has
already, with the very commands that you would use, and proves at the end that
all that the user and the neighbours have is as it was. It needs no cloud, no
credentials and no files.

Patterns say what the user brings; a cluster is made, and
`

const demoCodes = `
Exit codes: 0 the proof holds, 1 it does not.`

const demoExample = `  espalier demo
  espalier demo openstack --pattern 3
  espalier demo aws`

// demoKey is the public key of the nodes in the demo.
const demoKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICqXUWw1S2iEjNvY9UoiagpVsh7ROOIHrWxcu5wAqlrq demo\n"

func (a *app) demo() *cobra.Command {
	number := 0
	text := demoHelp
	var names []string
	for _, p := range a.providers {
		name, b := p.form().Type, p.builtIn()
		names = append(names, name)
		for i, pattern := range b.patterns {
			text += fmt.Sprintf("  %-9s  %d  %s\n", name, i+1, pattern.title)
			name = ""
		}
	}
	cmd := &cobra.Command{Use: "demo [" + strings.Join(names, "|") + "]", Short: "See it work, on a built-in cloud", Long: text + demoCodes, Example: demoExample}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 || len(args) == 1 && !slices.Contains(names, args[0]) {
			return misused(cmd, "say which: espalier demo %s", strings.Join(names, " or espalier demo "))
		}
		return nil
	}
	cmd.ValidArgs = names
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		b := byType(a.providers, append(args, names[0])[0]).builtIn()
		if number == 0 {
			number = b.usual
		}
		if number < 1 || number > len(b.patterns) {
			return misused(cmd, "--pattern %d: it must be from 1 to %d", number, len(b.patterns))
		}
		return a.show(cmd.Context(), append(args, names[0])[0], b, number)
	}
	cmd.Flags().IntVar(&number, "pattern", 0, "what the user brings, by its number (default: what shows most)")
	return cmd
}

// A show is one run of the demo.
type show struct {
	canvas
	app   *app
	name  string // of the cloud's type
	of    builtIn
	cloud stage
	dir   string
	vars  map[string]string
	steps int
	seen  counter // calls that have been told of
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
func (a *app) show(ctx context.Context, name string, b builtIn, number int) error {
	s, end, err := a.stage(name, b, number)
	if err != nil {
		return err
	}
	defer end()
	before := s.cloud.Snapshot()
	things, err := snapshot.Count(before)
	if err != nil {
		return err
	}
	fmt.Fprintf(s, "Pattern %d: a cluster is made, and %s.\n", number, b.patterns[number-1].title)
	fmt.Fprintf(s, "An %s runs in this process; in it are %d things of the user and of neighbours.\n", b.title, things)
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
func (a *app) stage(name string, b builtIn, number int) (*show, func(), error) {
	cloud, err := b.stock(nil)
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "espalier-demo-")
	if err != nil {
		return nil, nil, err
	}
	s := &show{canvas: a.canvas(a.env.Out, a.env.OutTTY), app: a, name: name, of: b, cloud: cloud, dir: dir, vars: map[string]string{}}
	for name, text := range map[string]string{"shoot.yaml": b.shoot + b.patterns[number-1].text, "key.pub": demoKey} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, nil, err
		}
	}
	l, err := net.Listen("tcp", anyPort)
	if err != nil {
		return nil, nil, err
	}
	url, end := cloud.serve(l)
	for _, v := range b.variables(url, "a") {
		s.vars[v[0]] = v[1]
	}
	return s, func() {
		_ = end()
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
	env.Getenv, env.Alone = func(name string) string { return s.vars[name] }, true
	args := strings.Fields(act.verb + strings.ReplaceAll(flags, "@key.pub", "@"+filepath.Join(s.dir, "key.pub")))
	code := Run(ctx, env, append(args, "-f", filepath.Join(s.dir, "shoot.yaml")))
	for line := range strings.Lines(strings.ReplaceAll(out.String(), s.dir+string(filepath.Separator), "")) {
		if !strings.HasPrefix(line, "Next:") && (act.hide == "" || !strings.HasPrefix(line, act.hide)) {
			fmt.Fprintf(s, "  %s", line)
		}
	}
	calls, writes := s.cloud.calls()
	n := counter{calls - s.seen.calls, writes - s.seen.writes}
	s.seen = counter{calls, writes}
	if n.calls > 0 {
		fmt.Fprintf(s, "  %s\n", s.in(faint, fmt.Sprintf("(%d calls, %d of them write)", n.calls, n.writes)))
	}
	if code != exitGood {
		s.app.note("%s", strings.TrimSpace(errs.String()))
		return n, failed{fmt.Errorf("step %d of the demo ended with the exit code %d", s.steps, code)}
	}
	return n, nil
}
