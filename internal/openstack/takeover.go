// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"slices"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// inheritedKeys are the keys under which Gardener's OpenStack provider keeps
// IDs in its flat state, by node. It uses the same keys for what is its own and
// for what is the user's: only those of nodes that are ours here count.
var inheritedKeys = map[string]string{
	networkNode:      "Network",
	routerNode:       "Router",
	subnetNode:       "Subnet",
	nodesIPv6Node:    "SubnetIPv6",
	podsIPv6Node:     "SubnetIPv6Pod",
	servicesIPv6Node: "SubnetIPv6Svc",
	groupNode:        "SecurityGroup",
	keyPairNode:      "KeyPair",
	shareNode:        "ShareNetwork",
}

// terraformKey marks a state of the time when Gardener's provider used Terraform.
const terraformKey = "resource_exist"

// checkInherited refuses a state that can not be taken over.
func checkInherited(data map[string]string) error {
	if _, ok := data[terraformKey]; ok && len(data) == 1 {
		return fault.Errorf(fault.Invalid, "the state of the Infrastructure is from the time of Terraform and names nothing: let Gardener's provider reconcile it once, then take it over")
	}
	return nil
}

// inherited is the ID that the state of Gardener's provider has for a node.
func (c Config) inherited(node string) engine.ID {
	return canonical(c.Inherited[inheritedKeys[node]])
}

// isInherited says that the state of Gardener's provider names an ID.
func (c Config) isInherited(id engine.ID) bool {
	for node := range inheritedKeys {
		if c.inherited(node) == id && id != "" {
			return true
		}
	}
	return false
}

// nodesOfKind are the nodes that a kind of thing can stand for.
var nodesOfKind = map[string][]string{
	"network": {networkNode}, "router": {routerNode}, "security-group": {groupNode}, "share-network": {shareNode},
	"subnet": {subnetNode, nodesIPv6Node, podsIPv6Node, servicesIPv6Node},
}

// inheritedOfKind are the IDs of one kind, in a fixed order.
func (c Config) inheritedOfKind(kind string) (ids []engine.ID) {
	for _, node := range nodesOfKind[kind] {
		if id := c.inherited(node); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// marked claims what is recorded, what bears our mark, or what was inherited
// and proves by its name and its project that it is this cluster's.
func marked[T any](t *topology, node string, table *engine.Table[T], proved func(T) bool) engine.Claim[T] {
	claim := engine.Marked(t.f.State, node, table)
	if id := t.c.inherited(node); id != "" {
		return engine.Inherited(claim, table.Get(id), proved)
	}
	return claim
}
