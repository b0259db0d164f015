// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package structure

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"
)

const byoAPI = `package v1alpha1
type Networks struct { ID, SubnetID, SecurityGroupID, ShareNetworkID *string; Router *Router; IPv6 *IPv6Config }
type Router struct { ID string }
type IPv6Config struct { NodeSubnetID *string }
type Config struct { Networks Networks }`

const awsAPI = `package v1alpha1
type Networks struct { NodesSecurityGroupID *string; VPC VPC; Zones []Zone }
type VPC struct { ID *string }
type Zone struct { WorkersSubnetID, PublicSubnetID, InternalSubnetID, ElasticIPAllocationID *string }`

// only imports one package, the one that was checked before.
type only struct{ pkg *types.Package }

func (o only) Import(path string) (*types.Package, error) {
	if o.pkg == nil || path != o.pkg.Path() {
		return nil, fmt.Errorf("no package %s", path)
	}
	return o.pkg, nil
}

func check(t *testing.T, path, api string) only {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "api.go", api, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check(path, fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return only{pkg}
}

func TestBYOFields(t *testing.T) {
	const header = "package x\nimport api \"example.org/m/api/openstack/v1alpha1\"\n"
	for _, r := range []struct {
		name, file, body string
		want             []string
	}{
		{"the topology may", "internal/openstack/topology.go", "func f(c api.Config) bool { return c.Networks.SubnetID != nil }", nil},
		{"a part of the topology may", "internal/openstack/topology_groups.go", "func f(c api.Config) bool { return c.Networks.SubnetID != nil }", nil},
		{"what writes configurations for tests may", "test/estate/a.go", "func f(c *api.Config) { c.Networks.ID = nil }", nil},
		{"static rules may", "internal/validate/a.go", "func f(c api.Config) bool { return c.Networks.ID != nil }", nil},
		{"the checks of a cloud may not", "internal/openstack/checks.go", "func f(c api.Config) bool { return c.Networks.SubnetID != nil }",
			[]string{"internal/openstack/checks.go:3: reads Networks.SubnetID"}},
		{"the command line may not", "internal/cli/a.go", "func f(c *api.Config) any { n := &c.Networks; return []any{n.Router, n.IPv6.NodeSubnetID} }",
			[]string{"reads IPv6Config.NodeSubnetID", "reads Networks.Router"}},
		{"through a type that embeds it neither", "internal/cli/a.go", "type w struct{ api.Networks }\nfunc f(x w) any { return x.SecurityGroupID }",
			[]string{"reads Networks.SecurityGroupID"}},
		{"a field of the same name of another type is no matter", "internal/cli/a.go", "func f(r api.Router) string { return r.ID }", nil},
		{"building a configuration is not reading one", "internal/cli/a.go", "var c = api.Networks{ID: nil}", nil},
	} {
		t.Run(r.name, func(t *testing.T) {
			imp := check(t, "example.org/m/api/openstack/v1alpha1", byoAPI)
			fields, faults := fieldsOf("example.org/m", imp, byoFields[:2])
			compare(t, faults, nil)
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, r.file, header+r.body, 0)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, byoReads(fset, imp, "example.org/m/x", []*ast.File{file}, fields), r.want)
		})
	}
}

func TestBYOFieldsThatAreGone(t *testing.T) {
	_, faults := fieldsOf("example.org/m", check(t, "example.org/m/api/openstack/v1alpha1",
		"package v1alpha1\ntype Networks struct { ID, SubnetID, SecurityGroupID, ShareNetworkID *string; Gateway any }"), byoFields[:2])
	compare(t, faults, []string{"no field Networks.Router", "no field IPv6Config.NodeSubnetID"})
}

// The whole way once, through go list and the compiler's export data.
func TestBYOFieldsOfAModule(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                         goMod,
		"api/openstack/v1alpha1/api.go":  byoAPI,
		"api/aws/v1alpha1/api.go":        awsAPI,
		"internal/openstack/topology.go": "package openstack\nimport api \"example.org/m/api/openstack/v1alpha1\"\nfunc T(c api.Config) any { return c.Networks.ID }\n",
		"internal/openstack/checks.go":   "package openstack\nimport api \"example.org/m/api/openstack/v1alpha1\"\nfunc C(c api.Config) any { return c.Networks.ID }\n",
		"internal/cli/a.go":              "package cli\nimport (\n\"example.org/m/internal/openstack\"\n\"example.org/m/api/aws/v1alpha1\"\n)\nvar F = openstack.C\nfunc A(z v1alpha1.Zone) any { return z.PublicSubnetID }\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	compare(t, byoFaults(&tree{module: "example.org/m", root: root}), []string{
		"internal/cli/a.go:7: reads Zone.PublicSubnetID", "internal/openstack/checks.go:3: reads Networks.ID"})
}
