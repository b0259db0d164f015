// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"strings"
	"testing"

	"github.com/espalier-io/espalier/internal/sim/aws"
)

// wrong worlds, and what is said of them. They are what account a has in eu-central-1.
var wrongWorlds = []struct{ name, region, want string }{
	{"a VPC without a block", `vpcs: [{name: v}]`, "accounts.a.regions.eu-central-1.vpcs[0].cidrs: a VPC has an IPv4 block"},
	{"an ID that is none", `vpcs: [{id: v-1, cidrs: [10.0.0.0/16]}]`, "InvalidVpcID.Malformed"},
	{"an ID that is taken", `vpcs: [{id: vpc-1, cidrs: [10.0.0.0/16]}, {id: vpc-1, cidrs: [10.0.0.0/16]}]`, "vpcs[1].InvalidVpcID.Malformed: the ID vpc-1 is taken"},
	{"subnets that overlap", `vpcs: [{cidrs: [10.0.0.0/16], subnets: [{cidr: 10.0.0.0/24}, {cidr: 10.0.0.0/25}]}]`, "subnets[1]: InvalidSubnet.Conflict"},
	{"a zone that there is not", `vpcs: [{cidrs: [10.0.0.0/16], subnets: [{cidr: 10.0.0.0/24, zone: x}]}]`, "subnets[0]: InvalidParameterValue"},
	{"an account that there is not", `vpcs: [{cidrs: [10.0.0.0/16], subnets: [{cidr: 10.0.0.0/24, shared_with: [z]}]}]`, `subnets[0].shared_with: there is no account "z"`},
	{"a subnet that there is not", `vpcs: [{cidrs: [10.0.0.0/16], route_tables: [{subnets: [s]}]}]`, `route_tables[0].subnets[0]: the VPC has no subnet "s"`},
	{"a target that there is not", `vpcs: [{cidrs: [10.0.0.0/16], route_tables: [{routes: [{destination: 0.0.0.0/0, target: nat}]}]}]`,
		`route_tables[0].routes[0]: the target "nat" is neither something in the VPC nor an ID`},
	{"a destination twice", `vpcs: [{cidrs: [10.0.0.0/16], route_tables: [{routes: [{destination: 1.0.0.0/8, target: tgw-1}, {destination: 1.0.0.0/8, target: tgw-2}]}]}]`,
		"routes[1]: there is a route to 1.0.0.0/8 already"},
	{"a group that there is not", `vpcs: [{cidrs: [10.0.0.0/16], security_groups: [{group_name: g, rules: [{peer: h}]}]}]`, `security_groups[0].rules[0].peer: the VPC has no security group "h"`},
	{"a state that there is not", `vpcs: [{cidrs: [10.0.0.0/16], subnets: [{name: s, cidr: 10.0.0.0/24}], instances: [{subnet: s, state: asleep}]}]`,
		`instances[0].state: there is no state "asleep"`},
	{"an address that there is not", `vpcs: [{cidrs: [10.0.0.0/16], subnets: [{name: s, cidr: 10.0.0.0/24}], nat_gateways: [{subnet: s, address: e}]}]`,
		`nat_gateways[0].address: there is no address "e"`},
	{"a key that is none", `key_pairs: [{name: k, public_key: x}]`, "key_pairs[0]: InvalidKey.Format"},
	{"a quota that there is not", `quotas: {L-0: 1}`, "quotas.L-0: there is no such quota"},
	{"a type of load balancer that there is not", `vpcs: [{cidrs: [10.0.0.0/16], load_balancers: [{name: l, type: gateway, subnets: []}]}]`,
		`load_balancers[0]: type: "gateway" is none of classic, application, network`},
}

func TestWhatIsWrongWithAWorldIsSaidWithItsPlace(t *testing.T) {
	for _, c := range wrongWorlds {
		t.Run(c.name, func(t *testing.T) {
			w, err := aws.ParseWorld([]byte("accounts: {a: {regions: {eu-central-1: {" + c.region + "}}}}"))
			if err != nil {
				t.Fatal(err)
			}
			if err := aws.New(aws.Options{}).Plant(w); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, not %q", err, c.want)
			}
		})
	}
	for text, want := range map[string]string{
		"accounts: {a: {colour: red}}":                             "unknown field",
		"accounts: {a: {id: x}}":                                   `accounts.a.id: "x" is not 12 digits`,
		"accounts: {a: {regions: {mars-1: {}}}}":                   "accounts.a.regions.mars-1: there is no such region",
		"accounts: {a: {instance_profiles: [{name: p, role: r}]}}": "instance_profiles[0].role: NoSuchEntity",
		"zones: {eu-central-1: [{name: eu-central-1a}]}":           `zones.eu-central-1[0].name: "eu-central-1a" is empty or taken`,
	} {
		w, err := aws.ParseWorld([]byte(text))
		if err == nil {
			err = aws.New(aws.Options{}).Plant(w)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, not %q", text, err, want)
		}
	}
}
