// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package guide

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/espalier-io/espalier/internal/cli"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
	"github.com/espalier-io/espalier/test/clouds"
)

// operators is what the operator of the guide's cloud has set up: an external
// network, whose subnets have the names that the guide uses.
const operators = `
projects:
  admin:
    networks:
    - name: public
      external: true
      subnets:
      - {name: public, cidr: 203.0.113.0/24, enable_dhcp: false}
      - {name: public-web-1, cidr: 198.51.100.0/25, enable_dhcp: false}
      - {name: public-web-2, cidr: 198.51.100.128/25, enable_dhcp: false}
`

// A place is a cloud, a shell of its user, and a folder.
type place struct {
	*testing.T
	cloud *sim.Cloud
	shell *shell
	env   map[string]string
	dir   string
	calls map[string][]sim.Call // of the program, by verb
}

// newPlace starts a cloud with a world in it.
func newPlace(t *testing.T, world []byte) *place {
	t.Helper()
	cloud := sim.New(sim.Options{Seed: t.Name()})
	w, err := sim.ParseWorld(world)
	if err != nil {
		t.Fatal(err)
	}
	if err := cloud.Plant(w); err != nil {
		t.Fatal(err)
	}
	server, err := cloud.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		for _, request := range cloud.Unknown() {
			t.Errorf("the embedded OpenStack does not know %s", request)
		}
	})
	user, err := (&clouds.Cloud{AuthURL: server.AuthURL}).Login(t.Context(), clouds.Password("a", "a", "a"))
	if err != nil {
		t.Fatal(err)
	}
	return &place{T: t, cloud: cloud, shell: &shell{user}, dir: t.TempDir(), calls: map[string][]sim.Call{}, env: map[string]string{
		"OS_AUTH_URL": server.AuthURL, "OS_USERNAME": "a", "OS_PASSWORD": "a", "OS_PROJECT_NAME": "a",
		"OS_USER_DOMAIN_NAME": "Default", "OS_PROJECT_DOMAIN_NAME": "Default", "OS_REGION_NAME": "RegionOne",
	}}
}

// prepare carries out openstack commands that must succeed.
func (p *place) prepare(lines ...string) {
	p.Helper()
	for _, line := range lines {
		if _, err := p.shell.run(p.Context(), line); err != nil {
			p.Fatal(err)
		}
	}
}

// named are the lines of a configuration whose ID the command beside it gives.
var named = regexp.MustCompile(`(?m)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) +# (openstack .*)$`)

// withIDs puts the IDs into a configuration that the commands beside them give.
func (p *place) withIDs(configuration string) string {
	p.Helper()
	return named.ReplaceAllStringFunc(configuration, func(line string) string {
		id, err := p.shell.run(p.Context(), named.FindStringSubmatch(line)[2])
		if err != nil {
			p.Fatal(err)
		}
		return id
	})
}

// write puts a file into the folder.
func (p *place) write(name, text string) string {
	p.Helper()
	file := filepath.Join(p.dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
	return file
}

// A result is what a run of the program said.
type result struct {
	args         []string
	code         int
	out          report
	text, errors string
	writes       []sim.Call
}

// A report is what the tests read of the program's JSON.
type report struct {
	Findings []struct{ Code, Severity, Message, Fix string }
	NotSeen  []struct{ Code, Reason string } `json:"not_checked"`
	Steps    []struct{ Name, Kind, Action, Owner, Found string }
	Summary  map[string]int
}

func (r result) String() string {
	return strings.Join(append([]string{"espalier"}, r.args...), " ") + "\n" + r.text + r.errors
}

// said are the codes of errors and warnings.
func (r result) said() (codes []string) {
	for _, f := range r.out.Findings {
		if f.Severity != "info" {
			codes = append(codes, f.Severity+" "+f.Code)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// espalier runs the program.
func (p *place) espalier(args ...string) result {
	p.Helper()
	args = append(slices.Clone(args), "-o", "json")
	if args[0] == "apply" || args[0] == "delete" {
		args = append(args, "--yes")
	}
	seen := len(p.cloud.Calls())
	var out, errs bytes.Buffer
	code := cli.Run(p.Context(), cli.Env{
		In: strings.NewReader(""), Out: &out, Err: &errs, Now: time.Now, After: time.After, Version: "test",
		Getenv: func(name string) string { return p.env[name] },
	}, args)
	calls := p.cloud.Calls()[seen:]
	p.calls[args[0]] = append(p.calls[args[0]], calls...)
	r := result{args: args, code: code, text: out.String(), errors: errs.String(), writes: sim.Writes(calls)}
	if err := json.Unmarshal(out.Bytes(), &r.out); err != nil {
		p.Fatalf("%s\nis no JSON: %v", r, err)
	}
	return r
}

// must runs the program, which must end well.
func (p *place) must(args ...string) result {
	p.Helper()
	r := p.espalier(args...)
	if r.code != 0 {
		p.Fatalf("exit code %d: %s", r.code, r)
	}
	return r
}

// unchanged fails the test if something of before is not as it was, but for
// some fields; what is new is for the caller.
func (p *place) unchanged(before []byte, when string, ignore ...string) (made []sim.Difference) {
	p.Helper()
	all, err := sim.Compare(before, p.cloud.Snapshot(), ignore...)
	if err != nil {
		p.Fatal(err)
	}
	for _, d := range all {
		if d.New() {
			made = append(made, d)
			continue
		}
		p.Errorf("%s: %s", when, d)
	}
	return made
}
