// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package validate holds the static rules: what can be said about a
// configuration without asking a cloud.
//
// Everything here is a pure function of its input. It reads no file, no clock
// and no network, changes nothing that it is given, and the same input gives
// the same report, in the same order. All independent faults are reported at
// once.
//
// OpenStack checks a configuration that is new, OpenStackUpdate one that takes
// the place of another. A rule that needs something which is not there, such as
// a CloudProfile, is listed in Report.NotChecked with the reason; nothing is
// concluded from what is absent.
//
// # Where the rules come from
//
// Most rules are those of Gardener's OpenStack provider and of its proposal for
// existing subnets, with the same field paths and error types. A few are ours.
// Rules says for each code which it is, and Explanations has the long text.
//
// # Where to look
//
// rules.go lists all codes in the order of the tables; each of the other files
// holds one theme: pool.go (floating pool), networks.go (node subnet and IDs),
// existing.go (what belongs to the user), ipv6.go, ranges.go (ranges against
// each other), shoot.go, controlplane.go and loadbalancer.go, profile.go and
// update.go.
package validate
