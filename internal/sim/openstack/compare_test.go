// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"strings"
	"testing"
)

func TestCompareSaysWhatDiffers(t *testing.T) {
	c, s := plantedCloud(t, "testdata/errors.yaml", 0)
	a := login(t, s, "a")
	before := c.Snapshot("a")
	a.must("PUT", fill(t, c, neutron+"/networks/{network:net}"), `{"network":{"description":"changed"}}`)
	a.must("DELETE", fill(t, c, neutron+"/networks/{network:other}"), "")
	a.must("POST", neutron+"/security-groups", `{"security_group":{"name":"leak"}}`)
	a.must("DELETE", comp+"/os-keypairs/key", "")
	after := c.Snapshot("a")
	for _, test := range []struct {
		name   string
		ignore []string
		want   string
	}{
		{"everything", nil, "keypairs gone key, networks net description, networks net revision_number, networks gone other, security_groups new leak, subnets gone overlapping"},
		{"a field of all kinds", []string{"revision_number"}, "keypairs gone key, networks net description, networks gone other, security_groups new leak, subnets gone overlapping"},
		{"a field of one kind", []string{"networks.description", "subnets.revision_number"}, "keypairs gone key, networks net revision_number, networks gone other, security_groups new leak, subnets gone overlapping"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Compare(before, after, append(test.ignore, "updated_at")...)
			if err != nil {
				t.Fatal(err)
			}
			have := map[string]bool{}
			for _, d := range got {
				switch {
				case d.Gone():
					have[d.Kind+" gone "+d.Name] = true
				case d.New():
					have[d.Kind+" new "+d.Name] = true
				default:
					have[d.Kind+" "+d.Name+" "+d.Field] = true
				}
			}
			for want := range strings.SplitSeq(test.want, ", ") {
				if !have[want] {
					t.Errorf("it does not say %q", want)
				}
				delete(have, want)
			}
			if len(have) > 0 {
				t.Errorf("it also says %v", have)
			}
		})
	}
}

func TestADifferenceReadsWell(t *testing.T) {
	got, err := Compare([]byte(`{"networks":[{"id":"1","name":"n","mtu":1},{"id":"2"}]}`), []byte(`{"networks":[{"id":"1","name":"n","mtu":2},{"id":"3"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, d := range got {
		lines = append(lines, d.String())
	}
	want := "networks 1 (n): mtu was 1 and is 2\nnetworks 2 () is gone\nnetworks 3 () is new"
	if strings.Join(lines, "\n") != want {
		t.Errorf("it says\n%s\nwant\n%s", strings.Join(lines, "\n"), want)
	}
	if _, err := Compare([]byte("x"), nil); err == nil {
		t.Error("what is no snapshot is compared")
	}
}

func TestASnapshotOfAProjectHoldsWhatItOwns(t *testing.T) {
	c, _ := plantedCloud(t, "testdata/errors.yaml", 0)
	all, err := Count(c.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	a, _ := Count(c.Snapshot("a"))
	b, _ := Count(c.Snapshot("b"))
	both, _ := Count(c.Snapshot("a", "b"))
	nothing, _ := Count(c.Snapshot("nothing"))
	if a == 0 || b == 0 || both != a+b || all <= both || nothing != 0 {
		t.Errorf("all %d, a %d, b %d, both %d, nothing %d", all, a, b, both, nothing)
	}
}
