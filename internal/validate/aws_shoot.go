// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
)

// networking checks spec.networking as far as the network of the nodes needs it.
func (v *awsView) networking() field.ErrorList {
	if v.net == nil {
		return nil
	}
	var findings field.ErrorList
	if v.net.Nodes == "" && v.ipv4() {
		findings = append(findings, awsNodesMissing.at(networkingPath.Child("nodes"), "", "the range that holds the nodes is not given", "set it to a range that holds all worker subnets"))
	}
	if !v.ipv6() {
		return findings
	}
	switch {
	case v.net.Overlay == nil:
		findings = append(findings, awsOverlayUnsaid.at(networkingPath.Child("ipFamilies"), v.net.IPFamilies, "IPv6 goes without an overlay, and nothing says that there is none", "set overlay.enabled to false in spec.networking.providerConfig"))
	case *v.net.Overlay:
		findings = append(findings, awsOverlayOn.at(networkingPath.Child("providerConfig", "overlay", "enabled"), true, "IPv6 goes without an overlay", "set it to false"))
	}
	return findings
}

// shoot checks what is in a Shoot besides the infrastructure configuration.
func (v *awsView) shoot(old, shoot *corev1beta1.Shoot) field.ErrorList {
	var findings field.ErrorList
	if n := shoot.Spec.Networking; n != nil {
		if _, ok := overlay(n); !ok {
			findings = append(findings, awsOverlayUnreadable.at(networkingPath.Child("providerConfig"), field.OmitValueType{}, "overlay.enabled must be true or false", "correct it"))
		}
	}
	findings = append(findings, awsControlPlane(shoot)...)
	findings = append(findings, workerZones(old, shoot, awsWorkerZonesMissing, awsWorkerZonesChanged)...)
	if v.config == nil {
		return findings
	}
	var names []string
	for _, z := range v.config.Networks.Zones {
		names = append(names, z.Name)
	}
	for i, worker := range shoot.Spec.Provider.Workers {
		for j, zone := range worker.Zones {
			if !slices.Contains(names, zone) {
				findings = append(findings, awsWorkerZoneUnknown.at(workersPath.Index(i).Child("zones").Index(j), zone, "networks.zones has no subnets in this zone", "add the zone there, or use one of: "+strings.Join(names, ", ")))
			}
		}
	}
	return findings
}

// longestIngressClass is how many characters Kubernetes stores of a name.
const longestIngressClass = 253

var ingressClass = regexp.MustCompile(`^[a-z0-9.-]+$`)

// awsControlPlane checks the control plane configuration, which may be absent.
func awsControlPlane(shoot *corev1beta1.Shoot) field.ErrorList {
	raw := shoot.Spec.Provider.ControlPlaneConfig
	if raw == nil || len(raw.Raw) == 0 {
		return nil
	}
	var findings field.ErrorList
	config, err := v1alpha1.DecodeStrict[v1alpha1.ControlPlaneConfig](raw.Raw)
	if err != nil {
		lenient, lenientErr := v1alpha1.DecodeLenient[v1alpha1.ControlPlaneConfig](raw.Raw)
		if lenientErr != nil {
			return field.ErrorList{awsControlPlaneUnreadable.at(controlPlanePath, field.OmitValueType{}, oneLine(lenientErr), "correct the document")}
		}
		config = lenient
		findings = append(findings, awsControlPlaneField.at(controlPlanePath, field.OmitValueType{}, oneLine(err), "check the spelling, for what is not known is ignored"))
	}
	if config.LoadBalancerController == nil || config.LoadBalancerController.IngressClassName == nil {
		return findings
	}
	name, path := *config.LoadBalancerController.IngressClassName, controlPlanePath.Child("loadBalancerController", "ingressClassName")
	switch {
	case name == "":
		findings = append(findings, awsIngressClassMissing.at(path, "", "the name is empty", "give a name, or remove the key for the class alb"))
	case !ingressClass.MatchString(name) || len(name) > longestIngressClass:
		findings = append(findings, awsIngressClass.at(path, name, "a class has lower case letters, digits, dashes and dots, at most "+strconv.Itoa(longestIngressClass), "correct the name"))
	}
	return findings
}
