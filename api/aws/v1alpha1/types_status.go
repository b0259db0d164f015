// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// InfrastructureStatus is what consumers (workers, control plane, bastion) may
// know of the network: what was made as well as what was referenced.
type InfrastructureStatus struct {
	metav1.TypeMeta `json:",inline"`

	// EC2 holds what machines need besides the network.
	EC2 EC2 `json:"ec2"`
	// IAM holds what machines may do.
	IAM IAM `json:"iam"`
	// VPC holds the VPC and what belongs to it.
	VPC VPCStatus `json:"vpc"`
	// ElasticFileSystem is the file system; its ID is empty if there is none.
	ElasticFileSystem ElasticFileSystemStatus `json:"elasticFileSystem,omitempty"`
}

// EC2 holds what machines need besides the network.
type EC2 struct {
	// KeyName is the name of the key pair; empty if SSH access is off.
	KeyName string `json:"keyName"`
}

// IAM holds what machines may do.
type IAM struct {
	// InstanceProfiles lists the instance profiles by purpose.
	InstanceProfiles []InstanceProfile `json:"instanceProfiles"`
	// Roles lists the roles by purpose.
	Roles []Role `json:"roles"`
}

// VPCStatus holds the VPC and what belongs to it.
type VPCStatus struct {
	// ID is the ID of the VPC.
	ID string `json:"id"`
	// Subnets lists the subnets by purpose and zone.
	Subnets []Subnet `json:"subnets"`
	// SecurityGroups lists the security groups by purpose.
	SecurityGroups []SecurityGroup `json:"securityGroups"`
}

// ElasticFileSystemStatus names the file system.
type ElasticFileSystemStatus struct {
	// ID is the ID of the file system. Its key on the wire is in capitals.
	ID string `json:"ID"`
}

// The purposes of subnets and other things.
const (
	// PurposeNodes marks what is for nodes.
	PurposeNodes string = "nodes"
	// PurposePublic marks what is for public load balancers.
	PurposePublic string = "public"
	// PurposeInternal marks what is for internal load balancers.
	PurposeInternal string = "internal"
)

// InstanceProfile is an instance profile.
type InstanceProfile struct {
	// Purpose says what it is for.
	Purpose string `json:"purpose"`
	// Name is its name.
	Name string `json:"name"`
}

// Role is an IAM role.
type Role struct {
	// Purpose says what it is for.
	Purpose string `json:"purpose"`
	// ARN is its ARN.
	ARN string `json:"arn"`
}

// Subnet is a subnet of the VPC.
type Subnet struct {
	// Purpose says what it is for.
	Purpose string `json:"purpose"`
	// ID is its ID.
	ID string `json:"id"`
	// Zone is its availability zone.
	Zone string `json:"zone"`
}

// SecurityGroup is a security group of the VPC.
type SecurityGroup struct {
	// Purpose says what it is for.
	Purpose string `json:"purpose"`
	// ID is its ID.
	ID string `json:"id"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// InfrastructureState is what a controller must remember between two runs.
type InfrastructureState struct {
	metav1.TypeMeta `json:",inline"`

	// Data is a flat map; which keys there are is up to who writes it.
	Data map[string]string `json:"data"`
}
