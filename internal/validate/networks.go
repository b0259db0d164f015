// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// nodeSubnetSource checks that exactly one thing says where the IPv4 subnet of
// the nodes comes from.
func (v *view) nodeSubnetSource() field.ErrorList {
	var findings field.ErrorList
	n := v.config.Networks
	if n.Worker == "" && n.Workers == "" && n.SubnetPool == nil && n.SubnetID == nil {
		findings = append(findings, noNodeSubnet.at(v.networks().Child("workers"), "", "nothing says where the nodes live",
			"give a range here to have a subnet created, or use networks.subnetPool, or name a subnet of yours in networks.subnetId"))
	}
	if n.SubnetPool != nil && (n.Worker != "" || n.Workers != "") {
		findings = append(findings, poolAndRange.at(v.networks().Child("subnetPool"), n.SubnetPool.ID,
			"the pool chooses the range of the node subnet, and networks.workers or networks.worker gives one too", "keep one of the two"))
	}
	return findings
}

// workerRanges checks the ranges of a subnet that is created, each for itself.
func (v *view) workerRanges() field.ErrorList {
	var findings field.ErrorList
	n := v.config.Networks
	findings = append(findings, v.workerRange(workerRange, n.Worker, v.networks().Child("worker"))...)
	findings = append(findings, v.workerRange(workersRange, n.Workers, v.networks().Child("workers"))...)
	if n.Worker == "" {
		return findings
	}
	path := v.networks().Child("worker")
	findings = append(findings, workerDeprecated.at(path, n.Worker, "this key is deprecated", "use networks.workers in new clusters, and leave it as it is in a running one"))
	if n.Workers != "" && n.Workers != n.Worker {
		findings = append(findings, twoRanges.at(path, n.Worker, "networks.workers ("+n.Workers+") wins over it", "remove networks.worker in new clusters"))
	}
	return findings
}

func (v *view) workerRange(malformed code, text string, path *field.Path) field.ErrorList {
	if text == "" {
		return nil
	}
	prefix, fault := parseRange(text)
	if fault != "" {
		return field.ErrorList{malformed.at(path, text, fault, fixRange(prefix, "10.250.0.0/19"))}
	}
	if !prefix.Addr().Is4() && !v.update {
		return field.ErrorList{rangeNotIPv4.at(path, text, "the node subnet made from this range is the IPv4 one", "give an IPv4 range here, and the IPv6 ranges in networks.ipv6")}
	}
	return nil
}

// subnetPool checks the pool of the IPv4 subnet.
func (v *view) subnetPool() field.ErrorList {
	pool, path := v.config.Networks.SubnetPool, v.networks().Child("subnetPool")
	if pool == nil {
		return nil
	}
	var findings field.ErrorList
	if pool.ID == "" {
		findings = append(findings, subnetPoolID.at(path.Child("id"), "", "the pool is not named", "give the UUID of a subnet pool (openstack subnet pool list)"))
	} else if _, ok := CanonicalUUID(pool.ID); !ok && !v.update {
		findings = append(findings, subnetPoolIDFormat.at(path.Child("id"), pool.ID, "this is no UUID, and Neutron takes no name here", "give the pool's UUID (openstack subnet pool show NAME -c id)"))
	}
	if pool.PrefixLength < 1 || pool.PrefixLength > 32 {
		findings = append(findings, subnetPoolPrefix.at(path.Child("prefixLength"), pool.PrefixLength,
			"an IPv4 subnet has a prefix length from 1 to 32, not "+strconv.Itoa(pool.PrefixLength), "give the size of the node subnet, for example 19"))
	}
	return findings
}

// networkAndRouter checks the IDs of the network and the router.
func (v *view) networkAndRouter() field.ErrorList {
	var findings field.ErrorList
	n := v.config.Networks
	if n.ID != nil {
		findings = append(findings, mustBeUUID(networkID, v.networks().Child("id"), *n.ID, "network")...)
	}
	if n.Router != nil {
		findings = append(findings, mustBeUUID(routerID, v.networks().Child("router", "id"), n.Router.ID, "router")...)
	}
	return findings
}

// mustBeUUID reports an ID that is none; kind is what the user would call it.
func mustBeUUID(rule code, path *field.Path, id, kind string) field.ErrorList {
	if _, ok := CanonicalUUID(id); ok {
		return nil
	}
	problem := "this is no UUID, and names are not accepted because they need not be unique"
	if id == "" {
		problem = "the ID is empty"
	}
	return field.ErrorList{rule.at(path, id, problem, "give the UUID (openstack "+kind+" show NAME -c id), or remove the key")}
}
