// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package guide

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	sim "github.com/espalier-io/espalier/internal/sim/aws"
)

const awsGuidePath = "../../docs/aws.md"

// awsCLI is where hack/awscli puts the AWS CLI.
const awsCLI = "../../.cache/awscli/bin"

// awsSetups are the sections with a set-up, and what the cluster has.
var awsSetups = []struct {
	name     string
	sections []string
	flags    []string
}{
	{"IPv4", []string{"ipv4"}, []string{"--nodes", "10.10.0.0/16", "--pods", "100.96.0.0/11", "--services", "100.64.0.0/13"}},
	{"IPv4, a security group of the user's", []string{"ipv4", "your-security-group"}, []string{"--nodes", "10.10.0.0/16", "--pods", "100.96.0.0/11", "--services", "100.64.0.0/13"}},
	{"IPv6 only", []string{"ipv6-only"}, []string{"--ip-families", "IPv6"}},
	{"dual-stack", []string{"dual-stack"}, []string{"--ip-families", "IPv4,IPv6", "--nodes", "10.10.0.0/16", "--pods", "100.96.0.0/11", "--services", "100.64.0.0/13"}},
}

// TestAWSSetups carries out the commands of the guide with the AWS CLI, and
// then does what the guide says that it does.
func TestAWSSetups(t *testing.T) {
	path, program := pathToAWSCLI(t), buildProgram(t)
	g := readPageAt(t, awsGuidePath)
	for _, tt := range awsSetups {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel() // the AWS CLI takes a second for each command
			p := newAWSPlace(t, path, program)
			script := "set -eu\n"
			for _, anchor := range tt.sections {
				script += g.section(t, anchor).blocks[0].text
			}
			p.bash(script)
			p.live(tt.flags, "EAWS163")
		})
	}
}

// buildProgram builds the program and returns its path.
func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "espalier")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../cmd/espalier").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// pathToAWSCLI is a PATH that has the AWS CLI.
func pathToAWSCLI(t *testing.T) string {
	t.Helper()
	own, err := filepath.Abs(awsCLI)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(own, "aws")); err == nil {
		return own + string(os.PathListSeparator) + os.Getenv("PATH")
	}
	if _, err := exec.LookPath("aws"); err == nil {
		return os.Getenv("PATH")
	}
	if os.Getenv("CI") != "" {
		t.Fatal("there is no AWS CLI: run hack/awscli")
	}
	t.Skip("SKIPPED: there is no AWS CLI, so that the commands of docs/aws.md are not tried; hack/awscli installs it")
	return ""
}

// An awsPlace is an AWS, the environment of its user, and a folder.
type awsPlace struct {
	*testing.T
	cloud *sim.Cloud // nil if it is another AWS
	env   map[string]string
	dir   string

	program string // the SDK reads the environment itself, so that this is a process of its own
}

func newAWSPlace(t *testing.T, path, program string) *awsPlace {
	t.Helper()
	cloud := sim.New(sim.Options{Seed: t.Name()})
	server, err := cloud.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		for _, request := range cloud.Unknown() {
			t.Errorf("the embedded AWS does not know %s", request)
		}
	})
	p := newAWSPlaceAt(t, path, program, server.URL)
	p.cloud = cloud
	return p
}

// newAWSPlaceAt is a place whose cloud somebody else runs.
func newAWSPlaceAt(t *testing.T, path, program, endpoint string) *awsPlace {
	t.Helper()
	dir := t.TempDir()
	return &awsPlace{T: t, dir: dir, program: program, env: map[string]string{
		"PATH": path, "HOME": dir, "AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "a",
		"AWS_REGION": "eu-central-1", "AWS_DEFAULT_REGION": "eu-central-1", "AWS_PAGER": "", "AWS_EC2_METADATA_DISABLED": "true",
	}}
}

func (p *awsPlace) environ() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(p.env)) {
		all = append(all, name+"="+p.env[name])
	}
	return all
}

// bash runs commands as the guide has them, and returns what they print.
func (p *awsPlace) bash(script string) string {
	p.Helper()
	c := exec.CommandContext(p.Context(), "bash", "-c", script)
	c.Dir, c.Env = p.dir, p.environ()
	out, err := c.CombinedOutput()
	if err != nil {
		p.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// espalier runs the program and returns what it says and how many calls wrote.
func (p *awsPlace) espalier(args ...string) (r report, writes int) {
	p.Helper()
	seen := len(p.cloud.Calls())
	r = p.says(args...)
	return r, len(sim.Writes(p.cloud.Calls()[seen:]))
}

// says runs the program and returns what it says.
func (p *awsPlace) says(args ...string) (r report) {
	p.Helper()
	var out, errs bytes.Buffer
	c := exec.CommandContext(p.Context(), p.program, append(slices.Clone(args), "-o", "json")...)
	c.Dir, c.Env, c.Stdout, c.Stderr = p.dir, p.environ(), &out, &errs
	if err := c.Run(); err != nil {
		p.Fatalf("%s: %v\n%s%s", c, err, &out, &errs)
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		p.Fatalf("%s\nis no JSON: %v", &out, err)
	}
	return r
}

// live is a cluster's life: nothing is found but what is expected, a second
// apply writes nothing, and after the deletion all is as it was.
func (p *awsPlace) live(flags []string, expected ...string) {
	p.Helper()
	flags = append([]string{"-f", filepath.Join(p.dir, "cluster.yaml"), "--name", "shoot--dev--one", "--network-type", "calico", "--overlay", "off"}, flags...)
	found, writes := p.espalier(append([]string{"preflight"}, flags...)...)
	var codes []string
	for _, f := range found.Findings {
		codes = append(codes, f.Code)
	}
	if !slices.Equal(codes, expected) || writes > 0 {
		p.Errorf("preflight writes %d times and says %v", writes, found.Findings)
	}
	before := p.cloud.Snapshot() // after a look, at which AWS comes to its end with what was made
	if _, writes := p.espalier(append([]string{"apply", "--yes"}, flags...)...); writes == 0 {
		p.Error("apply has written nothing")
	}
	if _, writes := p.espalier(append([]string{"apply", "--yes"}, flags...)...); writes > 0 {
		p.Errorf("a second apply has written %d times", writes)
	}
	p.espalier(append([]string{"delete", "--yes"}, flags...)...)
	if diff := cmp.Diff(string(before), string(p.cloud.Snapshot())); diff != "" {
		p.Errorf("not as it was:\n%s", diff)
	}
}
