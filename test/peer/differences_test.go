// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package peer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
)

type side string

const (
	ours   side = "ours"
	theirs side = "theirs"
)

// difference explains a finding that only one side has.
type difference struct {
	why   string
	holds func(c situation, only side, f finding) bool
}

// intended are the differences that we mean for new clusters. Any other is a
// fault, and so is one that never occurs.
var intended = []difference{
	{"the range of a VPC counts with IPv6 among the families too", func(c situation, only side, f finding) bool {
		return only == ours && c.has("IPv6") && f.is("S4", "S5", "S6")
	}},
	{"with IPv6 alone a managed zone needs no range for workers", func(c situation, only side, f finding) bool {
		return only == theirs && !c.ipv4() && f.kind == "Required" && strings.HasPrefix(f.path, "networks.zones")
	}},
	{"with IPv6 alone IPv4 ranges of pods and Services do not count", func(c situation, only side, f finding) bool {
		return only == theirs && !c.ipv4() && f.kind == "Invalid" && strings.HasPrefix(f.path, "networks.zones")
	}},
	{"an empty ID of an elastic IP and an empty name of a zone are errors", func(_ situation, only side, f finding) bool {
		return only == ours && f.is("S31c", "S37b")
	}},
	{"what is empty is not the same thing twice", func(c situation, only side, f finding) bool {
		return only == theirs && f.kind == "Duplicate" && c.valueAt(f.path) == ""
	}},
	{"one zone twice is an error without a CloudProfile too", func(_ situation, only side, f finding) bool {
		return only == ours && f.is("S36b")
	}},
	{"subnets are made from IPv4 ranges; an IPv6 range is the fault, and is not compared", func(c situation, only side, f finding) bool {
		return strings.Contains(c.valueAt(f.path), ":") && (only == theirs || f.is("S4", "S25", "S26"))
	}},
	{"a VPC is made from an IPv4 range; nothing is compared with an IPv6 range", func(c situation, only side, f finding) bool {
		return only == theirs && strings.Contains(orEmpty(c.config.Networks.VPC.CIDR), ":") && f.kind == "Invalid"
	}},
	{"sizes and empty values that AWS refuses are errors of our own", func(_ situation, only side, f finding) bool {
		return only == ours && strings.HasPrefix(f.number, "Y")
	}},
}

// intendedOfUpdates are the differences that we mean where something changes.
var intendedOfUpdates = []difference{
	{"a removed zone does not hide other changes", func(_ situation, only side, f finding) bool {
		return only == ours && f.is("U12")
	}},
}

// comparison counts how often each difference explained something.
type comparison struct {
	intended []difference
	used     map[string]int
}

func (n comparison) explained(c situation, only side, f finding) bool {
	for _, d := range n.intended {
		if d.holds(c, only, f) {
			n.used[d.why]++
			return true
		}
	}
	return false
}

func (f finding) is(numbers ...string) bool { return slices.Contains(numbers, f.number) }

func (c situation) has(family corev1beta1.IPFamily) bool { return slices.Contains(c.families, family) }

func (c situation) ipv4() bool { return len(c.families) == 0 || c.has("IPv4") }

// valueAt is the text at a path of a zone or of the VPC's range; "?" elsewhere.
func (c situation) valueAt(path string) string {
	var i int
	var key string
	if n, err := fmt.Sscanf(path, "networks.zones[%d].%s", &i, &key); err == nil && n == 2 && i < len(c.config.Networks.Zones) {
		text, err := json.Marshal(c.config.Networks.Zones[i])
		values := map[string]string{}
		if err != nil || json.Unmarshal(text, &values) != nil {
			return "?"
		}
		return values[key]
	}
	if path == "networks.vpc.cidr" {
		return orEmpty(c.config.Networks.VPC.CIDR)
	}
	return "?"
}
