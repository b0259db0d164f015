// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/espalier-io/espalier/internal/fault"
)

const cloudHelp = `Serves a cloud that is built in over HTTP, until it is interrupted, to try things
out and to rehearse. It is in memory only and forgets all at the end. The usual
clients and SDKs of the cloud can use it.`

// serving is what the flags of the command say.
type serving struct {
	listen, world, user string
	latency             time.Duration
	log, envOnly        bool
}

func (a *app) cloud() *cobra.Command {
	cmd := &cobra.Command{Use: "cloud", Short: "Serve a built-in cloud", Long: cloudHelp, Args: cobra.ArbitraryArgs}
	var names []string
	for _, p := range a.providers {
		name, b := p.form().Type, p.builtIn()
		names = append(names, "espalier cloud "+name)
		sub := &cobra.Command{Use: name, Short: "Serve the built-in " + b.title, Long: b.help, Example: b.example, Args: none}
		s := &serving{}
		sub.RunE = func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), b, s) }
		f := sub.Flags()
		f.StringVar(&s.listen, "listen", anyPort, "address to listen on; port 0 is any that is free")
		f.StringVar(&s.world, "world", "", "what is in it, in YAML (default: the world of the demo)")
		f.StringVar(&s.user, "user", "a", "whose variables to print: a, b or admin")
		f.DurationVar(&s.latency, "latency", 0, "how long each call takes at least")
		f.BoolVar(&s.log, "log", false, "print each call to standard error")
		f.BoolVar(&s.envOnly, "env-only", false, "only print the variables for --listen, and serve nothing")
		if b.flags != nil {
			b.flags(f)
		}
		cmd.AddCommand(sub)
	}
	cmd.Example = "  " + strings.Join(names, "\n  ")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return misused(cmd, "say which: %s", strings.Join(names, " or "))
	}
	return cmd
}

// serve runs a cloud until ctx ends.
func (a *app) serve(ctx context.Context, b builtIn, s *serving) error {
	if s.envOnly {
		_, err := io.WriteString(a.env.Out, exports(b.variables("http://"+s.listen, s.user)))
		return err
	}
	cloud, err := b.furnished(s.world)
	if err != nil {
		return err
	}
	cloud.SetLatency(s.latency)
	if s.log {
		cloud.watch(func(line string) { a.note("%s", line) })
	}
	l, err := net.Listen("tcp", s.listen)
	if err != nil {
		return fault.Errorf(fault.Invalid, "--listen: %w", err)
	}
	url, end := cloud.serve(l)
	defer func() { _ = end() }() // nothing is lost
	if b.served != nil {
		if err := b.served(url, s.user); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(a.env.Out, exports(b.variables(url, s.user))); err != nil {
		return err
	}
	a.note("The built-in %s listens on %s. It ends with an interrupt (Ctrl-C).", b.title, url)
	<-ctx.Done()
	if unknown := cloud.Unknown(); len(unknown) > 0 {
		a.note("%d requests were refused, since the built-in %s does not know them, such as %s", len(unknown), b.title, unknown[0])
	}
	if cause := context.Cause(ctx); !errors.Is(cause, errInterrupted) {
		return cause
	}
	return nil
}

// furnished is a cloud with the world of a file in it, or that of the demo.
func (b builtIn) furnished(file string) (stage, error) {
	var text []byte
	if file != "" {
		var err error
		if text, err = os.ReadFile(file); err != nil {
			return nil, fault.Errorf(fault.NotFound, "--world: %w", err)
		}
	}
	cloud, err := b.stock(text)
	if err != nil {
		return nil, fault.Errorf(fault.Invalid, "--world: %w", err)
	}
	return cloud, nil
}

// exports are variables as a shell takes them.
func exports(variables [][2]string) (text string) {
	for _, v := range variables {
		text += fmt.Sprintf("export %s=%s\n", v[0], quote(v[1]))
	}
	return text
}
