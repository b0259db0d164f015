// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/espalier-io/espalier/internal/engine"
)

func TestWhatPicturesTell(t *testing.T) {
	off, length := false, 26
	say := func(sort, label string, facts ...string) engine.Description {
		return engine.Description{Sort: sort, Label: label, Facts: facts}
	}
	for name, tc := range map[string]struct {
		of   engine.Described
		want engine.Description
	}{
		"an absent network":                 {Network{}, say("network", "")},
		"a shared network":                  {Network{Name: "corp", Shared: true}, say("network", "corp", "shared with other projects")},
		"an external network is not shared": {Network{Name: "public", External: true, Shared: true}, say("external-network", "public")},
		"an absent router":                  {Router{}, say("router", "")},
		"a router with all there is to it": {Router{Name: "r", ExternalIPs: []string{"203.0.113.7", "2001:db8::7"}, SNAT: &off, Routes: make([]Route, 2)},
			say("router", "r", "gateway address 203.0.113.7, 2001:db8::7", "no SNAT", "2 extra routes")},
		"a router is joined with its external network": {Router{External: "ext"}, engine.Description{Sort: "router", Joined: []engine.ID{"ext"}}},
		"a router with one route":                      {Router{Routes: make([]Route, 1)}, say("router", "", "1 extra route")},
		"an absent subnet":                             {Subnet{}, say("subnet", "")},
		"a subnet":                                     {Subnet{Name: "s", CIDR: "10.0.0.0/24"}, say("subnet", "s", "10.0.0.0/24")},
		"a subnet is joined with its network":          {Subnet{Network: "net"}, engine.Description{Sort: "subnet", Joined: []engine.ID{"net"}}},
		"a subnet with SLAAC":                          {Subnet{CIDR: "2001:db8::/64", IPv6Mode: "slaac"}, say("subnet", "", "2001:db8::/64", "SLAAC")},
		"a range that is not chosen yet":               {Subnet{CIDR: "‹subnet.CIDR›"}, say("subnet", "", "a range from a subnet pool")},
		"a range of which the size is set":             {Subnet{CIDR: "‹subnet.CIDR›", PrefixLength: &length}, say("subnet", "", "a /26 from a subnet pool")},
		"an interface":                                 {Interface{Addresses: []string{"10.0.0.1"}}, say("router-interface", "", "10.0.0.1")},
		"an absent group":                              {SecurityGroup{}, say("security-group", "")},
		"a group with a rule":                          {SecurityGroup{Name: "g", Rules: make(engine.Set[Rule], 1)}, say("security-group", "g", "1 rule")},
		"a group with rules":                           {SecurityGroup{Name: "g", Rules: make(engine.Set[Rule], 3)}, say("security-group", "g", "3 rules")},
		"a key pair tells no key":                      {KeyPair{Name: "k", PublicKey: "ssh-ed25519 AAAA"}, say("key-pair", "k", "ssh-ed25519")},
		"an absent key pair":                           {KeyPair{}, say("key-pair", "")},
		"a share network":                              {ShareNetwork{Name: "s"}, say("share-network", "s")},
		"an absent pool":                               {SubnetPool{}, say("subnet-pool", "")},
		"a pool":                                       {SubnetPool{Name: "p", IPVersion: 6, MinPrefix: 64, MaxPrefix: 96}, say("subnet-pool", "p", "IPv6, /64 to /96")},
	} {
		if diff := cmp.Diff(tc.want, tc.of.Describe()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
