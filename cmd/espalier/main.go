// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Espalier grows clusters along networks that their owners already have. See
// package cli for what it can do.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/espalier-io/espalier/internal/cli"
)

func main() {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	env := cli.Env{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY: term.IsTerminal(int(os.Stdin.Fd())), OutTTY: term.IsTerminal(int(os.Stdout.Fd())), ErrTTY: term.IsTerminal(int(os.Stderr.Fd())),
		Getenv: os.Getenv, Now: time.Now, After: time.After,
		Interrupts: interrupts, Abort: func() { os.Exit(1) },
		Version: version(),
	}
	if width, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil {
		env.Width = width
	}
	os.Exit(cli.Run(context.Background(), env, os.Args[1:]))
}

// version is that of the module, or the commit that it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && (v == "" || v == "(devel)") {
			v = "(devel) " + s.Value
		}
	}
	return v
}
