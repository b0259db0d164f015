// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"

	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/espalier-io/espalier/internal/engine"
)

func TestInterruptStopsGracefullyAndSaysHowToGoOn(t *testing.T) {
	f := &fake{steps: someSteps()}
	b := newBench(t, f)
	b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
	f.apply = func(ctx context.Context, _ *fake, o engine.Options) error {
		o.Events(engine.Event{Name: "security-group", Action: engine.Create, Phase: engine.Started})
		b.interrupts <- os.Interrupt
		<-ctx.Done() // the call that runs ends, and is recorded
		o.Events(engine.Event{Name: "security-group", Action: engine.Create, Phase: engine.Done, ID: "sg-1"})
		return errors.Join(errors.New("router: no answer"), engine.ErrStopped)
	}
	for name, args := range map[string]string{"interrupted": "apply --yes" + named, "interrupted as json": "apply --yes -o json" + named} {
		golden(t, name, b.run("", strings.Fields(args)...).String())
	}
	b.env.ErrTTY, b.vars["NO_COLOR"] = true, "1"
	golden(t, "interrupted on a terminal", b.run("", strings.Fields("apply --yes"+named)...).String())
}

func TestSecondInterruptEndsAtOnce(t *testing.T) {
	f := &fake{steps: someSteps()}
	b := newBench(t, f)
	b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
	aborted := make(chan struct{})
	b.env.Abort = func() { close(aborted) }
	f.apply = func(ctx context.Context, _ *fake, _ engine.Options) error {
		b.interrupts <- os.Interrupt
		<-ctx.Done()
		b.interrupts <- os.Interrupt
		<-aborted
		return engine.ErrStopped
	}
	if r := b.run("", strings.Fields("apply --yes"+named)...); r.code != 1 {
		t.Errorf("%s", r)
	}
}

func TestInterruptWhileItAsks(t *testing.T) {
	f := &fake{steps: someSteps()}
	b := newBench(t, f)
	b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
	b.env.InTTY = true
	in, typed := io.Pipe()
	b.interrupts <- os.Interrupt
	var errs strings.Builder
	env := b.env
	env.In, env.Out, env.Err = in, io.Discard, &errs
	code := Run(t.Context(), env, strings.Fields("apply"+named))
	typed.Close() // the question still waits for it
	if code != 1 || f.applied > 0 || !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("exit code %d\n%s", code, errs.String())
	}
}

func TestInterruptWhileItWaits(t *testing.T) {
	f := &fake{steps: someSteps(), unsettled: []string{"router"}}
	b := newBench(t, f)
	b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
	b.env.After = func(time.Duration) <-chan time.Time {
		b.interrupts <- os.Interrupt
		return nil
	}
	if r := b.run("", strings.Fields("apply --yes"+named)...); r.code != 1 || f.applied > 0 || !strings.Contains(r.err, "Error: interrupted") {
		t.Errorf("%s", r)
	}
}

func TestPatienceEnds(t *testing.T) {
	f := &fake{steps: someSteps()}
	b := newBench(t, f)
	b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
	f.apply = func(ctx context.Context, _ *fake, _ engine.Options) error {
		<-ctx.Done()
		return engine.ErrStopped
	}
	if r := b.run("", strings.Fields("apply --yes --timeout 1ms"+named)...); r.code == 0 || !strings.Contains(r.err, "gave up after") {
		t.Errorf("%s", r)
	}
}
