// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
	"github.com/espalier-io/espalier/internal/statefile"
)

// A run is one command's work on one cluster. It knows no cloud.
type run struct {
	app     *app
	o       *options
	c       *input.Cluster
	in      *bufio.Reader
	path    string          // of the state file; empty if the object carries the state
	file    *statefile.File // nil if it only looks
	state   *engine.State
	cloud   session
	static  []engine.Finding
	left    []notChecked
	unsaved atomic.Bool // the last save of the state failed
}

// unmade stands for the UID of a cluster that has none yet, in a plan that is
// only looked at.
const unmade = "‹uid›"

// begin reads the state, asks the static rules, and takes up the connection.
// If writes is false nothing is locked or changed. The caller closes the run,
// also after an error.
func (a *app) begin(ctx context.Context, o *options, c *input.Cluster, writes bool) (*run, error) {
	r := &run{app: a, o: o, c: c, in: reader(a.env.In)}
	if err := c.Named(); err != nil {
		return r, err
	}
	if err := r.mayWrite(writes); err != nil {
		return r, err
	}
	if err := r.loadState(writes); err != nil {
		return r, err
	}
	old, err := a.applied(r.state, c)
	if err != nil {
		return r, err
	}
	if err := r.identify(writes); err != nil {
		return r, err
	}
	r.static, r.left = a.static(c, old)
	return r, context.Cause(ctx)
}

// mayWrite refuses what must not be done to this object.
func (r *run) mayWrite(writes bool) error {
	if writes && r.c.Live && !r.o.unmanaged {
		return fault.Errorf(fault.Invalid, "the %s has a status: a Gardener looks after it, and two would get into each other's way. Change it there; --unmanaged says that no Gardener does any more", r.c.From)
	}
	return nil
}

// given says whether the user named a state file.
func (r *run) given() bool { return r.o.state != "" }

// loadState reads the state: that of the object if it carries one and nothing
// else was said, else the file.
func (r *run) loadState(writes bool) (err error) {
	r.path = r.o.state
	if r.path == "" {
		r.path = beside(r.c)
	}
	var data []byte
	var warnings []string
	switch {
	case writes:
		if r.file, err = statefile.Open(r.path, r.app.env.Now()); err != nil {
			return err
		}
		data, warnings = r.file.Data(), r.file.Warnings()
		if data == nil {
			data = r.c.State
		}
	case r.c.State != nil && !r.given():
		data, r.path = r.c.State, ""
	default:
		if data, warnings, err = statefile.Read(r.path); err != nil {
			return err
		}
	}
	for _, w := range warnings {
		r.app.note("Warning: %s", w)
	}
	if r.state, err = engine.LoadState(data, r.saver()); err != nil {
		return fmt.Errorf("%s: %w. Restore it from a backup; or move it away: what bears our mark is then found again, but nothing else", r.where(), err)
	}
	return nil
}

// where names the state in a message.
func (r *run) where() string {
	if r.path == "" {
		return "the state in the status of the object"
	}
	return "the state file " + r.path
}

// saver saves the state; nil if there is nowhere to.
func (r *run) saver() func(context.Context, []byte) error {
	if r.file == nil {
		return nil
	}
	return atSave(r.app.env.Getenv, func(ctx context.Context, data []byte) error {
		err := r.file.Save(ctx, data)
		r.unsaved.Store(err != nil)
		return err
	})
}

// beside is the default path of the state file.
func beside(c *input.Cluster) string {
	dir := "."
	if c.Source != "-" {
		dir = filepath.Dir(c.Source)
	}
	return filepath.Join(dir, c.TechnicalID+".espalier.json")
}

// identify sees to it that cluster and state agree on the UID. A cluster that
// has none gets one now if something is to be written.
func (r *run) identify(writes bool) error {
	uid := r.state.UID()
	switch {
	case r.c.UID != "":
		uid = r.c.UID
	case uid != "":
	case writes:
		uid = uuid.NewString()
	default:
		r.c.UID = unmade
		return nil
	}
	r.c.UID = uid
	return r.state.SetUID(uid)
}

// connect takes up the connection to the cloud.
func (r *run) connect(ctx context.Context) (err error) {
	r.cloud, err = r.app.clouds.open(ctx, r.c, r.state, connection{
		version: r.app.env.Version, getenv: r.app.env.Getenv, alone: r.app.env.Alone, wire: atCall(r.app.env.Getenv),
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// look reads the facts. What an earlier run may still have made is waited for
// if settle is true.
func (r *run) look(ctx context.Context, why purpose, settle bool) (look, error) {
	for {
		l, err := r.cloud.look(ctx, why)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			return nil, err
		}
		until, names := l.Unsettled(r.o.settle)
		if len(names) == 0 || !until.After(r.app.env.Now()) {
			return l, nil
		}
		if !settle {
			r.app.note("An earlier run was cut short while it created %s; what does not show yet may still do so.", strings.Join(names, ", "))
			return l, nil
		}
		if err := r.app.progress().wait(ctx, r.app.env, until, names); err != nil {
			return nil, err
		}
	}
}

// close gives the state back.
func (r *run) close() {
	if r.file == nil {
		return
	}
	if err := r.file.Close(); err != nil && !errors.Is(err, os.ErrNotExist) {
		r.app.note("Warning: giving the state back: %v", err)
	}
}

// limit puts the user's patience into a context.
func (o *options) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, o.timeout, fmt.Errorf("gave up after %s (--timeout)", o.timeout.Round(time.Second)))
}
