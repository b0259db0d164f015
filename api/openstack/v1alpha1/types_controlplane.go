// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// ControlPlaneConfig is what a user asks of the parts of the control plane that
// speak to OpenStack. It stands in spec.provider.controlPlaneConfig of a Shoot.
type ControlPlaneConfig struct {
	metav1.TypeMeta `json:",inline"`

	// CloudControllerManager configures the cloud controller manager.
	// +optional
	CloudControllerManager *CloudControllerManagerConfig `json:"cloudControllerManager,omitempty"`

	// LoadBalancerClasses are the classes that Services of this cluster may name.
	// If it is empty, those of the floating pool in the CloudProfile apply.
	// +optional
	LoadBalancerClasses []LoadBalancerClass `json:"loadBalancerClasses,omitempty"`

	// LoadBalancerProvider is the name of the Octavia provider. Required.
	LoadBalancerProvider string `json:"loadBalancerProvider"`

	// Zone is an availability zone. It is not used any more, for zones belong to
	// the workers.
	// +optional
	Zone *string `json:"zone,omitempty"`

	// Storage configures storage drivers.
	// +optional
	Storage *Storage `json:"storage,omitempty"`
}

// CloudControllerManagerConfig configures the cloud controller manager.
type CloudControllerManagerConfig struct {
	// FeatureGates are Kubernetes feature gates, by name.
	// +optional
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
}

// Storage configures storage drivers.
type Storage struct {
	// CSIManila configures the driver for NFS shares.
	// +optional
	CSIManila *CSIManila `json:"csiManila,omitempty"`
}

// CSIManila configures the driver for NFS shares.
type CSIManila struct {
	// Enabled asks for the driver. It needs a share network.
	Enabled bool `json:"enabled"`
}

// The purposes that a LoadBalancerClass may have.
const (
	// DefaultLoadBalancerClass marks the class of Services that name none.
	DefaultLoadBalancerClass = "default"
	// PrivateLoadBalancerClass marks the class of internal load balancers.
	PrivateLoadBalancerClass = "private"
	// VPNLoadBalancerClass marks the class of the VPN endpoint; only a
	// CloudProfile may use it.
	VPNLoadBalancerClass = "vpn"
)

// LoadBalancerClass names where the addresses of a load balancer come from.
type LoadBalancerClass struct {
	// Name is the name by which Services ask for the class.
	Name string `json:"name"`
	// Purpose is one of the constants above, or nil. Its key is written even if
	// it is nil.
	// +optional
	Purpose *string `json:"purpose"`
	// FloatingSubnetID is the UUID of a subnet of the floating pool.
	// +optional
	FloatingSubnetID *string `json:"floatingSubnetID,omitempty"`
	// FloatingSubnetTags selects subnets of the floating pool by tags.
	// +optional
	FloatingSubnetTags *string `json:"floatingSubnetTags,omitempty"`
	// FloatingSubnetName is a name or a pattern for a subnet of the floating pool.
	// +optional
	FloatingSubnetName *string `json:"floatingSubnetName,omitempty"`
	// FloatingNetworkID is the UUID of the floating pool.
	// +optional
	FloatingNetworkID *string `json:"floatingNetworkID,omitempty"`
	// SubnetID is the ID of the subnet of the private address.
	// +optional
	SubnetID *string `json:"subnetID,omitempty"`
}
