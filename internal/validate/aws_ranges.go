// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The sizes of VPCs and subnets that AWS makes.
const (
	widestSubnet   = 16
	smallestSubnet = 28
)

// awsNetworkingPath is what Gardener's AWS provider calls spec.networking where
// it compares ranges.
var awsNetworkingPath = field.NewPath("networking")

// subnetRanges are the ranges of the subnets that are made: public, internal and
// workers of each zone. Those of workers do not count with IPv6 alone.
func (v *awsView) subnetRanges() []namedRange {
	var ranges []namedRange
	for i, z := range v.config.Networks.Zones {
		if z.Public != nil {
			ranges = append(ranges, namedRange{path: v.zone(i).Child("public"), text: *z.Public, what: "the public subnet of zone " + z.Name})
		}
		if z.Internal != nil {
			ranges = append(ranges, namedRange{path: v.zone(i).Child("internal"), text: *z.Internal, what: "the internal subnet of zone " + z.Name})
		}
		if z.Workers != nil && v.ipv4() {
			ranges = append(ranges, namedRange{path: v.zone(i).Child("workers"), text: *z.Workers, what: workerSubnetOf + z.Name})
		}
	}
	return ranges
}

const workerSubnetOf = "the worker subnet of zone "

// isWorkers tells the range of a worker subnet from the others.
func isWorkers(r namedRange) bool { return strings.HasPrefix(r.what, workerSubnetOf) }

// zoneRanges checks the ranges of subnets that are made, for themselves, against
// the nodes, against each other, and against pods and Services.
func (v *awsView) zoneRanges() field.ErrorList {
	var findings field.ErrorList
	for _, r := range v.subnetRanges() {
		findings = append(findings, v.subnetRange(r)...)
	}
	good := v.goodRanges()
	nodes, pods, services := v.ipv4Ranges(awsNetworkingPath)
	for _, outer := range nodes {
		for _, r := range good {
			if isWorkers(r) && !within(outer.prefix, r.prefix) {
				findings = append(findings, awsOutsideNodes.at(r.path, r.text, r.what+" is not inside spec.networking.nodes ("+outer.text+")", "move it, or make spec.networking.nodes wider"))
			}
		}
	}
	findings = append(findings, overlaps(awsZonesOverlap, good)...)
	for _, other := range append(pods, services...) {
		for _, r := range good {
			if other.prefix.Overlaps(r.prefix) {
				findings = append(findings, awsSubnetOverlapsCluster.at(r.path, r.text, r.what+" overlaps the range of "+other.what+" ("+other.text+")", "give each a range of its own"))
			}
		}
	}
	return findings
}

// goodRanges are the ranges of subnets that can be read and are IPv4.
func (v *awsView) goodRanges() []namedRange {
	return slices.DeleteFunc(parsed(v.subnetRanges()...), func(r namedRange) bool { return !r.prefix.Addr().Is4() })
}

// subnetRange checks one range for itself.
func (v *awsView) subnetRange(r namedRange) field.ErrorList {
	malformed, example := awsLBRange, "10.250.96.0/22"
	if isWorkers(r) {
		malformed, example = awsWorkersRange, "10.250.0.0/19"
	}
	prefix, fault := parseRange(r.text)
	if fault == "" && !prefix.Addr().Is4() {
		prefix, fault = netip.Prefix{}, "this is an IPv6 range"
	}
	if fault != "" {
		return field.ErrorList{malformed.at(r.path, r.text, fault, fixRange(prefix, example))}
	}
	return v.rangeSize(r.path, prefix)
}

// rangeSize checks that AWS makes a VPC or a subnet of this size.
func (v *awsView) rangeSize(path *field.Path, prefix netip.Prefix) field.ErrorList {
	if v.update || (prefix.Bits() >= widestSubnet && prefix.Bits() <= smallestSubnet) {
		return nil
	}
	return field.ErrorList{awsRangeSize.at(path, prefix.String(), "AWS makes VPCs and subnets from /16 to /28, and this is a /"+strconv.Itoa(prefix.Bits()), "give a range of such a size")}
}

// within reports whether a range lies in another.
func within(outer, inner netip.Prefix) bool {
	return outer.Bits() <= inner.Bits() && outer.Contains(inner.Addr())
}

// ipv4Ranges are the ranges of the cluster that can be read, below a path; none
// with IPv6 alone.
func (v *awsView) ipv4Ranges(path *field.Path) (nodes, pods, services []namedRange) {
	if v.net == nil || !v.ipv4() {
		return nil, nil, nil
	}
	return parsed(namedRange{path: path.Child("nodes"), text: v.net.Nodes, what: "nodes"}),
		parsed(namedRange{path: path.Child("pods"), text: v.net.Pods, what: "pods"}),
		parsed(namedRange{path: path.Child("services"), text: v.net.Services, what: "Services"})
}

// insideVPC compares everything with the range of a VPC that is made.
func (v *awsView) insideVPC() field.ErrorList {
	vpc := v.config.Networks.VPC
	if vpc.CIDR == nil || vpc.ID != nil || v.lenient() {
		return nil
	}
	prefix, _ := parseRange(*vpc.CIDR)
	if !prefix.IsValid() || !prefix.Addr().Is4() {
		return nil
	}
	findings := v.rangeSize(v.vpc().Child("cidr"), prefix)
	nodes, pods, services := v.ipv4Ranges(awsNetworkingPath)
	for _, inner := range append(nodes, v.goodRanges()...) {
		if !within(prefix, inner.prefix) {
			findings = append(findings, awsOutsideVPC.at(inner.path, inner.text, "the range of "+inner.what+" is not inside networks.vpc.cidr ("+*vpc.CIDR+")", "move it, or make the VPC wider"))
		}
	}
	for _, other := range append(pods, services...) {
		if prefix.Overlaps(other.prefix) {
			findings = append(findings, awsOverlapsVPC.at(other.path, other.text, "the range of "+other.what+" overlaps networks.vpc.cidr ("+*vpc.CIDR+")", "give each a range of its own"))
		}
	}
	return findings
}

// clusterRangesApart checks spec.networking for itself.
func (v *awsView) clusterRangesApart() field.ErrorList {
	if v.net == nil {
		return nil
	}
	var findings field.ErrorList
	for _, r := range []namedRange{
		{path: networkingPath.Child("nodes"), text: v.net.Nodes}, {path: networkingPath.Child("pods"), text: v.net.Pods}, {path: networkingPath.Child("services"), text: v.net.Services},
	} {
		if r.text == "" {
			continue
		}
		prefix, fault := parseRange(r.text)
		if fault != "" {
			findings = append(findings, awsNetworkingRange.at(r.path, r.text, fault, fixRange(prefix, "10.250.0.0/16")))
		} else if !v.ipv4() && prefix.Addr().Is4() {
			findings = append(findings, awsIPv4Unused.at(r.path, r.text, "the cluster has IPv6 alone, whose ranges come from the VPC", "remove it"))
		}
	}
	nodes, pods, services := v.ipv4Ranges(networkingPath)
	return append(findings, overlaps(awsNetworkingOverlap, append(append(nodes, pods...), services...))...)
}
