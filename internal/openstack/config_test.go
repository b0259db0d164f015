// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/fault"
)

func TestMarks(t *testing.T) {
	c := Config{Cluster: Cluster{TechnicalID: "shoot--a--b", UID: "u1"}}
	for _, tt := range []struct{ name, description, node, otherUID string }{
		{"ours", c.mark("network"), "network", ""},
		{"one of another UID", "shoot--a--b u2/network", "", "u2"},
		{"one of a cluster whose name begins like ours", "shoot--a--bc u1/network", "", ""},
		{"words of a person", "shoot--a--b is my favourite / cluster", "", ""},
		{"nothing", "", "", ""},
		{"a mark with words behind it is another node", "shoot--a--b u1/network (copied)", "network (copied)", ""},
		{"no UID", "shoot--a--b /network", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if node, other := c.readMark(tt.description); node != tt.node || other != tt.otherUID {
				t.Errorf("node %q, other UID %q", node, other)
			}
		})
	}
}

func TestNewConfigRefusesWhatValidationDoesNotSee(t *testing.T) {
	infra := &v1alpha1.InfrastructureConfig{FloatingPoolName: "ext"}
	for _, tt := range []struct {
		name    string
		cluster Cluster
		profile *v1alpha1.CloudProfileConfig
		says    string
	}{
		{"a cluster without a name", Cluster{}, nil, "no technical ID"},
		{"a mark longer than a description", Cluster{TechnicalID: strings.Repeat("a", 200), UID: "u"}, nil, "too long"},
		{"a DNS server that is none", Cluster{TechnicalID: "a", UID: "u"}, &v1alpha1.CloudProfileConfig{DNSServers: []string{"ns.example.org"}}, `"ns.example.org" is not an IP address`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewConfig(infra, tt.cluster, tt.profile)
			if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("err = %v", err)
			}
		})
	}
}

func TestResolversGoByFamily(t *testing.T) {
	c, err := NewConfig(&v1alpha1.InfrastructureConfig{}, Cluster{TechnicalID: "a", UID: "u"},
		&v1alpha1.CloudProfileConfig{DNSServers: []string{"1.1.1.1", "2001:db8::1", "8.8.8.8"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(c.resolvers(4), " "); got != "1.1.1.1 8.8.8.8" {
		t.Errorf("IPv4: %s", got)
	}
	if got := strings.Join(c.resolvers(6), " "); got != "2001:db8::1" {
		t.Errorf("IPv6: %s", got)
	}
	if (Config{}).resolvers(4) != nil {
		t.Error("without a profile Neutron's answer counts, whatever it is")
	}
}

// Source: the route controller takes a route for its own if its first or its
// last address lies in a cluster range.
func TestRoutesThatTheCloudControllerTakesForItsOwn(t *testing.T) {
	pods := []netip.Prefix{netip.MustParsePrefix("100.64.0.0/11")}
	for dest, want := range map[string]bool{
		"100.64.3.0/24":   true,
		"100.64.0.0/10":   true, // begins there
		"100.95.0.0/16":   true,
		"100.96.0.0/16":   false,
		"100.80.0.0/12":   true,
		"0.0.0.0/0":       false,
		"10.0.0.0/8":      false,
		"100.95.255.0/32": true,
	} {
		if got := startsOrEndsIn(pods, netip.MustParsePrefix(dest)); got != want {
			t.Errorf("%s: %v", dest, got)
		}
	}
	for in, want := range map[string]string{"10.0.0.0/8": "10.255.255.255", "10.1.2.3/32": "10.1.2.3", "2001:db8::/126": "2001:db8::3"} {
		if got := last(netip.MustParsePrefix(in)).String(); got != want {
			t.Errorf("last of %s: %s", in, got)
		}
	}
}
