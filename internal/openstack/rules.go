// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"slices"

	"github.com/espalier-io/espalier/internal/engine"
)

// A rule is what a check asks of a network, with all that is to be said of it.
type rule struct {
	code     string
	severity engine.Severity
	typ      string // the type of the field error
	field    string // below the InfrastructureConfig
	fix      string
	title    string
	text     string
	source   string
	seed     bool // it stands in the proposal's own tables, and can not be accepted
}

func (r rule) engine() engine.Rule {
	return engine.Rule{Code: r.code, Severity: r.severity, Type: r.typ, Field: r.field, Fix: r.fix}
}

const (
	proposal = "proposal, Dynamic validation"
	neutron  = "Neutron API"
	visible  = "name one that exists in this region and that these credentials can see"
)

// rules are all checks that need the cloud, by theme.
var rules = struct {
	givenRules
	fitRules
	adviceRules
}{theGiven, theFit, theAdvice}

// allRules are they in the order of their codes.
func allRules() []rule {
	return slices.Concat(rules.givenRules.all(), rules.fitRules.all(), rules.adviceRules.all())
}

// Explanations returns the long texts of this package's codes, in their order.
func Explanations() []engine.Explanation {
	var out []engine.Explanation
	for _, r := range allRules() {
		out = append(out, engine.Explanation{Code: r.code, Title: r.title, Text: r.text, Source: r.source})
	}
	return out
}

// Rules returns the rules of this package, in the order of their codes.
func Rules() []engine.Rule {
	var out []engine.Rule
	for _, r := range allRules() {
		out = append(out, r.engine())
	}
	return out
}

// OtherCluster is the code of the finding that a cluster of the same name with
// another UID has things here.
const OtherCluster = "EOS127"

// Acceptable says whether a finding of that code, an error, may be accepted as
// a risk: those of the proposal's own tables may not.
func Acceptable(code string) bool {
	for _, r := range allRules() {
		if r.code == code {
			return r.severity == engine.Error && !r.seed
		}
	}
	return false
}
