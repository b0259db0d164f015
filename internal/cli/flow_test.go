// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// A site is a bench with the built-in OpenStack behind it, over HTTP.
type site struct {
	*bench
	ground
	cloud *sim.Cloud
}

// A ground is a built-in cloud that listens, as it was in the beginning.
type ground struct {
	of     builtIn
	stage  stage
	before []byte
}

// newGround serves the cloud of a provider and puts the way to it into the
// environment of the bench.
func newGround(b *bench, of builtIn) ground {
	b.t.Helper()
	g := ground{of: of, stage: stocked(b.t, of)}
	l, err := net.Listen("tcp", anyPort)
	if err != nil {
		b.t.Fatal(err)
	}
	url, end := g.stage.serve(l)
	b.t.Cleanup(func() { _ = end() })
	for _, v := range of.variables(url, "a") {
		b.vars[v[0]] = v[1]
	}
	b.env.Alone = true
	g.before = g.stage.Snapshot()
	return g
}

func newSite(t *testing.T) *site {
	t.Helper()
	b := newBench(t, nil)
	g := newGround(b, (&openStack{}).builtIn())
	b.examples("*.yaml")
	return &site{b, g, g.stage.(openStackStage).Cloud}
}

// examples copies examples to the bench and returns their names.
func (b *bench) examples(pattern string) (names []string) {
	b.t.Helper()
	files, err := filepath.Glob(filepath.Join(home, "..", "..", "examples", pattern))
	if err != nil || len(files) < 5 {
		b.t.Fatal(files, err)
	}
	for _, f := range files {
		name := filepath.Base(f)
		names = append(names, name)
		b.file(name, example(b.t, name))
	}
	return names
}

// must runs a command that has to end well.
func (b *bench) must(args ...string) result {
	b.t.Helper()
	r := b.run("", args...)
	if r.code != 0 {
		b.t.Fatalf("%s", r)
	}
	return r
}

// clean checks that all is as it was in the beginning.
func (s *site) clean() { s.ground.clean(s.t) }

func (g ground) clean(t *testing.T) {
	t.Helper()
	c, err := g.of.compared(g.before, g.stage.Snapshot())
	if err != nil || !c.same() {
		t.Errorf("%+v %v", c, err)
	}
	if unknown := g.stage.Unknown(); len(unknown) > 0 {
		t.Errorf("not known to the cloud: %q", unknown)
	}
}

// idle checks that a further apply writes nothing.
func (s *site) idle(args ...string) {
	s.t.Helper()
	n := len(sim.Writes(s.cloud.Calls()))
	s.must(append([]string{"apply"}, args...)...)
	if w := sim.Writes(s.cloud.Calls())[n:]; len(w) > 0 {
		s.t.Errorf("a second run writes %d times: %+v", len(w), w)
	}
}

func TestExamplesLiveTheirWholeLife(t *testing.T) {
	s := newSite(t)
	for _, name := range []string{"1-managed.yaml", "2-byo-network.yaml", "3-byo-network-router.yaml", "4-byo-subnet.yaml", "5-byo-security-group.yaml", "shoot.yaml"} {
		t.Run(name, func(t *testing.T) {
			args := []string{"-f", name}
			if name != "shoot.yaml" {
				args = append(args, "--name", "shoot--dev--one")
			}
			if r := s.must("validate", "-f", name, "-o", "json"); !strings.Contains(r.out, `"findings": []`) {
				t.Errorf("%s", r)
			}
			if r := s.must(append([]string{"preflight", "-o", "json", "--fail-on", "warning"}, args...)...); !strings.Contains(r.out, `"errors": 0`) || !strings.Contains(r.out, `"warnings": 0`) {
				t.Errorf("%s", r)
			}
			s.must(append([]string{"apply", "--yes"}, args...)...)
			s.idle(args...)
			if r := s.must(append([]string{"status"}, args...)...); !strings.Contains(r.out, "All is as it should be.") {
				t.Errorf("%s", r)
			}
			s.must(append([]string{"delete", "--yes"}, args...)...)
			s.clean()
			if left, err := filepath.Glob("*.espalier.json*"); len(left) > 0 || err != nil {
				t.Errorf("left: %q %v", left, err)
			}
		})
	}
}

func TestKeptPlans(t *testing.T) {
	const config = "3-byo-network-router.yaml"
	named := []string{"-f", config, "--name", "shoot--dev--one"}
	for name, tc := range map[string]struct {
		between func(t *testing.T, s *site)
		code    int
		says    string
	}{
		"is carried out without a question": {func(*testing.T, *site) {}, 0, "Done: 3 created"},
		"the input has changed": {func(t *testing.T, s *site) {
			s.file(config, example(t, config)+"# a comment\n")
		}, 1, "has changed since the plan was made"},
		"the input is gone": {func(t *testing.T, _ *site) {
			if err := os.Remove(config); err != nil {
				t.Fatal(err)
			}
		}, 0, "Done: 3 created"},
		"the cloud has changed": {func(_ *testing.T, s *site) {
			s.must("apply", "--yes", "--state", "elsewhere.json", "-f", config, "--name", "shoot--dev--one", "--uid", planned(s.t))
		}, 1, "the cloud has changed since the plan was made"},
		"somebody else applied": {func(_ *testing.T, s *site) {
			s.must("apply", "--yes", "-f", config, "--name", "shoot--dev--one", "--uid", planned(s.t))
		}, 1, "the state has changed since the plan was made"},
		"the file is not a plan": {func(_ *testing.T, s *site) { s.file("plan.json", "{}") }, 2, "is not a plan"},
		"of another format": {func(t *testing.T, s *site) {
			s.file("plan.json", `{"kind": "espalier-plan", "format_version": "9", "plan": {"steps": []}}`)
		}, 2, "plan again"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.must(append([]string{"plan", "--out", "plan.json"}, named...)...)
			if info, err := os.Stat("plan.json"); err != nil || info.Mode().Perm() != 0o600 {
				t.Fatalf("%v %v", info, err)
			}
			tc.between(t, s)
			if r := s.run("", "apply", "plan.json"); r.code != tc.code || !strings.Contains(r.out+r.err, tc.says) {
				t.Errorf("want the exit code %d and %q: %s", tc.code, tc.says, r)
			}
		})
	}
}

// planned is the UID in the kept plan.
func planned(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("plan.json")
	if err != nil {
		t.Fatal(err)
	}
	var k kept
	if err := json.Unmarshal(data, &k); err != nil {
		t.Fatal(err)
	}
	return k.Flags.UID
}

func TestInterruptedAtEachWriteAndRunAgain(t *testing.T) {
	const writes = 6 // of pattern 1
	stopped := 0
	args := []string{"-f", "1-managed.yaml", "--name", "shoot--dev--one", "--settle", "0s"}
	for n := range writes {
		t.Run(fmt.Sprintf("write %d", n+1), func(t *testing.T) {
			s := newSite(t)
			s.interruptAt(n + 1)
			r := s.run("", append([]string{"apply", "--yes"}, args...)...)
			switch { // with the last writes there may be nothing left to stop
			case r.code == 1 && strings.Contains(r.err, "run the same command again"):
				stopped++
			case r.code != 0:
				t.Fatalf("%s", r)
			}
			s.cloud.Hook(nil)
			s.interrupts = make(chan os.Signal, 2)
			s.env.Interrupts = s.interrupts
			s.must(append([]string{"apply", "--yes"}, args...)...)
			s.idle(args...)
			s.must(append([]string{"delete", "--yes"}, args...)...)
			s.clean()
		})
	}
	if stopped == 0 {
		t.Error("no run was stopped")
	}
}

// interruptAt sends an interrupt when the n-th write has had its effect and is
// not answered yet.
func (s *site) interruptAt(n int) {
	var mu sync.Mutex
	seen := 0
	s.cloud.Hook(func(c sim.Call, p sim.Phase) {
		if !c.Write || p != sim.After {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if seen++; seen == n {
			s.interrupts <- os.Interrupt
		}
	})
}

func TestStateThatCanNotBeSavedHalfWay(t *testing.T) {
	s := newSite(t)
	if err := os.Mkdir("states", 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{"-f", "1-managed.yaml", "--name", "shoot--dev--one", "--settle", "0s", "--state", "states/s.json"}
	var once sync.Once
	s.cloud.Hook(func(c sim.Call, p sim.Phase) {
		if c.Write && p == sim.After {
			once.Do(func() {
				if err := os.Rename("states", "gone"); err != nil {
					t.Error(err)
				}
			})
		}
	})
	r := s.run("", append([]string{"apply", "--yes"}, args...)...)
	if r.code != 1 || !strings.Contains(r.err, "could not be recorded, but bears the mark") {
		t.Errorf("%s", r)
	}
	s.cloud.Hook(nil)
	if err := os.Rename("gone", "states"); err != nil {
		t.Fatal(err)
	}
	s.must(append([]string{"apply", "--yes"}, args...)...)
	s.idle(args...)
	s.must(append([]string{"delete", "--yes"}, args...)...)
	s.clean()
}

func TestLostStateIsFoundAgainByTheMarks(t *testing.T) {
	s := newSite(t)
	args := []string{"-f", "2-byo-network.yaml", "--name", "shoot--dev--one", "--uid", "u-1"}
	s.must(append([]string{"apply", "--yes"}, args...)...)
	if err := os.Remove(stateName); err != nil {
		t.Fatal(err)
	}
	s.idle(args...)
	if err := os.Remove(stateName); err != nil {
		t.Fatal(err)
	}
	if r := s.run("", "delete", "--yes", "-f", "2-byo-network.yaml", "--name", "shoot--dev--one"); r.code != 1 || !strings.Contains(r.out, "EOS127") || !strings.Contains(r.out, "with the UID u-1") {
		t.Errorf("%s", r)
	}
	if _, err := os.Stat(stateName); !os.IsNotExist(err) {
		t.Errorf("a state file with another UID: %v", err)
	}
	if r := s.run("", append([]string{"delete", "--yes"}, args...)...); r.code != 2 || !strings.Contains(r.err, "--delete-marked") {
		t.Errorf("%s", r)
	}
	s.must(append([]string{"delete", "--yes", "--delete-marked"}, args...)...)
	s.clean()
}

func TestCredentialsThatAreNoGood(t *testing.T) {
	for name, tc := range map[string]struct {
		vars map[string]string
		code int
		says []string
	}{
		"none":                     {map[string]string{"OS_AUTH_URL": ""}, 2, []string{"no OpenStack credentials"}},
		"a wrong password":         {map[string]string{"OS_PASSWORD": "sesame"}, 2, []string{"/identity/v3", "user a", "project a"}},
		"nobody there":             {map[string]string{"OS_AUTH_URL": "http://127.0.0.1:1/v3"}, 2, []string{"127.0.0.1:1"}},
		"not a URL":                {map[string]string{"OS_AUTH_URL": "hello"}, 2, []string{"hello"}},
		"of another project":       {map[string]string{"OS_USERNAME": "b", "OS_PASSWORD": "b", "OS_PROJECT_NAME": "b"}, 1, []string{"networks.id", "EOS101"}},
		"another region":           {map[string]string{"OS_REGION_NAME": "Mars"}, 2, []string{"Mars"}},
		"no entry in clouds.yaml":  {map[string]string{"OS_CLOUD": "nowhere"}, 2, []string{"nowhere"}},
		"a secret that is printed": {map[string]string{"OS_PASSWORD": "sesame", "OS_AUTH_URL": "http://127.0.0.1:1/v3"}, 2, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			for k, v := range tc.vars {
				s.vars[k] = v
			}
			r := s.run("", "preflight", "-f", "4-byo-subnet.yaml", "--name", "shoot--dev--one")
			if r.code != tc.code || strings.Contains(r.out+r.err, "sesame") {
				t.Errorf("want the exit code %d: %s", tc.code, r)
			}
			for _, text := range tc.says {
				if !strings.Contains(r.out+r.err, text) {
					t.Errorf("it does not say %q: %s", text, r)
				}
			}
		})
	}
}

func TestStateOfAnotherCloudIsRefused(t *testing.T) {
	s := newSite(t)
	s.must("apply", "--yes", "-f", "1-managed.yaml", "--name", "shoot--dev--one")
	for k, v := range map[string]string{"OS_USERNAME": "b", "OS_PASSWORD": "b", "OS_PROJECT_NAME": "b"} {
		s.vars[k] = v
	}
	for _, verb := range []string{"plan", "apply --yes", "delete --yes"} {
		r := s.run("", append(strings.Fields(verb), "-f", "1-managed.yaml", "--name", "shoot--dev--one")...)
		if r.code != 1 || !strings.Contains(r.out+r.err, "the state belongs to") {
			t.Errorf("%s", r)
		}
	}
}

func TestStateHasNoSecrets(t *testing.T) {
	s := newSite(t)
	if err := s.cloud.Plant(sim.World{Users: []sim.WorldUser{{Name: "someone", Password: "sesame", Project: "a"}}}); err != nil {
		t.Fatal(err)
	}
	s.vars["OS_USERNAME"], s.vars["OS_PASSWORD"] = "someone", "sesame"
	s.must("apply", "--yes", "-f", "1-managed.yaml", "--name", "shoot--dev--one")
	data, err := os.ReadFile(stateName)
	if err != nil || strings.Contains(string(data), "sesame") {
		t.Errorf("%s %v", data, err)
	}
	var doc struct{ Records []engine.Record }
	if err := json.Unmarshal(data, &doc); err != nil || !slices.ContainsFunc(doc.Records, func(r engine.Record) bool { return r.Name == "network" }) {
		t.Errorf("%s %v", data, err)
	}
}
