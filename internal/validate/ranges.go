// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// parseRange reads a CIDR. If fault is not empty it says what is wrong; the
// range is valid all the same if only bits behind the prefix are set, and is
// returned without them.
func parseRange(text string) (prefix netip.Prefix, fault string) {
	prefix, err := netip.ParsePrefix(text)
	switch {
	case err != nil:
		return netip.Prefix{}, "this is no CIDR, that is an address, a slash and a prefix length"
	case prefix.Addr().Is4In6():
		return netip.Prefix{}, "this is an IPv4 range in IPv6 spelling"
	case prefix != prefix.Masked():
		return prefix.Masked(), "bits behind the prefix are set, so it is unclear which range is meant"
	}
	return prefix, ""
}

// fixRange says what to write instead of a malformed range.
func fixRange(prefix netip.Prefix, example string) string {
	if prefix.IsValid() {
		return "write " + prefix.String()
	}
	return "write a range, for example " + example
}

// namedRange is a range, where it stands, and what it is for.
type namedRange struct {
	path   *field.Path
	text   string
	what   string
	prefix netip.Prefix
}

// parsed drops the ranges that are absent or cannot be read.
func parsed(ranges ...namedRange) []namedRange {
	var read []namedRange
	for _, r := range ranges {
		if prefix, _ := parseRange(r.text); prefix.IsValid() {
			r.prefix = prefix
			read = append(read, r)
		}
	}
	return read
}

// overlaps reports each range that overlaps an earlier one of the list.
func overlaps(rule code, ranges []namedRange) field.ErrorList {
	var findings field.ErrorList
	for i, later := range ranges {
		for _, earlier := range ranges[:i] {
			if earlier.prefix.Overlaps(later.prefix) {
				findings = append(findings, rule.at(later.path, later.text, "the range of "+later.what+" overlaps that of "+earlier.what+" ("+earlier.text+")", "give each a range of its own"))
			}
		}
	}
	return findings
}

var networkingPath = field.NewPath("spec", "networking")

// clusterRanges are the ranges in spec.networking.
func (v *view) clusterRanges() (nodes, pods, services namedRange) {
	return namedRange{path: networkingPath.Child("nodes"), text: v.net.Nodes, what: "nodes"},
		namedRange{path: networkingPath.Child("pods"), text: v.net.Pods, what: "pods"},
		namedRange{path: networkingPath.Child("services"), text: v.net.Services, what: "Services"}
}

// effectiveWorkers is the range that the node subnet is created with.
func (v *view) effectiveWorkers() namedRange {
	if workers := v.config.Networks.Workers; workers != "" {
		return namedRange{path: v.networks().Child("workers"), text: workers, what: "the node subnet"}
	}
	return namedRange{path: v.networks().Child("worker"), text: v.config.Networks.Worker, what: "the node subnet"}
}

// rangesApart compares the ranges of the cluster with each other and with the
// node subnet that is created.
func (v *view) rangesApart() field.ErrorList {
	if v.net == nil {
		return nil
	}
	var findings field.ErrorList
	nodes, pods, services := v.clusterRanges()
	for _, r := range []namedRange{nodes, pods, services} {
		if r.text == "" {
			continue
		}
		if prefix, fault := parseRange(r.text); fault != "" {
			findings = append(findings, networkingRange.at(r.path, r.text, fault, fixRange(prefix, "10.250.0.0/16")))
		}
	}
	findings = append(findings, overlaps(networkingOverlap, parsed(nodes, pods, services))...)
	for _, workers := range parsed(v.effectiveWorkers()) {
		findings = append(findings, v.againstCluster(workers, parsed(nodes), parsed(pods, services))...)
	}
	return findings
}

// againstCluster checks that the node subnet is inside the range of nodes and
// apart from the others.
func (v *view) againstCluster(workers namedRange, inside, apart []namedRange) field.ErrorList {
	var findings field.ErrorList
	for _, nodes := range inside {
		otherFamily := nodes.prefix.Addr().Is4() != workers.prefix.Addr().Is4()
		if otherFamily && !v.update {
			continue // the family of the range is wrong, which has its own rule
		}
		if !nodes.prefix.Contains(workers.prefix.Addr()) || nodes.prefix.Bits() > workers.prefix.Bits() {
			findings = append(findings, outsideNodes.at(workers.path, workers.text, "the node subnet is not inside spec.networking.nodes ("+nodes.text+")", "move it, or make spec.networking.nodes wider"))
		}
	}
	for _, other := range apart {
		if other.prefix.Overlaps(workers.prefix) {
			findings = append(findings, workersOverlap.at(workers.path, workers.text, "the node subnet overlaps the range of "+other.what+" ("+other.text+")", "give each a range of its own"))
		}
	}
	return findings
}
