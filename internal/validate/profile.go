// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

// namesDomain reports whether any floating pool is for one Keystone domain only.
func namesDomain(profile *v1alpha1.CloudProfileConfig) bool {
	return slices.ContainsFunc(profile.Constraints.FloatingPools, func(p v1alpha1.FloatingPool) bool { return p.Domain != nil })
}

// floatingPoolAllowed checks the floating pool against the CloudProfile.
func (v *view) floatingPoolAllowed() field.ErrorList {
	name := v.config.FloatingPoolName
	if name == "" || v.profileUnknown() != "" || (v.update && !v.poolNameChanged()) {
		return nil
	}
	pool, allowed := FindFloatingPool(v.profile.Constraints.FloatingPools, v.domain, v.region, name)
	if pool != nil {
		return nil
	}
	return field.ErrorList{poolNotAllowed.at(v.base.Child("floatingPoolName"), name,
		"the CloudProfile does not allow this floating pool in region "+v.region, allowedValues(allowed))}
}

// allowedValues is the fix of a value that is not among those allowed.
func allowedValues(values []string) string {
	if len(values) == 0 {
		return "ask the operator, for nothing is allowed here"
	}
	return "use one of: " + strings.Join(values, ", ")
}

// FindFloatingPool returns the entry of a CloudProfile that applies to a floating
// pool, or nil and the names and patterns that are allowed, sorted.
//
// Entries for both domain and region come first, then those for one of the two,
// then those for all. An entry that constrains stops wider ones from applying,
// unless they are non-constraining. If entries for the region and for the domain
// both constrain, both must allow the name. Of several entries that match, the
// one with the longest literal part is returned.
func FindFloatingPool(pools []v1alpha1.FloatingPool, domain, region, name string) (*v1alpha1.FloatingPool, []string) {
	var offered []string
	level := func(domain, region *string, additionalOnly bool) tier {
		t := newTier(pools, domain, region, name, additionalOnly)
		offered = append(offered, t.additional...)
		return t
	}
	exact := level(&domain, &region, false)
	if exact.match != nil {
		return exact.match, nil
	}
	byRegion := level(nil, &region, exact.constrains())
	byDomain := level(&domain, nil, exact.constrains())
	for _, pair := range [][2]tier{{byRegion, byDomain}, {byDomain, byRegion}} {
		if match, other := pair[0].match, pair[1]; match != nil && (other.match != nil || !other.constrains() || isTrue(match.NonConstraining)) {
			return match, nil
		}
	}
	constraints := both(byRegion, byDomain)
	if exact.constrains() {
		constraints = exact.constraints
	}
	all := level(nil, nil, len(constraints) > 0)
	if all.match != nil {
		return all.match, nil
	}
	if len(constraints) == 0 {
		constraints = all.constraints
	}
	allowed := slices.Concat(constraints, offered)
	slices.Sort(allowed)
	return nil, slices.Compact(allowed)
}

// both are the names that two tiers allow together.
func both(a, b tier) []string {
	if !a.constrains() || !b.constrains() {
		return slices.Concat(a.constraints, b.constraints)
	}
	return slices.DeleteFunc(slices.Clone(a.constraints), func(name string) bool { return !slices.Contains(b.constraints, name) })
}

// tier is what the entries for one domain and region say about a name.
type tier struct {
	match                   *v1alpha1.FloatingPool
	constraints, additional []string
}

func (t tier) constrains() bool { return len(t.constraints) > 0 }

// newTier looks at the entries with exactly this domain and region, nil meaning
// that the entry names none. additionalOnly leaves out those that constrain.
func newTier(pools []v1alpha1.FloatingPool, domain, region *string, name string, additionalOnly bool) tier {
	var t tier
	best := -1
	for i := range pools {
		pool := &pools[i]
		if !equal(pool.Domain, domain) || !equal(pool.Region, region) {
			continue
		}
		switch {
		case isTrue(pool.NonConstraining):
			t.additional = append(t.additional, pool.Name)
		case additionalOnly:
			continue
		default:
			t.constraints = append(t.constraints, pool.Name)
		}
		if literal := matches(pool.Name, name); literal > best {
			best, t.match = literal, pool
		}
	}
	return t
}

// matches returns the length of the literal part of a pattern that matches a
// name, and -1 if it does not match.
func matches(pattern, name string) int {
	prefix, open := strings.CutSuffix(pattern, "*")
	suffix, openAtFront := strings.CutPrefix(pattern, "*")
	switch {
	case pattern == name:
		return len(name)
	case open && strings.HasPrefix(name, prefix):
		return len(prefix)
	case openAtFront && strings.HasSuffix(name, suffix):
		return len(suffix)
	}
	return -1
}

// equal compares what two pointers point at.
func equal[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func isTrue(flag *bool) bool { return flag != nil && *flag }
