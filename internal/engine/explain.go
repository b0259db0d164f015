// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

// An Explanation is the long text about a code. Source says where the rule
// comes from.
type Explanation struct{ Code, Title, Text, Source string }

// What the engine itself finds, whatever the cloud.
const (
	otherCloud   = "EGEN101"
	unread       = "EGEN102"
	recordedOurs = "EGEN103"
	taken        = "EGEN104"
	fixedField   = "EGEN105"
	absentNeed   = "EGEN106"
	noRemover    = "EGEN107"
	notProved    = "EGEN108"
)

// general are the rules behind these codes, without their fields.
var general = map[string]Rule{
	otherCloud:   {Code: otherCloud, Severity: Error, Type: "Invalid", Fix: "use the credentials and the region of that cloud, or another state"},
	unread:       {Code: unread, Severity: Warning, Type: "InternalError", Fix: "grant the right to read it, or try again"},
	recordedOurs: {Code: recordedOurs, Severity: Error, Type: "Forbidden", Fix: "name something of your own: what Espalier made can not become the user's"},
	taken:        {Code: taken, Severity: Error, Type: "Duplicate", Fix: "rename or remove it, or name it in the configuration"},
	fixedField:   {Code: fixedField, Severity: Error, Type: "Forbidden", Fix: "take the change back, or delete the cluster and make it anew"},
	absentNeed:   {Code: absentNeed, Severity: Error, Type: "NotFound", Fix: "mend the finding about what it needs first"},
	noRemover:    {Code: noRemover, Severity: Error, Type: "NotSupported", Fix: "use the version of Espalier that made it"},
	notProved:    {Code: notProved, Severity: Error, Type: "Invalid", Fix: "check the credentials; if it is really gone, or not this cluster's, take it out of the old state"},
}

const design = "docs/architecture.md"

// Explanations returns the long texts of the engine's own codes, in the order
// of the codes.
func Explanations() []Explanation {
	return []Explanation{
		{otherCloud, "The state belongs to another cloud",
			"A state is bound to one project or account and one region. In another one every recorded ID would read as absent, and all would be made a second time. Nothing is planned.", design},
		{unread, "Something could not be read",
			"A read was denied, failed, or was never made. Nothing is concluded from it: what depends on it is blocked and left as it is, the rest of the plan goes on, and the run ends with an error that names what was blocked.", design},
		{recordedOurs, "The configuration names something that Espalier made",
			"The state records the resource as made by Espalier, and the configuration refers to it as the user's. A later run would have to delete it and must never touch it. Nothing is planned.", design},
		{taken, "The place is taken",
			"Something that Espalier did not make has the name, or several things would fit and none is recorded. It is neither changed nor deleted.", design},
		{fixedField, "A field can not be changed",
			"The cloud does not let this field be changed once the resource exists, and replacing the resource would cost more than it is worth.", design},
		{absentNeed, "Something that is needed is absent",
			"The resource can not be made without the user's resource that it needs, and that one was not found.", design},
		{noRemover, "Nobody knows how to delete it",
			"The state records a kind of resource that this version does not know, so it can not be removed in the right order.", design},
		{notProved, "What another tool recorded is not proved",
			"A state of another tool names a resource for this place, but the resource is absent or does not show that it is this cluster's. It is not taken over. As a second one would be made in its place, nothing is planned.", design},
	}
}

// Rules returns what stands behind the engine's own codes, in their order.
func Rules() []Rule {
	var all []Rule
	for _, e := range Explanations() {
		all = append(all, general[e.Code])
	}
	return all
}
