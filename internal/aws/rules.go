// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"slices"

	"github.com/espalier-io/espalier/internal/engine"
)

// A rule is what a check asks of a network, with all that is to be said of it.
type rule struct {
	code     string
	severity engine.Severity
	typ      string // the type of the field error
	field    string // below the InfrastructureConfig; a zone's is set where it is used
	fix      string
	title    string
	text     string
	source   string
}

func (r rule) engine() engine.Rule {
	return engine.Rule{Code: r.code, Severity: r.severity, Type: r.typ, Field: r.field, Fix: r.fix}
}

// at is the rule at a field of its own.
func (r rule) at(field string) rule { r.field = field; return r }

const (
	recipe = "Gardener, AWS bring-your-own VPC set-up"
	peer   = "Gardener AWS provider, config validation"
	ec2Doc = "EC2 and VPC documentation"
)

// rules are all checks that need the cloud, by theme.
var rules = struct {
	givenRules
	adviceRules
}{theGiven, theAdvice}

// allRules are they in the order of their codes.
func allRules() []rule { return slices.Concat(rules.givenRules.all(), rules.adviceRules.all()) }

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
const OtherCluster = "EAWS125"

// Acceptable says whether the user may accept an error of this code: it is none
// of the rules that Gardener checks too, and the work would not fail for sure.
func Acceptable(code string) bool {
	return slices.Contains([]string{rules.native.code, rules.overlap.code, rules.foreignRoutes.code}, code)
}
