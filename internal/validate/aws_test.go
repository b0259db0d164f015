// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/validate"
)

// What is not there is said, by rule and with the reason.
func TestAWSNotChecked(t *testing.T) {
	for _, row := range []struct {
		name   string
		change func(c *awsCluster)
		want   []string
	}{
		{"all is there", func(*awsCluster) {}, nil},
		{"no CloudProfile", func(c *awsCluster) { c.profile = nil }, []string{"S36"}},
		{"a CloudProfile without the region", func(c *awsCluster) { c.profile.Regions = c.profile.Regions[:1] }, []string{"S36"}},
		{"no networking", func(c *awsCluster) { c.networking = nil }, []string{"S6", "S27", "S29", "H3", "H4", "H5"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := awsManaged()
			row.change(c)
			if got := uncheckedNumbers(validate.AWS(c.input())); !slices.Equal(got, row.want) {
				t.Errorf("not checked are %v, want %v", got, row.want)
			}
		})
	}
	t.Run("no old configuration", func(t *testing.T) {
		report := validate.AWSUpdate(validate.AWSInput{}, awsManaged().input())
		if got := uncheckedNumbers(report); len(got) != 12 || len(report.Errors) > 0 {
			t.Errorf("not checked are %v, errors %v", got, report.Errors)
		}
	})
	t.Run("nothing", func(t *testing.T) {
		if report := validate.AWS(validate.AWSInput{}); !reflect.DeepEqual(report, validate.Report{}) {
			t.Errorf("found %v", report)
		}
	})
}

func uncheckedNumbers(report validate.Report) []string {
	var numbers []string
	for _, entry := range report.NotChecked {
		numbers = append(numbers, byCode[entry.Code].Number)
	}
	return numbers
}

// Paths begin in the configuration unless a base is given.
func TestAWSBase(t *testing.T) {
	c := awsManaged()
	c.config.Networks.VPC.CIDR = nil
	for base, want := range map[*field.Path]string{nil: "networks.vpc", field.NewPath("spec", "providerConfig"): "spec.providerConfig.networks.vpc"} {
		report := validate.AWS(validate.AWSInput{Config: c.config, Base: base})
		if len(report.Errors) != 1 || report.Errors[0].Field != want {
			t.Errorf("errors are %v, want one at %s", report.Errors, want)
		}
	}
}

// A bare configuration for both families needs a word about the overlay.
func TestAWSOverlayOfBareConfigurations(t *testing.T) {
	c := awsDual()
	for name, row := range map[string]struct {
		overlay *bool
		want    []string
	}{"nobody says": {nil, []string{"H5 spec.networking.ipFamilies"}}, "off": {to(false), nil}, "on": {to(true), []string{"H4 spec.networking.providerConfig.overlay.enabled"}}} {
		t.Run(name, func(t *testing.T) {
			networking := &validate.Networking{Nodes: "10.250.0.0/16", IPFamilies: c.networking.IPFamilies, Overlay: row.overlay}
			if got := shown(validate.AWS(validate.AWSInput{Config: c.config, Networking: networking}).Errors); !slices.Equal(got, row.want) {
				t.Errorf("errors are %q, want %q", got, row.want)
			}
		})
	}
}

// The set-ups of the document have nothing to find.
func TestTheSetUpsOfTheDocumentAreGood(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "api", "aws", "v1alpha1", "testdata", "setups", "*.yaml"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%d set-ups: %v", len(files), err)
	}
	families := map[string]*validate.Networking{
		"IPv4":       {Nodes: "10.250.0.0/16", Pods: "100.96.0.0/11", Services: "100.64.0.0/13"},
		"dual-stack": {Nodes: "10.250.0.0/16", Pods: "100.96.0.0/11", Services: "100.64.0.0/13", IPFamilies: []corev1beta1.IPFamily{"IPv4", "IPv6"}, Overlay: to(false)},
		"IPv6":       {IPFamilies: []corev1beta1.IPFamily{"IPv6"}, Overlay: to(false)},
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		config, err := v1alpha1.DecodeStrict[v1alpha1.InfrastructureConfig](data)
		if err != nil {
			t.Fatal(err)
		}
		for family, networking := range families {
			t.Run(filepath.Base(file)+" "+family, func(t *testing.T) {
				in := validate.AWSInput{Config: config, Networking: networking}
				for name, report := range map[string]validate.Report{"new": validate.AWS(in), "as it is": validate.AWSUpdate(in, in)} {
					if len(report.Errors)+len(report.Warnings) > 0 {
						t.Errorf("%s: %v %v", name, report.Errors, report.Warnings)
					}
				}
			})
		}
	}
}

// randomAWSCluster draws a cluster from values that the rules are about.
func randomAWSCluster(t *rapid.T) *awsCluster {
	id := rapid.SampledFrom([]string{"", "vpc-1", "sg-1", "subnet-1", "subnet-2", "eipalloc-1", "x", "subnet-A"})
	cidr := rapid.SampledFrom([]string{"", "10.250.0.0/16", "10.250.0.0/19", "10.250.32.0/19", "10.250.0.1/19", "100.64.0.0/13", "2001:db8::/56", "0.0.0.0/0", "x"})
	c := awsManaged()
	n := &c.config.Networks
	n.VPC = v1alpha1.VPC{ID: optional(t, id), CIDR: optional(t, cidr), GatewayEndpoints: rapid.SliceOfN(id, 0, 2).Draw(t, "endpoints")}
	if rapid.Bool().Draw(t, "has a pool") {
		n.VPC.Ipv6IpamPool = &v1alpha1.IPAMPool{ID: optional(t, id), CidrBlock: optional(t, cidr)}
	}
	n.NodesSecurityGroupID = optional(t, id)
	n.Zones = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) v1alpha1.Zone {
		return v1alpha1.Zone{
			Name:   rapid.SampledFrom([]string{"eu-central-1a", "eu-central-1b", "", "X"}).Draw(t, "name"),
			Public: optional(t, cidr), Internal: optional(t, cidr), Workers: optional(t, cidr),
			WorkersSubnetID: optional(t, id), PublicSubnetID: optional(t, id), InternalSubnetID: optional(t, id), ElasticIPAllocationID: optional(t, id),
		}
	}), 0, 3).Draw(t, "zones")
	if enabled := optional(t, rapid.Bool()); enabled != nil {
		c.config.ElasticFileSystem = &v1alpha1.ElasticFileSystemConfig{Enabled: *enabled, ID: optional(t, id)}
		c.config.DualStack = &v1alpha1.DualStack{Enabled: rapid.Bool().Draw(t, "dual-stack")}
	}
	c.config.EnableDedicatedTenancyForVPC = optional(t, rapid.Bool())
	c.networking.Nodes, c.networking.Pods, c.networking.Services = optional(t, cidr), optional(t, cidr), optional(t, cidr)
	c.networking.IPFamilies = rapid.SliceOfN(rapid.SampledFrom([]corev1beta1.IPFamily{"IPv4", "IPv6"}), 0, 2).Draw(t, "families")
	c.networking.ProviderConfig = &runtime.RawExtension{Raw: []byte(rapid.SampledFrom([]string{"", "null", "[]", `{"overlay":{"enabled":false}}`}).Draw(t, "plugin"))}
	return c
}

func TestAWSCheckingIsDeterministicAndChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, updated := randomAWSCluster(t).input(), randomAWSCluster(t).input()
		before := []*corev1beta1.Shoot{old.Shoot.DeepCopy(), updated.Shoot.DeepCopy()}
		for name, check := range map[string]func() validate.Report{
			"create": func() validate.Report { return validate.AWS(updated) },
			"update": func() validate.Report { return validate.AWSUpdate(old, updated) },
		} {
			if first, second := check(), check(); !reflect.DeepEqual(first, second) {
				t.Fatalf("%s: two checks differ:\n%v\n%v", name, first, second)
			}
		}
		if !reflect.DeepEqual(before, []*corev1beta1.Shoot{old.Shoot, updated.Shoot}) {
			t.Fatal("the input was changed")
		}
	})
}

func TestAWSGoodStaysGood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomAWSCluster(t).input()
		created := shown(validate.AWS(in).Errors)
		for _, finding := range shown(validate.AWSUpdate(in, in).Errors) {
			if !slices.Contains(created, finding) {
				t.Fatalf("an update without a change finds %q, a new cluster %q", finding, created)
			}
		}
	})
}

// FuzzAWS feeds any two documents through strict reading and the rules.
func FuzzAWS(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("..", "..", "api", "aws", "v1alpha1", "testdata", "*", "*.yaml"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, []byte(strings.Replace(string(data), "eu-central-1a", "", 1)), "10.250.0.0/16", `{"overlay":{"enabled":false}}`)
	}
	f.Fuzz(func(_ *testing.T, first, second []byte, nodes, plugin string) {
		input := func(document []byte) validate.AWSInput {
			shoot := awsDual().shoot()
			shoot.Spec.Networking.Nodes, shoot.Spec.Networking.ProviderConfig.Raw = &nodes, []byte(plugin)
			shoot.Spec.Provider.InfrastructureConfig = &runtime.RawExtension{Raw: document}
			shoot.Spec.Provider.ControlPlaneConfig = &runtime.RawExtension{Raw: document}
			return validate.AWSInput{Shoot: shoot}
		}
		validate.AWS(input(first))
		validate.AWSUpdate(input(first), input(second))
	})
}
