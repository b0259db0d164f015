// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// CloudProfileConfig is the part of a CloudProfile that concerns the network.
// The document has more fields (machine images and others); decode it with
// DecodeLenient, and never write it back, since they would be lost.
type CloudProfileConfig struct {
	metav1.TypeMeta `json:",inline"`

	// Constraints limits what Shoots may name.
	Constraints Constraints `json:"constraints"`
	// DNSServers are the resolvers of subnets that are created.
	// +optional
	DNSServers []string `json:"dnsServers,omitempty"`
	// KeyStoneURL is the URL of Keystone where KeyStoneURLs names no other.
	// +optional
	KeyStoneURL string `json:"keystoneURL,omitempty"`
	// KeyStoneCACert is the CA bundle of KeyStoneURL, in PEM.
	// +optional
	KeyStoneCACert *string `json:"keystoneCACert,omitempty"`
	// KeyStoneForceInsecure switches the check of certificates off.
	// +optional
	KeyStoneForceInsecure bool `json:"keystoneForceInsecure,omitempty"`
	// KeyStoneURLs are URLs of Keystone by region.
	// +optional
	KeyStoneURLs []KeyStoneURL `json:"keystoneURLs,omitempty"`
	// UseSNAT says whether a router that is created translates the addresses of
	// what goes out; nil leaves it to Neutron.
	// +optional
	UseSNAT *bool `json:"useSNAT,omitempty"`
}

// KeyStoneURL is the URL of Keystone in one region.
type KeyStoneURL struct {
	// Region is the name of the region.
	Region string `json:"region"`
	// URL is the URL of Keystone.
	URL string `json:"url"`
	// CACert is the CA bundle, in PEM.
	// +optional
	CACert *string `json:"caCert,omitempty"`
}

// Constraints limits what Shoots may name.
type Constraints struct {
	// FloatingPools are the floating pools that Shoots may name.
	FloatingPools []FloatingPool `json:"floatingPools"`
	// LoadBalancerProviders are the Octavia providers that Shoots may name.
	LoadBalancerProviders []LoadBalancerProvider `json:"loadBalancerProviders"`
}

// FloatingPool allows floating pools, everywhere or in a region, a Keystone
// domain, or both.
type FloatingPool struct {
	// Name is a name, or a pattern with one "*" at its beginning or its end.
	Name string `json:"name"`
	// Region limits the entry to a region.
	// +optional
	Region *string `json:"region,omitempty"`
	// Domain limits the entry to the Keystone domain of the credentials.
	// +optional
	Domain *string `json:"domain,omitempty"`
	// DefaultFloatingSubnet chooses the external subnet of routers that are
	// created, if the user does not; see FloatingPoolSubnetName.
	// +optional
	DefaultFloatingSubnet *string `json:"defaultFloatingSubnet,omitempty"`
	// NonConstraining makes the entry an addition that does not stop wider
	// entries from applying.
	// +optional
	NonConstraining *bool `json:"nonConstraining,omitempty"`
	// LoadBalancerClasses are the classes that Shoots in this pool may use.
	// +optional
	LoadBalancerClasses []LoadBalancerClass `json:"loadBalancerClasses,omitempty"`
}

// LoadBalancerProvider allows an Octavia provider, everywhere or in a region.
type LoadBalancerProvider struct {
	// Name is the name of the provider.
	Name string `json:"name"`
	// Region limits the entry to a region.
	// +optional
	Region *string `json:"region,omitempty"`
}
