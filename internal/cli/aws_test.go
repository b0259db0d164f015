// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/aws"
)

// An awsSite is a bench with the built-in AWS behind it, over HTTP.
type awsSite struct {
	*bench
	ground
	cloud *sim.Cloud
}

func newAWSSite(t *testing.T) *awsSite {
	t.Helper()
	b := newBench(t, nil)
	g := newGround(b, (&amazon{}).builtIn())
	b.examples("aws-*.yaml")
	return &awsSite{b, g, g.stage.(amazonStage).Cloud}
}

// tryIt is the command line with which each example begins.
var tryIt = regexp.MustCompile(`(?m)^#   espalier apply -f examples/(.*)$`)

// flags are those with which an example is tried.
func flagsOf(t *testing.T, name string) []string {
	t.Helper()
	m := tryIt.FindStringSubmatch(example(t, name))
	if m == nil {
		t.Fatalf("%s has no line to try it", name)
	}
	return append([]string{"-f"}, strings.Fields(m[1])...)
}

func (s *awsSite) clean() { s.ground.clean(s.t) }

// idle checks that a further apply writes nothing.
func (s *awsSite) idle(args ...string) {
	s.t.Helper()
	n := len(sim.Writes(s.cloud.Calls()))
	s.must(append([]string{"apply"}, args...)...)
	if w := sim.Writes(s.cloud.Calls())[n:]; len(w) > 0 {
		s.t.Errorf("a second run writes %d times: %+v", len(w), w)
	}
}

func TestAWSExamplesLiveTheirWholeLife(t *testing.T) {
	s := newAWSSite(t)
	for _, name := range s.examples("aws-*.yaml") {
		t.Run(name, func(t *testing.T) {
			args := flagsOf(t, name)
			if r := s.must(append([]string{"validate", "-o", "json"}, args...)...); !strings.Contains(r.out, `"findings": []`) {
				t.Errorf("%s", r)
			}
			if r := s.must(append([]string{"preflight", "-o", "json"}, args...)...); !strings.Contains(r.out, `"findings": []`) {
				t.Errorf("%s", r)
			}
			s.must(append([]string{"apply", "--yes"}, args...)...)
			s.idle(args...)
			if r := s.must(append([]string{"status"}, args...)...); !strings.Contains(r.out, "All is as it should be.") {
				t.Errorf("%s", r)
			}
			for _, form := range []string{"text", "svg", "mermaid"} {
				s.must(append([]string{"draw", "-o", form}, args...)...)
			}
			s.must(append([]string{"delete", "--yes"}, args...)...)
			s.clean()
			if left, err := filepath.Glob("*.espalier.json*"); len(left) > 0 || err != nil {
				t.Errorf("left: %q %v", left, err)
			}
		})
	}
}

// What the verbs print of a cluster on AWS, from the first look to the end.
func TestAWSVerbs(t *testing.T) {
	s := newAWSSite(t)
	for _, step := range []struct{ name, args string }{
		{"aws validate", "validate"},
		{"aws validate as json", "validate -o json"},
		{"aws preflight", "preflight"},
		{"aws preflight as page", "preflight -o html"},
		{"aws draw", "draw"},
		{"aws plan as json", "plan -o json --uid u-1"},
		{"aws apply as json", "apply --yes -o json --uid u-1"},
		{"aws status", "status"},
		{"aws plan of a deletion", "plan --delete"},
		{"aws delete as json", "delete --yes -o json"},
	} {
		t.Run(step.name, func(t *testing.T) {
			r := s.must(append(strings.Fields(step.args), "-f", "aws-shoot.yaml")...)
			r.err = "" // progress has no certain order
			golden(t, step.name, r.String())
		})
	}
	s.clean()
}

func TestAWSCredentialsThatAreNoGood(t *testing.T) {
	for name, tc := range map[string]struct {
		vars map[string]string
		code int
		says []string
	}{
		"none":               {map[string]string{"AWS_ACCESS_KEY_ID": ""}, 2, []string{"no AWS credentials"}},
		"of nobody":          {map[string]string{"AWS_ACCESS_KEY_ID": "stranger"}, 2, []string{"asking which account the credentials are of"}},
		"nobody there":       {map[string]string{"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, 2, []string{"127.0.0.1:1"}},
		"of another account": {map[string]string{"AWS_ACCESS_KEY_ID": "b"}, 1, []string{"networks.vpc.id", "EAWS101"}},
		"without a region":   {map[string]string{"AWS_REGION": ""}, 2, []string{"--region"}},
		"another region":     {map[string]string{"AWS_REGION": "mars-north-1"}, 2, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newAWSSite(t)
			s.vars["AWS_SECRET_ACCESS_KEY"] = "sesame"
			for k, v := range tc.vars {
				s.vars[k] = v
			}
			r := s.run("", append([]string{"preflight", "--timeout", "20s"}, flagsOf(t, "aws-ipv4.yaml")...)...)
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

func TestAWSStateOfAnotherAccountOrRegionIsRefused(t *testing.T) {
	s := newAWSSite(t)
	args := flagsOf(t, "aws-ipv4.yaml")
	s.must(append([]string{"apply", "--yes"}, args...)...)
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "b", "AWS_REGION": "eu-west-1"} {
		was := s.vars[name]
		s.vars[name] = value
		for _, verb := range []string{"plan", "apply --yes", "delete --yes"} {
			r := s.run("", append(strings.Fields(verb), args...)...)
			if r.code != 1 || !strings.Contains(r.out+r.err, "the state belongs to") {
				t.Errorf("%s", r)
			}
		}
		s.vars[name] = was
	}
	s.must(append([]string{"delete", "--yes"}, args...)...)
	s.clean()
}

func TestAWSStateHasNoSecrets(t *testing.T) {
	s := newAWSSite(t)
	s.vars["AWS_SECRET_ACCESS_KEY"] = "sesame"
	s.must(append([]string{"apply", "--yes"}, flagsOf(t, "aws-ipv4.yaml")...)...)
	data, err := os.ReadFile(stateName)
	if err != nil || strings.Contains(string(data), "sesame") {
		t.Errorf("%s %v", data, err)
	}
	var doc struct{ Records []engine.Record }
	if err := json.Unmarshal(data, &doc); err != nil || !slices.ContainsFunc(doc.Records, func(r engine.Record) bool { return r.Name == "security-group" }) {
		t.Errorf("%s %v", data, err)
	}
}

// Read-only credentials are enough to look, and what they may not see is told.
func TestAWSReadsThatAreDenied(t *testing.T) {
	s := newAWSSite(t)
	s.cloud.Deny("a", "ec2:Create*", "ec2:Delete*", "ec2:Authorize*", "ec2:Import*", "iam:*", "ec2:DescribeDhcpOptions")
	args := flagsOf(t, "aws-ipv4.yaml")
	if r := s.must(append([]string{"preflight"}, args...)...); !strings.Contains(r.out, "unknown   EAWS140") {
		t.Errorf("%s", r)
	}
	if r := s.must(append([]string{"plan"}, args...)...); !strings.Contains(r.out, "blocked  iam-role") {
		t.Errorf("%s", r)
	}
	if r := s.run("", append([]string{"apply", "--yes"}, args...)...); r.code != 1 {
		t.Errorf("%s", r)
	}
	s.clean()
}

// Routes to pods that the route controller left in the user's tables stay, and
// are told with what removes them; on demand those to machines of the cluster go.
func TestAWSRoutesToPodsAreToldInTheEnd(t *testing.T) {
	const world = `accounts: {a: {regions: {eu-central-1: {vpcs: [{id: vpc-0e5a0000000000009, name: small, cidrs: [10.10.0.0/16],
  subnets: [{id: subnet-0e5a0000000000901, name: workers, zone: eu-central-1a, cidr: 10.10.0.0/20}],
  route_tables: [{id: rtb-0e5a0000000000009, subnets: [workers], routes: [
    {destination: 100.96.0.0/24, target: i-0e5a0000000000009, blackhole: true}, {destination: 100.96.1.0/24, target: tgw-0e5a0000000000001}]}]}]}}}}
`
	const config = `apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1
kind: InfrastructureConfig
networks: {vpc: {id: vpc-0e5a0000000000009}, zones: [{name: eu-central-1a, workersSubnetID: subnet-0e5a0000000000901}]}
`
	for name, tc := range map[string]struct {
		flag         string
		tells, quiet []string
	}{
		"they stay":           {"", []string{"100.96.0.0/24", "aws ec2 delete-route --route-table-id rtb-0e5a0000000000009 --destination-cidr-block 100.96.1.0/24"}, nil},
		"those to nodes go":   {"--remove-pod-routes", []string{"100.96.1.0/24 via tgw-0e5a0000000000001"}, []string{"delete-route --route-table-id rtb-0e5a0000000000009 --destination-cidr-block 100.96.0.0/24"}},
		"a plan says so, too": {"--delete", []string{"100.96.0.0/24"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newAWSSite(t)
			w, err := sim.ParseWorld([]byte(world))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.cloud.Plant(w); err != nil {
				t.Fatal(err)
			}
			s.file("config.yaml", config)
			args := strings.Fields("-f config.yaml --name shoot--dev--one --nodes 10.10.0.0/16 --pods 100.96.0.0/11 --overlay on")
			if r := s.must(append([]string{"apply", "--yes"}, args...)...); !strings.Contains(r.out, "100.96.0.0/24") { // with an overlay nobody needs them
				t.Errorf("%s", r)
			}
			verb := []string{"delete", "--yes"}
			if tc.flag == "--delete" {
				verb = []string{"plan"}
			}
			if tc.flag != "" {
				verb = append(verb, tc.flag)
			}
			r := s.must(append(verb, args...)...)
			for _, text := range tc.tells {
				if !strings.Contains(r.out, text) {
					t.Errorf("it does not say %q: %s", text, r)
				}
			}
			for _, text := range tc.quiet {
				if strings.Contains(r.out, text) {
					t.Errorf("it says %q: %s", text, r)
				}
			}
		})
	}
}

// An interrupt at each write leaves a state from which the next run goes on.
func TestAWSInterruptedAtEachWriteAndRunAgain(t *testing.T) {
	const writes = 10 // of aws-ipv4.yaml, if equal tags come together
	stopped := 0
	args := append(flagsOf(t, "aws-ipv4.yaml"), "--settle", "0s")
	for n := range writes {
		t.Run(fmt.Sprintf("write %d", n+1), func(t *testing.T) {
			s := newAWSSite(t)
			var seen atomic.Int64
			s.cloud.Hook(func(c sim.Call, p sim.Phase) {
				if c.Write && p == sim.After && seen.Add(1) == int64(n+1) {
					s.interrupts <- os.Interrupt
				}
			})
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

// A plan that was kept is carried out, or refused if the cloud has changed.
func TestAWSKeptPlans(t *testing.T) {
	s := newAWSSite(t)
	args := flagsOf(t, "aws-dual-stack.yaml")
	s.must(append([]string{"plan", "--out", "plan.json"}, args...)...)
	if r := s.run("", "apply", "plan.json", "--os-cloud", "x"); r.code != 2 || !strings.Contains(r.err, "--os-cloud is for openstack") {
		t.Errorf("%s", r)
	}
	if r := s.must("apply", "plan.json"); !strings.Contains(r.out, "Done: 15 created") {
		t.Errorf("%s", r)
	}
	if r := s.run("", "apply", "plan.json"); r.code != 1 || !strings.Contains(r.err, "plan again") {
		t.Errorf("%s", r)
	}
	s.must(append([]string{"delete", "--yes"}, args...)...)
	s.clean()
}

// Who has lost the state and the UID is told so by a deletion, which would
// else find nothing and say that all is well.
func TestAWSDeletionWithAnotherUIDTellsOfTheFirst(t *testing.T) {
	s := newAWSSite(t)
	args := flagsOf(t, "aws-ipv4.yaml")
	s.must(append([]string{"apply", "--yes", "--uid", "u-1"}, args...)...)
	if err := os.Remove(stateName); err != nil {
		t.Fatal(err)
	}
	if r := s.run("", append([]string{"delete", "--yes"}, args...)...); r.code != 1 || !strings.Contains(r.out, "EAWS125") || !strings.Contains(r.out, "with the UID u-1") {
		t.Errorf("%s", r)
	}
	s.must(append([]string{"delete", "--yes", "--delete-marked", "--uid", "u-1"}, args...)...)
}

// The state of Gardener's provider in an Infrastructure comes into the plan: a
// group that it names and that is not there is in the way.
func TestAWSInfrastructureOfGardener(t *testing.T) {
	s := newAWSSite(t)
	s.file("theirs.yaml", `apiVersion: extensions.gardener.cloud/v1alpha1
kind: Infrastructure
metadata: {name: one, namespace: shoot--dev--one, uid: u-1}
spec:
  type: aws
  region: eu-central-1
  secretRef: {}
  providerConfig:
    apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1
    kind: InfrastructureConfig
    networks:
      vpc: {id: vpc-0e5a0000000000001}
      zones: [{name: eu-central-1a, workersSubnetID: subnet-0e5a0000000000a01, publicSubnetID: subnet-0e5a0000000000a02, internalSubnetID: subnet-0e5a0000000000a03}]
status:
  state: {apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1, kind: InfrastructureState, data: {NodesSecurityGroup: sg-0nowhere, VPC: vpc-0e5a0000000000001}}
`)
	args := []string{"plan", "-f", "theirs.yaml", "--nodes", "10.10.0.0/16", "--pods", "100.96.0.0/11", "--services", "100.64.0.0/13", "--network-type", "calico", "--overlay", "off"}
	if r := s.run("", args...); r.code != 1 || !strings.Contains(r.String(), "EGEN108") || !strings.Contains(r.String(), "sg-0nowhere") {
		t.Errorf("%s", r)
	}
	if n := len(sim.Writes(s.cloud.Calls())); n > 0 {
		t.Errorf("%d writes", n)
	}
}
