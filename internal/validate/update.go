// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

// changeCodes lists the rules about what may not change.
func changeCodes() []code {
	return []code{networkChanged, routerChanged, workerChanged, workersChanged, subnetPoolChanged, poolChanged, poolSubnetChanged,
		shareNetworkChanged, subnetChanged, groupChanged, shareChanged, ipv6Changed}
}

// changesUnchecked says that the old configuration could not be read.
func (v *view) changesUnchecked() []NotChecked {
	if v.old != nil {
		return nil
	}
	var missing []NotChecked
	for _, rule := range changeCodes() {
		missing = append(missing, NotChecked{string(rule), "the old configuration is absent or cannot be read"})
	}
	return missing
}

// poolNameChanged reports whether an update changes the floating pool.
func (v *view) poolNameChanged() bool {
	return v.old != nil && v.old.FloatingPoolName != v.config.FloatingPoolName
}

// changes compares the configuration with the one before, both ways: what was
// added is a change like what was removed. IDs are compared whatever their
// spelling is.
func (v *view) changes() field.ErrorList {
	if v.old == nil {
		return nil
	}
	var findings field.ErrorList
	was, is, path := v.old.Networks, v.config.Networks, v.networks()
	immutable := func(rule code, path *field.Path, same bool, was, is any) {
		if !same {
			findings = append(findings, rule.at(path, is, fmt.Sprintf("field is immutable, it was %v", was), "take the change back, or make a new cluster"))
		}
	}
	text := func(rule code, path *field.Path, was, is string) { immutable(rule, path, was == is, quoted(was), is) }
	id := func(rule code, path *field.Path, was, is *string) {
		immutable(rule, path, sameOptionalID(was, is), optional(was), orEmpty(is))
	}
	text(poolChanged, v.base.Child("floatingPoolName"), v.old.FloatingPoolName, v.config.FloatingPoolName)
	immutable(poolSubnetChanged, v.base.Child("floatingPoolSubnetName"), equal(v.old.FloatingPoolSubnetName, v.config.FloatingPoolSubnetName),
		optional(v.old.FloatingPoolSubnetName), orEmpty(v.config.FloatingPoolSubnetName))
	id(networkChanged, path.Child("id"), was.ID, is.ID)
	id(routerChanged, path.Child("router"), routerOf(was), routerOf(is))
	text(workerChanged, path.Child("worker"), was.Worker, is.Worker)
	text(workersChanged, path.Child("workers"), was.Workers, is.Workers)
	immutable(subnetPoolChanged, path.Child("subnetPool"), equal(canonicalPool(was.SubnetPool), canonicalPool(is.SubnetPool)), poolText(was.SubnetPool), poolText(is.SubnetPool))
	id(subnetChanged, path.Child("subnetId"), was.SubnetID, is.SubnetID)
	id(groupChanged, path.Child("securityGroupId"), was.SecurityGroupID, is.SecurityGroupID)
	id(shareChanged, path.Child("shareNetworkId"), was.ShareNetworkID, is.ShareNetworkID)
	if was.ShareNetwork != nil && was.ShareNetwork.Enabled && (is.ShareNetwork == nil || !is.ShareNetwork.Enabled) {
		findings = append(findings, shareNetworkChanged.at(path.Child("shareNetwork"), "", "field is immutable once it is enabled", "take the change back, or make a new cluster"))
	}
	wasIPv6, isIPv6 := ipv6Difference(was.IPv6, is.IPv6)
	immutable(ipv6Changed, path.Child("ipv6"), wasIPv6 == isIPv6, wasIPv6, isIPv6)
	return findings
}

func routerOf(n v1alpha1.Networks) *string {
	if n.Router == nil {
		return nil
	}
	return &n.Router.ID
}

// sameOptionalID compares two IDs that may be absent.
func sameOptionalID(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return sameID(*a, *b)
}

// canonicalPool is a pool with its ID in the usual spelling.
func canonicalPool(pool *v1alpha1.SubnetPool) *v1alpha1.SubnetPool {
	if pool == nil {
		return nil
	}
	return &v1alpha1.SubnetPool{ID: canonicalOr(pool.ID), PrefixLength: pool.PrefixLength}
}

// What follows shows values in messages.

const notSet = "not set"

func quoted(text string) string {
	if text == "" {
		return notSet
	}
	return fmt.Sprintf("%q", text)
}

func optional(text *string) string {
	if text == nil {
		return notSet
	}
	return fmt.Sprintf("%q", *text)
}

func poolText(pool *v1alpha1.SubnetPool) string {
	if pool == nil {
		return notSet
	}
	return fmt.Sprintf("a /%d of pool %q", pool.PrefixLength, pool.ID)
}

// ipv6Difference shows the keys of two IPv6 blocks that differ.
func ipv6Difference(was, is *v1alpha1.IPv6Config) (wasText, isText string) {
	if was == nil || is == nil {
		return presence(was), presence(is)
	}
	var before, now []string
	note := func(same bool, key, was, is string) {
		if !same {
			before, now = append(before, key+" "+was), append(now, key+" "+is)
		}
	}
	note(sameOptionalID(was.SubnetPoolID, is.SubnetPoolID), "subnetPoolID", optional(was.SubnetPoolID), optional(is.SubnetPoolID))
	note(was.NodeCIDR == is.NodeCIDR, "nodeCIDR", quoted(was.NodeCIDR), quoted(is.NodeCIDR))
	note(was.PodCIDR == is.PodCIDR, "podCIDR", quoted(was.PodCIDR), quoted(is.PodCIDR))
	note(was.ServiceCIDR == is.ServiceCIDR, "serviceCIDR", quoted(was.ServiceCIDR), quoted(is.ServiceCIDR))
	note(sameOptionalID(was.NodeSubnetID, is.NodeSubnetID), "nodeSubnetId", optional(was.NodeSubnetID), optional(is.NodeSubnetID))
	return strings.Join(before, ", "), strings.Join(now, ", ")
}

func presence(ipv6 *v1alpha1.IPv6Config) string {
	if ipv6 == nil {
		return notSet
	}
	return "set"
}
