// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "testing"

// revision reads the revision of a thing.
func (c *client) revision(path string) int {
	c.t.Helper()
	n, _ := c.must("GET", path, "")["revision_number"].(float64)
	return int(n)
}

// Each step raises the revisions as the real Neutron does: that is how a test
// proves that nothing of the user's was touched.
func TestRevisionsRiseAsTheRealOnesDo(t *testing.T) {
	c, s := plantedCloud(t, "testdata/errors.yaml", 0)
	a := login(t, s, "a")
	network := neutron + "/networks/" + a.id(neutron+"/networks", `{"network":{"name":"n"}}`)
	group := neutron + "/security-groups/" + a.id(neutron+"/security-groups", `{"security_group":{"name":"g"}}`)
	if a.revision(network) != 1 || a.revision(group) != 1 {
		t.Fatalf("new things have the revisions %d and %d, want 1", a.revision(network), a.revision(group))
	}
	id := func(path string) string { s, _ := a.must("GET", path, "")["id"].(string); return s }
	subnet := neutron + "/subnets/" + a.id(neutron+"/subnets", `{"subnet":{"network_id":"`+id(network)+`","ip_version":4,"cidr":"10.1.0.0/24"}}`)
	router := neutron + "/routers/" + fill(t, c, "{router:second}")
	steps := []struct {
		name               string
		method, path, body string
		rises              map[string]int
	}{
		{"an interface", "PUT", router + "/add_router_interface", `{"subnet_id":"` + id(subnet) + `"}`, map[string]int{router: 1}},
		{"a port of a node", "POST", neutron + "/ports", `{"port":{"network_id":"` + id(network) + `","security_groups":["` + id(group) + `"],"name":"node"}}`, nil},
		{"a rule", "POST", neutron + "/security-group-rules", `{"security_group_rule":{"security_group_id":"` + id(group) + `","direction":"ingress"}}`, map[string]int{group: 1}},
		{"an extra route", "PUT", router + "/add_extraroutes", `{"router":{"routes":[{"destination":"100.70.0.0/24","nexthop":"10.1.0.9"}]}}`, map[string]int{router: 1}},
		{"no extra route any more", "PUT", router + "/remove_extraroutes", `{"router":{"routes":[{"destination":"100.70.0.0/24","nexthop":"10.1.0.9"}]}}`, map[string]int{router: 1}},
		{"a change of a subnet", "PUT", subnet, `{"subnet":{"name":"x"}}`, map[string]int{subnet: 1, network: 1}},
		{"a change to what it is already", "PUT", network, `{"network":{"name":"n"}}`, map[string]int{network: 1}},
		{"a change without a field", "PUT", network, `{"network":{}}`, nil},
		{"the extra routes that there are", "PUT", router, `{"router":{"routes":[]}}`, nil},
		{"a gateway", "PUT", router, fill(t, c, `{"router":{"external_gateway_info":{"network_id":"{network:public}"}}}`), map[string]int{router: 2}},
		{"the same gateway", "PUT", router, fill(t, c, `{"router":{"external_gateway_info":{"network_id":"{network:public}"}}}`), map[string]int{router: 1}},
		{"no gateway any more", "PUT", router, `{"router":{"external_gateway_info":{}}}`, map[string]int{router: 3}},
		{"a tag", "PUT", network + "/tags/x", "", map[string]int{network: 1}},
		{"no interface any more", "PUT", router + "/remove_router_interface", `{"subnet_id":"` + id(subnet) + `"}`, map[string]int{router: 1}},
		{"a subnet", "POST", neutron + "/subnets", `{"subnet":{"network_id":"` + id(network) + `","ip_version":4,"cidr":"10.2.0.0/24"}}`, map[string]int{network: 1}},
	}
	for _, step := range steps {
		before := map[string]int{}
		for _, path := range []string{network, subnet, router, group} {
			before[path] = a.revision(path)
		}
		a.must(step.method, step.path, step.body)
		for path, n := range before {
			if got := a.revision(path) - n; got != step.rises[path] {
				t.Errorf("%s raises the revision of %s by %d, want %d", step.name, path, got, step.rises[path])
			}
		}
	}
}
