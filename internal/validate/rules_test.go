// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/espalier-io/espalier/internal/validate"
)

var indexes = regexp.MustCompile(`\[\d+\]`)

// Every rule has a row that it fires in and one that it is quiet in, and fires
// at each of its paths.
func TestEveryRuleHasRowsBothWays(t *testing.T) {
	for cloud, table := range tables() {
		t.Run(cloud, table.bothWays)
	}
}

func (table table) bothWays(t *testing.T) {
	firedAt, quiet := map[string][]string{}, map[string]bool{}
	for _, l := range table.lines {
		fired := false
		for _, finding := range l.want {
			number, path, _ := strings.Cut(finding, " ")
			firedAt[number] = append(firedAt[number], indexes.ReplaceAllString(path, "[]"))
			fired = fired || number == l.number
		}
		if !fired {
			quiet[l.number] = true
		}
	}
	for _, rule := range table.rules {
		if !quiet[rule.Number] {
			t.Errorf("%s (%s) has no row in which it is quiet", rule.Number, rule.Title)
		}
		for _, path := range rule.Fields {
			if !slices.Contains(firedAt[rule.Number], below(path)) {
				t.Errorf("%s (%s) does not fire at %q in any row", rule.Number, rule.Title, path)
			}
		}
		delete(firedAt, rule.Number)
	}
	for number := range firedAt {
		t.Errorf("rows speak of %q, which is no rule", number)
	}
}

func TestTableOfRules(t *testing.T) {
	for prefix, rules := range map[string][]validate.Rule{"EOS": validate.Rules(), "EAWS": validate.AWSRules()} {
		seen := map[string]bool{}
		for i, rule := range rules {
			if want := fmt.Sprintf("%s%03d", prefix, i+1); rule.Code != want {
				t.Errorf("rule %d has code %s, want %s", i, rule.Code, want)
			}
			if seen[rule.Number] {
				t.Errorf("number %s stands twice", rule.Number)
			}
			seen[rule.Number] = true
			if rule.Title == "" || len(rule.Text) < 15 || rule.Source == "" || strings.HasSuffix(rule.Title, ".") || !strings.HasSuffix(rule.Text, ".") {
				t.Errorf("%s is not explained: %q %q %q", rule.Code, rule.Title, rule.Text, rule.Source)
			}
		}
	}
	if len(validate.Explanations()) != len(validate.Rules())+len(validate.AWSRules()) {
		t.Error("not every rule has an explanation")
	}
}

// Nobody who changes what Rules returns changes the rules.
func TestRulesIsACopy(t *testing.T) {
	validate.Rules()[0].Severity = "changed"
	if validate.Rules()[0].Severity == "changed" {
		t.Error("the table itself was handed out")
	}
}
