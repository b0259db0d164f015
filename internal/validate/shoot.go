// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"encoding/json"
	"slices"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var (
	providerPath       = field.NewPath("spec", "provider")
	infrastructurePath = providerPath.Child("infrastructureConfig")
	controlPlanePath   = providerPath.Child("controlPlaneConfig")
	workersPath        = providerPath.Child("workers")
)

// NetworkingOf reads the ranges of a Shoot; nil if it states none. On OpenStack
// the network plugin uses an overlay unless it is told otherwise. Overlay is nil
// if the configuration of the plugin cannot be read.
func NetworkingOf(shoot *corev1beta1.Shoot) *Networking {
	found := networkingOf(shoot)
	if found == nil || found.Overlay != nil {
		return found
	}
	if _, ok := overlay(shoot.Spec.Networking); ok {
		found.Overlay = new(true)
	}
	return found
}

// networkingOf reads the ranges of a Shoot; Overlay is nil if the Shoot says
// nothing about it that can be read.
func networkingOf(shoot *corev1beta1.Shoot) *Networking {
	n := shoot.Spec.Networking
	if n == nil {
		return nil
	}
	enabled, _ := overlay(n)
	return &Networking{
		Type: orEmpty(n.Type), Nodes: orEmpty(n.Nodes), Pods: orEmpty(n.Pods), Services: orEmpty(n.Services),
		IPFamilies: slices.Clone(n.IPFamilies), Overlay: enabled,
	}
}

// overlay is what the network plugin is told about an overlay, nil if nothing;
// ok is false if that cannot be read.
func overlay(n *corev1beta1.Networking) (enabled *bool, ok bool) {
	if n.ProviderConfig == nil || len(n.ProviderConfig.Raw) == 0 {
		return nil, true
	}
	var config struct {
		Overlay *struct {
			Enabled *bool `json:"enabled"`
		} `json:"overlay"`
	}
	if err := json.Unmarshal(n.ProviderConfig.Raw, &config); err != nil {
		return nil, false
	}
	if config.Overlay == nil {
		return nil, true
	}
	return config.Overlay.Enabled, true
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// networking checks spec.networking as far as the network of the nodes needs it.
func (v *view) networking() field.ErrorList {
	if v.net == nil {
		return nil
	}
	var findings field.ErrorList
	if v.net.Nodes == "" && v.config.Networks.SubnetID == nil {
		findings = append(findings, nodesMissing.at(networkingPath.Child("nodes"), "", "the range that holds the nodes is not given", "set it to a range that holds the node subnet"))
	}
	if corev1beta1.IsIPv6SingleStack(v.net.IPFamilies) {
		findings = append(findings, ipv6Only.at(networkingPath.Child("ipFamilies"), v.net.IPFamilies, "clusters with IPv6 alone are not supported on OpenStack", "use [IPv4] or [IPv4, IPv6]"))
	}
	if v.net.DualStack() {
		return append(findings, v.dualStack()...)
	}
	if v.config.Networks.IPv6 != nil {
		findings = append(findings, ipv6Unused.at(v.networks().Child("ipv6"), "", "the block is not used, because spec.networking.ipFamilies is not [IPv4, IPv6]", "add IPv6 to the families, or remove the block"))
	}
	return findings
}

// dualStack checks what a cluster with both families needs.
func (v *view) dualStack() field.ErrorList {
	var findings field.ErrorList
	if ipv6 := v.config.Networks.IPv6; ipv6 == nil || (ipv6.SubnetPoolID == nil && ipv6.NodeCIDR == "" && ipv6.NodeSubnetID == nil) {
		path := v.base
		if path == nil {
			path = v.networks().Child("ipv6") // the root of a bare document has no name
		}
		findings = append(findings, dualStackWithoutIPv6.at(path, "", "spec.networking.ipFamilies has IPv6, and nothing says where the IPv6 node range comes from", "add networks.ipv6 with subnetPoolID, nodeCIDR or nodeSubnetId"))
	}
	_, pods, services := v.clusterRanges()
	for _, r := range parsed(pods, services) {
		if !r.prefix.Addr().Is4() {
			findings = append(findings, rangesNotIPv4.at(r.path, r.text, "in a dual-stack cluster this is the IPv4 range", "give an IPv4 range here, for the IPv6 range comes from networks.ipv6"))
		}
	}
	return findings
}

// shoot checks what is in a Shoot besides the infrastructure configuration.
func (v *view) shoot(old *Input, shoot *corev1beta1.Shoot) (field.ErrorList, []NotChecked) {
	var findings field.ErrorList
	if n := shoot.Spec.Networking; n != nil {
		if _, ok := overlay(n); !ok {
			findings = append(findings, overlayUnreadable.at(networkingPath.Child("providerConfig"), field.OmitValueType{}, "overlay.enabled must be true or false", "correct it, or remove overlay for the default"))
		}
	}
	var oldShoot *corev1beta1.Shoot
	if old != nil {
		oldShoot = old.Shoot
	}
	fromControlPlane, unchecked := v.controlPlane(oldShoot, shoot)
	findings = append(findings, fromControlPlane...)
	return append(findings, workerZones(oldShoot, shoot, zonesMissing, zonesChanged)...), unchecked
}

// workerZones checks that each worker pool has zones and that they are only
// added; the codes are the cloud's.
func workerZones(old, shoot *corev1beta1.Shoot, missing, changed code) field.ErrorList {
	var findings field.ErrorList
	before := map[string][]string{}
	if old != nil {
		for _, worker := range old.Spec.Provider.Workers {
			before[worker.Name] = worker.Zones
		}
	}
	for i, worker := range shoot.Spec.Provider.Workers {
		path := workersPath.Index(i).Child("zones")
		if len(worker.Zones) == 0 {
			findings = append(findings, missing.at(path, "", "worker pool "+worker.Name+" has no availability zone", "name at least one"))
		}
		if was := before[worker.Name]; len(was) > len(worker.Zones) || !slices.Equal(was, worker.Zones[:len(was)]) {
			findings = append(findings, changed.at(path, worker.Zones, "zones of a worker pool may only be added at the end", "keep the old zones first and in order, or make a new worker pool"))
		}
	}
	return findings
}
