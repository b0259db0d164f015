// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// InfrastructureStatus is what consumers (workers, control plane, bastion) may
// know of the network: what was made as well as what was referenced.
type InfrastructureStatus struct {
	metav1.TypeMeta `json:",inline"`

	// Networks holds the network and what belongs to it.
	Networks NetworkStatus `json:"networks"`
	// Node holds what nodes need besides the network.
	Node NodeStatus `json:"node"`
	// SecurityGroups lists the security groups of the nodes.
	SecurityGroups []SecurityGroup `json:"securityGroups"`
}

// NodeStatus holds what nodes need besides the network.
type NodeStatus struct {
	// KeyName is the name of the key pair in Nova; empty if SSH access is off.
	KeyName string `json:"keyName"`
}

// NetworkStatus holds the network and what belongs to it.
type NetworkStatus struct {
	// ID is the UUID of the network.
	ID string `json:"id"`
	// Name is the name of the network.
	Name string `json:"name"`
	// FloatingPool is the external network.
	FloatingPool FloatingPoolStatus `json:"floatingPool"`
	// Router is the router of the node subnets.
	Router RouterStatus `json:"router"`
	// Subnets lists the subnets by purpose.
	Subnets []Subnet `json:"subnets"`
	// ShareNetwork is the Manila share network, if there is one.
	// +optional
	ShareNetwork *ShareNetworkStatus `json:"shareNetwork,omitempty"`
}

// RouterStatus names a router and its addresses on the external network.
type RouterStatus struct {
	// ID is the UUID of the router.
	ID string `json:"id"`
	// IP is the first of ExternalFixedIPs, or empty. It is for old readers.
	IP string `json:"ip"`
	// ExternalFixedIPs are the router's addresses on the external network. It is
	// a list although its key on the wire is singular. A router without a
	// gateway has none.
	ExternalFixedIPs []string `json:"externalFixedIP"`
}

// FloatingPoolStatus names the external network.
type FloatingPoolStatus struct {
	// ID is the UUID of the external network.
	ID string `json:"id"`
	// Name is the name of the external network.
	Name string `json:"name"`
}

// ShareNetworkStatus names a Manila share network.
type ShareNetworkStatus struct {
	// ID is the UUID of the share network.
	ID string `json:"id"`
	// Name is the name of the share network.
	Name string `json:"name"`
}

// Purpose says what a subnet or security group is for.
type Purpose string

const (
	// PurposeNodes marks the IPv4 node subnet and the security group of nodes.
	PurposeNodes Purpose = "nodes"
	// PurposeNodesIPv6 marks the IPv6 node subnet of a dual-stack cluster.
	PurposeNodesIPv6 Purpose = "nodes-ipv6"
	// PurposePods marks a subnet that only reserves the IPv6 range of pods.
	PurposePods Purpose = "pods"
	// PurposeServices marks a subnet that only reserves the IPv6 range of
	// Services.
	PurposeServices Purpose = "services"
)

// Subnet is a subnet of the network.
type Subnet struct {
	// Purpose says what the subnet is for.
	Purpose Purpose `json:"purpose"`
	// ID is the UUID of the subnet.
	ID string `json:"id"`
	// CIDR is the range of the subnet.
	CIDR string `json:"cidr"`
}

// SecurityGroup is a security group of the nodes.
type SecurityGroup struct {
	// Purpose says what the group is for.
	Purpose Purpose `json:"purpose"`
	// ID is the UUID of the group.
	ID string `json:"id"`
	// Name is the name of the group in Neutron. Machines are given the group by
	// this name.
	Name string `json:"name"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// InfrastructureState is what a controller must remember between two runs.
type InfrastructureState struct {
	metav1.TypeMeta `json:",inline"`

	// Data is a flat map; which keys there are is up to who writes it.
	Data map[string]string `json:"data"`
}
