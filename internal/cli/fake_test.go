// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A fake is a cloud that says what a test wants it to say: for what the verbs
// make of it. All else is tested on the embedded cloud.
type fake struct {
	findings  []engine.Finding
	steps     []engine.Step
	removal   []engine.Step
	remains   []remain
	unsettled []string // until a minute after the start, shown once
	openErr   error
	apply     func(ctx context.Context, f *fake, o engine.Options) error
	looks     int
	applied   int
	cluster   *input.Cluster
	state     *engine.State
}

func (f *fake) open(_ context.Context, c *input.Cluster, s *engine.State, _ connection) (session, error) {
	f.cluster, f.state = c, s
	return f, f.openErr
}
func (f *fake) String() string { return "project demo, region RegionOne" }
func (f *fake) look(context.Context, purpose) (look, error) {
	f.looks++
	return f, nil
}
func (f *fake) Check() []engine.Finding           { return f.findings }
func (f *fake) Plan() (*engine.Plan, error)       { return &engine.Plan{Steps: f.steps}, nil }
func (f *fake) PlanDelete() (*engine.Plan, error) { return &engine.Plan{Steps: f.removal}, nil }
func (f *fake) Leftovers() []engine.View          { return nil }
func (f *fake) Remains(bool) []remain             { return f.remains }
func (f *fake) Outcome() (any, error)             { return map[string]string{"id": "net-1"}, nil }

// Views are the steps of the plan as a picture shows them.
func (f *fake) Views() (vs []engine.View) {
	for _, s := range f.steps {
		vs = append(vs, engine.View{Name: s.Name, Kind: s.Kind, ID: s.ID, Owner: s.Owner, Action: s.Action})
	}
	return vs
}

func (f *fake) Unsettled(time.Duration) (time.Time, []string) {
	if f.looks > 1 || len(f.unsettled) == 0 {
		return time.Time{}, nil
	}
	return start.Add(time.Minute), f.unsettled
}

func (f *fake) Apply(ctx context.Context, p *engine.Plan, o engine.Options) error {
	f.applied++
	if f.apply != nil {
		return f.apply(ctx, f, o)
	}
	for _, s := range p.Steps {
		if s.Action != engine.Keep && s.Action != engine.Reference && s.Action != engine.Blocked {
			o.Events(engine.Event{Name: s.Name, Kind: s.Kind, Action: s.Action, Phase: engine.Started})
			o.Events(engine.Event{Name: s.Name, Kind: s.Kind, Action: s.Action, Phase: engine.Done, ID: "id-of-" + engine.ID(s.Name)})
		}
	}
	return nil
}

var start = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)

// A bench is where a test runs commands: a directory, a clock that a wait moves
// on, and streams.
type bench struct {
	t          *testing.T
	dir        string
	env        Env
	vars       map[string]string
	now        time.Time
	interrupts chan os.Signal
}

func newBench(t *testing.T, c clouds) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), vars: map[string]string{}, now: start, interrupts: make(chan os.Signal, 2)}
	t.Chdir(b.dir)
	b.env = Env{
		Getenv: func(name string) string { return b.vars[name] },
		Now:    func() time.Time { return b.now },
		After: func(d time.Duration) <-chan time.Time {
			b.now = b.now.Add(d)
			gone := make(chan time.Time, 1)
			gone <- b.now
			return gone
		},
		Interrupts: b.interrupts, Version: "v0.0.0-test", clouds: c,
	}
	return b
}

// file writes a file into the directory of the bench.
func (b *bench) file(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// A result is what came of a command.
type result struct {
	args     []string
	out, err string
	code     int
}

// run runs a command; the answers are what is typed.
func (b *bench) run(answers string, args ...string) result {
	b.t.Helper()
	var out, errs bytes.Buffer
	env := b.env
	env.In, env.Out, env.Err = strings.NewReader(answers), &out, &errs
	code := Run(b.t.Context(), env, args)
	return result{args, out.String(), errs.String(), code}
}

// String is what a golden file has of it.
func (r result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "$ espalier %s\nexit code %d\n", strings.Join(r.args, " "), r.code)
	for _, s := range []struct{ name, text string }{{"stdout", r.out}, {"stderr", r.err}} {
		if s.text != "" {
			fmt.Fprintf(&b, "--- %s\n%s", s.name, s.text)
		}
	}
	return b.String()
}

// golden compares with a golden file, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(home, "testdata", strings.ReplaceAll(name, " ", "-")+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if got != string(want) {
		t.Errorf("not as in %s (go test -update writes it anew); got:\n%s\nwant:\n%s", path, got, want)
	}
}

// home is the directory of the package, from where the tests go elsewhere.
var home = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()

// example is the text of one of the examples.
func example(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(home, "..", "..", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// steps that a test can start from.
func someSteps() []engine.Step {
	return []engine.Step{
		{Name: "network", Action: engine.Reference, ID: "net-1", Owner: engine.Yours},
		{Name: "security-group", Kind: "security-group", Action: engine.Create, Owner: engine.Ours,
			Changes: []engine.Change{{Field: "name", To: "shoot--dev--one"}, {Field: "description", To: "shoot--dev--one ‹uid›/security-group"}}},
		{Name: "key-pair", Kind: "key-pair", Action: engine.Update, ID: "kp", Owner: engine.Ours, Found: engine.ByContent,
			Changes: []engine.Change{{Field: "key", From: "a", To: "b"}}, Foreign: []string{"a rule of someone else"}},
	}
}

var _ io.Writer = (*shared)(nil)
