// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"slices"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

// Input is what the rules may look at. They never change any of it.
type Input struct {
	// Config is the configuration to check. If it is nil it is read, strictly,
	// from Shoot.
	Config *v1alpha1.InfrastructureConfig

	// Base is the path of the configuration in its document, for example
	// spec.provider.infrastructureConfig. Nil means that the document is the
	// bare configuration or, if Config is nil too, the path in a Shoot.
	Base *field.Path

	// Shoot is the Shoot that the configuration belongs to. With it the rules
	// about control plane and workers are checked; without it they do not apply.
	// A Shoot without workers has no network, and nothing is checked.
	Shoot *corev1beta1.Shoot

	// Networking holds the ranges of the cluster. If it is nil it is read from
	// Shoot.
	Networking *Networking

	// Profile is the configuration in the CloudProfile; nil if there is none.
	Profile *v1alpha1.CloudProfileConfig

	// Region is the cloud's region, which chooses entries of Profile. If it is
	// empty it is read from Shoot.
	Region string

	// Domain is the name of the Keystone domain of the credentials, which
	// chooses entries of Profile. Empty means that it is not known.
	Domain string
}

// Networking holds the ranges of the cluster as a Shoot states them. An empty
// string means that the Shoot does not say.
type Networking struct {
	// Type is the name of the network plugin, for example "calico".
	Type string
	// Nodes, Pods and Services are CIDRs.
	Nodes, Pods, Services string
	// IPFamilies are the families of the cluster; none means IPv4.
	IPFamilies []corev1beta1.IPFamily
	// Overlay says whether pods reach each other through an overlay, so that no
	// routes are needed. Nil means that it is not known.
	Overlay *bool
}

// DualStack reports whether the cluster has both families.
func (n *Networking) DualStack() bool { return corev1beta1.IsDualStack(n.IPFamilies) }

// Report is the result of a check. Each error and warning carries its stable
// code in Origin. The lists are ordered by the place of the field, not by
// importance.
type Report struct {
	// Errors are what must be mended before anything can be done.
	Errors field.ErrorList
	// Warnings are legal, and worth a second look.
	Warnings field.ErrorList
	// NotChecked are rules that could not be checked.
	NotChecked []NotChecked
}

// NotChecked names a rule that could not be checked and what was missing.
type NotChecked struct {
	// Code is the code of the rule.
	Code string
	// Reason is what was missing and how to supply it.
	Reason string
}

// Severity says whether a finding stops the work.
type Severity string

const (
	// Error stops the work.
	Error Severity = "error"
	// Warning does not.
	Warning Severity = "warning"
)

// A Rule is one entry of the table of static rules.
type Rule struct {
	// Code is stable and never given to another rule.
	Code string
	// Number is the rule's number in the design papers (S1, N3, ...).
	Number string
	// Severity is the same for all findings of the rule.
	Severity Severity
	// Type is the type of the field error.
	Type field.ErrorType
	// Fields are the paths at which findings of the rule stand: below the
	// infrastructure configuration, or from the root if they begin with "spec.".
	// "[]" stands for any index, and "" for the configuration itself.
	Fields []string
	// Title says in a few words what is wrong.
	Title string
	// Text explains the rule and how to mend what breaks it.
	Text string
	// Source says where the rule comes from.
	Source string
}

// An Explanation is the long text about a code.
type Explanation struct{ Code, Title, Text, Source string }

// Rules returns all static rules for OpenStack in the order of their codes.
func Rules() []Rule { return slices.Clone(openStackRules) }

// AWSRules returns all static rules for AWS in the order of their codes.
func AWSRules() []Rule { return slices.Clone(awsRules) }

// Explanations returns the long texts of all codes, OpenStack's first, each in
// the order of the codes.
func Explanations() []Explanation {
	var texts []Explanation
	for _, rule := range slices.Concat(openStackRules, awsRules) {
		texts = append(texts, Explanation{rule.Code, rule.Title, rule.Text, rule.Source})
	}
	return texts
}
