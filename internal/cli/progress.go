// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/espalier-io/espalier/internal/engine"
)

// A progress shows what is going on. On a terminal the lines of what is
// running are drawn anew below what is done; elsewhere there is a line for each
// thing that is done, has failed, or waits. Its methods may be called in
// parallel.
type progress struct {
	w     io.Writer
	tty   bool
	width int // of the terminal; 0 is not known
	paint func(act engine.Action, text string) string

	mu      sync.Mutex
	running []running
	drawn   int                   // lines of the terminal that are to be drawn over
	ended   map[engine.Action]int // how many of each are done
	failed  int
}

// progress shows what goes on, on standard error.
func (a *app) progress() *progress {
	return &progress{w: a.env.Err, tty: a.env.ErrTTY && a.env.Getenv("TERM") != "dumb", width: a.env.Width,
		ended: map[engine.Action]int{},
		paint: func(act engine.Action, text string) string {
			return a.canvas(a.env.Err, a.env.ErrTTY).in(shade(act), text)
		}}
}

// sum says what has been done: "3 created, 1 deleted".
func (p *progress) sum() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var parts []string
	for _, act := range []engine.Action{engine.Create, engine.Update, engine.Replace, engine.Delete} {
		if p.ended[act] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.ended[act], past[act]))
		}
	}
	if p.failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", p.failed))
	}
	if len(parts) == 0 {
		return "nothing done"
	}
	return strings.Join(parts, ", ")
}

type running struct {
	name, text string
}

// past is an action that is done, in one word.
var past = map[engine.Action]string{
	engine.Create: "created", engine.Update: "updated", engine.Replace: "replaced", engine.Delete: "deleted",
}

// event is an engine's callback.
func (p *progress) event(e engine.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	label := fmt.Sprintf("%s %s", e.Action, engine.Clean(e.Name))
	switch e.Phase {
	case engine.Started:
		p.running = append(p.running, running{e.Name, label + " ..."})
		p.draw("")
	case engine.Waiting:
		text := label + " ... waiting for " + engine.Clean(e.Detail)
		p.set(e.Name, text)
		if p.tty {
			p.draw("")
		} else {
			p.draw("  " + text)
		}
	case engine.Done:
		p.drop(e.Name)
		p.ended[e.Action]++
		line := p.paint(e.Action, past[e.Action]) + " " + engine.Clean(e.Name)
		if e.ID != "" && e.Action != engine.Delete && !told(e.Name, strings.Split(string(e.ID), "#")...) {
			line += " " + engine.Clean(string(e.ID))
		}
		p.draw("  " + line)
	case engine.Failed:
		p.drop(e.Name)
		p.failed++
		p.draw(fmt.Sprintf("  could not %s: %s", label, engine.Clean(fmt.Sprint(e.Err))))
	}
}

// say prints a text that stays.
func (p *progress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.draw(text)
}

func (p *progress) set(name, text string) {
	for i := range p.running {
		if p.running[i].name == name {
			p.running[i].text = text
		}
	}
}

func (p *progress) drop(name string) {
	for i := range p.running {
		if p.running[i].name == name {
			p.running = append(p.running[:i:i], p.running[i+1:]...)
			return
		}
	}
}

// draw prints a line that stays, if there is one, and on a terminal below it
// the lines of what is running.
func (p *progress) draw(line string) {
	var b strings.Builder
	if p.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\r\x1b[J", p.drawn) // up, to the left, erase what is below
		p.drawn = 0
	}
	if line != "" {
		b.WriteString(line + "\n")
	}
	if p.tty {
		for _, r := range p.running {
			text := "  " + r.text
			if p.width > 0 {
				text = lipgloss.NewStyle().MaxWidth(p.width - 1).Render(text) // a line that wraps could not be drawn over
			}
			b.WriteString(text + "\n")
			p.drawn++
		}
	}
	if b.Len() > 0 {
		fmt.Fprint(p.w, b.String())
	}
}

// wait waits until a time, or until ctx ends, and says what for.
func (p *progress) wait(ctx context.Context, env Env, until time.Time, names []string) error {
	p.mu.Lock()
	p.draw(fmt.Sprintf("An earlier run was cut short while it created %s: waiting %s to see whether it shows",
		strings.Join(names, ", "), until.Sub(env.Now()).Round(time.Second)))
	p.mu.Unlock()
	for {
		left := until.Sub(env.Now())
		if left <= 0 {
			p.countdown("")
			return nil
		}
		step := left
		if p.tty {
			step = min(left, time.Second)
			p.countdown(fmt.Sprintf("%s left", left.Round(time.Second)))
		}
		select {
		case <-ctx.Done():
			p.countdown("")
			return context.Cause(ctx)
		case <-env.After(step):
		}
	}
}

// countdown shows one running line, on a terminal, or takes it away.
func (p *progress) countdown(text string) {
	if !p.tty {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = nil
	if text != "" {
		p.running = []running{{"", text}}
	}
	p.draw("")
}
