// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"net/netip"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

const (
	// perNode is the prefix length of the pod range of one node.
	perNode = 64
	// widestServices is the shortest prefix that kube-apiserver serves.
	widestServices = 108
	// publishedServices is the prefix length that is published on the old path.
	publishedServices = 112
	// prefixDelegation is what Neutron takes in place of a pool's ID.
	prefixDelegation = "prefix_delegation"
)

// ipv6Source checks that something says where the IPv6 ranges come from.
func (v *view) ipv6Source() field.ErrorList {
	ipv6, path := v.config.Networks.IPv6, v.networks().Child("ipv6")
	switch {
	case ipv6 == nil:
		return nil
	case *ipv6 == v1alpha1.IPv6Config{}:
		return field.ErrorList{ipv6Empty.at(path, "", "nothing says where the IPv6 ranges come from",
			"give subnetPoolID, or nodeCIDR with podCIDR and serviceCIDR, or nodeSubnetId with podCIDR and serviceCIDR, or remove the block")}
	case ipv6.NodeSubnetID != nil:
		return rangesBesideSubnet(ipv6, path)
	}
	return append(v.rangesTogether(), v.ipv6Pool()...)
}

// rangesBesideSubnet checks that an IPv6 subnet of the user comes with ranges
// for pods and Services.
func rangesBesideSubnet(ipv6 *v1alpha1.IPv6Config, path *field.Path) field.ErrorList {
	var findings field.ErrorList
	if ipv6.PodCIDR == "" {
		findings = append(findings, podRangeMissing.at(path.Child("podCIDR"), "", "with nodeSubnetId the range of pods must be given", "give a range that no subnet has, for example a /56"))
	}
	if ipv6.ServiceCIDR == "" {
		findings = append(findings, serviceRangeMissing.at(path.Child("serviceCIDR"), "", "with nodeSubnetId the range of Services must be given", "give a range that no subnet has, for example a /112"))
	}
	return findings
}

// rangesTogether checks that of the three ranges none or all are given.
func (v *view) rangesTogether() field.ErrorList {
	var findings field.ErrorList
	ranges := v.explicitRanges()
	given := func(r namedRange) bool { return r.text != "" }
	if !slices.ContainsFunc(ranges, given) {
		return nil
	}
	for _, r := range ranges {
		if !given(r) {
			findings = append(findings, ipv6Incomplete.at(r.path, "", "nodeCIDR, podCIDR and serviceCIDR belong together, and the range of "+r.what+" is missing", "give all three, or none and subnetPoolID"))
		}
	}
	return findings
}

// ipv6Pool checks the pool of the IPv6 ranges.
func (v *view) ipv6Pool() field.ErrorList {
	ipv6, path := v.config.Networks.IPv6, v.networks().Child("ipv6", "subnetPoolID")
	if ipv6.SubnetPoolID == nil {
		return nil
	}
	id := *ipv6.SubnetPoolID
	if ipv6.NodeCIDR != "" {
		return field.ErrorList{poolIgnored.at(path, id, "nodeCIDR is given too and wins", "remove one of the two in new clusters")}
	}
	if _, ok := CanonicalUUID(id); !ok && id != prefixDelegation && !v.update {
		return field.ErrorList{ipv6PoolIDFormat.at(path, id, "this is no UUID, and Neutron takes no name here", "give the pool's UUID (openstack subnet pool show NAME -c id)")}
	}
	return nil
}

// explicitRanges are the three IPv6 ranges of the configuration, in order.
func (v *view) explicitRanges() []namedRange {
	ipv6, path := v.config.Networks.IPv6, v.networks().Child("ipv6")
	return []namedRange{
		{path: path.Child("nodeCIDR"), text: ipv6.NodeCIDR, what: "nodes"},
		{path: path.Child("podCIDR"), text: ipv6.PodCIDR, what: "pods"},
		{path: path.Child("serviceCIDR"), text: ipv6.ServiceCIDR, what: "Services"},
	}
}

// ipv6Ranges checks the IPv6 ranges for themselves and against each other.
func (v *view) ipv6Ranges() field.ErrorList {
	if v.config.Networks.IPv6 == nil {
		return nil
	}
	var findings field.ErrorList
	var good []namedRange
	for _, r := range v.explicitRanges() {
		if r.text == "" {
			continue
		}
		prefix, fault := parseRange(r.text)
		if prefix.Addr().Is4() {
			prefix, fault = netip.Prefix{}, "this is an IPv4 range"
		}
		if fault != "" {
			findings = append(findings, ipv6Range.at(r.path, r.text, fault, fixRange(prefix, "fd00:10::/56")))
			continue
		}
		if r.what != "nodes" || v.config.Networks.IPv6.NodeSubnetID == nil {
			good = append(good, r)
		}
	}
	return append(findings, overlaps(ipv6Overlap, parsed(good...))...)
}

// ipv6Sizes checks how much the IPv6 ranges hold.
func (v *view) ipv6Sizes() field.ErrorList {
	if v.config.Networks.IPv6 == nil {
		return nil
	}
	var findings field.ErrorList
	mine := v.config.Networks.IPv6.NodeSubnetID == nil
	for _, r := range parsed(v.explicitRanges()...) {
		if r.prefix.Addr().Is4() {
			continue
		}
		switch r.what {
		case "nodes":
			if mine && !v.update && r.prefix.Bits() != perNode {
				findings = append(findings, nodeRangeNot64.at(r.path, r.text, "nodes make their own addresses, for which Neutron wants a /64, and this is a /"+length(r), "give a /64"))
			}
		case "pods":
			findings = append(findings, podSize(r, mine)...)
		default:
			findings = append(findings, serviceSize(r, mine)...)
		}
	}
	return findings
}

// length is the prefix length of a range.
func length(r namedRange) string { return strconv.Itoa(r.prefix.Bits()) }

// serviceSize checks the range of Services; mine says that the IPv6 node subnet
// is created, not the user's.
func serviceSize(r namedRange, mine bool) field.ErrorList {
	switch {
	case mine && r.prefix.Bits() != publishedServices:
		return field.ErrorList{serviceRangeRewritten.at(r.path, r.text, "the cluster is told the first address of the range and /112, not /"+length(r), "give a /112")}
	case !mine && r.prefix.Bits() < widestServices:
		return field.ErrorList{serviceRangeTooWide.at(r.path, r.text, "kube-apiserver serves at most a /108, and this is a /"+length(r), "give a /112")}
	}
	return nil
}

// podSize checks the range of pods; mine is as in serviceSize.
func podSize(r namedRange, mine bool) field.ErrorList {
	switch problem := "each node gets a /64 of this range, and it is a /" + length(r); {
	case r.prefix.Bits() == perNode:
		return field.ErrorList{podRangeOneNode.at(r.path, r.text, problem+", which is enough for one node", "give a shorter prefix, for example a /56 for 256 nodes")}
	case r.prefix.Bits() > perNode && mine:
		return field.ErrorList{podRangeSmall.at(r.path, r.text, problem, "give a /64 or shorter, for example a /56 for 256 nodes")}
	case r.prefix.Bits() > perNode:
		return field.ErrorList{podRangeTooSmall.at(r.path, r.text, problem, "give a /64 or shorter, for example a /56 for 256 nodes")}
	}
	return nil
}
