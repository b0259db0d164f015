// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// A scene is a picture of the tests.
type scene struct {
	title    string
	views    []engine.View
	findings []engine.Finding
}

func (s scene) picture() *Picture { return New(s.title, s.views, s.findings) }

// given is a view of one of the user's things.
func given(name, sort, label string, id engine.ID, needs ...string) engine.View {
	return engine.View{Name: name, ID: id, Asked: id, Owner: engine.Yours, Action: engine.Reference, Needs: needs,
		Description: engine.Description{Sort: sort, Label: label}}
}

// made is a view of one of ours.
func made(name, kind, label string, id engine.ID, action engine.Action, needs ...string) engine.View {
	return engine.View{Name: name, Kind: kind, ID: id, Owner: engine.Ours, Action: action, Needs: needs,
		Description: engine.Description{Sort: kind, Label: label}}
}

func with(v engine.View, facts ...string) engine.View {
	v.Facts = facts
	return v
}

func found(code string, severity engine.Severity, resource, message string) engine.Finding {
	return engine.Finding{Rule: engine.Rule{Code: code, Severity: severity}, Resource: resource, Message: message}
}

const (
	networkID = "6e0a0000-0000-4000-8000-000000000001"
	subnetID  = "6e0a0000-0000-4000-8000-000000000002"
	routerID  = "6e0a0000-0000-4000-8000-000000000003"
	publicID  = "6e0a0000-0000-4000-8000-0000000000e1"
)

// scenes are the pictures that have golden files.
func scenes() map[string]scene {
	public := given("external-network", "external-network", "public", publicID)
	corp := given("network", "network", "corp", networkID)
	edge := with(given("router", "router", "edge", routerID), "gateway address 203.0.113.129")
	edge.Joined = []engine.ID{publicID}
	nodes := with(given("subnet", "subnet", "nodes", subnetID, "network"), "10.10.0.0/24")
	plugged := with(given("router-interface subnet", "router-interface", "", "r/s", "router", "subnet"), "10.10.0.1")
	return map[string]scene{
		"empty": {},
		"not made yet": {title: "shoot--dev--one", views: []engine.View{
			public,
			made("network", "network", "shoot--dev--one", "", engine.Create),
			made("router", "router", "shoot--dev--one", "", engine.Create, "external-network"),
			with(made("subnet", "subnet", "shoot--dev--one", "", engine.Create, "network"), "10.250.0.0/19"),
			made("router/interface subnet", "router-interface", "", "", engine.Create, "router", "subnet"),
			with(made("security-group", "security-group", "shoot--dev--one", "", engine.Create), "8 rules"),
			made("key-pair", "key-pair", "shoot--dev--one", "", engine.Create),
		}},
		"a subnet of the user's": {title: "shoot--dev--one in project a, region RegionOne", views: []engine.View{
			public, corp, edge, nodes, plugged,
			with(made("security-group", "security-group", "shoot--dev--one", "9a0c5a39-5a1c-4a0b-9f5e-6f2f3f4b0a11", engine.Keep), "8 rules"),
		}, findings: []engine.Finding{
			found("EOS130", engine.Warning, "subnet", "DHCP is off: nodes get no address"),
			{Rule: engine.Rule{Code: "EOS141", Severity: engine.Info}, Resource: "router", Message: "not checked: action get_router denied", NotChecked: true},
			{Rule: engine.Rule{Code: "EOS040", Severity: engine.Warning, Field: "spec.provider.workers[0].zones"}, Message: "there is one zone only"},
		}},
		"dual-stack": {title: "shoot--dev--two", views: dualStack(public)},
		"all goes wrong": {title: "shoot--dev--three", views: []engine.View{
			{Name: "external-network", Owner: engine.Yours, Action: engine.Reference, Asked: "public"},
			{Name: "network", Owner: engine.Yours, Action: engine.Reference, Asked: networkID, Description: engine.Description{Sort: "network"}},
			{Name: "router", Owner: engine.Yours, Action: engine.Reference, Asked: routerID, Unknown: true, Description: engine.Description{Sort: "router"}},
			made("subnet", "subnet", "shoot--dev--three", "", engine.Blocked, "network"),
			made("router x/interface subnet", "router-interface", "", "", engine.Blocked, "router", "subnet"),
			with(made("security-group", "security-group", "shoot--dev--three", "sg-1", engine.Update), "7 rules"),
			made("key-pair", "key-pair", "shoot--dev--three", "shoot--dev--three", engine.Replace),
			made("share-network", "share-network", "", "3b7c5a39-5a1c-4a0b-9f5e-6f2f3f4b0a11", engine.Delete),
		}, findings: []engine.Finding{
			found("EOS101", engine.Error, "network", "network "+networkID+" does not exist, or these credentials can not see it"),
			found("EOS120", engine.Error, "external-network", `there is no external network "public" that these credentials can see`),
			{Rule: engine.Rule{Code: "EGEN102", Severity: engine.Warning}, Resource: "router", Message: "could not be read: action get_router denied", NotChecked: true},
			found("EGEN106", engine.Error, "subnet", "needs network, which is absent"),
			found("EOS170", engine.Info, "security-group", "a rule of somebody else stays"),
		}},
		"hostile": {title: evil, views: []engine.View{
			given("external-network", "external-network", evil, publicID),
			given("network", "network", strings.Repeat("x", 255), networkID),
			given("router", "router", "\u202egnp.exe \U0001F469\u200d\U0001F469\u200d\U0001F467 שלום 路由器", routerID, "external-network"),
			with(given("subnet", "subnet", strings.Repeat("a\u0301\u0323", 80), subnetID, "network"), evil, strings.Repeat("W", 60)),
			with(given("router-interface subnet", "router-interface", "", "", "router", "subnet"), `"]-->`+"\n  click n0 call evil()"),
		}, findings: []engine.Finding{found("<EOS>", engine.Error, "subnet", evil), found("EOS1", engine.Error, "elsewhere", evil)}},
	}
}

const evil = "<script>alert('1')</script> \"&amp; `$(id)` \x1b[31m\u200f%%{init}%% #quot; ]]>\x00\xff"

// dualStack has three IPv6 subnets, of which one is plugged in, and things
// beside that need what is in the layers.
func dualStack(public engine.View) []engine.View {
	const name = "shoot--dev--two"
	return []engine.View{
		public,
		made("network", "network", name, "0b1c5a39-5a1c-4a0b-9f5e-6f2f3f4b0a01", engine.Keep),
		with(made("router", "router", name, "0b1c5a39-5a1c-4a0b-9f5e-6f2f3f4b0a02", engine.Keep, "external-network"), "gateway address 203.0.113.7, 2001:db8:ffff::7"),
		with(made("subnet", "subnet", name, "0b1c5a39-5a1c-4a0b-9f5e-6f2f3f4b0a03", engine.Keep, "network"), "10.250.0.0/19"),
		with(made("router/interface subnet", "router-interface", "", "x", engine.Keep, "router", "subnet"), "10.250.0.1"),
		with(given("subnet-pool p", "subnet-pool", "ipv6-global", "0b1c5a39-5a1c-4a0b-9f5e-6f2f3f4b0a04"), "IPv6, /64 to /96"),
		with(made("subnet-ipv6", "subnet", name+"-ipv6", "", engine.Create, "network", "subnet-pool p"), "a /64 from a subnet pool", "SLAAC"),
		made("router/interface subnet-ipv6", "router-interface", "", "", engine.Create, "router", "subnet-ipv6"),
		with(made("subnet-ipv6-pods", "subnet", name+"-ipv6-pod", "", engine.Create, "network", "subnet-pool p"), "a /64 from a subnet pool"),
		with(made("subnet-ipv6-services", "subnet", name+"-ipv6-svc", "", engine.Create, "network", "subnet-pool p"), "a /64 from a subnet pool"),
		with(made("security-group", "security-group", name, "0b1c5a39-5a1c-4a0b-9f5e-6f2f3f4b0a05", engine.Update), "8 rules"),
		made("key-pair", "key-pair", name, name, engine.Keep),
		made("share-network", "share-network", name, "", engine.Create, "network", "subnet"),
	}
}
