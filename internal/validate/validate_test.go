// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/validate"
)

func TestCanonicalUUID(t *testing.T) {
	for _, row := range []struct {
		name, text string
		ok         bool
	}{
		{"usual spelling", network, true},
		{"upper case", strings.ToUpper(network), true},
		{"without dashes", strings.ReplaceAll(network, "-", ""), true},
		{"as a URN", "urn:uuid:" + network, true},
		{"as a URN in upper case", "URN:UUID:" + network, true},
		{"in braces", "{" + network + "}", true},
		{"empty", "", false},
		{"a name", "corporate", false},
		{"a blank on each side", " " + network + " ", false},
		{"two blanks behind", network + "  ", false},
		{"a brace on one side", "{" + network + " ", false},
		{"a brace on the other side", " " + network + "}", false},
		{"braces without dashes", "{" + strings.ReplaceAll(network, "-", "") + "}", false},
		{"a line break behind", network + "\n", false},
		{"another prefix", "uuid:urn:" + network, false},
		{"a letter that is no digit", "g" + network[1:], false},
		{"dashes elsewhere", "3f1c8d1e8-a57-4a39-9c2c-0a7e6b1d2f01", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			canonical, ok := validate.CanonicalUUID(row.text)
			want := ""
			if row.ok {
				want = network
			}
			if canonical != want || ok != row.ok {
				t.Errorf("got %q, %v, want %q, %v", canonical, ok, want, row.ok)
			}
		})
	}
}

func TestParts(t *testing.T) {
	for detail, want := range map[string][2]string{
		"it is wrong; mend it":               {"it is wrong", "mend it"},
		"one; two; mend it":                  {"one; two", "mend it"},
		"something that is not from a rule.": {"something that is not from a rule.", ""},
	} {
		problem, fix := validate.Parts(&field.Error{Detail: detail})
		if problem != want[0] || fix != want[1] {
			t.Errorf("%q has parts %q and %q, want %q", detail, problem, fix, want)
		}
	}
}

func TestNetworkingOf(t *testing.T) {
	if validate.NetworkingOf(&corev1beta1.Shoot{}) != nil {
		t.Error("a Shoot without networking has one")
	}
	for _, row := range []struct {
		name, plugin string
		overlay      *bool
	}{
		{"no word about it", "", to(true)},
		{"no overlay object", `{"ipv4":{}}`, to(true)},
		{"on", `{"overlay":{"enabled":true}}`, to(true)},
		{"off", `{"overlay":{"enabled":false}}`, to(false)},
		{"unreadable", `{"overlay":{"enabled":"no"}}`, nil},
	} {
		t.Run("overlay: "+row.name, func(t *testing.T) {
			c := dual()
			c.networking.ProviderConfig = &runtime.RawExtension{Raw: []byte(row.plugin)}
			want := &validate.Networking{
				Type: "calico", Nodes: "10.250.0.0/16", Pods: "100.96.0.0/11", Services: "100.64.0.0/13",
				IPFamilies: []corev1beta1.IPFamily{"IPv4", "IPv6"}, Overlay: row.overlay,
			}
			if got := validate.NetworkingOf(c.shoot()); !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// What is not there is said, by rule and with the reason.
func TestNotChecked(t *testing.T) {
	for _, row := range []struct {
		name   string
		base   func() *cluster
		change func(c *cluster)
		want   []string
	}{
		{"all is there", managed, func(*cluster) {}, nil},
		{"no CloudProfile", managed, func(c *cluster) { c.profile = nil }, []string{"P1 no CloudProfile", "C2 no CloudProfile"}},
		{"no CloudProfile, and classes", managed, func(c *cluster) { c.profile = nil; classes(class{Name: "a"})(c) }, []string{"P1 no CloudProfile", "C9 no CloudProfile", "C2 no CloudProfile"}},
		{"no CloudProfile for a bare document", managed, func(c *cluster) { c.bare, c.profile = true, nil }, []string{"P1 no CloudProfile"}},
		{"no domain, and entries for domains", managed, pools("", fp{Name: "public", Domain: mine}), []string{"P1 the Keystone domain"}},
		{"classes of a pool that is not listed", managed, func(c *cluster) { c.profile.Constraints.FloatingPools[0].Name = "dmz"; classes(class{Name: "a"})(c) }, []string{"C9 the CloudProfile has no floating pool"}},
		{"no networking", managed, func(c *cluster) { c.networking = nil }, []string{"S6 the ranges", "H5 the ranges", "H6 the ranges", "H7 the ranges", "X3 the ranges", "Y3 the ranges"}},
		{"no range of nodes", managed, func(c *cluster) { c.networking.Nodes = nil }, []string{"S6 spec.networking.nodes is not given"}},
		{"no range of nodes with a subnet of the user", existing, func(c *cluster) { c.networking.Nodes = nil }, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := row.base()
			row.change(c)
			missing := validate.OpenStack(c.input()).NotChecked
			if len(missing) != len(row.want) {
				t.Fatalf("not checked: %v, want %q", missing, row.want)
			}
			for i, entry := range missing {
				if got := byCode[entry.Code].Number + " " + entry.Reason; !strings.HasPrefix(got, row.want[i]) {
					t.Errorf("not checked: %q, want %q", got, row.want[i])
				}
			}
		})
	}
}

func TestNotCheckedWithoutRegion(t *testing.T) {
	in := managed().input()
	in.Shoot.Spec.Region, in.Region = "", ""
	for _, entry := range validate.OpenStack(in).NotChecked {
		if !strings.HasPrefix(entry.Reason, "the region is not known") {
			t.Errorf("not checked: %v", entry)
		}
	}
}

// An update whose old side cannot be read says so for each rule about changes.
func TestNotCheckedUpdates(t *testing.T) {
	unreadable := managed()
	unreadable.rawConfig = "[]"
	absent := managed()
	absent.config = nil
	for name, old := range map[string]validate.Input{"unreadable": unreadable.input(), "absent": absent.input(), "nothing at all": {}} {
		t.Run(name, func(t *testing.T) {
			report := validate.OpenStackUpdate(old, managed().input())
			var got []string
			for _, entry := range report.NotChecked {
				got = append(got, byCode[entry.Code].Number)
			}
			want := []string{"U1", "U2", "U3", "U4", "U5", "U6", "U7", "U8", "N6", "N9", "N13", "N23"}
			if !slices.Equal(got, want) || len(report.Errors) > 0 {
				t.Errorf("not checked are %v, want %v; errors: %v", got, want, report.Errors)
			}
		})
	}
}

// A configuration may be handed over beside its Shoot, and with a base of its own.
func TestBase(t *testing.T) {
	c := managed()
	c.config.FloatingPoolName = ""
	for _, row := range []struct {
		name string
		in   validate.Input
		want string
	}{
		{"a bare document", validate.Input{Config: c.config}, "floatingPoolName"},
		{"an Infrastructure", validate.Input{Config: c.config, Base: field.NewPath("spec", "providerConfig")}, "spec.providerConfig.floatingPoolName"},
		{"a Shoot", validate.Input{Shoot: c.shoot()}, "spec.provider.infrastructureConfig.floatingPoolName"},
		{"a Shoot and its configuration", validate.Input{Config: c.config, Shoot: c.shoot()}, "spec.provider.infrastructureConfig.floatingPoolName"},
	} {
		t.Run(row.name, func(t *testing.T) {
			report := validate.OpenStack(row.in)
			if len(report.Errors) != 1 || report.Errors[0].Field != row.want {
				t.Errorf("errors are %v, want one at %s", report.Errors, row.want)
			}
		})
	}
}

// Nothing to check is nothing to find.
func TestNothing(t *testing.T) {
	report := validate.OpenStack(validate.Input{})
	if len(report.Errors)+len(report.Warnings)+len(report.NotChecked) > 0 {
		t.Errorf("found %v", report)
	}
}

func TestFindFloatingPoolTakesTheLongestLiteral(t *testing.T) {
	list := []v1alpha1.FloatingPool{{Name: "*"}, {Name: "pub*"}, {Name: "*blic"}, {Name: "public", DefaultFloatingSubnet: to("x")}, {Name: "public"}}
	for n, want := range map[int]string{1: "*", 2: "pub*", 3: "*blic", 5: "public"} {
		found, _ := validate.FindFloatingPool(list[:n], "", "RegionOne", "public")
		if found == nil || found.Name != want {
			t.Errorf("of the first %d entries %v was taken, want %s", n, found, want)
		}
	}
	if found, _ := validate.FindFloatingPool(list, "", "RegionOne", "public"); found.DefaultFloatingSubnet == nil {
		t.Error("of equals the first was not taken")
	}
	_, allowed := validate.FindFloatingPool([]v1alpha1.FloatingPool{{Name: "z"}, {Name: "a*", NonConstraining: to(true)}, {Name: "z"}}, "", "RegionOne", "public")
	if !slices.Equal(allowed, []string{"a*", "z"}) {
		t.Errorf("allowed are %q", allowed)
	}
}
