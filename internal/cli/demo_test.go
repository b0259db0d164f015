// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// reads are numbers of calls, which the benchmarks hold to their limits. So
// are writes that may become one if they come together, which is a matter of
// time: only that there are some is certain.
var (
	reads  = regexp.MustCompile(`(\(|calls: )(\d+)( calls|,)`)
	joined = regexp.MustCompile(`(, |of them )[1-9]\d* (of them )?write`)
)

func TestDemoProvesEachPattern(t *testing.T) {
	for _, p := range providers() {
		cloud := p.form().Type
		for n := range p.builtIn().patterns {
			name := "demo " + cloud + " pattern " + strconv.Itoa(n+1)
			t.Run(name, func(t *testing.T) {
				b := newBench(t, nil)
				r := b.run("", "demo", cloud, "--pattern", strconv.Itoa(n+1))
				text := reads.ReplaceAllString(r.String(), "${1}N$3")
				if cloud == "aws" {
					text = joined.ReplaceAllString(text, "${1}N ${2}write")
				}
				golden(t, name, text)
			})
		}
	}
}

func TestDemoOfOtherThings(t *testing.T) {
	b := newBench(t, nil)
	for _, args := range [][]string{{"demo", "mars"}, {"demo", "--pattern", "-1"}, {"demo", "--pattern", "6"}, {"cloud"}, {"cloud", "mars"}, {"cloud", "openstack", "mars"}} {
		if r := b.run("", args...); r.code != 2 || r.out != "" {
			t.Errorf("%s", r)
		}
	}
}

// stocked is a built-in cloud with the world of the demo.
func stocked(t *testing.T, b builtIn) stage {
	t.Helper()
	cloud, err := b.stock(nil)
	if err != nil {
		t.Fatal(err)
	}
	return cloud
}

func TestProofFindsWhatDiffers(t *testing.T) {
	b := (&openStack{}).builtIn()
	before := stocked(t, b).Snapshot()
	const network = `"id": "6e0a0000-0000-4000-8000-000000000021",`
	for name, tc := range map[string]struct {
		from, to                 string
		touched, differs, leaked int
	}{
		"nothing":             {"", "", 0, 0, 0},
		"a counter":           {`"revision_number": 1`, `"revision_number": 99`, 0, 0, 0},
		"a field":             {`"description": "made by the network team"`, `"description": "x"`, 1, 1, 0},
		"a field that is new": {network, network + `"mark": "x",`, 1, 1, 0},
		"two fields":          {network, network + `"mark": "x", "more": "x",`, 1, 2, 0},
		"something is gone":   {`"name": "edge",`, `"name": "edge", "id": "x",`, 1, 1, 1},
		"something is left":   {`"routers": [`, `"routers": [{"id": "x"},`, 0, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			after := bytes.Replace(before, []byte(tc.from), []byte(tc.to), 1)
			c, err := b.compared(before, after)
			if err != nil || c.unchanged != c.before-tc.touched || len(c.differs) != tc.differs || len(c.leaked) != tc.leaked {
				t.Errorf("%+v, %v", c, err)
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
