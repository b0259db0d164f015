// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/espalier-io/espalier/internal/statefile"
)

const stateName = "shoot--dev--one.espalier.json"

// good is a state in which pattern 4 was applied.
const good = `{"version": 1, "serial": 3, "uid": "u-1", "cloud": "p/RegionOne",
 "config": {"technicalID": "shoot--dev--one", "infrastructureConfig": {
  "apiVersion": "openstack.provider.extensions.gardener.cloud/v1alpha1", "kind": "InfrastructureConfig", "floatingPoolName": "public",
  "networks": {"id": "6e0a0000-0000-4000-8000-000000000001", "subnetId": "6e0a0000-0000-4000-8000-000000000002", "router": {"id": "6e0a0000-0000-4000-8000-000000000003"}}}},
 "records": []}`

func TestStatesThatAreRefused(t *testing.T) {
	for name, tc := range map[string]struct{ state, args, says string }{
		"truncated":                {good[:40], named, "unexpected end of JSON input"},
		"not JSON":                 {"hello", named, "Restore it from a backup"},
		"of a later version":       {strings.Replace(good, `"version": 1`, `"version": 9`, 1), named, "version 9 is not known"},
		"of another cluster":       {strings.Replace(good, "shoot--dev--one", "shoot--dev--two", 1), named, "the state belongs to the cluster shoot--dev--two, not to shoot--dev--one"},
		"with another UID":         {good, named + " --uid u-2", "the state belongs to the cluster with the UID u-1, not u-2"},
		"with an unread memory":    {strings.Replace(good, `"technicalID": "shoot--dev--one"`, `"technicalID": 1`, 1), named, "reading the configuration in the state"},
		"of a configuration to be": {strings.Replace(good, "v1alpha1", "v9", 1), named, "reading the configuration in the state"},
	} {
		for _, verb := range []string{"plan", "apply --yes", "delete --yes"} {
			t.Run(name+", "+verb, func(t *testing.T) {
				f := &fake{steps: someSteps()}
				b := newBench(t, f)
				b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
				b.file(stateName, tc.state)
				r := b.run("", strings.Fields(verb+tc.args)...)
				if r.code != 2 || !strings.Contains(r.err, tc.says) || f.looks > 0 {
					t.Errorf("%s\nwant %q", r, tc.says)
				}
				if data, err := os.ReadFile(stateName); err != nil || string(data) != tc.state {
					t.Errorf("the state is now %q, %v", data, err)
				}
			})
		}
	}
}

func TestStateThatAnotherProcessHolds(t *testing.T) {
	b := newBench(t, &fake{steps: someSteps()})
	b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
	other, err := statefile.Open(stateName, start)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	r := b.run("", strings.Fields("apply --yes"+named)...)
	if r.code != 2 || !strings.Contains(r.err, "is in use by process") {
		t.Errorf("%s", r)
	}
	if r := b.run("", strings.Fields("plan"+named)...); r.code != 0 {
		t.Errorf("looking needs no lock: %s", r)
	}
}

func TestModeOfTheStateIsMended(t *testing.T) {
	b := newBench(t, &fake{steps: someSteps()})
	b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
	b.file(stateName, good)
	if err := os.Chmod(stateName, 0o644); err != nil {
		t.Fatal(err)
	}
	r := b.run("", strings.Fields("plan"+named)...)
	if r.code != 0 || !strings.Contains(r.err, "Warning: others can read") {
		t.Errorf("%s", r)
	}
	r = b.run("", strings.Fields("apply --yes"+named)...)
	if info, err := os.Stat(stateName); r.code != 0 || !strings.Contains(r.err, "it has mode 0600 now") || err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s\n%v %v", r, info, err)
	}
}

func TestNowhereToPutTheState(t *testing.T) {
	f := &fake{steps: someSteps()}
	b := newBench(t, f)
	b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
	r := b.run("", strings.Fields("apply --yes --state none/s.json"+named)...)
	if r.code != 2 || !strings.Contains(r.err, "the directory must be there") || f.looks > 0 {
		t.Errorf("%s", r)
	}
}

func TestUpdateRulesCompareWithWhatWasApplied(t *testing.T) {
	f := &fake{steps: someSteps()}
	b := newBench(t, f)
	b.file("config.yaml", strings.ReplaceAll(example(t, "4-byo-subnet.yaml"), "000000000001", "00000000000a"))
	b.file(stateName, good)
	for _, verb := range []string{"validate", "preflight", "plan", "apply --yes"} {
		r := b.run("", strings.Fields(verb+named)...)
		if r.code != 1 || !strings.Contains(r.out, "networks.id") || !strings.Contains(r.out, "immutable") || f.looks > 0 {
			t.Errorf("%s", r)
		}
	}
	f.removal = someSteps()[:1]
	if r := b.run("", strings.Fields("delete --yes"+named)...); r.code != 0 {
		t.Errorf("a rule is in the way of a deletion: %s", r)
	}
}

func TestUpdateRulesCompareWithTheOldFile(t *testing.T) {
	b := newBench(t, &fake{})
	b.file("new.yaml", example(t, "4-byo-subnet.yaml"))
	b.file("old.yaml", strings.ReplaceAll(example(t, "4-byo-subnet.yaml"), "000000000002", "00000000000a"))
	b.file("broken.yaml", strings.Replace(example(t, "4-byo-subnet.yaml"), "networks:", "networks: 1 #", 1))
	b.file("unknown.yaml", example(t, "4-byo-subnet.yaml")+"future: 1\n")
	for old, want := range map[string]int{"new.yaml": 0, "old.yaml": 1, "broken.yaml": 2, "none.yaml": 2, "unknown.yaml": 0} {
		if r := b.run("", "validate", "-f", "new.yaml", "--old", old); r.code != want {
			t.Errorf("want the exit code %d: %s", want, r)
		}
	}
}

func TestUIDIsMadeOnceAndKept(t *testing.T) {
	f := &fake{steps: someSteps()}
	b := newBench(t, f)
	b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
	if b.run("", strings.Fields("plan"+named)...); f.cluster.UID != unmade {
		t.Errorf("a plan makes the UID %q", f.cluster.UID)
	}
	b.run("", strings.Fields("apply --yes"+named)...)
	if made := f.cluster.UID; len(made) != 36 || f.state.UID() != made {
		t.Errorf("made the UID %q, the state has %q", made, f.state.UID())
	}
	b.file(stateName, good)
	b.run("", strings.Fields("apply --yes"+named)...)
	if f.cluster.UID != "u-1" {
		t.Errorf("the UID is %q and not the state's", f.cluster.UID)
	}
}

func TestStateThatAnObjectCarries(t *testing.T) {
	infrastructure := `apiVersion: extensions.gardener.cloud/v1alpha1
kind: Infrastructure
metadata: {name: one, namespace: shoot--dev--one}
spec:
  type: openstack
  region: RegionOne
  secretRef: {}
  providerConfig:
    apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1
    kind: InfrastructureConfig
    floatingPoolName: public
    networks: {id: 6e0a0000-0000-4000-8000-000000000001, subnetId: 6e0a0000-0000-4000-8000-000000000002, router: {id: 6e0a0000-0000-4000-8000-000000000003}}
status:
  state:
    kind: InfrastructureState
    data:
`
	f := &fake{steps: someSteps()}
	b := newBench(t, f)
	b.file("ours.yaml", infrastructure+"      espalier: '"+strings.ReplaceAll(good, "\n", " ")+"'\n")
	b.file("theirs.yaml", infrastructure+"      Network: net-1\n")
	if r := b.run("", "status", "-f", "ours.yaml"); r.code != 0 || f.cluster.UID != "u-1" || !strings.Contains(r.out, "the state in the status of the object, 0 recorded") {
		t.Errorf("%s", r)
	}
	if r := b.run("", "status", "-f", "theirs.yaml"); r.code != 0 || f.cluster.Inherited["Network"] != "net-1" {
		t.Errorf("%s", r)
	}
	if r := b.run("", "apply", "--yes", "--unmanaged", "-f", "ours.yaml"); r.code != 0 || f.cluster.UID != "u-1" || f.state.Serial() != 3 {
		t.Errorf("%s", r)
	}
}
