// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"slices"
)

func (planter) loadBalancers(c *call, w WorldProject) error {
	for i, b := range w.LoadBalancers {
		if err := plantBalancer(c, b); err != nil {
			return at(err, "load_balancers", i, b.Name)
		}
	}
	return nil
}

func plantBalancer(c *call, b WorldLoadBalancer) error {
	_, taken := c.cloud.loadBalancers.get(b.ID)
	if err := checkID(b.ID, taken); err != nil {
		return err
	}
	subnet, err := c.resolveSubnet(b.Subnet)
	if err != nil {
		return err
	}
	l := &loadBalancer{Name: b.Name, Subnet: subnet}
	l.standard = c.fresh("loadbalancer", input{
		values: fields{"project_id": c.who.projectID(), "name": b.Name, "subnet": subnet, "description": b.Description}, id: b.ID,
	})
	if b.Tags != nil {
		l.Tags = b.Tags
	}
	if err := c.addLoadBalancer(l, b.Address); err != nil {
		return err
	}
	l.Status, l.Operating = lbActive, "ONLINE"
	if b.Status != "" {
		if !slices.Contains([]string{lbActive, lbError, lbPendingCreate, lbPendingUpdate, lbPendingDelete}, b.Status) {
			return fmt.Errorf("provisioning_status: %q is no state of a load balancer", b.Status)
		}
		c.begin(l, b.Status)
	}
	for n := range b.Listeners {
		c.addChild(l, "listener", "", fmt.Sprintf("listener-%d", n), fields{"protocol": "TCP", "protocol_port": 80 + n})
	}
	return nil
}
