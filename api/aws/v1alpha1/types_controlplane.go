// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// ControlPlaneConfig is what a user asks of the parts of the control plane that
// speak to AWS. It stands in spec.provider.controlPlaneConfig of a Shoot and may
// be absent.
type ControlPlaneConfig struct {
	metav1.TypeMeta `json:",inline"`

	// CloudControllerManager configures the cloud controller manager.
	// +optional
	CloudControllerManager *CloudControllerManagerConfig `json:"cloudControllerManager,omitempty"`

	// LoadBalancerController configures the AWS Load Balancer Controller.
	// +optional
	LoadBalancerController *LoadBalancerControllerConfig `json:"loadBalancerController,omitempty"`

	// Storage configures storage drivers.
	// +optional
	Storage *Storage `json:"storage,omitempty"`
}

// CloudControllerManagerConfig configures the cloud controller manager.
type CloudControllerManagerConfig struct {
	// FeatureGates are Kubernetes feature gates, by name.
	// +optional
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
	// UseCustomRouteController asks for the controller that writes pod routes.
	// Admission sets it from the overlay switch.
	// +optional
	UseCustomRouteController *bool `json:"useCustomRouteController,omitempty"`
}

// LoadBalancerControllerConfig configures the AWS Load Balancer Controller.
type LoadBalancerControllerConfig struct {
	// Enabled asks for the controller.
	Enabled bool `json:"enabled"`
	// IngressClassName is the class of Ingresses that it serves; nil means "alb".
	// +optional
	IngressClassName *string `json:"ingressClassName,omitempty"`
}

// Storage configures storage drivers.
type Storage struct {
	// ManagedDefaultClass makes the managed storage class the default one. Nil
	// means true.
	// +optional
	ManagedDefaultClass *bool `json:"managedDefaultClass,omitempty"`
}
