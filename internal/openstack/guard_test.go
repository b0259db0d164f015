// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

const (
	byoNet   = "11111111-1111-1111-1111-111111111111"
	byoRtr   = "22222222-2222-2222-2222-222222222222"
	byoSub   = "33333333-3333-3333-3333-333333333333"
	byoSG    = "44444444-4444-4444-4444-444444444444"
	extNet   = "55555555-5555-5555-5555-555555555555"
	ourThing = "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"
	leftover = "cccccccc-cccc-cccc-cccc-cccccccccccc"
	other    = "bbbbbbbb-bbbb-bbbb-bbbb-bbbbbbbbbbbb"
	bearing  = `"name":"shoot--a--b","description":"shoot--a--b u1/x"`
)

type guardRow struct {
	name, call, body string
	pass             bool
}

var guardRows = []guardRow{
	{"reading is free", "GET /v2.0/networks/" + byoNet, "", true},
	{"a token", "POST /v3/auth/tokens", `{"auth":{"identity":{"password":"x"}}}`, true},
	{"our network", "POST /v2.0/networks", `{"network":{` + bearing + `}}`, true},
	{"a network without our mark", "POST /v2.0/networks", `{"network":{"name":"shoot--a--b"}}`, false},
	{"a network with another cluster's mark", "POST /v2.0/networks", `{"network":{"name":"shoot--a--b","description":"shoot--a--b u2/x"}}`, false},
	{"a network with another name", "POST /v2.0/networks", `{"network":{"name":"prod","description":"shoot--a--b u1/x"}}`, false},
	{"two things in one body", "POST /v2.0/networks", `{"network":{` + bearing + `},"more":1}`, false},
	{"our subnet in their network", "POST /v2.0/subnets", `{"subnet":{` + bearing + `,"network_id":"` + byoNet + `","cidr":"10.0.0.0/8"}}`, true},
	{"our subnet in our network", "POST /v2.0/subnets", `{"subnet":{` + bearing + `,"network_id":"` + ourThing + `"}}`, true},
	{"our subnet in a stranger's network", "POST /v2.0/subnets", `{"subnet":{` + bearing + `,"network_id":"` + other + `"}}`, false},
	{"our subnet in what is no network of theirs", "POST /v2.0/subnets", `{"subnet":{` + bearing + `,"network_id":"` + byoRtr + `"}}`, false},
	{"our subnet, their ID elsewhere", "POST /v2.0/subnets", `{"subnet":{` + bearing + `,"network_id":"` + byoNet + `","segment_id":"` + byoSub + `"}}`, false},
	{"our router with its gateway in the external network", "POST /v2.0/routers", `{"router":{` + bearing + `,"external_gateway_info":{"network_id":"` + extNet + `"}}}`, true},
	{"our router with its gateway in their network", "POST /v2.0/routers", `{"router":{` + bearing + `,"external_gateway_info":{"network_id":"` + byoNet + `"}}}`, false},
	{"rules in our group", "POST /v2.0/security-group-rules", `{"security_group_rules":[{"security_group_id":"` + ourThing + `"}]}`, true},
	{"a rule in their group", "POST /v2.0/security-group-rules", `{"security_group_rules":[{"security_group_id":"` + ourThing + `"},{"security_group_id":"` + byoSG + `"}]}`, false},
	{"a rule in a stranger's group", "POST /v2.0/security-group-rules", `{"security_group_rules":[{"security_group_id":"` + other + `"}]}`, false},
	{"one rule that is not in a list", "POST /v2.0/security-group-rules", `{"security_group_rule":{"security_group_id":"` + byoSG + `"}}`, false},
	{"no rules", "POST /v2.0/security-group-rules", `{"security_group_rules":[]}`, false},
	{"a port in their network", "POST /v2.0/ports", `{"port":{"network_id":"` + byoNet + `"}}`, false},
	{"a port anywhere", "POST /v2.0/ports", `{"port":{"network_id":"` + ourThing + `"}}`, false},
	{"a share of their network", "POST /v2.0/rbac-policies", `{"rbac_policy":{"object_id":"` + byoNet + `"}}`, false},
	{"a floating IP", "POST /v2.0/floatingips", `{"floatingip":{}}`, false},
	{"our subnet on their router", "PUT /v2.0/routers/" + byoRtr + "/add_router_interface", `{"subnet_id":"` + ourThing + `"}`, true},
	{"our subnet off their router", "PUT /v2.0/routers/" + byoRtr + "/remove_router_interface", `{"subnet_id":"` + ourThing + `"}`, true},
	{"our subnet on a stranger's router", "PUT /v2.0/routers/" + other + "/add_router_interface", `{"subnet_id":"` + ourThing + `"}`, false},
	{"their subnet off their router", "PUT /v2.0/routers/" + byoRtr + "/remove_router_interface", `{"subnet_id":"` + byoSub + `"}`, false},
	{"their subnet on our router", "PUT /v2.0/routers/" + ourThing + "/add_router_interface", `{"subnet_id":"` + byoSub + `"}`, false},
	{"a stranger's subnet on their router", "PUT /v2.0/routers/" + byoRtr + "/add_router_interface", `{"subnet_id":"` + other + `"}`, false},
	{"a port off their router", "PUT /v2.0/routers/" + byoRtr + "/remove_router_interface", `{"port_id":"` + other + `"}`, false},
	{"a subnet of ours and a port of theirs", "PUT /v2.0/routers/" + byoRtr + "/remove_router_interface", `{"subnet_id":"` + ourThing + `","port_id":"` + other + `"}`, false},
	{"a pod route that the plan lists", "PUT /v2.0/routers/" + byoRtr + "/remove_extraroutes", `{"router":{"routes":[{"destination":"100.64.3.0/24","nexthop":"10.0.0.3"}]}}`, true},
	{"a pod route that the plan does not list", "PUT /v2.0/routers/" + byoRtr + "/remove_extraroutes", `{"router":{"routes":[{"destination":"100.64.4.0/24","nexthop":"10.0.0.3"}]}}`, false},
	{"a route outside the pods, though a plan lists it", "PUT /v2.0/routers/" + byoRtr + "/remove_extraroutes", `{"router":{"routes":[{"destination":"172.16.0.0/24","nexthop":"10.0.0.3"}]}}`, false},
	{"a route wider than the pods", "PUT /v2.0/routers/" + byoRtr + "/remove_extraroutes", `{"router":{"routes":[{"destination":"100.64.0.0/10","nexthop":"10.0.0.3"}]}}`, false},
	{"a pod route and another", "PUT /v2.0/routers/" + byoRtr + "/remove_extraroutes", `{"router":{"routes":[{"destination":"100.64.3.0/24","nexthop":"10.0.0.3"},{"destination":"0.0.0.0/0","nexthop":"10.0.0.3"}]}}`, false},
	{"routes added", "PUT /v2.0/routers/" + byoRtr + "/add_extraroutes", `{"router":{"routes":[{"destination":"100.64.3.0/24","nexthop":"10.0.0.3"}]}}`, false},
	{"all routes of their router", "PUT /v2.0/routers/" + byoRtr, `{"router":{"routes":[]}}`, false},
	{"all routes of our router", "PUT /v2.0/routers/" + ourThing, `{"router":{"routes":[]}}`, false},
	{"the routes of their router without one that the plan lists", "PUT /v2.0/routers/" + byoRtr, `{"router":{"routes":[{"destination":"192.168.0.0/16","nexthop":"10.0.0.9"}]}}`, true},
	{"the routes of their router without one of theirs", "PUT /v2.0/routers/" + byoRtr, `{"router":{"routes":[{"destination":"100.64.3.0/24","nexthop":"10.0.0.3"}]}}`, false},
	{"the routes of their router with one more", "PUT /v2.0/routers/" + byoRtr, `{"router":{"routes":[{"destination":"192.168.0.0/16","nexthop":"10.0.0.9"},{"destination":"0.0.0.0/0","nexthop":"10.0.0.9"}]}}`, false},
	{"the routes of their router as they are", "PUT /v2.0/routers/" + byoRtr, `{"router":{"routes":[{"destination":"100.64.3.0/24","nexthop":"10.0.0.3"},{"destination":"192.168.0.0/16","nexthop":"10.0.0.9"}]}}`, false},
	{"routes and a gateway", "PUT /v2.0/routers/" + byoRtr, `{"router":{"routes":[{"destination":"192.168.0.0/16","nexthop":"10.0.0.9"}],"external_gateway_info":{}}}`, false},
	{"a new gateway of our router", "PUT /v2.0/routers/" + ourThing, `{"router":{"external_gateway_info":{"network_id":"` + extNet + `","enable_snat":false}}}`, true},
	{"a new gateway of their router", "PUT /v2.0/routers/" + byoRtr, `{"router":{"external_gateway_info":{"network_id":"` + extNet + `"}}}`, false},
	{"a leftover load balancer that the plan lists", "DELETE /lb/v2.0/lbaas/loadbalancers/" + leftover, "", true},
	{"another load balancer", "DELETE /lb/v2.0/lbaas/loadbalancers/" + other, "", false},
	{"our share network on their subnet", "POST /share/share-networks", `{"share_network":{` + bearing + `,"neutron_net_id":"` + byoNet + `","neutron_subnet_id":"` + byoSub + `"}}`, true},
	{"our share network on a stranger's subnet", "POST /share/share-networks", `{"share_network":{` + bearing + `,"neutron_net_id":"` + byoNet + `","neutron_subnet_id":"` + other + `"}}`, false},
	{"a change that changes nothing", "PUT /v2.0/networks/" + byoNet, `{"network":{}}`, false},
	{"the resolvers of our subnet", "PUT /v2.0/subnets/" + ourThing, `{"subnet":{"dns_nameservers":["1.1.1.1"]}}`, true},
	{"the resolvers of their subnet", "PUT /v2.0/subnets/" + byoSub, `{"subnet":{"dns_nameservers":["1.1.1.1"]}}`, false},
	{"a tag on their network", "PUT /v2.0/networks/" + byoNet + "/tags/a", "", false},
	{"a tag on their network that is called like a thing of ours", "PUT /v2.0/networks/" + byoNet + "/tags/" + ourThing, "", false},
	{"all tags of their network", "DELETE /v2.0/networks/" + byoNet + "/tags", "", false},
	{"their subnet", "DELETE /v2.0/subnets/" + byoSub, "", false},
	{"their subnet, without dashes", "DELETE /v2.0/subnets/" + strings.ReplaceAll(byoSub, "-", ""), "", false},
	{"their subnet, by a detour", "DELETE /v2.0/subnets/" + ourThing + "/../" + byoSub, "", false},
	{"their subnet, by an escaped detour", "DELETE /v2.0/subnets/" + ourThing + "%2f..%2f" + byoSub, "", false},
	{"our subnet", "DELETE /v2.0/subnets/" + ourThing, "", true},
	{"the collection of subnets", "DELETE /v2.0/subnets/", "", false},
	{"our key pair", "DELETE /v2.1/os-keypairs/shoot--a--b", "", true},
	{"our key pair made", "POST /v2.1/os-keypairs", `{"keypair":{"name":"shoot--a--b","public_key":"ssh-ed25519 AAAA"}}`, true},
	{"another key pair made", "POST /v2.1/os-keypairs", `{"keypair":{"name":"mine"}}`, false},
	{"a key pair at the wrong API", "DELETE /v2.0/os-keypairs/shoot--a--b", "", false},
	{"a server", "DELETE /v2.1/servers/" + ourThing, "", false},
	{"what nobody knows", "DELETE /v2.0/subnets/" + other, "", false},
	{"an API that the catalogue does not have", "DELETE /v9/subnets/" + ourThing, "", false},
	{"a body that is not JSON", "POST /v2.0/networks", byoNet, false},
	{"a method that we do not use", "PATCH /v2.0/networks/" + ourThing, "", false},
}

func guardFor(t *testing.T, sent *int) *Guard {
	t.Helper()
	g := &Guard{base: tripper(func(*http.Request) (*http.Response, error) { *sent++; return &http.Response{}, nil })}
	g.serve(service{"identity", "cloud", "/v3/"})
	g.serve(service{"network", "cloud", "/v2.0/"})
	g.serve(service{"compute", "cloud", "/v2.1/"})
	g.serve(service{"load-balancer", "cloud", "/lb/v2.0/"})
	g.serve(service{"shared-file-system", "cloud", "/share/"})
	g.Allow(Permissions{
		Mark: "shoot--a--b u1/", Name: "shoot--a--b",
		Given: []string{byoNet, strings.ToUpper(byoRtr), "{" + byoSub + "}", byoSG, extNet},
		Into:  map[string][]string{"network_id": {byoNet}, "router": {byoRtr}, "external_gateway_info.network_id": {extNet}, "neutron_net_id": {byoNet}, "neutron_subnet_id": {byoSub}},
		// Even a state that claims what is the user's does not make it ours.
		Ours: func(id string) bool { return id == ourThing || id == "shoot--a--b" || id == byoSub },
		Pods: []netip.Prefix{netip.MustParsePrefix("100.64.0.0/11")},
		Swept: func(id string) bool {
			return id == leftover || id == routeID(byoRtr, "100.64.3.0/24", "10.0.0.3") || id == routeID(byoRtr, "172.16.0.0/24", "10.0.0.3")
		},
		Routes: []string{routeID(byoRtr, "100.64.3.0/24", "10.0.0.3"), routeID(byoRtr, "192.168.0.0/16", "10.0.0.9")},
	})
	return g
}

func TestGuard(t *testing.T) {
	for _, tt := range guardRows {
		t.Run(tt.name, func(t *testing.T) {
			sent := 0
			g := guardFor(t, &sent)
			method, url, _ := strings.Cut(tt.call, " ")
			_, err := g.RoundTrip(httptest.NewRequest(method, "http://cloud"+url, strings.NewReader(tt.body)))
			if passed := err == nil; passed != tt.pass || (sent == 1) != tt.pass || (len(g.Refused()) == 0) != tt.pass {
				t.Errorf("err = %v, %d sent, %d refused", err, sent, len(g.Refused()))
			}
			if err != nil && !errors.Is(err, ErrGuarded) {
				t.Errorf("err = %v is not ErrGuarded", err)
			}
		})
	}
}

func TestTheGuardAllowsNothingBeforeItIsTold(t *testing.T) {
	sent := 0
	g := guardFor(t, &sent)
	g.Allow(Permissions{})
	for _, tt := range guardRows {
		method, url, _ := strings.Cut(tt.call, " ")
		_, err := g.RoundTrip(httptest.NewRequest(method, "http://cloud"+url, strings.NewReader(tt.body)))
		if free := method == http.MethodGet || strings.HasSuffix(url, "/auth/tokens"); (err == nil) != free {
			t.Errorf("%s: err = %v", tt.name, err)
		}
	}
}

func TestTheGuardKnowsTheHost(t *testing.T) {
	sent := 0
	_, err := guardFor(t, &sent).RoundTrip(httptest.NewRequest(http.MethodDelete, "http://elsewhere/v2.0/subnets/"+ourThing, nil))
	if err == nil || sent != 0 {
		t.Errorf("err = %v, %d sent", err, sent)
	}
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
