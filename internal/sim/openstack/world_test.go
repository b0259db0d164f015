// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func parse(t *testing.T, text string) World {
	t.Helper()
	w, err := ParseWorld([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestTheSameWorldIsTheSameBytes(t *testing.T) {
	fixed := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	snapshot := func(seed string) []byte {
		c := New(Options{Seed: seed, Now: fixed})
		w := parse(t, `
projects:
  a:
    networks: [{name: net, subnets: [{name: s, cidr: 10.0.0.0/24}]}, {name: net}]
    routers: [{name: r, interfaces: [s]}]
    ports: [{network: b/net}]
  b: {networks: [{name: net, shared_with: [a]}]}
`)
		if err := c.Plant(w); err != nil {
			t.Fatal(err)
		}
		return c.Snapshot()
	}
	if !bytes.Equal(snapshot("x"), snapshot("x")) {
		t.Error("two clouds with one seed and one world differ")
	}
	if bytes.Equal(snapshot("x"), snapshot("y")) {
		t.Error("two clouds with different seeds are the same")
	}
}

func TestWhatAWorldSaysIsThere(t *testing.T) {
	const id = "0a1b2c3d-0000-4000-8000-000000000001"
	c, s := serve(t, Options{})
	w := parse(t, `
users: [{name: op, project: a, password: secret, roles: [member]}]
policy: {"update_network": nobody}
projects:
  admin:
    networks:
    - {name: public, external: true, subnets: [{name: p, cidr: 172.24.4.0/24}]}
  a:
    networks:
    - name: shop
      id: `+id+`
      tags: [ours]
      description: brought
      subnets:
      - {name: v4, cidr: 10.250.0.0/16, dns_nameservers: [1.1.1.1], gateway_ip: 10.250.0.254}
      - {name: v6, cidr: "fd00::/64", ipv6_address_mode: slaac, ipv6_ra_mode: slaac}
    security_groups:
    - {name: nodes, bare: true, rules: [{direction: ingress, remote_group: self}]}
    routers: [{name: r, gateway: public, interfaces: [v4], routes: [{destination: 100.64.0.0/24, nexthop: 10.250.0.9}]}]
    ports: [{name: vm, network: shop, security_groups: [nodes], device_owner: "compute:zone-a", tags: [t]}]
    floating_ips: [{network: public, port: vm}, {network: public, port: lb}]
    load_balancers: [{name: lb, subnet: v4, listeners: 2}]
    share_networks: [{name: share, network: shop, subnet: v4}]
    key_pairs: [{name: k, public_key: "`+publicKey+`", user: op}]
    quotas: {network: 1}
`)
	if err := c.Plant(w); err != nil {
		t.Fatal(err)
	}
	a := login(t, s, "a")
	n := a.must("GET", neutron+"/networks/"+id, "")
	if n["description"] != "brought" || n["name"] != "shop" || len(n["subnets"].([]any)) != 2 {
		t.Errorf("the network is %v", n)
	}
	for path, want := range map[string]int{
		"ports?device_owner=compute:zone-a&tags=t": 1, "security-group-rules?security_group_id={security group:nodes}": 1,
		"floatingips": 2, "routers?name=r": 1, "subnets?gateway_ip=10.250.0.254": 1,
	} {
		for _, v := range a.must("GET", neutron+"/"+fill(t, c, path), "") {
			if list, _ := v.([]any); len(list) != want {
				t.Errorf("%s lists %d, want %d: %v", path, len(list), want, list)
			}
		}
	}
	if status, _ := a.send("POST", neutron+"/networks", `{"network":{}}`); status != 409 {
		t.Errorf("a network over the quota gets %d", status)
	}
	if status, _ := a.send("PUT", neutron+"/networks/"+id, `{"network":{}}`); status != 403 {
		t.Errorf("a change that nobody may make gets %d", status)
	}
}

func TestAWorldThatCannotBe(t *testing.T) {
	for _, test := range []struct{ name, world, want string }{
		{"an unknown field", "projects: {a: {networks: [{name: net, colour: red}]}}", "colour"},
		{"a CIDR that is none", "projects: {a: {networks: [{name: net, subnets: [{name: s, cidr: x}]}]}}", "projects.a.networks[0] (net): subnets[0] (s): 400"},
		{"subnets that overlap", "projects: {a: {networks: [{name: net, subnets: [{cidr: 10.0.0.0/24}, {cidr: 10.0.0.0/25}]}]}}", "overlaps"},
		{"a network that is not there", "projects: {a: {ports: [{name: p, network: net}]}}", `projects.a.ports[0] (p): there is no network "net"`},
		{"a name that two have", "projects: {a: {networks: [{name: net}, {name: net}], ports: [{network: net}]}}", `2 of network have the name "net"`},
		{"an ID in capitals", "projects: {a: {networks: [{name: net, id: 0A1B2C3D-0000-4000-8000-000000000001}]}}", "not a UUID in lower case"},
		{"an ID that is taken", "projects: {a: {networks: [{name: net, id: 0a1b2c3d-0000-4000-8000-000000000001}, {name: m, id: 0a1b2c3d-0000-4000-8000-000000000001}]}}", "is taken"},
		{"a gateway that is not external", "projects: {a: {networks: [{name: net}], routers: [{name: r, gateway: net}]}}", "is not an external network"},
		{"a route to nowhere", "projects: {a: {routers: [{name: r, routes: [{destination: 10.0.0.0/8, nexthop: 10.0.0.1}]}]}}", "not connected"},
		{"a rule that is there already", "projects: {a: {security_groups: [{name: g, rules: [{direction: egress}]}]}}", "projects.a.security_groups[0] (g): rules[0] (egress): 409"},
		{"a key that is none", "projects: {a: {key_pairs: [{name: k, public_key: x}]}}", "projects.a.key_pairs[0] (k)"},
		{"a user that is not there", `projects: {a: {key_pairs: [{name: k, public_key: x, user: nobody}]}}`, `no user "nobody"`},
		{"a state of a load balancer that is none", "projects: {a: {networks: [{name: net, subnets: [{name: s, cidr: 10.0.0.0/24}]}], load_balancers: [{name: l, subnet: s, provisioning_status: FINE}]}}", "provisioning_status"},
		{"a quota that there is not", "projects: {a: {quotas: {colours: 3}}}", "projects.a.quotas.colours"},
		{"a policy that is none", "policy: {create_network: somebody}", "policy.create_network"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, err := ParseWorld([]byte(test.world))
			if err == nil {
				err = New(Options{}).Plant(w)
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want %s", err, test.want)
			}
		})
	}
}
