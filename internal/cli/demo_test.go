// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// reads are numbers of calls, which the benchmarks hold to their limits.
var reads = regexp.MustCompile(`(\(|calls: )(\d+)( calls|,)`)

func TestDemoProvesEachPattern(t *testing.T) {
	for n := range patterns {
		name := "demo pattern " + strconv.Itoa(n+1)
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			r := b.run("", "demo", "openstack", "--pattern", strconv.Itoa(n+1))
			golden(t, name, reads.ReplaceAllString(r.String(), "${1}N$3"))
		})
	}
}

func TestDemoOfOtherThings(t *testing.T) {
	b := newBench(t, nil)
	for _, args := range [][]string{{"demo", "aws"}, {"demo", "--pattern", "0"}, {"demo", "--pattern", "6"}, {"cloud"}, {"cloud", "aws"}} {
		if r := b.run("", args...); r.code != 2 || r.out != "" {
			t.Errorf("%s", r)
		}
	}
}

// stocked is a built-in cloud with the world of the demo.
func stocked(t *testing.T) *sim.Cloud {
	t.Helper()
	cloud, err := (&app{}).stock("")
	if err != nil {
		t.Fatal(err)
	}
	return cloud
}

func taken(t *testing.T, cloud *sim.Cloud) things {
	t.Helper()
	all, err := take(cloud)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestProofFindsWhatDiffers(t *testing.T) {
	const network = "networks 6e0a0000-0000-4000-8000-000000000001"
	for name, tc := range map[string]struct {
		change          func(now things)
		unchanged       int // fewer than all
		differs, leaked int
	}{
		"nothing":             {func(things) {}, 0, 0, 0},
		"a counter":           {func(now things) { now[network]["revision_number"] = json.RawMessage("99") }, 0, 0, 0},
		"a field":             {func(now things) { now[network]["name"] = json.RawMessage(`"x"`) }, 1, 1, 0},
		"a field that is new": {func(now things) { now[network]["mark"] = json.RawMessage(`"x"`) }, 1, 1, 0},
		"two fields":          {func(now things) { now[network]["name"], now[network]["mtu"] = json.RawMessage(`"x"`), nil }, 1, 2, 0},
		"something is gone":   {func(now things) { delete(now, network) }, 1, 1, 0},
		"something is left":   {func(now things) { now["routers x"] = map[string]json.RawMessage{} }, 0, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			cloud := stocked(t)
			before, now := taken(t, cloud), taken(t, cloud)
			tc.change(now)
			unchanged, differs, leaked := now.against(before)
			if unchanged != len(before)-tc.unchanged || len(differs) != tc.differs || len(leaked) != tc.leaked {
				t.Errorf("%d unchanged of %d, differs %q, leaked %q", unchanged, len(before), differs, leaked)
			}
		})
	}
}

func TestEnvironmentOfTheCloudCanBePrintedBeforehand(t *testing.T) {
	b := newBench(t, nil)
	r := b.run("", "cloud", "openstack", "--env-only", "--listen", "127.0.0.1:5000", "--user", "b")
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if r.code != 0 || !slices.Contains(lines, "export OS_AUTH_URL=http://127.0.0.1:5000/identity/v3") || !slices.Contains(lines, "export OS_PASSWORD=b") {
		t.Errorf("%s", r)
	}
}
