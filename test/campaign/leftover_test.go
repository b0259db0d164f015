// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"fmt"
	"net/http"

	"github.com/espalier-io/espalier/test/estate"
	world "github.com/espalier-io/espalier/test/estate/openstack"
)

// subnets are those of ours.
func (g *ground) subnets() (ids []estate.Thing) {
	for _, made := range g.changed("before").Made {
		if made.Kind == "subnets" {
			ids = append(ids, made)
		}
	}
	return ids
}

// linger puts a port into a subnet of ours that somebody takes away only after
// the first try.
func linger(t *trial, _ spot) {
	ours := t.subnets()
	t.fired.Store(true)
	if len(ours) == 0 {
		return
	}
	made := t.ask(http.MethodPost, "/network/v2.0/ports", fmt.Sprintf(`{"port": {"name": "forgotten", "network_id": %q, "fixed_ips": [{"subnet_id": %q}]}}`,
		ours[0].Object["network_id"], ours[0].ID))
	port, _ := made["port"].(map[string]any)
	t.between = func(err error) {
		if err == nil {
			t.violated("I5", "a deletion was content although a port was in the way")
		}
		t.ask(http.MethodDelete, fmt.Sprintf("/network/v2.0/ports/%v", port["id"]), "")
	}
}

// pending leaves a load balancer of this cluster that can not be deleted yet,
// in a subnet of ours or of the user's.
func pending(t *trial, _ spot) {
	t.fired.Store(true)
	subnet := world.Subnet
	if ours := t.subnets(); len(ours) > 0 {
		subnet = ours[0].ID
	}
	t.ask(http.MethodPost, "/load-balancer/v2.0/lbaas/loadbalancers",
		fmt.Sprintf(`{"loadbalancer": {"name": "kube_service_%s_default_web", "vip_subnet_id": %q}}`, estate.Cluster, subnet))
}
