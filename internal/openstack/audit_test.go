// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"slices"
	"testing"

	secrules "github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/rules"

	"github.com/espalier-io/espalier/internal/engine"
)

func TestMissingRules(t *testing.T) {
	all := nodeRules("IPv4")
	without := func(drop ...Rule) engine.Set[Rule] { return minus(all, drop) }
	self := Rule{"ingress", "IPv4", "", 0, 0, "self"}
	tcp := Rule{"ingress", "IPv4", "tcp", 30000, 32767, ""}
	udp := Rule{"ingress", "IPv4", "udp", 30000, 32767, ""}
	out := Rule{"egress", "IPv4", "", 0, 0, ""}
	pods := Rule{"ingress", "IPv4", "", 0, 0, "100.64.0.0/16"}
	for _, tt := range []struct {
		name    string
		have    engine.Set[Rule]
		want    engine.Set[Rule]
		missing []Rule
	}{
		{"the rules of ours", all, all, nil},
		{"an empty group", nil, all, all},
		{"each alone: within the group", without(self), all, []Rule{self}},
		{"each alone: TCP NodePorts", without(tcp), all, []Rule{tcp}},
		{"each alone: UDP NodePorts", without(udp), all, []Rule{udp}},
		{"each alone: egress", without(out), all, []Rule{out}},
		{"everything from anyone covers all ingress", engine.Set[Rule]{out, {"egress", "IPv6", "", 0, 0, ""}, {"ingress", "IPv4", "", 0, 0, ""}}, all, nil},
		{"all TCP covers TCP NodePorts", append(without(tcp), Rule{"ingress", "IPv4", "tcp", 0, 0, ""}), all, nil},
		{"a wider range of ports covers", append(without(tcp), Rule{"ingress", "IPv4", "tcp", 1024, 40000, ""}), all, nil},
		{"a narrower range of ports does not", append(without(tcp), Rule{"ingress", "IPv4", "tcp", 30000, 32000, ""}), all, []Rule{tcp}},
		{"NodePorts for some addresses are the user's choice", append(without(tcp), Rule{"ingress", "IPv4", "tcp", 30000, 32767, "10.0.0.0/8"}), all, nil},
		{"NodePorts for the group itself serve nobody", append(without(tcp), Rule{"ingress", "IPv4", "tcp", 30000, 32767, "self"}), all, []Rule{tcp}},
		{"egress to some addresses is not all egress", append(without(out), Rule{"egress", "IPv4", "", 0, 0, "10.0.0.0/8"}), all, []Rule{out}},
		{"another family is another rule", append(without(self), Rule{"ingress", "IPv6", "", 0, 0, "self"}), all, []Rule{self}},
		{"the group itself does not cover routed pods", all, engine.Set[Rule]{pods}, []Rule{pods}},
		{"a wider range covers the pods", append(all, Rule{"ingress", "IPv4", "", 0, 0, "100.64.0.0/10"}), engine.Set[Rule]{pods}, nil},
		{"a part of the pods is not enough", append(all, Rule{"ingress", "IPv4", "", 0, 0, "100.64.0.0/17"}), engine.Set[Rule]{pods}, []Rule{pods}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := missingRules(tt.have, tt.want); !slices.Equal(got, tt.missing) {
				t.Errorf("missing %v, want %v", got, tt.missing)
			}
		})
	}
}

func TestRulesThatMeanTheSameAreEqual(t *testing.T) {
	const group = "44444444-4444-4444-4444-444444444444"
	for _, tt := range []struct {
		name string
		in   secrules.SecGroupRule
		want string
	}{
		{"no prefix", secrules.SecGroupRule{Direction: "ingress", EtherType: "IPv4"}, "ingress IPv4 any protocol from anyone"},
		{"the whole world as a prefix", secrules.SecGroupRule{Direction: "ingress", EtherType: "IPv4", RemoteIPPrefix: "0.0.0.0/0"}, "ingress IPv4 any protocol from anyone"},
		{"the whole IPv6 world", secrules.SecGroupRule{Direction: "egress", EtherType: "IPv6", RemoteIPPrefix: "::/0"}, "egress IPv6 any protocol to anyone"},
		{"a protocol by number", secrules.SecGroupRule{Direction: "ingress", EtherType: "IPv4", Protocol: "6", PortRangeMin: 22, PortRangeMax: 22}, "ingress IPv4 tcp 22 from anyone"},
		{"any protocol by name", secrules.SecGroupRule{Direction: "ingress", EtherType: "IPv4", Protocol: "any", RemoteGroupID: group}, "ingress IPv4 any protocol from the group itself"},
		{"all ports", secrules.SecGroupRule{Direction: "ingress", EtherType: "IPv4", Protocol: "udp", PortRangeMin: 1, PortRangeMax: 65535}, "ingress IPv4 udp from anyone"},
		{"host bits", secrules.SecGroupRule{Direction: "ingress", EtherType: "IPv4", RemoteIPPrefix: "10.0.0.7/8"}, "ingress IPv4 any protocol from 10.0.0.0/8"},
		{"another group", secrules.SecGroupRule{Direction: "ingress", EtherType: "IPv4", RemoteGroupID: "x"}, "ingress IPv4 any protocol from x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(toRule(tt.in, group)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestACommandForEachMissingRule(t *testing.T) {
	for rule, want := range map[Rule]string{
		{"ingress", "IPv4", "", 0, 0, "self"}:          "openstack security group rule create --ingress --ethertype IPv4 --remote-group G G",
		{"ingress", "IPv4", "tcp", 30000, 32767, ""}:   "openstack security group rule create --ingress --ethertype IPv4 --protocol tcp --dst-port 30000:32767 G",
		{"ingress", "IPv6", "", 0, 0, "2001:db8::/56"}: "openstack security group rule create --ingress --ethertype IPv6 --remote-ip 2001:db8::/56 G",
		{"egress", "IPv4", "", 0, 0, ""}:               "openstack security group rule create --egress --ethertype IPv4 G",
	} {
		if got := rule.command("G"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
