// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// approve shows a plan that has something to write, and asks.
func (r *run) approve(ctx context.Context, p *engine.Plan, fs []engine.Finding, question string) error {
	if !writes(p) {
		return nil
	}
	r.print(r.app.canvas(r.app.env.Err, r.app.env.ErrTTY), p, fs)
	return r.confirm(ctx, p, question)
}

// confirm asks before a plan is carried out; twice if it deletes what only its
// mark says to be ours. Without a terminal nobody can answer, so that the flags
// must.
func (r *run) confirm(ctx context.Context, p *engine.Plan, what string) error {
	if marked := byMark(p); len(marked) > 0 && !r.o.marked {
		lines := []string{"The state does not know these; only their mark says that they are ours:"}
		for _, s := range marked {
			lines = append(lines, fmt.Sprintf("  %s %s", s.Name, s.ID))
		}
		if err := r.ask(ctx, strings.Join(lines, "\n"), "Delete these too?", "--delete-marked"); err != nil {
			return err
		}
	}
	if r.o.yes {
		return nil
	}
	return r.ask(ctx, "", what, "--yes")
}

// byMark are the steps that delete what only its mark says to be ours.
func byMark(p *engine.Plan) (steps []engine.Step) {
	for _, s := range p.Steps {
		if s.Action == engine.Delete && s.Found == engine.ByMark {
			steps = append(steps, s)
		}
	}
	return steps
}

// ask puts a question. Only "yes" is a yes.
func (r *run) ask(ctx context.Context, before, question, flag string) error {
	env := r.app.env
	if before != "" {
		r.app.note("%s", before)
	}
	if !env.InTTY {
		return fault.Errorf(fault.Invalid, "nobody can be asked (%q), for standard input is no terminal: say %s if you mean it", question, flag)
	}
	fmt.Fprintf(env.Err, "%s Only \"yes\" is taken: ", question)
	type answer struct {
		text string
		err  error
	}
	got := make(chan answer, 1)
	go func() { // a read can not be cancelled; at the end of the process it ends too
		text, err := r.in.ReadString('\n')
		got <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		return fmt.Errorf("nothing was changed: %w", context.Cause(ctx))
	case a := <-got:
		if a.err != nil && !errors.Is(a.err, io.EOF) {
			return fmt.Errorf("reading the answer: %w", a.err)
		}
		if strings.TrimSpace(a.text) != "yes" {
			return errDeclined
		}
		return nil
	}
}

// reader is where answers come from. It is one for all questions, since it may
// read ahead.
func reader(in io.Reader) *bufio.Reader {
	if in == nil {
		in = strings.NewReader("")
	}
	return bufio.NewReader(in)
}
