// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

// countable is up to which number of addresses a pool is counted exactly.
const countable = 1 << 53

// availability says how many addresses a network has, and has given away.
func (c *call) availability(n *network) fields {
	list := []fields{}
	total, used := 0.0, 0
	for _, s := range c.cloud.subnetsOf(n.ID) {
		size, taken := 0.0, 0
		for _, p := range s.Pools {
			size += p.size()
		}
		for _, p := range c.cloud.ports.list() {
			for _, ip := range p.FixedIPs {
				if ip.Subnet == s.ID {
					taken++
				}
			}
		}
		list = append(list, fields{
			"subnet_id": s.ID, "subnet_name": s.Name, "ip_version": s.IPVersion, "cidr": s.CIDR, "total_ips": count(size), "used_ips": taken,
		})
		total, used = total+size, used+taken
	}
	return fields{
		"network_id": n.ID, "network_name": n.Name, "project_id": n.Project, "tenant_id": n.Project,
		"subnet_ip_availability": list, "total_ips": count(total), "used_ips": used,
	}
}

// count is a number of addresses as JSON can say it.
func count(n float64) any {
	if n < countable {
		return int64(n)
	}
	return n
}

// listAvailabilities is GET /network-ip-availabilities. Members get an empty list.
func (c *call) listAvailabilities() (answer, error) {
	list := []fields{}
	for _, n := range c.cloud.networks.list() {
		if !c.passes("get_network_ip_availability", c.owns(n.Project)) {
			continue
		}
		if ids := c.query["network_id"]; len(ids) == 0 || inNetwork(ids, n.ID) {
			list = append(list, c.availability(n))
		}
	}
	return ok(fields{"network_ip_availabilities": list})
}

// showAvailability is GET /network-ip-availabilities/{id}.
func (c *call) showAvailability() (answer, error) {
	n, there := c.cloud.networks.get(c.vars["id"])
	if !there || !c.passes("get_network_ip_availability", c.owns(n.Project)) {
		return answer{}, notFound("HTTPNotFound", "The resource could not be found.")
	}
	return ok(fields{"network_ip_availability": c.availability(n)})
}
