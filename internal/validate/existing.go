// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

// namesRouter reports whether a configuration names a router of the user.
func namesRouter(n v1alpha1.Networks) bool { return n.Router != nil && n.Router.ID != "" }

// existingSubnet checks networks.subnetId, each condition for itself.
func (v *view) existingSubnet() field.ErrorList {
	n, path := v.config.Networks, v.networks().Child("subnetId")
	if n.SubnetID == nil {
		return nil
	}
	var findings field.ErrorList
	id := *n.SubnetID
	if n.ID == nil {
		findings = append(findings, subnetNeedsNetwork.at(path, id, "a subnet is part of a network, and networks.id is not given", "add networks.id (openstack subnet show "+idOr(id, "ID")+" -c network_id)"))
	}
	if !namesRouter(n) {
		findings = append(findings, subnetNeedsRouter.at(path, id, "no router is made in a subnet of yours, and networks.router.id is not given",
			"add networks.router.id, or make a router with openstack router create NAME --external-gateway POOL and openstack router add subnet NAME "+idOr(id, "SUBNET")))
	}
	findings = append(findings, mustBeUUID(subnetID, path, id, "subnet")...)
	if n.Worker != "" || n.Workers != "" {
		findings = append(findings, subnetAndRange.at(path, id, "the nodes live in this subnet, and networks.workers or networks.worker gives a range for another", "remove networks.workers and networks.worker, or remove networks.subnetId"))
	}
	if n.SubnetPool != nil {
		findings = append(findings, subnetAndPool.at(path, id, "the nodes live in this subnet, and networks.subnetPool asks for another", "remove networks.subnetPool, or remove networks.subnetId"))
	}
	return findings
}

// existingGroup checks networks.securityGroupId.
func (v *view) existingGroup() field.ErrorList {
	n, path := v.config.Networks, v.networks().Child("securityGroupId")
	if n.SecurityGroupID == nil {
		return nil
	}
	var findings field.ErrorList
	if n.ID == nil {
		findings = append(findings, groupNeedsNetwork.at(path, *n.SecurityGroupID, "a security group of yours needs a network of yours, and networks.id is not given", "add networks.id, or remove networks.securityGroupId to have a group created"))
	}
	return append(findings, mustBeUUID(groupID, path, *n.SecurityGroupID, "security group")...)
}

// existingShareNetwork checks networks.shareNetworkId.
func (v *view) existingShareNetwork() field.ErrorList {
	n, path := v.config.Networks, v.networks().Child("shareNetworkId")
	if n.ShareNetworkID == nil {
		return nil
	}
	var findings field.ErrorList
	id := *n.ShareNetworkID
	if n.ID == nil {
		findings = append(findings, shareNeedsNetwork.at(path, id, "a share network is bound to a network, and networks.id is not given", "add networks.id"))
	}
	findings = append(findings, mustBeUUID(shareID, path, id, "share network")...)
	if n.ShareNetwork != nil && n.ShareNetwork.Enabled {
		findings = append(findings, shareTwice.at(path, id, "networks.shareNetwork.enabled asks for a share network that is deleted with the cluster, and this one is yours", "set networks.shareNetwork.enabled to false, or remove networks.shareNetworkId"))
	}
	return findings
}

// existingNodeSubnet checks networks.ipv6.nodeSubnetId.
func (v *view) existingNodeSubnet() field.ErrorList {
	n, path := v.config.Networks, v.networks().Child("ipv6", "nodeSubnetId")
	if n.IPv6 == nil || n.IPv6.NodeSubnetID == nil {
		return nil
	}
	var findings field.ErrorList
	id := *n.IPv6.NodeSubnetID
	if n.ID == nil {
		findings = append(findings, nodeSubnetNeedsNetwork.at(path, id, "a subnet is part of a network, and networks.id is not given", "add networks.id (openstack subnet show "+idOr(id, "ID")+" -c network_id)"))
	}
	if !namesRouter(n) {
		findings = append(findings, nodeSubnetNeedsRouter.at(path, id, "the router of your subnets must be yours, and networks.router.id is not given", "add networks.router.id, a router with an interface on both subnets"))
	}
	if n.SubnetID == nil {
		findings = append(findings, nodeSubnetNeedsSubnet.at(path, id, "the IPv6 side can only be yours if the IPv4 side is, and networks.subnetId is not given", "add networks.subnetId, or use networks.ipv6.subnetPoolID or nodeCIDR"))
	} else if sameID(*n.SubnetID, id) {
		findings = append(findings, subnetsEqual.at(path, id, "networks.subnetId names the same subnet, and a subnet has one family", "name the IPv6 subnet here and the IPv4 subnet there"))
	}
	findings = append(findings, mustBeUUID(nodeSubnetID, path, id, "subnet")...)
	if n.IPv6.SubnetPoolID != nil {
		findings = append(findings, nodeSubnetAndPool.at(path, id, "the nodes live in this subnet, and networks.ipv6.subnetPoolID asks for another", "keep one of the two"))
	}
	if n.IPv6.NodeCIDR != "" {
		findings = append(findings, nodeSubnetAndRange.at(path, id, "the nodes live in this subnet, and networks.ipv6.nodeCIDR asks for another", "keep one of the two"))
	}
	return findings
}

// spelling points at UUIDs that are not written as Neutron writes them.
func (v *view) spelling() field.ErrorList {
	var findings field.ErrorList
	for _, id := range ids(v.config, v.base) {
		if canonical, ok := CanonicalUUID(id.value); ok && canonical != id.value {
			findings = append(findings, idSpelling.at(id.path, id.value, "this spelling is accepted and used as "+canonical, "write it like that, so that a search finds it"))
		}
	}
	return findings
}

// located is an ID and where it stands.
type located struct {
	path  *field.Path
	value string
}

// ids lists all IDs of a configuration.
func ids(config *v1alpha1.InfrastructureConfig, base *field.Path) []located {
	n, path := config.Networks, base.Child("networks")
	var found []located
	add := func(id *string, names ...string) {
		if id != nil {
			found = append(found, located{path.Child(names[0], names[1:]...), *id})
		}
	}
	add(n.ID, "id")
	if n.Router != nil {
		add(&n.Router.ID, "router", "id")
	}
	add(n.SubnetID, "subnetId")
	add(n.SecurityGroupID, "securityGroupId")
	add(n.ShareNetworkID, "shareNetworkId")
	if n.SubnetPool != nil {
		add(&n.SubnetPool.ID, "subnetPool", "id")
	}
	if n.IPv6 != nil {
		add(n.IPv6.SubnetPoolID, "ipv6", "subnetPoolID")
		add(n.IPv6.NodeSubnetID, "ipv6", "nodeSubnetId")
	}
	return found
}

// idOr shows an ID in a command if it is one, and else what to put there.
func idOr(id, placeholder string) string {
	if canonical, ok := CanonicalUUID(id); ok {
		return canonical
	}
	return placeholder
}
