// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// code is the stable name of a rule.
type code string

// entry is how the table is written down; see Rule for the meaning.
type entry struct {
	code     code
	number   string
	severity Severity
	kind     field.ErrorType
	fields   string // separated by blanks
	from     string
	title    string
	text     string
}

// Short names keep the table narrow.
const (
	required     = field.ErrorTypeRequired
	invalid      = field.ErrorTypeInvalid
	forbidden    = field.ErrorTypeForbidden
	notSupported = field.ErrorTypeNotSupported
	duplicate    = field.ErrorTypeDuplicate

	fromGardener    = "Gardener's OpenStack provider, validation of the Shoot"
	fromProposal    = "proposal: Flexible Network Configuration, Validation Rules"
	fromAWSGardener = "Gardener's AWS provider, validation of the Shoot"
	fromAWSDocument = "Gardener's AWS provider, bring your own VPC and subnets"
	fromUs          = "Espalier's own rule"
)

// The whole tables, in the order of the codes.
var (
	openStackRules = rulesOf(configRules, changeRules, shootRules, existingRules, addedRules)
	awsRules       = rulesOf(awsConfigRules, awsChangeRules, awsShootRules, awsAddedRules)
)

func rulesOf(groups ...[]entry) []Rule {
	var rules []Rule
	for _, entry := range slices.Concat(groups...) {
		rules = append(rules, Rule{
			Code: string(entry.code), Number: entry.number, Severity: entry.severity, Type: entry.kind,
			Fields: strings.Split(entry.fields, " "), Title: entry.title, Text: entry.text, Source: entry.from,
		})
	}
	return rules
}

// byCode finds a rule of the tables.
var byCode = func() map[code]Rule {
	found := map[code]Rule{}
	for _, rule := range slices.Concat(openStackRules, awsRules) {
		found[code(rule.Code)] = rule
	}
	return found
}()

// at makes a finding of the rule: the field's value as it was given, what is
// wrong with it, and how to mend it. The type is the table's.
func (c code) at(path *field.Path, value any, problem, fix string) *field.Error {
	return &field.Error{Type: byCode[c].Type, Field: path.String(), BadValue: value, Detail: problem + beforeFix + fix, Origin: string(c)}
}

// beforeFix stands between problem and fix in a finding's detail.
const beforeFix = "; "

// Parts splits the detail of a finding into what is wrong and how to mend it.
func Parts(finding *field.Error) (problem, fix string) {
	if i := strings.LastIndex(finding.Detail, beforeFix); i >= 0 {
		return finding.Detail[:i], finding.Detail[i+len(beforeFix):]
	}
	return finding.Detail, ""
}

// report sorts findings into errors and warnings, as the table says.
func report(findings field.ErrorList, unchecked []NotChecked) Report {
	var sorted Report
	for _, finding := range findings {
		if byCode[code(finding.Origin)].Severity == Warning {
			sorted.Warnings = append(sorted.Warnings, finding)
		} else {
			sorted.Errors = append(sorted.Errors, finding)
		}
	}
	sorted.NotChecked = unchecked
	return sorted
}
