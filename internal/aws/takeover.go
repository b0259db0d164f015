// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"net/netip"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// inheritedKeys are the keys under which Gardener's AWS provider keeps IDs in
// its flat state, by node. It keeps the user's security group under the key of
// its own: only keys of nodes that are ours here count.
var inheritedKeys = map[string]string{
	groupNode:   "NodesSecurityGroup",
	keyPairNode: "KeyPair",
	roleNode:    "IAMRoleName",
	profileNode: "IAMInstanceProfileName",
}

// inheritedServices is the key of the IPv6 range of Services.
const inheritedServices = "ServiceCIDR"

// inherited is the ID that the state of Gardener's provider has for a node.
func (c Config) inherited(node string) engine.ID { return engine.ID(c.Inherited[inheritedKeys[node]]) }

// inheritedRange is the IPv6 range that Gardener's provider has published for
// Services.
func (c Config) inheritedRange() (netip.Prefix, bool) { return prefix(c.Inherited[inheritedServices]) }

func (c Config) isInheritedRange(cidr string) bool {
	theirs, ok := c.inheritedRange()
	have, _ := prefix(cidr)
	return ok && theirs == have
}

// checkInherited refuses a state that does not say which IPv6 range the
// Services of the cluster have: no other one may be published for them.
func (c Config) checkInherited() error {
	if len(c.Inherited) == 0 || !c.IPv6 || len(family(c.Services, true)) > 0 {
		return nil
	}
	if p, ok := c.inheritedRange(); !ok || !p.Addr().Is6() {
		return fault.Errorf(fault.Invalid, "the state of Gardener's provider has %q as %s, which is no IPv6 range: name the range of the cluster's Services in spec.networking.services (or --services), or let Gardener's provider reconcile it once", c.Inherited[inheritedServices], inheritedServices)
	}
	return nil
}

// ofCluster says that tags are those of something that Gardener's provider has
// made for this cluster; the value was 1 in its older versions.
func (c Config) ofCluster(tags map[string]string) bool {
	v := tags[c.clusterKey()]
	return v == ownedByUs || v == "1"
}

// inheritTag adds to the claim of a tag that Gardener's provider set it, as far
// as that can be told: it has no list of them. What it found by the tags, and
// did not set, has no node.
func (t *topology) inheritTag(claim engine.Claim[Tag], tag engine.Fact[Tag]) engine.Claim[Tag] {
	if len(t.c.Inherited) == 0 || !tag.There() {
		return claim
	}
	return engine.Inherited(claim, tag, func(tag Tag) bool { return tag.Value == sharedWithUs })
}
