// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// The exit codes. exitChanges is only of plan --detailed-exitcode.
const (
	exitGood    = 0
	exitBad     = 1 // a finding is an error, changes were refused, or work failed
	exitUnable  = 2 // it could not run
	exitChanges = 2
)

// A verdict ends a command with an exit code when all has been said already.
type verdict int

func (v verdict) Error() string { return fmt.Sprintf("exit code %d", int(v)) }

// A failed error is about work that was begun; any other means that the
// command could not run.
type failed struct{ error }

func (f failed) Unwrap() error { return f.error }

// broke is the error of work, nil if there is none.
func broke(err error) error {
	if err == nil {
		return nil
	}
	return failed{err}
}

// errInterrupted is why a context ends when the user interrupts.
var errInterrupted = errors.New("interrupted")

// errDeclined is what comes of answering no.
var errDeclined = failed{errors.New("nothing was changed: the answer was not yes")}

// misused is the error for a command line that makes no sense.
func misused(cmd *cobra.Command, format string, args ...any) error {
	return fault.Errorf(fault.Invalid, "%s\nSee: %s --help", fmt.Sprintf(format, args...), cmd.CommandPath())
}

// fail says what went wrong and returns the exit code.
func (a *app) fail(cmd *cobra.Command, err error, detailed bool) int {
	if v, ok := errors.AsType[verdict](err); ok {
		return int(v)
	}
	code := exitUnable
	if _, ok := errors.AsType[failed](err); ok || detailed || errors.Is(err, errInterrupted) {
		code = exitBad
	}
	text := cleaned(err.Error())
	if a.machine() {
		r := report{Verb: cmd.Name(), Error: failureOf(err, text)}
		if err := a.emit(r, nil); err != nil {
			a.note("%v", err)
		}
	}
	if strings.HasPrefix(text, "unknown command") {
		text += "\nSee: espalier --help"
	}
	a.note("%s%s", a.canvas(a.env.Err, a.env.ErrTTY).in(red, "Error: "), text)
	return code
}

// cleaned is a text of several lines without what others may have put into it.
func cleaned(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = engine.Clean(lines[i])
	}
	return strings.Join(lines, "\n")
}

// failureOf is an error as machines read it.
func failureOf(err error, text string) *failure {
	return &failure{Kind: string(fault.KindOf(err)), Message: cleaned(text)}
}
