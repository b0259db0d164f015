// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSubnetsGetTheirDefaults(t *testing.T) {
	_, s := serve(t, Options{})
	a := login(t, s, "a")
	for _, test := range []struct{ name, body, want string }{
		{"an IPv4 CIDR", `"ip_version":4,"cidr":"10.0.0.0/24"`, "10.0.0.0/24 10.0.0.1 [10.0.0.2-10.0.0.254]"},
		{"host bits are cut off", `"ip_version":4,"cidr":"10.0.0.77/24"`, "10.0.0.0/24 10.0.0.1 [10.0.0.2-10.0.0.254]"},
		{"no gateway", `"ip_version":4,"cidr":"10.0.0.0/24","gateway_ip":null`, "10.0.0.0/24 <nil> [10.0.0.1-10.0.0.254]"},
		{"a gateway in the middle", `"ip_version":4,"cidr":"10.0.0.0/24","gateway_ip":"10.0.0.9"`, "10.0.0.0/24 10.0.0.9 [10.0.0.1-10.0.0.8 10.0.0.10-10.0.0.254]"},
		{"pools of one's own", `"ip_version":4,"cidr":"10.0.0.0/24","allocation_pools":[{"start":"10.0.0.10","end":"10.0.0.20"}]`, "10.0.0.0/24 10.0.0.1 [10.0.0.10-10.0.0.20]"},
		{"an IPv6 CIDR has the address with zeros as its gateway", `"ip_version":6,"cidr":"fd00::/64"`, "fd00::/64 fd00:: [fd00::1-fd00::ffff:ffff:ffff:ffff]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := a.id(neutron+"/networks", `{"network":{}}`)
			got := a.must("POST", neutron+"/subnets", `{"subnet":{"network_id":"`+n+`",`+test.body+`}}`)
			var pools []string
			for _, p := range got["allocation_pools"].([]any) {
				pools = append(pools, p.(map[string]any)["start"].(string)+"-"+p.(map[string]any)["end"].(string))
			}
			if have := fmt.Sprint(got["cidr"], " ", got["gateway_ip"], " ", pools); have != test.want {
				t.Errorf("the subnet is %s, want %s", have, test.want)
			}
		})
	}
}

func TestSubnetsOfAPoolTakeTheSmallestFreeBlock(t *testing.T) {
	_, s := serve(t, Options{})
	a := login(t, s, "a")
	pool := a.id(neutron+"/subnetpools", `{"subnetpool":{"name":"p","prefixes":["10.8.0.0/16","10.9.0.0/16"],"default_prefixlen":25}}`)
	pool6 := a.id(neutron+"/subnetpools", `{"subnetpool":{"name":"p6","prefixes":["fd00:1::/48"]}}`)
	n := a.id(neutron+"/networks", `{"network":{}}`)
	for _, test := range []struct{ body, cidr, gateway string }{
		{`"ip_version":4,"subnetpool_id":"` + pool + `"`, "10.8.0.0/25", "10.8.0.1"},
		{`"ip_version":4,"subnetpool_id":"` + pool + `","prefixlen":26`, "10.8.0.128/26", "10.8.0.129"},
		{`"ip_version":4,"subnetpool_id":"` + pool + `","cidr":"10.8.9.0/26"`, "10.8.9.0/26", "10.8.9.1"},
		{`"ip_version":4,"subnetpool_id":"` + pool + `","prefixlen":26`, "10.8.0.192/26", "10.8.0.193"},
		{`"ip_version":4,"subnetpool_id":"` + pool + `"`, "10.8.9.128/25", "10.8.9.129"},
		{`"ip_version":6,"subnetpool_id":"` + pool6 + `"`, "fd00:1::/64", "fd00:1::1"},
		{`"ip_version":6,"subnetpool_id":"` + pool6 + `"`, "fd00:1:0:1::/64", "fd00:1:0:1::1"},
	} {
		got := a.must("POST", neutron+"/subnets", `{"subnet":{"network_id":"`+n+`",`+test.body+`}}`)
		if got["cidr"] != test.cidr || got["gateway_ip"] != test.gateway {
			t.Errorf("%s gives %v with the gateway %v, want %s and %s", test.body, got["cidr"], got["gateway_ip"], test.cidr, test.gateway)
		}
	}
}

func TestPortsGetAnAddressOfEachVersion(t *testing.T) {
	_, s := serve(t, Options{})
	a := login(t, s, "a")
	n := a.id(neutron+"/networks", `{"network":{}}`)
	a.id(neutron+"/subnets", `{"subnet":{"network_id":"`+n+`","ip_version":4,"cidr":"10.0.0.0/29"}}`)
	a.id(neutron+"/subnets", `{"subnet":{"network_id":"`+n+`","ip_version":6,"cidr":"fd00::/64","ipv6_ra_mode":"slaac","ipv6_address_mode":"slaac"}}`)
	seen := map[any]bool{}
	for range 5 { // .2 to .6
		p := a.must("POST", neutron+"/ports", `{"port":{"network_id":"`+n+`"}}`)
		for _, ip := range p["fixed_ips"].([]any) {
			seen[ip.(map[string]any)["ip_address"]] = true
		}
	}
	if len(seen) != 10 || !seen["10.0.0.2"] || !seen["10.0.0.6"] {
		t.Errorf("five ports have the addresses %v", seen)
	}
	if status, body := a.send("POST", neutron+"/ports", `{"port":{"network_id":"`+n+`"}}`); status != 409 || kindOf(body) != "IpAddressGenerationFailure" {
		t.Errorf("a port without an address left gets %d %v", status, body)
	}
}

func TestASecondIPv6SubnetJoinsTheInterface(t *testing.T) {
	c, s := serve(t, Options{})
	a := login(t, s, "a")
	n := a.id(neutron+"/networks", `{"network":{}}`)
	r := a.id(neutron+"/routers", `{"router":{}}`)
	var subnets, ports []string
	for _, cidr := range []string{"fd00:1::/64", "fd00:2::/64"} {
		s := a.id(neutron+"/subnets", `{"subnet":{"network_id":"`+n+`","ip_version":6,"cidr":"`+cidr+`"}}`)
		p, _ := a.must("PUT", neutron+"/routers/"+r+"/add_router_interface", `{"subnet_id":"`+s+`"}`)["port_id"].(string)
		subnets, ports = append(subnets, s), append(ports, p)
	}
	if ports[0] != ports[1] {
		t.Errorf("the interfaces are the ports %v, want one", ports)
	}
	a.must("PUT", neutron+"/routers/"+r+"/remove_router_interface", `{"subnet_id":"`+subnets[0]+`"}`)
	p := a.must("GET", neutron+"/ports/"+ports[0], "")
	if ips, _ := p["fixed_ips"].([]any); len(ips) != 1 {
		t.Errorf("the interface has the addresses %v, want one", ips)
	}
	a.must("PUT", neutron+"/routers/"+r+"/remove_router_interface", `{"subnet_id":"`+subnets[1]+`"}`)
	if got, _ := Count(c.Snapshot("a")); got != 5 { // network, two subnets, router, default group
		t.Errorf("%d things are left, want 5", got)
	}
}

// What is cut out of a block, and what is left of it, is the block again.
func TestBlocksAreCutAndJoinedAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := netip.MustParsePrefix("10.0.0.0/20")
		left := []netip.Prefix{whole}
		var taken []netip.Prefix
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<20), 1, 12).Draw(t, "cuts") {
			bits := 20 + n%9
			raw := whole.Addr().As4()
			raw[2] |= byte(n >> 4 & 0x0f)
			raw[3] = byte(n >> 8)
			cut := netip.PrefixFrom(netip.AddrFrom4(raw), bits).Masked()
			if overlapping(taken, []netip.Prefix{cut}) {
				continue
			}
			taken = append(taken, cut)
			var rest []netip.Prefix
			for _, p := range left {
				rest = append(rest, minus(p, cut)...)
			}
			left = rest
		}
		if overlapping(left, taken) {
			t.Fatalf("%v is left, and overlaps %v", left, taken)
		}
		if all := compact(slices.Concat(left, taken)); len(all) != 1 || all[0] != whole {
			t.Fatalf("%v and %v are %v, want %v", left, taken, all, whole)
		}
	})
}
