// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// A cluster is one that espalier looks after, on a site.
type cluster struct {
	site *site
	name string
	env  []string // whose credentials
	file string
	// flags are given with every verb.
	flags []string
}

// A result is what a run of the program had to say.
type result struct {
	code   int
	out    report
	stdout string
	stderr string
	calls  calls
}

// A report is the part of the program's JSON that the cases read.
type report struct {
	Outcome  string
	Findings []struct{ Code, Severity, Path, Message string }
	Steps    []struct{ Name, Action, ID, Owner string }
	Summary  map[string]int
	Status   struct {
		ProviderStatus struct {
			Networks struct {
				ID     string
				Router struct{ ID string }
			}
		}
	}
}

// as returns the environment of a user's credentials, through the relay.
func (s *site) as(user, password, project string) []string {
	return []string{
		"OS_AUTH_URL=" + s.url, "OS_USERNAME=" + user, "OS_PASSWORD=" + password, "OS_PROJECT_NAME=" + project,
		"OS_USER_DOMAIN_NAME=Default", "OS_PROJECT_DOMAIN_NAME=Default", "OS_REGION_NAME=RegionOne",
	}
}

// cluster writes the configuration of a cluster of user a.
func (s *site) cluster(name, networks string) *cluster {
	s.Helper()
	file := filepath.Join(s.dir, name+".yaml")
	text := "apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1\nkind: InfrastructureConfig\n" +
		"floatingPoolName: public\nnetworks:\n" + networks
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	return &cluster{site: s, name: name, env: s.as("a", "a", "a"), file: file}
}

// by returns the same cluster with the credentials of somebody else.
func (c *cluster) by(env []string) *cluster {
	other := *c
	other.env = env
	return &other
}

// state is where the state of the cluster is kept.
func (c *cluster) state() string { return filepath.Join(c.site.dir, c.name+".espalier.json") }

// run runs a verb of the program.
func (c *cluster) run(verb string, more ...string) result {
	c.site.Helper()
	args := append([]string{
		verb, "-f", c.file, "--name", c.name, "-o", "json", "--state", c.state(),
		"--nodes", "10.250.0.0/16", "--pods", "100.96.0.0/11", "--services", "100.64.0.0/13",
		"--ip-families", "IPv4", "--network-type", "calico", "--overlay", "true", "--ssh-public-key", aKey,
	}, append(slices.Clone(c.flags), more...)...)
	if verb == "apply" || verb == "delete" {
		args = append(args, "--yes")
	}
	c.site.relay.take()
	cmd := exec.CommandContext(c.site.Context(), espalier, args...)
	cmd.Dir = c.site.dir
	cmd.Env = append([]string{"HOME=" + c.site.dir, "PATH=" + os.Getenv("PATH")}, c.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		c.site.Fatal(err)
	}
	r := result{code: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String(), calls: c.site.relay.take()}
	if stdout.Len() > 0 {
		if err := json.Unmarshal(stdout.Bytes(), &r.out); err != nil {
			c.site.Fatalf("%s: what it printed is no JSON: %v\n%s", verb, err, r)
		}
	}
	return r
}

// must runs a verb that must succeed.
func (c *cluster) must(verb string, more ...string) result {
	c.site.Helper()
	r := c.run(verb, more...)
	if r.code != 0 {
		c.site.Fatalf("%s of %s failed: %s", verb, c.name, r)
	}
	return r
}

// idle fails the case unless another apply writes nothing.
func (c *cluster) idle() result {
	c.site.Helper()
	r := c.must("apply")
	if w := r.calls.writes(); len(w) > 0 {
		c.site.Errorf("a second apply of %s wrote: %v", c.name, w)
	}
	return r
}

func (r result) String() string {
	return fmt.Sprintf("exit code %d\n%s\n%s\ncalls %v", r.code, r.stdout, r.stderr, r.calls)
}

// codes lists the codes of the findings that are errors.
func (r result) codes() []string {
	list := []string{}
	for _, f := range r.out.Findings {
		if f.Severity == "error" {
			list = append(list, f.Code)
		}
	}
	return list
}
