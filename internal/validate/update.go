// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"

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
	immutable(ipv6Changed, path.Child("ipv6"), sameIPv6(was.IPv6, is.IPv6), ipv6Text(was.IPv6), ipv6Text(is.IPv6))
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

func sameIPv6(a, b *v1alpha1.IPv6Config) bool {
	if a == nil || b == nil {
		return a == b
	}
	return sameOptionalID(a.SubnetPoolID, b.SubnetPoolID) && sameOptionalID(a.NodeSubnetID, b.NodeSubnetID) &&
		a.NodeCIDR == b.NodeCIDR && a.PodCIDR == b.PodCIDR && a.ServiceCIDR == b.ServiceCIDR
}

// What follows shows values in messages.

func quoted(text string) string {
	if text == "" {
		return "not set"
	}
	return fmt.Sprintf("%q", text)
}

func optional(text *string) string {
	if text == nil {
		return "not set"
	}
	return fmt.Sprintf("%q", *text)
}

func poolText(pool *v1alpha1.SubnetPool) string {
	if pool == nil {
		return "not set"
	}
	return fmt.Sprintf("a /%d of pool %q", pool.PrefixLength, pool.ID)
}

func ipv6Text(ipv6 *v1alpha1.IPv6Config) string {
	if ipv6 == nil {
		return "not set"
	}
	return fmt.Sprintf("subnetPoolID %s, nodeSubnetId %s, nodeCIDR %s, podCIDR %s, serviceCIDR %s", optional(ipv6.SubnetPoolID),
		optional(ipv6.NodeSubnetID), quoted(ipv6.NodeCIDR), quoted(ipv6.PodCIDR), quoted(ipv6.ServiceCIDR))
}
