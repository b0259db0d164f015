// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

// unclaimed are fields that the real servers answer with and that nothing of
// this project reads. The embedded cloud need not have them, so they stand in no
// transcript. Whatever is not in this list must be the same on both.
var unclaimed = map[string]bool{
	// networks and routers: what agents, hypervisors and quality of service need
	"availability_zones": true, "availability_zone_hints": true, "mtu": true, "is_default": true,
	"provider:network_type": true, "provider:physical_network": true, "provider:segmentation_id": true,
	"qos_policy_id": true, "qos_network_policy_id": true,
	"flavor_id": true, "ha": true, "ha_vr_id": true, "distributed": true, "gw_port_id": true,
	// inner numbers that Neutron lets slip
	"standard_attr_id": true,
	// subnets, ports, groups
	"service_types": true, "extra_dhcp_opts": true, "resource_request": true,
	"binding:vnic_type": true, "binding:vif_type": true, "binding:vif_details": true, "binding:profile": true, "binding:host_id": true,
	"stateful": true, "remote_address_group_id": true, "normalized_cidr": true,
	"port_details": true, "port_forwardings": true,
}

// claimed returns a body without the fields that nobody claims, and without
// those that are vague.
func claimed(v any, vague map[string]bool) any {
	switch v := v.(type) {
	case map[string]any:
		rest := map[string]any{}
		for key, e := range v {
			if !unclaimed[key] && !vague[key] {
				rest[key] = claimed(e, vague)
			}
		}
		return rest
	case []any:
		rest := make([]any, len(v))
		for i, e := range v {
			rest[i] = claimed(e, vague)
		}
		return rest
	}
	return v
}
