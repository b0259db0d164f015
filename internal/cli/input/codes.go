// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import "github.com/espalier-io/espalier/internal/engine"

// What can be wrong within a document, before any rule is asked.
const (
	unknownField = "EIN101"
	fieldTwice   = "EIN102"
	wrongType    = "EIN103"
	noConfig     = "EIN104"
	assumed      = "EIN105"
)

// Explanations returns the long texts of the codes of this package, in their
// order.
func Explanations() []engine.Explanation {
	const source = "docs/reference/cli.md"
	return []engine.Explanation{
		{Code: unknownField, Title: "A field is not known",
			Text:   "The document has a field that its kind does not have. Most often it is misspelt, stands one level too high or too low, or belongs to another version. Gardener refuses such a configuration too. What stands in the status of an object is not looked at so closely, for nobody wrote it by hand.",
			Source: source},
		{Code: fieldTwice, Title: "A field stands twice",
			Text:   "One key is given more than once in the same object, so that it is not clear which one is meant.",
			Source: source},
		{Code: wrongType, Title: "A value is of the wrong type",
			Text:   "A text, a number, a list or an object stands where another one is expected, so that the document can not be read any further.",
			Source: source},
		{Code: noConfig, Title: "There is no InfrastructureConfig",
			Text:   "The object has no configuration for the infrastructure, or one of another kind or version, so that there is nothing to check or to apply.",
			Source: source},
		{Code: assumed, Title: "Whether there is an overlay is not said",
			Text:   "Without an overlay the nodes' routes to pods stand in the route tables of the worker subnets, which are tagged for that. Gardener's admission writes into a new Shoot that does not say whether it wants an overlay that there is none; what it would write is taken here, too. Say so yourself to be sure: overlay.enabled in spec.networking.providerConfig, or --overlay for a configuration that is not in a Shoot.",
			Source: source},
	}
}

// SeverityOf returns the severity that a code of this package has. What is
// assumed is told and stops nothing.
func SeverityOf(code string) engine.Severity {
	if code == assumed {
		return engine.Info
	}
	return engine.Error
}

// found makes a finding of this package.
func found(code, kind, path, value, message, fix string) engine.Finding {
	return engine.Finding{
		Rule:  engine.Rule{Code: code, Severity: SeverityOf(code), Type: kind, Field: engine.Clean(path), Fix: fix},
		Value: engine.Clean(value), Message: engine.Clean(message),
	}
}
