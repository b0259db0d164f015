// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// InfrastructureConfig is what a user asks of the network of a cluster. It
// stands in spec.provider.infrastructureConfig of a Shoot and in
// spec.providerConfig of an Infrastructure.
type InfrastructureConfig struct {
	metav1.TypeMeta `json:",inline"`

	// FloatingPoolName is the name of the external network that gives the
	// router its gateway and load balancers their floating IPs. Required.
	FloatingPoolName string `json:"floatingPoolName"`

	// FloatingPoolSubnetName chooses the external subnet of the gateway of a
	// router that is created: a name, a glob, "~" and a regular expression, and
	// each of them negated by "!". It must not be set with networks.router.
	// +optional
	FloatingPoolSubnetName *string `json:"floatingPoolSubnetName,omitempty"`

	// Networks says which parts of the network exist and which are to be made.
	Networks Networks `json:"networks"`
}

// Networks says where the worker nodes live. Every ID names something that
// exists and belongs to the user: it is referenced, never created, never
// changed and never deleted. What is not named is created.
//
// The IPv4 node subnet has exactly one source: SubnetID (exists), Workers or
// Worker (created with this range), or SubnetPool (created from the pool).
type Networks struct {
	// Router names an existing router. Required with SubnetID, which must
	// already have an interface on it.
	// +optional
	Router *Router `json:"router,omitempty"`

	// Worker is the old key for Workers, which wins if both are set. New
	// configurations should not use it.
	// +optional
	Worker string `json:"worker,omitempty"`

	// Workers is the IPv4 CIDR of the node subnet to create. It must lie within
	// spec.networking.nodes of the Shoot.
	// +optional
	Workers string `json:"workers,omitempty"`

	// SubnetPool allocates the IPv4 node subnet from a subnet pool. It excludes
	// Worker, Workers and SubnetID.
	// +optional
	SubnetPool *SubnetPool `json:"subnetPool,omitempty"`

	// ID is the UUID of an existing network. Immutable.
	// +optional
	ID *string `json:"id,omitempty"`

	// SubnetID is the UUID of an existing IPv4 subnet of network ID, into which
	// the nodes are put. It requires ID and Router, excludes Worker, Workers and
	// SubnetPool, and is immutable.
	// +optional
	SubnetID *string `json:"subnetId,omitempty"`

	// SecurityGroupID is the UUID of an existing security group for the nodes,
	// whose rules are the user's affair. It requires ID and is immutable.
	// +optional
	SecurityGroupID *string `json:"securityGroupId,omitempty"`

	// ShareNetworkID is the UUID of an existing Manila share network. It
	// requires ID, excludes an enabled ShareNetwork, and is immutable.
	// +optional
	ShareNetworkID *string `json:"shareNetworkId,omitempty"`

	// ShareNetwork asks for a Manila share network on the node subnet.
	// +optional
	ShareNetwork *ShareNetwork `json:"shareNetwork,omitempty"`

	// IPv6 holds the IPv6 side of a dual-stack cluster. Immutable.
	// +optional
	IPv6 *IPv6Config `json:"ipv6,omitempty"`
}

// Router names an existing router.
type Router struct {
	// ID is the UUID of the router. Required.
	ID string `json:"id"`
}

// SubnetPool names a Neutron subnet pool and how much to take from it.
type SubnetPool struct {
	// ID is the ID of the subnet pool. Required.
	ID string `json:"id"`
	// PrefixLength is the prefix length of the subnet to allocate, 1 to 32.
	PrefixLength int `json:"prefixLength"`
}

// ShareNetwork is the wish for a Manila share network.
type ShareNetwork struct {
	// Enabled asks for the share network; one that fits by name, network and
	// subnet is adopted. Once enabled it cannot be switched off.
	Enabled bool `json:"enabled"`
}

// IPv6Config holds the IPv6 side of a dual-stack cluster, from exactly one of
// three sources: SubnetPoolID alone; NodeCIDR with PodCIDR and ServiceCIDR; or
// NodeSubnetID with PodCIDR and ServiceCIDR.
type IPv6Config struct {
	// SubnetPoolID is the ID of the subnet pool that gives the ranges of nodes,
	// pods and services. If NodeCIDR is set too, NodeCIDR wins. It excludes
	// NodeSubnetID. The key on the wire ends in a capital "ID".
	// +optional
	SubnetPoolID *string `json:"subnetPoolID,omitempty"`

	// NodeCIDR is the IPv6 CIDR of the node subnet to create.
	// +optional
	NodeCIDR string `json:"nodeCIDR,omitempty"`

	// PodCIDR is the IPv6 range of pods. With NodeSubnetID it is no range of
	// Neutron, and its prefix must not be longer than /64.
	// +optional
	PodCIDR string `json:"podCIDR,omitempty"`

	// ServiceCIDR is the IPv6 range of Services. With NodeSubnetID it is no
	// range of Neutron and is published as it stands.
	// +optional
	ServiceCIDR string `json:"serviceCIDR,omitempty"`

	// NodeSubnetID is the UUID of an existing IPv6 subnet of network ID for the
	// nodes. It requires network, router and SubnetID to be the user's too.
	// +optional
	NodeSubnetID *string `json:"nodeSubnetId,omitempty"`
}
