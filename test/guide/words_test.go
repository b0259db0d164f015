// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package guide

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/espalier-io/espalier/internal/cli"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// run asks the program for something that needs nothing.
func run(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	code := cli.Run(t.Context(), cli.Env{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: func(string) string { return "" }}, args)
	if code != 0 {
		t.Fatalf("%q ended with %d: %s", args, code, errs.String())
	}
	return out.Bytes()
}

var code = regexp.MustCompile(`E[A-Z]{2,3}\d{3}`)

// TestCodes: each code that the guide names is one that can be explained.
func TestCodes(t *testing.T) {
	var all struct{ Codes []struct{ Code string } }
	if err := json.Unmarshal(run(t, "explain", "-o", "json"), &all); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, c := range all.Codes {
		known[c.Code] = true
	}
	named := slices.Compact(slices.Sorted(slices.Values(code.FindAllString(readPage(t).whole, -1))))
	if len(named) < 30 {
		t.Errorf("the guide names %d codes", len(named))
	}
	for _, c := range named {
		if !known[c] {
			t.Errorf("the guide names %s, and espalier explain does not know it", c)
		}
	}
}

var commandLine = regexp.MustCompile("`espalier ([a-z]+)([^`]*)`|(?m)^espalier ([a-z]+)(.*)$")

// TestVerbsAndFlags: each verb and flag of espalier on the page is one that it has.
func TestVerbsAndFlags(t *testing.T) {
	text := readPage(t).whole
	for _, m := range commandLine.FindAllStringSubmatch(text, -1) {
		verb, rest := m[1]+m[3], m[2]+m[4]
		rest, _, _ = strings.Cut(rest, " # ")
		help := string(run(t, "help", verb))
		if !strings.Contains(help, "espalier "+verb) {
			t.Errorf("there is no verb %s", verb)
		}
		for word := range strings.FieldsSeq(rest) {
			if strings.HasPrefix(word, "--") && !strings.Contains(help, word+" ") {
				t.Errorf("espalier %s has no %s", verb, word)
			}
		}
	}
	all := string(run(t, "help", "apply")) + string(run(t, "help", "preflight"))
	for _, m := range regexp.MustCompile("`(--[a-z-]+)[^`]*`").FindAllStringSubmatch(text, -1) {
		if !strings.Contains(all, m[1]+" ") {
			t.Errorf("the guide names the flag %s, which neither apply nor preflight has", m[1])
		}
	}
}

var (
	root  = regexp.MustCompile(`^/(identity/v3|network/v2\.0|compute/v2\.1|share/v2(/[0-9a-f]{32})?|load-balancer/v2(\.0)?)/`)
	anID  = regexp.MustCompile(`/([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|shoot--[a-z-]+)(/|$)`)
	ticks = regexp.MustCompile("`([A-Z]+ [^`]+)`")
)

// checkCalls compares what the program has asked for with the table of rights.
func (g page) checkCalls(t *testing.T, made map[string][]sim.Call) {
	t.Helper()
	allowed := map[string][]string{"POST auth/tokens": {"all of them"}}
	for _, r := range g.section(t, "rights").table(t, "verb") {
		for _, m := range ticks.FindAllStringSubmatch(r["calls"], -1) {
			allowed[m[1]] = append(allowed[m[1]], r["verb"])
		}
	}
	for _, verb := range slices.Sorted(maps.Keys(made)) {
		seen := map[string]bool{}
		for _, c := range made[verb] {
			seen[c.Method+" "+anID.ReplaceAllString(root.ReplaceAllString(c.Path, ""), "/{id}$3")] = true
		}
		for _, c := range slices.Sorted(maps.Keys(seen)) {
			if !slices.ContainsFunc(allowed[c], func(verbs string) bool { return verbs == "all of them" || strings.Contains(verbs, verb) }) {
				t.Errorf("%s makes the call %s, which the table of rights does not give it", verb, c)
			}
		}
		if verb == "validate" && len(seen) > 0 {
			t.Errorf("validate asks the cloud: %v", seen)
		}
	}
}

// heat is what the guide's template may use. Source: Heat's documentation of
// its resource types.
var heat = map[string][]string{
	"OS::Neutron::Net":             {"name"},
	"OS::Neutron::Subnet":          {"name", "network", "cidr", "dns_nameservers"},
	"OS::Neutron::Router":          {"name", "external_gateway_info"},
	"OS::Neutron::RouterInterface": {"router", "subnet"},
	"OS::Neutron::SecurityGroup":   {"name", "rules"},
}

// TestHeatTemplate reads the template; it is not run.
func TestHeatTemplate(t *testing.T) {
	for _, b := range readPage(t).section(t, "with-terraform-or-heat").blocks {
		if b.language != "yaml" {
			continue
		}
		var template struct {
			Version   string `json:"heat_template_version"`
			Resources map[string]struct {
				Type       string
				Properties object
			}
			Outputs map[string]struct{ Value map[string]string }
		}
		if err := yaml.UnmarshalStrict([]byte(b.text), &template); err != nil {
			t.Fatal(err)
		}
		for name, r := range template.Resources {
			properties, known := heat[r.Type]
			if !known {
				t.Errorf("%s: the type %s is not on the list", name, r.Type)
			}
			for p, v := range r.Properties {
				if !slices.Contains(properties, p) {
					t.Errorf("%s: %s has no property %s on the list", name, r.Type, p)
				}
				if ref, ok := v.(object); ok && ref["get_resource"] != nil && template.Resources[ref["get_resource"].(string)].Type == "" {
					t.Errorf("%s: there is no resource %v", name, ref["get_resource"])
				}
			}
		}
		for name, o := range template.Outputs {
			if template.Resources[o.Value["get_resource"]].Type == "" {
				t.Errorf("output %s is of no resource", name)
			}
		}
		return
	}
	t.Error("the guide has no Heat template")
}
