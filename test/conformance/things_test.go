// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// network makes a network.
func (u *user) network(name string) object {
	u.lab.Helper()
	return u.make("networks", M{"name": name})
}

// subnet makes an IPv4 subnet with what Neutron chooses if nobody says more.
func (u *user) subnet(network object, cidr string) object {
	u.lab.Helper()
	return u.make("subnets", M{"network_id": network.id(), "ip_version": 4, "cidr": cidr})
}

// router makes a router without a gateway.
func (u *user) router(name string) object {
	u.lab.Helper()
	return u.make("routers", M{"name": name})
}

// port makes a port in a network.
func (u *user) port(network object, more M) object {
	u.lab.Helper()
	fields := M{"network_id": network.id()}
	maps.Copy(fields, more)
	return u.make("ports", fields)
}

// plug gives a router an interface on a subnet.
func (u *user) plug(router, subnet object) object {
	u.lab.Helper()
	return u.put("routers/"+router.id()+"/add_router_interface", M{"subnet_id": subnet.id()})
}

// unplug takes the interface away.
func (u *user) unplug(router, subnet object) object {
	u.lab.Helper()
	return u.put("routers/"+router.id()+"/remove_router_interface", M{"subnet_id": subnet.id()})
}

// external returns the external network "public" that both clouds have from the
// start, and its subnet, 203.0.113.0/24.
func (l *lab) external() (network, subnet object) {
	l.Helper()
	network = quiet(l.admin, "networks?name=public")[0]
	subnet = quiet(l.admin, "subnets?name=public")[0]
	l.seen.mask.name(network.id(), "network public")
	l.seen.mask.name(subnet.id(), "subnet public")
	return network, subnet
}

// gatewayTo is what a router's gateway to a network is asked for with.
func gatewayTo(network object) M { return M{"network_id": network.id()} }

// routed makes a network, a subnet and a router with a gateway to the external
// network and an interface on the subnet.
func (u *user) routed(external object, cidr string) (network, subnet, router object) {
	u.lab.Helper()
	network = u.network("routed")
	subnet = u.subnet(network, cidr)
	router = u.make("routers", M{"name": "routed", "external_gateway_info": gatewayTo(external)})
	u.plug(router, subnet)
	return network, subnet, router
}

// gone fails the case if the object can still be read.
func (u *user) gone(kind, path string) {
	u.lab.Helper()
	u.refused(http.StatusNotFound, kind, http.MethodGet, path, nil)
}

// nobody is an identifier that nothing has.
const nobody = "00000000-aaaa-4bbb-8ccc-000000000000"

// address is a host's address in 10.1.0.0/24.
func address(host int) string { return fmt.Sprintf("10.1.0.%d", host) }

// quiet lists without a word in the transcript: for loops over a map.
func quiet(u *user, path string) []object {
	u.lab.Helper()
	got := u.try(http.MethodGet, path, nil)
	if got.Status != http.StatusOK {
		u.lab.Fatalf("GET %s: %d %v", path, got.Status, got.Body)
	}
	for _, key := range slices.Sorted(maps.Keys(got.Body)) {
		if !strings.HasSuffix(key, "_links") {
			return object(got.Body).parts(key)
		}
	}
	return nil
}

// sorted returns texts in order.
func sorted(texts ...string) []string {
	slices.Sort(texts)
	return texts
}

// escaped returns a text as it stands in a query.
func escaped(text string) string { return url.QueryEscape(text) }
