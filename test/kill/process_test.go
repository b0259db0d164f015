// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package kill

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"github.com/espalier-io/espalier/internal/cli"
)

// program is the path of the real program, built by TestMain.
var program string

// A process is one run of the program.
type process struct {
	cmd  *exec.Cmd
	out  *output
	dead chan struct{}
	mu   sync.Mutex // held until it is known whether the process is there
}

// output is what the process says. It tells when it begins to stop.
type output struct {
	mu       sync.Mutex
	text     bytes.Buffer
	stopping chan struct{}
	heard    bool
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p)
	if !o.heard && strings.Contains(o.text.String(), "Stopping:") {
		o.heard = true
		close(o.stopping)
	}
	return len(p), nil
}

// kill ends the process in the middle of whatever it does, and returns when it
// is dead.
func (p *process) kill() { p.signal(syscall.SIGKILL, nil) }

// interrupt asks it to stop, and returns when it has heard it.
func (p *process) interrupt() { p.signal(os.Interrupt, p.out.stopping) }

func (p *process) signal(s os.Signal, heard <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.cmd.Process.Signal(s) // it may have ended by itself
	select {
	case <-p.dead:
	case <-heard:
	}
}

// ended says how the process ended: by a signal, or with an exit code.
func (p *process) ended() (signal syscall.Signal, code int) {
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return status.Signal(), -1
	}
	return 0, p.cmd.ProcessState.ExitCode()
}

func (p *process) said() string { return p.out.text.String() }

// run runs the program to its end. hook is told of every call.
func (s *site) run(hook func(*process, call, phase), verb string, env ...string) *process {
	s.t.Helper()
	d := openDoor(s.t, s)
	p := &process{out: &output{stopping: make(chan struct{})}, dead: make(chan struct{})}
	p.cmd = exec.Command(program, s.args(verb)...)
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr, p.cmd.Env = s.dir, p.out, p.out, append(env, "GOGC=off") // it does not live long
	for name, value := range s.env(d.url) {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	s.forget()
	if hook != nil {
		s.hook(func(c call, at phase) { hook(p, c, at) })
	}
	p.mu.Lock()
	err := p.cmd.Start()
	p.mu.Unlock()
	if err != nil {
		s.t.Fatal(err)
	}
	_ = p.cmd.Wait() // how it ended is looked at by the caller
	close(p.dead)
	d.shut()
	s.hook(nil)
	s.drop(nil)
	return p
}

// within runs the same command line in this process, which costs less.
func (s *site) within(verb string) (code int, said string) {
	s.t.Helper()
	d := openDoor(s.t, s)
	defer d.shut()
	s.forget()
	var out bytes.Buffer
	env := s.env(d.url)
	code = cli.Run(s.t.Context(), cli.Env{
		In: strings.NewReader(""), Out: &out, Err: &out, Getenv: func(name string) string { return env[name] }, Alone: true,
		Now: now, After: after, Version: "test",
	}, s.args(verb))
	return code, out.String()
}
