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

	// EnableECRAccess gives nodes the right to pull from the account's container
	// registry. Nil means true.
	// +optional
	EnableECRAccess *bool `json:"enableECRAccess,omitempty"`

	// DualStack asks for IPv6 ranges in a network that is made. Once enabled it
	// cannot be switched off.
	// +optional
	DualStack *DualStack `json:"dualStack,omitempty"`

	// Networks says which parts of the network exist and which are to be made.
	Networks Networks `json:"networks"`

	// IgnoreTags names tags that others set on what is made, and that stay.
	// +optional
	IgnoreTags *IgnoreTags `json:"ignoreTags,omitempty"`

	// EnableDedicatedTenancyForVPC gives machines in a VPC that is made hardware
	// of their own. Nil means false. Immutable.
	// +optional
	EnableDedicatedTenancyForVPC *bool `json:"enableDedicatedTenancyForVPC,omitempty"`

	// ElasticFileSystem asks for the driver for EFS. Immutable once it is set.
	// +optional
	ElasticFileSystem *ElasticFileSystemConfig `json:"elasticFileSystem,omitempty"`

	// EnableMTUCustomizer sets the MTU of the nodes' interfaces to 1460. Nil
	// means true.
	// +optional
	EnableMTUCustomizer *bool `json:"enableMTUCustomizer,omitempty"`
}

// DualStack asks for IPv6 ranges.
type DualStack struct {
	// Enabled asks for them.
	Enabled bool `json:"enabled"`
}

// IgnoreTags names tags that are left alone.
type IgnoreTags struct {
	// Keys are whole keys.
	// +optional
	Keys []string `json:"keys,omitempty"`
	// KeyPrefixes are beginnings of keys.
	// +optional
	KeyPrefixes []string `json:"keyPrefixes,omitempty"`
}

// ElasticFileSystemConfig asks for the driver for EFS.
type ElasticFileSystemConfig struct {
	// Enabled asks for the driver, and for a file system if ID is nil.
	Enabled bool `json:"enabled"`
	// ID is the ID of an existing file system. Required where the subnets are the
	// user's.
	// +optional
	ID *string `json:"id,omitempty"`
}

// Networks says where the worker nodes live. Every ID names something that
// exists and belongs to the user: it is referenced, never created and never
// deleted. What is not named is created.
type Networks struct {
	// VPC is the VPC: an existing one, or one to make.
	VPC VPC `json:"vpc"`
	// Zones are the availability zones with their subnets. Zones may be added at
	// the end, never removed. Either all worker subnets exist or none.
	Zones []Zone `json:"zones"`
	// NodesSecurityGroupID is the ID of an existing security group for the nodes,
	// whose rules are the user's affair. It requires VPC.ID and is immutable.
	// +optional
	NodesSecurityGroupID *string `json:"nodesSecurityGroupID,omitempty"`
}

// VPC is an existing VPC, by ID, or one to make, by CIDR.
type VPC struct {
	// ID is the ID of an existing VPC. It excludes CIDR and is immutable.
	// +optional
	ID *string `json:"id,omitempty"`
	// CIDR is the IPv4 range of the VPC to make. Immutable.
	// +optional
	CIDR *string `json:"cidr,omitempty"`
	// GatewayEndpoints are names of services that get a gateway endpoint, for
	// example "s3". They need subnets that are made.
	// +optional
	GatewayEndpoints []string `json:"gatewayEndpoints,omitempty"`
	// Ipv6IpamPool gives a VPC that is made its IPv6 range. Immutable once it is
	// set.
	// +optional
	Ipv6IpamPool *IPAMPool `json:"ipv6IpamPool,omitempty"`
}

// IPAMPool names a pool of IPv6 ranges.
type IPAMPool struct {
	// ID is the ID of the pool.
	ID *string `json:"id"`
	// CidrBlock asks for this very /56 of the pool.
	// +optional
	CidrBlock *string `json:"cidrBlock,omitempty"`
}

// Zone is an availability zone with its subnets.
type Zone struct {
	// Name is the name of the zone, for example "eu-central-1a". Immutable.
	Name string `json:"name"`
	// Internal is the range of a subnet to make for internal load balancers.
	// +optional
	Internal *string `json:"internal,omitempty"`
	// Public is the range of a subnet to make for public load balancers and the
	// NAT gateway.
	// +optional
	Public *string `json:"public,omitempty"`
	// Workers is the range of the subnet to make for the nodes. It excludes
	// WorkersSubnetID.
	// +optional
	Workers *string `json:"workers,omitempty"`
	// WorkersSubnetID is the ID of an existing subnet for the nodes. It requires
	// the VPC's ID, excludes every range of the zone, and is immutable.
	// +optional
	WorkersSubnetID *string `json:"workersSubnetID,omitempty"`
	// PublicSubnetID is the ID of an existing subnet for public load balancers. It
	// requires WorkersSubnetID, and is immutable once it is set.
	// +optional
	PublicSubnetID *string `json:"publicSubnetID,omitempty"`
	// InternalSubnetID is the ID of an existing subnet for internal load
	// balancers. It requires WorkersSubnetID, and is immutable once it is set.
	// +optional
	InternalSubnetID *string `json:"internalSubnetID,omitempty"`
	// ElasticIPAllocationID is the allocation ID of an existing elastic IP for
	// the NAT gateway of the zone, where that is made. A change replaces the NAT
	// gateway.
	// +optional
	ElasticIPAllocationID *string `json:"elasticIPAllocationID,omitempty"`
}
