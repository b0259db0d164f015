// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
	"github.com/espalier-io/espalier/internal/openstack"
)

var (
	errDead     = errors.New("the process is dead")
	errFindings = errors.New("findings are in the way")
	errFull     = fault.New(fault.Exhausted, "saving the state", syscall.ENOSPC)
)

// A process is one run of Espalier. Once it is dead nothing of it reaches the
// cloud or the disk any more, but for what was on the way.
type process struct {
	*ground
	number int // of the process, from 0
	ctx    context.Context
	cancel context.CancelFunc
	dead   atomic.Bool
	saves  int
	onSave func(n int, done bool) error // nil: saves work
	plan   *engine.Plan
	look   *openstack.Look
}

func (g *ground) start() *process {
	p := &process{ground: g, number: g.processes}
	g.processes++
	p.ctx, p.cancel = context.WithCancel(g.t.Context())
	return p
}

// die is SIGKILL.
func (p *process) die() { p.dead.Store(true); p.cancel() }

// save is the disk.
func (p *process) save(_ context.Context, data []byte) error {
	p.saves++
	n := p.saves
	if err := p.saving(n, false); err != nil {
		return err
	}
	p.secret("state", string(data))
	p.saved = data
	return p.saving(n, true)
}

func (p *process) saving(n int, done bool) (err error) {
	if p.onSave != nil {
		err = p.onSave(n, done)
	}
	if p.dead.Load() {
		return errDead
	}
	return err
}

// open reads the state and gets a token.
func (p *process) open() (*openstack.Session, error) {
	state, err := engine.LoadState(p.saved, p.save)
	if err != nil {
		p.violated("I5", "the state can not be read: %v", err)
		return nil, err
	}
	return openstack.Open(p.ctx, p.creds, p.config, state, openstack.Options{Transport: wire{p}})
}

// facts looks, and waits for what an earlier run may still have made, as the
// command line does.
func (p *process) facts(why openstack.Purpose) error {
	session, err := p.open()
	if err != nil {
		return err
	}
	for {
		if p.look, err = session.Look(p.ctx, why); err != nil {
			return err
		}
		until, names := p.look.Unsettled(engine.Settle)
		if len(names) == 0 || !until.After(time.Now()) {
			return nil
		}
		select {
		case <-time.After(time.Until(until)):
		case <-p.ctx.Done():
			return p.ctx.Err()
		}
	}
}

// run carries out a flow as the verbs apply and delete do. Its error is what
// the user is told.
func (p *process) run(f flow) error {
	err := p.carryOut(f)
	p.cancel()
	if err != nil {
		p.secret("error", err.Error())
	}
	if p.dead.Load() {
		return errDead
	}
	return err
}

func (p *process) carryOut(f flow) (err error) {
	why := openstack.Reconciliation
	if f == remove {
		why = openstack.Deletion
	}
	if err := p.facts(why); err != nil {
		return err
	}
	if f == remove {
		p.plan, err = p.look.PlanDelete()
	} else {
		if text, blocked := findings(p.look); blocked {
			p.secret("findings", text)
			return fmt.Errorf("%w:\n%s", errFindings, text)
		}
		p.plan, err = p.look.Plan()
	}
	if err != nil {
		return err
	}
	p.secret("plan", p.plan.String())
	return p.look.Apply(p.ctx, p.plan, engine.Options{Events: p.event})
}

// findings are what the rules say, and whether that stops apply.
func findings(l *openstack.Look) (text string, blocked bool) {
	for _, f := range l.Check() {
		text += f.String() + "\n"
		blocked = blocked || f.Severity == engine.Error
	}
	return text, blocked
}

// event looks whether what is done was planned (I7).
func (p *process) event(e engine.Event) {
	p.secret("event", fmt.Sprintf("%+v", e))
	if e.Phase != engine.Started || e.Action == engine.Keep {
		return
	}
	for _, s := range p.plan.Steps {
		if (s.Name == e.Name || s.ID == e.ID) && (s.Action == e.Action || s.Action == engine.Replace) {
			return
		}
	}
	p.violated("I7", "%s %s was not in the plan:\n%s", e.Action, e.Name, p.plan)
}
