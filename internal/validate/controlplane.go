// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"reflect"
	"slices"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

// controlPlane checks the control plane configuration of a Shoot.
func (v *view) controlPlane(old, shoot *corev1beta1.Shoot) (field.ErrorList, []NotChecked) {
	raw := shoot.Spec.Provider.ControlPlaneConfig
	if raw == nil || len(raw.Raw) == 0 {
		return field.ErrorList{controlPlaneMissing.at(controlPlanePath, "", "a Shoot with workers needs it", "add it, with loadBalancerProvider at least")}, nil
	}
	var findings field.ErrorList
	config, err := v1alpha1.DecodeStrict[v1alpha1.ControlPlaneConfig](raw.Raw)
	if err != nil {
		lenient, lenientErr := v1alpha1.DecodeLenient[v1alpha1.ControlPlaneConfig](raw.Raw)
		if lenientErr != nil {
			return field.ErrorList{controlPlaneUnreadable.at(controlPlanePath, field.OmitValueType{}, oneLine(lenientErr), "correct the document")}, nil
		}
		config = lenient
		findings = append(findings, controlPlaneField.at(controlPlanePath, field.OmitValueType{}, oneLine(err), "check the spelling, for what is not known is ignored"))
	}
	before := oldControlPlane(old)
	findings = append(findings, v.loadBalancerProvider(before, config)...)
	findings = append(findings, loadBalancerClasses(config.LoadBalancerClasses)...)
	allowed, unchecked := v.loadBalancerClassesAllowed(before, config)
	findings = append(findings, allowed...)
	findings = append(findings, v.manila(config)...)
	if config.Zone != nil {
		findings = append(findings, zoneDeprecated.at(controlPlanePath.Child("zone"), *config.Zone, "the zone of the control plane is not used any more", "remove it, for zones belong to the workers"))
	}
	if reason := v.profileUnknown(); reason != "" && (before == nil || before.LoadBalancerProvider != config.LoadBalancerProvider) && (v.profile == nil || v.region == "") {
		unchecked = append(unchecked, NotChecked{string(lbProviderNotAllowed), reason})
	}
	return findings, unchecked
}

// oldControlPlane is the configuration before an update, or nil.
func oldControlPlane(old *corev1beta1.Shoot) *v1alpha1.ControlPlaneConfig {
	if old == nil || old.Spec.Provider.ControlPlaneConfig == nil {
		return nil
	}
	config, err := v1alpha1.DecodeLenient[v1alpha1.ControlPlaneConfig](old.Spec.Provider.ControlPlaneConfig.Raw)
	if err != nil {
		return nil
	}
	return config
}

// loadBalancerProvider checks the name of the Octavia provider.
func (v *view) loadBalancerProvider(before, config *v1alpha1.ControlPlaneConfig) field.ErrorList {
	name, path := config.LoadBalancerProvider, controlPlanePath.Child("loadBalancerProvider")
	if name == "" {
		return field.ErrorList{lbProviderMissing.at(path, "", "no load balancer provider is named", "name one (openstack loadbalancer provider list)")}
	}
	if v.profile == nil || v.region == "" || (before != nil && before.LoadBalancerProvider == name) {
		return nil
	}
	allowed := providersOf(v.profile.Constraints.LoadBalancerProviders, v.region)
	if slices.Contains(allowed, name) {
		return nil
	}
	return field.ErrorList{lbProviderNotAllowed.at(path, name, "the CloudProfile does not allow this load balancer provider in region "+v.region, allowedValues(allowed))}
}

// providersOf are the providers for a region: its own entries if it has any,
// else those for all regions.
func providersOf(providers []v1alpha1.LoadBalancerProvider, region string) []string {
	var own, general []string
	for _, provider := range providers {
		switch {
		case provider.Region == nil:
			general = append(general, provider.Name)
		case *provider.Region == region:
			own = append(own, provider.Name)
		}
	}
	if len(own) > 0 {
		return own
	}
	return general
}

// manila checks that the driver for NFS shares has a share network.
func (v *view) manila(config *v1alpha1.ControlPlaneConfig) field.ErrorList {
	if v.config == nil || config.Storage == nil || config.Storage.CSIManila == nil || !config.Storage.CSIManila.Enabled {
		return nil
	}
	if n := v.config.Networks; n.ShareNetworkID != nil || (n.ShareNetwork != nil && n.ShareNetwork.Enabled) {
		return nil
	}
	return field.ErrorList{manilaWithoutShareNetwork.at(controlPlanePath.Child("storage", "csiManila", "enabled"), true,
		"the driver needs a share network, and the infrastructure configuration has none", "set networks.shareNetwork.enabled, or name yours in networks.shareNetworkId, or switch the driver off")}
}

// loadBalancerClassesAllowed checks the classes against those of the floating
// pool in the CloudProfile, if it lists any.
func (v *view) loadBalancerClassesAllowed(before, config *v1alpha1.ControlPlaneConfig) (field.ErrorList, []NotChecked) {
	classes := config.LoadBalancerClasses
	if v.config == nil || len(classes) == 0 || (before != nil && reflect.DeepEqual(before.LoadBalancerClasses, classes)) {
		return nil, nil
	}
	if reason := v.profileUnknown(); reason != "" {
		return nil, []NotChecked{{string(lbClassNotAllowed), reason}}
	}
	pool, _ := FindFloatingPool(v.profile.Constraints.FloatingPools, v.domain, v.region, v.config.FloatingPoolName)
	if pool == nil {
		return nil, []NotChecked{{string(lbClassNotAllowed), "the CloudProfile has no floating pool of this name"}}
	}
	if len(pool.LoadBalancerClasses) == 0 {
		return nil, nil
	}
	var findings field.ErrorList
	for i, class := range classes {
		if !slices.ContainsFunc(pool.LoadBalancerClasses, func(allowed v1alpha1.LoadBalancerClass) bool { return sameTarget(class, allowed) }) {
			findings = append(findings, lbClassNotAllowed.at(lbClassesPath.Index(i), class.Name, "no class of the floating pool in the CloudProfile leads to the same networks", allowedClasses(pool.LoadBalancerClasses)))
		}
	}
	return findings, nil
}
