// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
)

const rootHelp = `Espalier grows clusters along networks that their owners already have.

It checks whether a network of yours will carry a cluster, says beforehand what
it will make in it, makes it, keeps it so, and takes it all away again. What you
own is never changed and never deleted.

  validate    what is wrong with the configuration      needs nothing
  preflight   what is wrong with the network            reads the cloud
  plan        what would be done                        reads the cloud
  apply       do it                                     writes
  delete      take it all away again                    writes
  status      what there is now                         reads the cloud
  draw        a picture of it                           reads the cloud

Exit codes: 0 all is well; 1 a finding is an error, you said no, or the work
failed; 2 it could not run (usage, credentials, no cloud, state in use).`

const rootExample = `  espalier demo openstack
  espalier demo aws
  espalier validate -f shoot.yaml
  espalier plan -f infrastructureconfig.yaml --name shoot--project--cluster
  espalier apply -f shoot.yaml`

// An Env is what a command may touch besides files and the cloud.
type Env struct {
	// In is where answers and the input "-" are read from.
	In io.Reader
	// Out takes the result, Err all that is said on the way.
	Out, Err io.Writer
	// InTTY, OutTTY and ErrTTY say which of them are terminals.
	InTTY, OutTTY, ErrTTY bool
	// Width is that of the terminal behind Err in columns; 0 is not known.
	Width int
	// Getenv looks up environment variables.
	Getenv func(string) string
	// Now and After are the clock.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
	// Interrupts are the signals that ask for an end; nil if there are none.
	Interrupts <-chan os.Signal
	// Abort ends the process at once; it is called at the second interrupt.
	Abort func()
	// Version is what the command version prints.
	Version string
	// Alone says that Getenv is all there is: what the environment of the process
	// says to the libraries that look there themselves does not count.
	Alone bool

	clouds clouds // how a run gets to a cloud; nil is the real ones
}

// Run carries out a command line, without the name of the program, and returns
// the exit code.
func Run(ctx context.Context, env Env, args []string) int {
	env.Err = &shared{w: env.Err} // an interrupt speaks up in the middle of other things
	a := &app{env: env, clouds: env.clouds, providers: providers()}
	if a.clouds == nil {
		a.clouds = realClouds(a.providers)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan struct{})
	defer close(ended)
	go a.listen(ended, cancel)
	root := a.command()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitGood
	}
	return a.fail(cmd, err, slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--detailed-exitcode") }))
}

// An app is one run of the command line.
type app struct {
	env       Env
	clouds    clouds
	providers []provider // with what the flags say
	output    string     // table, json or yaml
	noColor   bool
	live      atomic.Pointer[progress] // what is running now; nil if nothing
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use: "espalier", Short: "Clusters on networks that you already own", Long: rootHelp, Example: rootExample,
		SilenceUsage: true, SilenceErrors: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.env.In)
	root.SetOut(a.env.Out)
	root.SetErr(a.env.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return misused(cmd, "%v", err) })
	root.PersistentFlags().BoolVar(&a.noColor, "no-color", false, "no colours, also on a terminal (as NO_COLOR does)")
	root.AddCommand(a.validate(), a.preflight(), a.plan(), a.apply(), a.delete(), a.status(),
		a.draw(), a.explain(), a.demo(), a.cloud(), a.version())
	for _, cmd := range root.Commands() {
		if cmd.Args == nil {
			cmd.Args = none
		}
	}
	return root
}

// none is for commands that take flags only.
func none(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misused(cmd, "%q is one argument too many: files are given with -f", args[0])
	}
	return nil
}

// listen turns the first interrupt into a graceful stop and the second into an
// end at once.
func (a *app) listen(ended <-chan struct{}, stop context.CancelCauseFunc) {
	select {
	case <-ended:
		return
	case <-a.env.Interrupts:
	}
	a.note("Stopping: nothing new is begun; what runs is ended in order and recorded. Interrupt again to end at once.")
	stop(errInterrupted)
	select {
	case <-ended:
	case <-a.env.Interrupts:
		if a.env.Abort != nil {
			a.env.Abort()
		}
	}
}

// A shared writer may be written to in parallel.
type shared struct {
	mu sync.Mutex
	w  io.Writer
}

// Write implements io.Writer.
func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}
