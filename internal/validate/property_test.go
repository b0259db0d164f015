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
	"pgregory.net/rapid"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/validate"
)

// Values that rules are about, good and bad, so that random clusters meet them.
var (
	anyID     = rapid.SampledFrom([]string{network, subnet, router, nodeSubnet, other, strings.ToUpper(other), "{" + group + "}", "", "corporate", " " + share + " "})
	anyRange  = rapid.SampledFrom([]string{"", "10.250.0.0/16", "10.250.0.0/19", "10.250.0.1/19", "10.251.0.0/24", "100.64.0.0/13", "fd00::/64", "ten", "0.0.0.0/0"})
	anyRange6 = rapid.SampledFrom([]string{"", "fd00:10::/64", "fd00:20::/56", "fd00:20::/65", "fd00:30::/112", "fd00:30::/100", "fd00::/16", "::/0", "10.0.0.0/8", "six"})
	anyName   = rapid.SampledFrom([]string{"", "public", "dmz", "[x]", "~(", "!~a", "pub*"})
)

func optional[T any](t *rapid.T, values *rapid.Generator[T]) *T {
	return rapid.Ptr(values, true).Draw(t, "optional")
}

// randomCluster draws a cluster from those values.
func randomCluster(t *rapid.T) *cluster {
	c := managed()
	c.config.FloatingPoolName, c.config.FloatingPoolSubnetName = anyName.Draw(t, "pool"), optional(t, anyName)
	n := &c.config.Networks
	n.Worker, n.Workers = anyRange.Draw(t, "worker"), anyRange.Draw(t, "workers")
	n.ID, n.SubnetID, n.SecurityGroupID, n.ShareNetworkID = optional(t, anyID), optional(t, anyID), optional(t, anyID), optional(t, anyID)
	if id := optional(t, anyID); id != nil {
		n.Router = &v1alpha1.Router{ID: *id}
	}
	if id := optional(t, anyID); id != nil {
		n.SubnetPool = &v1alpha1.SubnetPool{ID: *id, PrefixLength: rapid.IntRange(-1, 34).Draw(t, "prefix length")}
	}
	if enabled := optional(t, rapid.Bool()); enabled != nil {
		n.ShareNetwork = &v1alpha1.ShareNetwork{Enabled: *enabled}
	}
	if rapid.Bool().Draw(t, "has IPv6") {
		n.IPv6 = &v1alpha1.IPv6Config{
			SubnetPoolID: optional(t, anyID), NodeSubnetID: optional(t, anyID),
			NodeCIDR: anyRange6.Draw(t, "nodes"), PodCIDR: anyRange6.Draw(t, "pods"), ServiceCIDR: anyRange6.Draw(t, "services"),
		}
	}
	c.networking = &corev1beta1.Networking{
		Nodes: optional(t, anyRange), Pods: optional(t, anyRange), Services: optional(t, anyRange),
		IPFamilies: rapid.SliceOfN(rapid.SampledFrom([]corev1beta1.IPFamily{"IPv4", "IPv6"}), 0, 2).Draw(t, "families"),
	}
	if config := optional(t, rapid.SampledFrom([]string{"null", "{}", `{"overlay":{"enabled":false}}`, `{"overlay":1}`})); config != nil {
		c.networking.ProviderConfig = &runtime.RawExtension{Raw: []byte(*config)}
	}
	c.control.LoadBalancerProvider = anyName.Draw(t, "provider")
	c.control.LoadBalancerClasses = rapid.SliceOfN(rapid.Custom(randomClass), 0, 3).Draw(t, "classes")
	c.profile.Constraints.FloatingPools = rapid.SliceOfN(rapid.Custom(randomPool), 0, 4).Draw(t, "pools")
	c.domain = rapid.SampledFrom([]string{"", "mine", "theirs"}).Draw(t, "domain")
	c.workers[0].Zones = rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b"}), 0, 3).Draw(t, "zones")
	c.bare = rapid.Bool().Draw(t, "bare")
	if rapid.Bool().Draw(t, "no profile") {
		c.profile = nil
	}
	return c
}

func randomClass(t *rapid.T) class {
	return class{
		Name: anyName.Draw(t, "name"), Purpose: optional(t, rapid.SampledFrom([]string{"default", "private", "vpn", "x"})),
		FloatingSubnetID: optional(t, anyID), FloatingSubnetName: optional(t, anyName), FloatingNetworkID: optional(t, anyID), SubnetID: optional(t, anyID),
	}
}

func randomPool(t *rapid.T) fp {
	return fp{
		Name: anyName.Draw(t, "name"), Region: optional(t, rapid.SampledFrom([]string{"RegionOne", "RegionTwo"})), Domain: optional(t, rapid.Just("mine")),
		NonConstraining: optional(t, rapid.Bool()), LoadBalancerClasses: rapid.SliceOfN(rapid.Custom(randomClass), 0, 2).Draw(t, "classes"),
	}
}

// respelled writes every UUID of a configuration in another way.
func respelled(t *rapid.T, config *v1alpha1.InfrastructureConfig) *v1alpha1.InfrastructureConfig {
	changed := config.DeepCopy()
	n := &changed.Networks
	ids := []*string{n.ID, n.SubnetID, n.SecurityGroupID, n.ShareNetworkID}
	if n.Router != nil {
		ids = append(ids, &n.Router.ID)
	}
	if n.SubnetPool != nil {
		ids = append(ids, &n.SubnetPool.ID)
	}
	if n.IPv6 != nil {
		ids = append(ids, n.IPv6.SubnetPoolID, n.IPv6.NodeSubnetID)
	}
	for _, id := range ids {
		if id == nil {
			continue
		}
		if canonical, ok := validate.CanonicalUUID(*id); ok {
			*id = rapid.SampledFrom([]string{canonical, strings.ToUpper(canonical), "{" + canonical + "}", "urn:uuid:" + canonical, strings.ReplaceAll(canonical, "-", "")}).Draw(t, "spelling")
		}
	}
	return changed
}

// withoutSpelling shows findings but for those about the spelling itself.
func withoutSpelling(r validate.Report) []string {
	return slices.DeleteFunc(shown(r.Errors, r.Warnings), func(text string) bool { return strings.HasPrefix(text, "X7 ") })
}

func TestCheckingIsDeterministicAndChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, updated := randomCluster(t).input(), randomCluster(t).input()
		for name, check := range map[string]func() validate.Report{
			"create": func() validate.Report { return validate.OpenStack(updated) },
			"update": func() validate.Report { return validate.OpenStackUpdate(old, updated) },
		} {
			before := []validate.Input{copied(old), copied(updated)}
			first, second := check(), check()
			if !reflect.DeepEqual(first, second) {
				t.Fatalf("%s: two checks differ:\n%v\n%v", name, first, second)
			}
			if !reflect.DeepEqual(before, []validate.Input{copied(old), copied(updated)}) {
				t.Fatalf("%s changed its input", name)
			}
		}
	})
}

// copied is a deep copy of everything that an input points at.
func copied(in validate.Input) validate.Input {
	in.Config, in.Shoot, in.Profile = in.Config.DeepCopy(), in.Shoot.DeepCopy(), in.Profile.DeepCopy()
	if in.Networking != nil {
		n := *in.Networking
		n.IPFamilies = slices.Clone(n.IPFamilies)
		in.Networking = &n
	}
	return in
}

func TestSpellingOfIDsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := randomCluster(t)
		in := c.input()
		was := withoutSpelling(validate.OpenStack(in))
		c.config = respelled(t, c.config)
		if now := withoutSpelling(validate.OpenStack(c.input())); !slices.Equal(was, now) {
			t.Fatalf("findings were %q, and are %q after other spellings", was, now)
		}
		unchanged := withoutSpelling(validate.OpenStackUpdate(in, in))
		if now := withoutSpelling(validate.OpenStackUpdate(in, c.input())); !slices.Equal(unchanged, now) {
			t.Fatalf("an update without a change finds %q, and %q with other spellings", unchanged, now)
		}
	})
}

// What is good when it is new stays good when nothing changes.
func TestGoodStaysGood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomCluster(t).input()
		created := shown(validate.OpenStack(in).Errors)
		for _, finding := range shown(validate.OpenStackUpdate(in, in).Errors) {
			if !slices.Contains(created, finding) && !strings.HasPrefix(finding, "S6 ") {
				t.Fatalf("an update without a change finds %q, a new cluster %q", finding, created)
			}
		}
	})
}

// A change is a change both ways, but for the share network, which may be
// switched on.
func TestChangesCountBothWays(t *testing.T) {
	changed := func(from, to validate.Input) []string {
		return slices.DeleteFunc(shown(validate.OpenStackUpdate(from, to).Errors), func(text string) bool {
			number, _, _ := strings.Cut(text, " ")
			return !slices.Contains([]string{"U1", "U2", "U3", "U4", "U5", "U6", "U7", "N6", "N9", "N13", "N23"}, number)
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := randomCluster(t).input(), randomCluster(t).input()
		if there, back := changed(a, b), changed(b, a); !slices.Equal(there, back) {
			t.Fatalf("one way %q, the other way %q", there, back)
		}
	})
}
