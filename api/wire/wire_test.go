// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"strings"
	"testing"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/api/wire"
)

const head = "apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1\nkind: InfrastructureConfig\n"

func TestStrictReading(t *testing.T) {
	for _, row := range []struct{ name, document, want string }{
		{"a good document", head + "floatingPoolName: p\nnetworks: {}\n", ""},
		{"JSON", `{"apiVersion":"openstack.provider.extensions.gardener.cloud/v1alpha1","kind":"InfrastructureConfig","floatingPoolName":"p","networks":{}}`, ""},
		{"a comment and a separator around the document", "# mine\n---\n" + head + "---\n", ""},
		{"an unknown field with its line", head + "networks:\n  id: a\n  subnetid: b\n", `line 5: unknown field "networks.subnetid"`},
		{"all unknown fields at once", head + "one: 1\nnetworks:\n  ipv6:\n    subnetPoolId: b\n", "line 3: unknown field \"one\"\nline 6: unknown field \"networks.ipv6.subnetPoolId\""},
		{"an unknown field that stands in an anchor", head + "networks: &n\n  two: 2\n", `line 4: unknown field "networks.two"`},
		{"an unknown field in one line has no line", `{"apiVersion":"openstack.provider.extensions.gardener.cloud/v1alpha1","kind":"InfrastructureConfig","one":1}`, `unknown field "one"`},
		{"a repeated field with its line", head + "networks:\n  id: a\n  id: b\n", `line 5: key "id" already set in map`},
		{"a repeated field in JSON", `{"apiVersion":"openstack.provider.extensions.gardener.cloud/v1alpha1","kind":"InfrastructureConfig","networks":{"id":"a","id":"b"}}`, `duplicate field "networks.id"`},
		{"a number for a string with its line", head + "networks:\n  id: 1\n", `line 4: field "networks.id" must be a string, not number`},
		{"a list for an object", head + "networks: []\n", `line 3: field "networks" must be an object, not array`},
		{"a string for a number", head + "networks:\n  subnetPool:\n    prefixLength: wide\n", `line 5: field "networks.subnetPool.prefixLength" must be a whole number, not string`},
		{"another kind", strings.Replace(head, "InfrastructureConfig", "WorkerConfig", 1), `kind is "WorkerConfig" and apiVersion is "openstack.provider.extensions.gardener.cloud/v1alpha1", expected kind "InfrastructureConfig"`},
		{"another cloud", strings.Replace(head, "openstack", "aws", 1), `apiVersion is "aws.provider.extensions.gardener.cloud/v1alpha1", expected`},
		{"no kind", "floatingPoolName: p\n", `kind is "" and apiVersion is "", expected kind "InfrastructureConfig"`},
		{"keys in another case do not count", "APIVersion: a\nKind: b\n", `kind is ""`},
		{"a kind that is no string", "kind: []\napiVersion: x\n", "apiVersion and kind must be strings"},
		{"a second document", head + "---\n" + head, "more than one document"},
		{"nothing", " \n", "the document is empty"},
		{"a list", "- a\n", "not an object"},
		{"no YAML", "a: [\n", "not valid YAML"},
		{"null", "null\n", "not an object"},
	} {
		t.Run(row.name, func(t *testing.T) {
			config, err := v1alpha1.DecodeStrict[v1alpha1.InfrastructureConfig]([]byte(row.document))
			if row.want == "" {
				if err != nil || config.Kind != "InfrastructureConfig" {
					t.Fatalf("got %v, %v", config, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("error is\n%v\nwant\n%s", err, row.want)
			}
			if config != nil {
				t.Error("a document that is refused is returned all the same")
			}
		})
	}
}

func TestLenientReading(t *testing.T) {
	for _, row := range []struct{ name, document, want string }{
		{"what is not known is dropped", head + "floatingPoolName: p\nfuture: 1\nnetworks:\n  more: {}\n", ""},
		{"a value of the wrong type is an error", head + "networks:\n  id: 1\n", `field "networks.id" must be a string`},
		{"another kind is an error", strings.Replace(head, "InfrastructureConfig", "WorkerConfig", 1), `kind is "WorkerConfig"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			config, err := v1alpha1.DecodeLenient[v1alpha1.InfrastructureConfig]([]byte(row.document))
			if row.want == "" {
				if err != nil || config.FloatingPoolName != "p" {
					t.Fatalf("got %v, %v", config, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("error is %v, want %s", err, row.want)
			}
		})
	}
}

func TestLineOf(t *testing.T) {
	document := []byte("a:\n  b.c:\n  - x: 1\n  - y: 2\n    'z[0]': 3\n\"\": 4\nshared: &s {k: v}\ncopy: *s\n")
	for path, want := range map[string]int{
		"a": 1, "a.b.c": 2, "a.b.c[0].x": 3, "a.b.c[1].y": 4, "a.b.c[1].z[0]": 5, "copy.k": 7,
		"": 0, "a.b": 0, "a.b.c[2].x": 0, "a.b.c[-1]": 0, "a.b.c[x]": 0, "a.b.c.x": 0, "nowhere": 0, "a.b.c[0].x.deeper": 0,
	} {
		if got := wire.LineOf(document, path); got != want {
			t.Errorf("line of %q is %d, want %d", path, got, want)
		}
	}
	if got := wire.LineOf([]byte("a: ["), "a"); got != 0 {
		t.Errorf("broken YAML has a line %d", got)
	}
}

// FuzzDecode feeds anything to both readers: they may refuse it, never panic,
// and what the strict one takes the lenient one takes too.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(head + "floatingPoolName: p\nnetworks:\n  id: a\n"))
	f.Add([]byte(head + "networks: &n\n  two: *n\n"))
	f.Add([]byte(head + "x: 1\n---\n{}"))
	f.Add([]byte(`{"apiVersion":"openstack.provider.extensions.gardener.cloud/v1alpha1","kind":"InfrastructureConfig","":{"":1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, strict := v1alpha1.DecodeStrict[v1alpha1.InfrastructureConfig](data)
		_, lenient := v1alpha1.DecodeLenient[v1alpha1.InfrastructureConfig](data)
		if strict == nil && lenient != nil {
			t.Errorf("strict reading works and lenient reading says %v", lenient)
		}
	})
}
