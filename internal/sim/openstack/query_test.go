// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
)

// names returns the names in a list, in its order.
func names(list []any) string {
	var all []string
	for _, e := range list {
		f, _ := e.(map[string]any)
		name, _ := f["name"].(string)
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

// sortedNames returns them in alphabetical order: lists are sorted by ID.
func sortedNames(list []any) string {
	all := strings.Fields(names(list))
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestFilters(t *testing.T) {
	c, s := plantedCloud(t, "testdata/errors.yaml", 0)
	a := login(t, s, "a")
	a.must("PUT", fill(t, c, neutron+"/networks/{network:net}/tags"), `{"tags":["red","round"]}`)
	a.must("PUT", fill(t, c, neutron+"/networks/{network:other}/tags"), `{"tags":["red"]}`)
	a.must("PUT", fill(t, c, neutron+"/networks/{network:plain}"), `{"network":{"description":"word for word"}}`)
	for _, test := range []struct{ query, want string }{
		{"networks?name=net", "net"},
		{"networks?name=ne", ""},
		{"networks?name=net&name=other", "net other"},
		{"networks?id={network:net}&id={network:plain}", "net plain"},
		{"networks?description=word+for+word", "plain"},
		{"networks?description=word", ""},
		{"networks?router:external=true", "public"},
		{"networks?router:external=True&name=net", ""},
		{"networks?shared=true", "commons"},
		{"networks?admin_state_up=1&name=net", "net"},
		{"networks?tags=red", "net other"},
		{"networks?tags=red,round", "net"},
		{"networks?tags-any=round,red", "net other"},
		{"networks?not-tags=red&name=plain&name=net", "plain"},
		{"networks?tenant_id={project}&name=net", "net"},
		{"subnets?network_id={network:net}", "lonely nodes walled"},
		{"subnets?cidr=10.0.1.0/24", "lonely"},
		{"subnets?gateway_ip=10.0.0.1", "nodes"},
		{"subnets?ip_version=6", ""},
		{"ports?fixed_ips=subnet_id%3D{subnet:lonely}", "stranded"},
		{"ports?fixed_ips=ip_address%3D10.0.0.50", "port"},
		{"ports?fixed_ips=ip_address_substr%3D10.0.1", "stranded"},
		{"ports?fixed_ips=subnet_id%3D{subnet:lonely}&fixed_ips=ip_address%3D10.0.0.50", ""},
		{"ports?fixed_ips=subnet_id%3D{subnet:lonely}&fixed_ips=subnet_id%3D{subnet:plain}&device_owner=", "served stranded"},
		{"ports?security_groups={security group:group}", "port"},
		{"ports?device_id={router:router}&name=x", ""},
		{"security-groups?name=group", "group"},
		{"routers?name=router&name=second", "router second"},
	} {
		t.Run(test.query, func(t *testing.T) {
			path := strings.ReplaceAll(fill(t, c, neutron+"/"+test.query), "{project}", c.ProjectID("a"))
			got := a.must("GET", path, "")
			for _, list := range got {
				if have, _ := list.([]any); sortedNames(have) != test.want {
					t.Errorf("the list is %q, want %q", sortedNames(have), test.want)
				}
			}
		})
	}
}

func TestSortingAndFields(t *testing.T) {
	_, s := serve(t, Options{})
	a := login(t, s, "a")
	for _, name := range []string{"b", "c", "a"} {
		a.id(neutron+"/networks", `{"network":{"name":"`+name+`","mtu":1400}}`)
	}
	for query, want := range map[string]string{
		"sort_key=name&sort_dir=asc":                                 "a b c",
		"sort_key=name&sort_dir=desc":                                "c b a",
		"sort_key=mtu&sort_dir=asc&sort_key=name&sort_dir=desc":      "c b a",
		"sort_key=name&sort_dir=asc&limit=2":                         "a b",
		"sort_key=name&sort_dir=asc&limit=2&page_reverse=true":       "b c",
		"sort_key=name&sort_dir=asc&fields=name&fields=mtu&name=b":   "b",
		"sort_key=name&sort_dir=asc&limit=0&admin_state_up=true":     "a b c",
		"sort_key=name&sort_dir=asc&limit=1000&project_id=&fields=x": "",
	} {
		list, _ := a.must("GET", neutron+"/networks?"+query, "")["networks"].([]any)
		if got := names(list); got != want {
			t.Errorf("%s gives %q, want %q", query, got, want)
		}
	}
	list, _ := a.must("GET", neutron+"/networks?fields=name&fields=mtu&name=b", "")["networks"].([]any)
	if got := fmt.Sprint(list); got != "[map[mtu:1400 name:b]]" {
		t.Errorf("two fields are %s", got)
	}
}

func TestGophercloudFollowsPages(t *testing.T) {
	for _, test := range []struct {
		name        string
		limit, most int
		pages       int
	}{
		{"no limit", 0, 0, 1},
		{"the client's limit", 2, 0, 4},
		{"the server's limit", 0, 3, 3},
		{"the smaller of both", 5, 2, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, s := serve(t, Options{PageLimit: test.most})
			a := login(t, s, "a")
			for i := range 7 {
				a.id(neutron+"/networks", fmt.Sprintf(`{"network":{"name":"n%d"}}`, i))
			}
			c.ClearCalls()
			pages, err := networks.List(a.network, networks.ListOpts{Limit: test.limit}).AllPages(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			list, err := networks.ExtractNetworks(pages)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for _, n := range list {
				seen[n.Name] = true
			}
			if calls := c.Calls(); len(list) != 7 || len(seen) != 7 || len(calls) != test.pages {
				t.Errorf("%d networks, %d of them different, in %d calls; want 7 in %d", len(list), len(seen), len(calls), test.pages)
			}
		})
	}
}
