// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/espalier-io/espalier/internal/aws"
	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/openstack"
	"github.com/espalier-io/espalier/internal/validate"
)

const codesHead = `# Codes of findings

Written by ` + "`make generate`" + ` from the rules themselves. ` + "`espalier explain CODE`" + ` prints the long text.

A code is never given to another rule. An *error* stops apply, a *warning* and an
*info* do not. Paths are below the
InfrastructureConfig unless they begin with ` + "`spec.`" + `. The number is that of the rule in our tables:
S what Gardener checks today, U what may not change, P the CloudProfile, H the Shoot, C its control plane,
K its workers; N and D what the proposal adds, without and with the cloud (on AWS D is what Gardener asks the
cloud); E and W what else decides whether
a cluster will work; X, Y and O what we add or had to decide.
`

// numbers are the numbers of rules that need the cloud, where they have one;
// the static rules bear theirs.
var numbers = map[string]string{
	"EOS101": "D1", "EOS102": "D2", "EOS103": "D2", "EOS104": "D3", "EOS105": "D4", "EOS106": "D5",
	"EOS107": "D6", "EOS108": "D7", "EOS109": "D7", "EOS112": "D8", "EOS114": "D6",
	"EOS120": "E1", "EOS121": "E2", "EOS122": "E2", "EOS123": "E3", "EOS124": "E8", "EOS125": "O29", "EOS126": "W16",
	"EOS128": "E7", "EOS129": "E1", "EOS132": "O27", "EOS133": "E2",
	"EOS140": "E4", "EOS141": "E6", "EOS142": "E7", "EOS144": "E7", "EOS145": "E9", "EOS146": "W11",
	"EOS147": "W12", "EOS148": "W17", "EOS149": "O19", "EOS150": "W14", "EOS151": "E5", "EOS152": "W18",
	"EAWS101": "D1", "EAWS102": "D2", "EAWS103": "D3", "EAWS111": "D8", "EAWS112": "D8", "EAWS113": "D8", "EAWS114": "D9", "EAWS115": "D9",
	"EAWS117": "D10", "EAWS118": "D12", "EAWS120": "D13", "EAWS121": "D13", "EAWS140": "D6",
}

// codes is the page of all codes.
func codes() (string, error) {
	var b strings.Builder
	b.WriteString(codesHead)
	section(&b, "The document", "")
	for _, e := range input.Explanations() {
		line(&b, "", e.Code, string(input.SeverityOf(e.Code)), nil, e.Title)
	}
	section(&b, "OpenStack, without the cloud", "`espalier validate` asks these; so does every other verb, first.")
	static(&b, validate.Rules())
	section(&b, "OpenStack, with the cloud", "`espalier preflight`, `plan` and `apply` ask these.")
	if err := dynamic(&b, openstack.Rules(), openstack.Explanations()); err != nil {
		return "", err
	}
	section(&b, "AWS, without the cloud", "")
	static(&b, validate.AWSRules())
	section(&b, "AWS, with the cloud", "")
	if err := dynamic(&b, aws.Rules(), aws.Explanations()); err != nil {
		return "", err
	}
	section(&b, "In general", "What the engine itself finds, whatever the cloud.")
	if err := dynamic(&b, engine.Rules(), engine.Explanations()); err != nil {
		return "", err
	}
	for code := range numbers {
		if !strings.Contains(b.String(), "| "+code+" |") {
			return "", fmt.Errorf("numbers in hack/reference/codes.go has %s, which no rule has", code)
		}
	}
	return b.String(), nil
}

func static(b *strings.Builder, rules []validate.Rule) {
	for _, r := range rules {
		line(b, r.Number, r.Code, string(r.Severity), r.Fields, r.Title)
	}
}

func dynamic(b *strings.Builder, rules []engine.Rule, texts []engine.Explanation) error {
	if len(rules) != len(texts) {
		return fmt.Errorf("%d rules, but %d explanations", len(rules), len(texts))
	}
	for i, r := range rules {
		if r.Code != texts[i].Code {
			return fmt.Errorf("rule %s stands where the explanation of %s does", r.Code, texts[i].Code)
		}
		line(b, numbers[r.Code], r.Code, string(r.Severity), []string{r.Field}, texts[i].Title)
	}
	return nil
}

func section(b *strings.Builder, title, text string) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	if text != "" {
		b.WriteString(text + "\n\n")
	}
	b.WriteString("| number | code | severity | field | what is wrong |\n|---|---|---|---|---|\n")
}

func line(b *strings.Builder, number, code, severity string, fields []string, title string) {
	var quoted []string
	for _, f := range fields {
		if f != "" {
			quoted = append(quoted, "`"+f+"`")
		}
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", number, code, severity, strings.Join(quoted, ", "), strings.ReplaceAll(title, "|", `\|`))
}
