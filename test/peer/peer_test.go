// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package peer compares us on AWS with Gardener's AWS provider, which is linked
// in: our static rules with its own, and what a run costs with what its flow
// costs. It is a module of its own, so that the provider's many dependencies are
// not ours.
package peer

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	apisaws "github.com/gardener/gardener-extension-provider-aws/pkg/apis/aws"
	peerv1alpha1 "github.com/gardener/gardener-extension-provider-aws/pkg/apis/aws/v1alpha1"
	"github.com/gardener/gardener-extension-provider-aws/pkg/apis/aws/validation"
	"github.com/gardener/gardener/pkg/apis/core"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/espalier-io/espalier/internal/validate"
)

// TestMain asks for 10,000 configurations per test unless the caller says how
// many.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "10000"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	flag.Parse()
	os.Exit(m.Run())
}

// numbers maps our codes to the numbers of the rules.
var numbers = func() map[string]string {
	found := map[string]string{}
	for _, rule := range validate.AWSRules() {
		found[rule.Code] = rule.Number
	}
	return found
}()

// finding is what either side says, comparable: the type and the path. number is
// that of our rule, or empty.
type finding struct{ number, kind, path string }

func findings(list field.ErrorList) map[finding]finding {
	found := map[finding]finding{}
	for _, e := range list {
		f := finding{kind: strings.TrimPrefix(string(e.Type), "FieldValue"), path: e.Field}
		full := f
		full.number = numbers[e.Origin]
		found[f] = full
	}
	return found
}

// For new clusters both sides find the same, but for what the list explains.
func TestRulesForNewClusters(t *testing.T) {
	n := comparison{intended, map[string]int{}}
	rapid.Check(t, func(t *rapid.T) {
		c := random(t)
		mine := slices.DeleteFunc(validate.AWS(c.ours()).Errors, func(e *field.Error) bool { return strings.HasPrefix(e.Field, "spec.") })
		peers := validation.ValidateInfrastructureConfig(c.theirs(t), c.coreFamilies(), c.nodes, c.pods, c.services)
		n.compare(t, c, findings(mine), findings(peers))
	})
	n.report(t)
}

// For updates both sides find the same changes.
func TestRulesForUpdates(t *testing.T) {
	n := comparison{intendedOfUpdates, map[string]int{}}
	rapid.Check(t, func(t *rapid.T) {
		was := random(t)
		is := changed(t, was)
		mine := slices.DeleteFunc(validate.AWSUpdate(was.ours(), is.ours()).Errors, func(e *field.Error) bool { return !strings.HasPrefix(numbers[e.Origin], "U") })
		peers := validation.ValidateInfrastructureConfigUpdate(was.theirs(t), is.theirs(t))
		n.compare(t, is, findings(mine), findings(peers))
	})
	n.report(t)
}

func (n comparison) compare(t *rapid.T, c situation, mine, peers map[finding]finding) {
	t.Logf("%s", c)
	for key, f := range mine {
		if _, both := peers[key]; !both && !n.explained(c, ours, f) {
			t.Errorf("only we find %+v", f)
		}
	}
	for key, f := range peers {
		if _, both := mine[key]; !both && !n.explained(c, theirs, f) {
			t.Errorf("only Gardener finds %+v", f)
		}
	}
}

// report prints how often each difference occurred; one that never did explains
// nothing.
func (n comparison) report(t *testing.T) {
	for _, d := range n.intended {
		t.Logf("%6d times: %s", n.used[d.why], d.why)
		if n.used[d.why] == 0 && !t.Failed() {
			t.Errorf("this difference never occurs: %s", d.why)
		}
	}
}

func (c situation) ours() validate.AWSInput {
	off := false
	return validate.AWSInput{Config: c.config, Networking: &validate.Networking{
		Nodes: orEmpty(c.nodes), Pods: orEmpty(c.pods), Services: orEmpty(c.services), IPFamilies: c.families, Overlay: &off,
	}}
}

// theirs is the configuration in Gardener's internal types, by way of the wire.
func (c situation) theirs(t *rapid.T) *apisaws.InfrastructureConfig {
	text, err := json.Marshal(c.config)
	if err != nil {
		t.Fatal(err)
	}
	var external peerv1alpha1.InfrastructureConfig
	if err := json.Unmarshal(text, &external); err != nil {
		t.Fatal(err)
	}
	var internal apisaws.InfrastructureConfig
	if err := peerv1alpha1.Convert_v1alpha1_InfrastructureConfig_To_aws_InfrastructureConfig(&external, &internal, nil); err != nil {
		t.Fatal(err)
	}
	return &internal
}

func (c situation) coreFamilies() []core.IPFamily {
	var families []core.IPFamily
	for _, family := range c.families {
		families = append(families, core.IPFamily(family))
	}
	return families
}
