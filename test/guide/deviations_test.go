// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package guide

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

var (
	quoted = regexp.MustCompile("(leave out )?`([^`]+)`")
	anchor = regexp.MustCompile(`\]\(#([^)]+)\)`)
)

// TestDeviations does what each row of the table of findings says to a network
// that is in order, and demands that finding and no other.
func TestDeviations(t *testing.T) {
	g := readPage(t)
	rows := g.section(t, "what-preflight-finds").table(t, "in order is")
	for _, r := range rows {
		want := strings.Split(strings.ReplaceAll(r["finding"], "`", ""), ", ")
		slices.Sort(want)
		t.Run(strings.Join(want, " ")+" "+strings.ReplaceAll(r["and then"], "/", "-"), func(t *testing.T) {
			m := anchor.FindStringSubmatch(r["in order is"])
			if m == nil {
				t.Fatalf("%q leads to no section", r["in order is"])
			}
			s := g.section(t, m[1])
			p, config := g.ready(t, s)
			flags := g.flags(t, s)
			for _, what := range quoted.FindAllStringSubmatch(r["and then"], -1) {
				config, flags = p.deviate(what[2], what[1] != "", config, flags)
			}
			before := p.cloud.Snapshot()
			preflight := p.espalier(append([]string{"preflight", "-f", p.write("mine.yaml", config)}, flags...)...)
			if said := preflight.said(); !slices.Equal(said, want) {
				t.Errorf("preflight says %q, not %q alone:\n%s", said, want, preflight)
			}
			for _, d := range p.unchanged(before, "after preflight") {
				t.Errorf("after preflight: %s", d)
			}
		})
	}
}

// deviate does one thing: a command, flags, or a change of the configuration.
func (p *place) deviate(what string, leaveOut bool, config string, flags []string) (string, []string) {
	p.Helper()
	switch path, value, sets := strings.Cut(what, ": "); {
	case strings.HasPrefix(what, "openstack "):
		p.prepare(what)
	case strings.HasPrefix(what, "--"):
		flags = append(flags, strings.Fields(what)...)
	case leaveOut:
		config = p.edit(config, what, nil)
	case sets:
		value, err := p.shell.fill(p.Context(), value)
		if err != nil {
			p.Fatal(err)
		}
		var v any
		if err := yaml.Unmarshal([]byte(value), &v); err != nil {
			p.Fatal(err)
		}
		config = p.edit(config, path, v)
	default:
		p.Fatalf("%q is neither a command nor a flag nor a field", what)
	}
	return config, flags
}

// edit sets a field of a configuration, or takes it out if the value is nil.
func (p *place) edit(config, path string, value any) string {
	p.Helper()
	var whole object
	if err := yaml.Unmarshal([]byte(config), &whole); err != nil {
		p.Fatal(err)
	}
	at, keys := whole, strings.Split(path, ".")
	for _, key := range keys[:len(keys)-1] {
		next, ok := at[key].(object)
		if !ok {
			p.Fatalf("the configuration has no %s", path)
		}
		at = next
	}
	last := keys[len(keys)-1]
	if _, there := at[last]; !there && value == nil {
		p.Fatalf("the configuration has no %s to leave out", path)
	}
	if at[last] = value; value == nil {
		delete(at, last)
	}
	raw, err := yaml.Marshal(whole)
	if err != nil {
		p.Fatal(err)
	}
	return string(raw)
}

// TestFixOfAGroupMendsIt: the commands that a finding about the rules of a group
// gives are all that it takes.
func TestFixOfAGroupMendsIt(t *testing.T) {
	g := readPage(t)
	s := g.section(t, "pattern-5-your-security-group")
	p, config := g.ready(t, s)
	p.prepare("openstack security group create bare")
	id, err := p.shell.run(t.Context(), "openstack security group show bare -f value -c id")
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"preflight", "-f", p.write("mine.yaml", p.edit(config, "networks.securityGroupId", id)), "--overlay", "false"}, g.flags(t, s)...)
	found := p.must(args...)
	if said := fmt.Sprint(found.said()); said != "[warning EOS145]" {
		t.Fatalf("a group without rules: %s", found)
	}
	for _, f := range found.out.Findings {
		if f.Code == "EOS145" {
			p.prepare(strings.Split(f.Fix, "; ")...)
		}
	}
	if r := p.must(args...); len(r.said()) > 0 {
		t.Errorf("mended as the finding says, and still: %s", r)
	}
}
