// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"testing"

	"github.com/espalier-io/espalier/test/clouds"
)

// A site is a cloud in which user a has a network, and neighbours: other things
// of a, and those of b, who is a stranger.
type site struct {
	*testing.T
	cloud *clouds.Cloud
	relay *relay
	url   string // of Keystone, through the relay
	dir   string // of the input and the state

	network, subnet, router, group string // what a brings
	port                           string // of a machine in the subnet
	external                       string
}

// onEach runs a case on a site in each sort of cloud.
func onEach(t *testing.T, prove func(s *site)) {
	t.Helper()
	clouds.Each(t, func(t *testing.T, open func(t *testing.T) *clouds.Cloud) {
		s := &site{T: t, cloud: open(t), dir: t.TempDir()}
		s.relay, s.url = newRelay(t, s.cloud.AuthURL)
		s.plant()
		prove(s)
	})
}

// plant makes what is there before any cluster.
func (s *site) plant() {
	s.Helper()
	s.external = s.find("a", "networks?name=public")
	s.network = s.make("a", "networks", object{"name": "ground"})
	s.subnet = s.make("a", "subnets", object{"name": "nodes", "network_id": s.network, "ip_version": 4, "cidr": "10.250.0.0/19",
		"dns_nameservers": []string{"192.0.2.53"}})
	s.router = s.make("a", "routers", object{"name": "gate", "external_gateway_info": object{"network_id": s.external}})
	s.change("a", "routers/"+s.router+"/add_router_interface", object{"subnet_id": s.subnet})
	s.group = s.make("a", "security-groups", object{"name": "nodes", "description": "of the network team"})
	s.allow(s.group)
	s.port = s.make("a", "ports", object{"network_id": s.network, "name": "appliance", "device_owner": "compute:zone-a",
		"fixed_ips": []object{{"subnet_id": s.subnet}}, "security_groups": []string{s.group}})
	s.make("a", "compute:os-keypairs", object{"name": "mine", "public_key": aKey})

	theirs := s.make("b", "networks", object{"name": "shoot--dev--one"}) // a stranger's may have any name
	s.make("b", "subnets", object{"name": "shoot--dev--one", "network_id": theirs, "ip_version": 4, "cidr": "10.250.0.0/19"})
	s.make("b", "routers", object{"name": "shoot--dev--one"})
	s.make("b", "security-groups", object{"name": "shoot--dev--one"})
	s.make("b", "compute:os-keypairs", object{"name": "shoot--dev--one", "public_key": aKey})
}

// allow gives a group the rules that nodes need at least.
func (s *site) allow(group string) {
	s.Helper()
	in := object{"security_group_id": group, "direction": "ingress", "ethertype": "IPv4"}
	with := func(fields object) object {
		r := object{}
		for _, m := range []object{in, fields} {
			for k, v := range m {
				r[k] = v
			}
		}
		return r
	}
	s.send("a", http.MethodPost, "security-group-rules", object{"security_group_rules": []object{
		with(object{"remote_group_id": group}),
		with(object{"protocol": "tcp", "port_range_min": 30000, "port_range_max": 32767}),
		with(object{"protocol": "udp", "port_range_min": 30000, "port_range_max": 32767}),
	}})
}

// aKey is a public key whose private half nobody has.
const aKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g"

// make makes a thing as a user and returns its ID.
func (s *site) make(who, collection string, fields object) string {
	s.Helper()
	body := s.send(who, http.MethodPost, collection, object{clouds.Singular(collection): fields})
	made, _ := body[clouds.Singular(collection)].(object)
	id, _ := made["id"].(string)
	return id
}

// change sends a PUT as a user.
func (s *site) change(who, path string, body object) {
	s.Helper()
	s.send(who, http.MethodPut, path, body)
}

// drop deletes a thing as a user.
func (s *site) drop(who, path string) {
	s.Helper()
	s.send(who, http.MethodDelete, path, nil)
}

// find returns the ID of the only thing that a list finds.
func (s *site) find(who, query string) string {
	s.Helper()
	for _, list := range s.send(who, http.MethodGet, query, nil) {
		if found, _ := list.([]any); len(found) == 1 {
			o, _ := found[0].(object)
			id, _ := o["id"].(string)
			return id
		}
	}
	s.Fatalf("%s: not exactly one", query)
	return ""
}

// send sends a request that must succeed, past the relay.
func (s *site) send(who, method, path string, body object) object {
	s.Helper()
	u, err := s.cloud.User(s.Context(), who)
	if err != nil {
		s.Fatal(err)
	}
	var content any
	if body != nil {
		content = body
	}
	got, err := u.Do(s.Context(), method, path, nil, content)
	if err != nil || got.Status/100 != 2 {
		s.Fatalf("%s %s %s: %d %v %v", who, method, path, got.Status, got.Body, err)
	}
	return got.Body
}

// survey surveys the cloud.
func (s *site) survey() survey {
	s.Helper()
	all, err := takeSurvey(s.Context(), s.cloud)
	if err != nil {
		s.Fatal(err)
	}
	return all
}
