// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

var lbClassesPath = controlPlanePath.Child("loadBalancerClasses")

// loadBalancerClasses checks the classes of a Shoot, each and together.
func loadBalancerClasses(classes []v1alpha1.LoadBalancerClass) field.ErrorList {
	var findings field.ErrorList
	var names []string
	for i, class := range classes {
		path := lbClassesPath.Index(i)
		findings = append(findings, loadBalancerClass(class, path)...)
		if slices.Contains(names, class.Name) && class.Name != "" {
			findings = append(findings, lbClassTwice.at(path.Child("name"), class.Name, "another class has this name", "give each class a name of its own"))
		}
		names = append(names, class.Name)
	}
	for _, role := range []string{v1alpha1.DefaultLoadBalancerClass, v1alpha1.PrivateLoadBalancerClass} {
		var holders []string
		for _, class := range classes {
			if class.Name == role || orEmpty(class.Purpose) == role {
				holders = append(holders, class.Name)
			}
		}
		if len(holders) > 1 {
			findings = append(findings, lbClassRole.at(lbClassesPath, holders, "more than one class is the "+role+" one, by name or purpose", "leave the name and purpose "+role+" to one class"))
		}
	}
	return findings
}

// loadBalancerClass checks one class for itself.
func loadBalancerClass(class v1alpha1.LoadBalancerClass, path *field.Path) field.ErrorList {
	var findings field.ErrorList
	if class.Name == "" {
		findings = append(findings, lbClassNameMissing.at(path.Child("name"), "", "a class without a name cannot be asked for", "give it a name"))
	} else if fault := nameFault(class.Name); fault != "" {
		findings = append(findings, lbClassName.at(path.Child("name"), class.Name, fault, "use a plain name"))
	}
	switch purpose := orEmpty(class.Purpose); {
	case class.Purpose == nil, purpose == v1alpha1.DefaultLoadBalancerClass, purpose == v1alpha1.PrivateLoadBalancerClass:
	case purpose == v1alpha1.VPNLoadBalancerClass:
		findings = append(findings, lbClassPurpose.at(path, purpose, "the purpose vpn is for the CloudProfile alone", "use default or private, or remove purpose"))
	default:
		findings = append(findings, lbClassPurpose.at(path, purpose, "there is no such purpose", "use default or private, or remove purpose"))
	}
	if class.FloatingNetworkID != nil {
		findings = append(findings, mustBeUUID(lbClassID, path.Child("floatingNetworkID"), *class.FloatingNetworkID, "network")...)
	}
	if class.FloatingSubnetID != nil {
		findings = append(findings, mustBeUUID(lbClassID, path.Child("floatingSubnetID"), *class.FloatingSubnetID, "subnet")...)
	}
	if selectors := subnetSelectors(class); len(selectors) > 1 {
		findings = append(findings, lbClassSelectors.at(path, class.Name, "the floating subnet is selected by "+strings.Join(selectors, " and by "), "keep one of them"))
	}
	return findings
}

// subnetSelectors lists the keys by which a class selects its floating subnet.
func subnetSelectors(class v1alpha1.LoadBalancerClass) []string {
	var keys []string
	if class.FloatingSubnetID != nil {
		keys = append(keys, "floatingSubnetID")
	}
	if class.FloatingSubnetName != nil {
		keys = append(keys, "floatingSubnetName")
	}
	if class.FloatingSubnetTags != nil {
		keys = append(keys, "floatingSubnetTags")
	}
	return keys
}

// sameTarget reports whether two classes lead to the same networks, whatever
// their names and purposes are.
func sameTarget(a, b v1alpha1.LoadBalancerClass) bool {
	return sameOptionalID(a.FloatingNetworkID, b.FloatingNetworkID) && sameOptionalID(a.FloatingSubnetID, b.FloatingSubnetID) &&
		sameOptionalID(a.SubnetID, b.SubnetID) && equal(a.FloatingSubnetName, b.FloatingSubnetName) && equal(a.FloatingSubnetTags, b.FloatingSubnetTags)
}

// allowedClasses describes the classes of a floating pool in a fix.
func allowedClasses(classes []v1alpha1.LoadBalancerClass) string {
	var texts []string
	for _, class := range classes {
		var parts []string
		for _, part := range []struct {
			key   string
			value *string
		}{
			{"floatingNetworkID", class.FloatingNetworkID}, {"floatingSubnetID", class.FloatingSubnetID}, {"floatingSubnetName", class.FloatingSubnetName},
			{"floatingSubnetTags", class.FloatingSubnetTags}, {"subnetID", class.SubnetID},
		} {
			if part.value != nil {
				parts = append(parts, fmt.Sprintf("%s %q", part.key, *part.value))
			}
		}
		texts = append(texts, fmt.Sprintf("%s (%s)", class.Name, strings.Join(parts, ", ")))
	}
	return "use the networks of one of: " + strings.Join(texts, ", ")
}
