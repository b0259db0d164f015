// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "net/netip"

type floatingIP struct {
	standard
	Address netip.Addr `json:"floating_ip_address"`
	Network string     `json:"floating_network_id"`
	Router  *string    `json:"router_id"`
	Port    *string    `json:"port_id"`
	Fixed   netip.Addr `json:"fixed_ip_address"`
	Status  string     `json:"status"`
}

// floats says whether one of the floating IPs fits.
func (c *Cloud) floats(fits func(*floatingIP) bool) bool { return c.floatingIPs.has(fits) }

// dissociate takes the floating IPs off a port.
func (c *call) dissociate(id string) {
	for _, f := range c.cloud.floatingIPs.where(func(f *floatingIP) bool { return f.Port != nil && *f.Port == id }) {
		f.Port, f.Router, f.Fixed = nil, nil, netip.Addr{}
		c.touch(f)
	}
}
