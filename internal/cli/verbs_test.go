// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// A scene is one command on a fake cloud, and what it prints is compared with a
// golden file.
type scene struct {
	fake    fake
	env     func(b *bench) // what is special
	answers string
	args    string
}

const named = " -f config.yaml --name shoot--dev--one"

func (s scene) play(t *testing.T, name string) {
	t.Helper()
	b := newBench(t, &s.fake)
	b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
	b.file("shoot.yaml", example(t, "shoot.yaml"))
	if s.env != nil {
		s.env(b)
	}
	var first result
	for i := range 2 { // the same input prints the same bytes
		s.fake.looks = 0
		r := b.run(s.answers, strings.Fields(s.args)...)
		if strings.Contains(s.args, "apply") || strings.Contains(s.args, "delete") {
			first = r
			break
		}
		if i == 1 && r.String() != first.String() {
			t.Errorf("the second time it prints\n%s", r)
		}
		first = r
	}
	golden(t, name, first.String())
}

func warned() []engine.Finding {
	return []engine.Finding{
		{Rule: engine.Rule{Code: "EOS140", Severity: engine.Info, Field: "networks.subnetId"}, Resource: "subnet", Message: "not checked: action get_subnet denied", NotChecked: true},
		{Rule: engine.Rule{Code: "EOS130", Severity: engine.Warning, Field: "networks.subnetId", Fix: "switch DHCP on"}, Resource: "subnet", Value: "false", Message: "DHCP is off"},
	}
}

func broken(code string) []engine.Finding {
	return append(warned(), engine.Finding{Rule: engine.Rule{Code: code, Severity: engine.Error, Type: "NotFound", Field: "networks.id", Fix: "name one that exists"}, Resource: "network", Value: "net-1", Message: "net-1 is not there"})
}

func TestReadingVerbs(t *testing.T) {
	blocked := append(someSteps(), engine.Step{Name: "router", Action: engine.Blocked, Kind: "router", Owner: engine.Ours, Note: "it is not known whether it is there"})
	for name, s := range map[string]scene{
		"validate a configuration":         {args: "validate -f config.yaml"},
		"validate a shoot as json":         {args: "validate -f shoot.yaml -o json"},
		"validate with errors":             {args: "validate -f config.yaml --nodes 10.250.0.0/16 --pods 10.250.0.0/16 -o yaml"},
		"preflight with warnings":          {fake: fake{findings: warned()}, args: "preflight" + named},
		"preflight that fails on warnings": {fake: fake{findings: warned()}, args: "preflight --fail-on warning" + named},
		"preflight with errors":            {fake: fake{findings: broken("EOS101")}, args: "preflight" + named},
		"preflight with an accepted error": {fake: fake{findings: broken("EOS124")}, args: "preflight --accept EOS124" + named},
		"preflight without credentials":    {fake: fake{openErr: fault.Errorf(fault.Unauthenticated, "no OpenStack credentials: name an entry of clouds.yaml")}, args: "preflight -o json" + named},
		"plan":                             {fake: fake{steps: someSteps(), findings: warned()}, args: "plan" + named},
		"plan as json":                     {fake: fake{steps: someSteps()}, args: "plan -o json" + named},
		"plan with nothing to do":          {fake: fake{steps: someSteps()[:1]}, args: "plan --detailed-exitcode" + named},
		"plan with changes and a code":     {fake: fake{steps: someSteps()}, args: "plan --detailed-exitcode" + named},
		"plan with errors and a code":      {fake: fake{findings: broken("EOS101")}, args: "plan --detailed-exitcode" + named},
		"plan of a deletion":               {fake: fake{removal: []engine.Step{{Name: "router", Kind: "router", Action: engine.Delete, ID: "r-1", Owner: engine.Ours, Found: engine.ByMark}}}, args: "plan --delete" + named},
		"plan with something blocked":      {fake: fake{steps: blocked}, args: "plan" + named},
		"plan in colours":                  {fake: fake{steps: someSteps()}, args: "plan" + named, env: func(b *bench) { b.env.OutTTY = true }},
		"plan with something unsettled":    {fake: fake{steps: someSteps(), unsettled: []string{"router"}}, args: "plan" + named + " --state new.json"},
		"status":                           {fake: fake{steps: someSteps()}, args: "status" + named},
		"status as json":                   {fake: fake{steps: someSteps()[:1]}, args: "status -o json" + named},
		"status with something blocked":    {fake: fake{steps: blocked}, args: "status" + named},
		"explain a code":                   {args: "explain EOS124"},
		"version":                          {args: "version -o yaml", env: func(*bench) {}},
	} {
		t.Run(name, func(t *testing.T) { s.play(t, name) })
	}
}

func TestColoursAreSwitchedOff(t *testing.T) {
	for name, s := range map[string]scene{
		"by NO_COLOR":   {args: "plan" + named, env: func(b *bench) { b.vars["NO_COLOR"] = "1" }},
		"by TERM":       {args: "plan" + named, env: func(b *bench) { b.vars["TERM"] = "dumb" }},
		"by --no-color": {args: "--no-color plan" + named},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, &fake{steps: someSteps(), findings: broken("EOS130")})
			b.env.OutTTY, b.env.ErrTTY = true, true
			b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
			if s.env != nil {
				s.env(b)
			}
			if r := b.run("", strings.Fields(s.args)...); strings.Contains(r.out+r.err, "\x1b") {
				t.Errorf("%q", r)
			}
		})
	}
}

func TestWritingVerbs(t *testing.T) {
	gone := func(found engine.Found) []engine.Step {
		return []engine.Step{
			{Name: "network", Action: engine.Reference, ID: "net-1", Owner: engine.Yours},
			{Name: "security-group", Kind: "security-group", Action: engine.Delete, ID: "sg-1", Owner: engine.Ours, Found: found},
		}
	}
	atTerminal := func(b *bench) { b.env.InTTY = true }
	for name, s := range map[string]scene{
		"apply with yes":                          {fake: fake{steps: someSteps()}, args: "apply --yes" + named},
		"apply as json":                           {fake: fake{steps: someSteps()}, args: "apply --yes -o json --uid u-1" + named},
		"apply with nothing to do":                {fake: fake{steps: someSteps()[:1]}, args: "apply" + named},
		"apply and answer yes":                    {fake: fake{steps: someSteps()}, args: "apply" + named, env: atTerminal, answers: "yes\n"},
		"apply and answer no":                     {fake: fake{steps: someSteps()}, args: "apply" + named, env: atTerminal, answers: "y\n"},
		"apply and answer nothing":                {fake: fake{steps: someSteps()}, args: "apply" + named, env: atTerminal},
		"apply without a terminal":                {fake: fake{steps: someSteps()}, args: "apply" + named},
		"apply with errors":                       {fake: fake{findings: broken("EOS101")}, args: "apply --yes" + named},
		"apply with errors as json":               {fake: fake{findings: broken("EOS101")}, args: "apply --yes -o json" + named},
		"apply waits for what may still show":     {fake: fake{steps: someSteps()[:1], unsettled: []string{"router", "subnet"}}, args: "apply --yes" + named},
		"apply on a terminal":                     {fake: fake{steps: someSteps(), unsettled: []string{"router"}}, args: "apply --yes --no-color --settle 3s" + named, env: func(b *bench) { b.env.ErrTTY, b.env.Width, b.now = true, 40, start.Add(57e9) }},
		"apply fails half way":                    {fake: fake{steps: someSteps(), apply: halfWay}, args: "apply --yes" + named},
		"apply fails half way as json":            {fake: fake{steps: someSteps(), apply: halfWay}, args: "apply --yes -o json" + named},
		"delete with yes":                         {fake: fake{removal: gone(engine.Recorded)}, args: "delete --yes" + named},
		"delete with nothing to do":               {fake: fake{removal: gone(engine.Recorded)[:1]}, args: "delete --yes" + named},
		"delete by mark needs more than yes":      {fake: fake{removal: gone(engine.ByMark)}, args: "delete --yes" + named},
		"delete by mark asks twice":               {fake: fake{removal: gone(engine.ByMark)}, args: "delete" + named, env: atTerminal, answers: "yes\nyes\n"},
		"delete by mark and answer no":            {fake: fake{removal: gone(engine.ByMark)}, args: "delete --yes" + named, env: atTerminal, answers: "no\n"},
		"delete by mark with both flags":          {fake: fake{removal: gone(engine.ByMark)}, args: "delete --yes --delete-marked" + named},
		"delete of a configuration with an error": {fake: fake{removal: gone(engine.Recorded)}, args: "delete --yes --nodes 10.0.0.0/8 --pods 10.0.0.0/8" + named},
	} {
		t.Run(name, func(t *testing.T) { s.play(t, name) })
	}
}

// halfWay makes one thing and fails at the next.
func halfWay(_ context.Context, _ *fake, o engine.Options) error {
	err := fault.Errorf(fault.Quota, "creating router: quota \x1b[2Jexceeded")
	for _, e := range []engine.Event{
		{Name: "security-group", Action: engine.Create, Phase: engine.Started},
		{Name: "security-group", Action: engine.Create, Phase: engine.Waiting, Detail: "it to show"},
		{Name: "security-group", Action: engine.Create, Phase: engine.Done, ID: "sg-1"},
		{Name: "router", Action: engine.Create, Phase: engine.Started},
		{Name: "router", Action: engine.Create, Phase: engine.Failed, Err: err},
	} {
		o.Events(e)
	}
	return errors.Join(err)
}

func TestAnAcceptedCodeMustBeOneThatMayBeAccepted(t *testing.T) {
	for code, says := range map[string]string{"EOS101": "can not be accepted", "EOS001": "can not be accepted", "EGEN101": "can not be accepted", "nonsense": "there is no such code"} {
		f := &fake{findings: broken(code), steps: someSteps()}
		b := newBench(t, f)
		b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
		if r := b.run("", strings.Fields("apply --yes --accept "+code+named)...); r.code != 2 || !strings.Contains(r.err, says) || f.applied > 0 {
			t.Errorf("%s: %s", code, r)
		}
	}
}

func TestWhatLivesInAGardenerIsNotWrittenTo(t *testing.T) {
	f := &fake{steps: someSteps()}
	b := newBench(t, f)
	b.file("shoot.yaml", example(t, "shoot.yaml")+"status: {technicalID: shoot--dev--one, uid: u-1}\n")
	for _, verb := range []string{"apply", "delete"} {
		if r := b.run("", verb, "--yes", "-f", "shoot.yaml"); r.code != 2 || !strings.Contains(r.err, "a Gardener looks after it") || f.applied > 0 {
			t.Errorf("%s", r)
		}
	}
	for _, verb := range []string{"preflight", "plan", "status"} {
		if r := b.run("", verb, "-f", "shoot.yaml"); r.code != 0 {
			t.Errorf("%s", r)
		}
	}
	if r := b.run("", "apply", "--yes", "--unmanaged", "-f", "shoot.yaml"); r.code != 0 || f.applied != 1 || f.cluster.UID != "u-1" {
		t.Errorf("%s", r)
	}
}

func TestHelpOfEachVerbIsComplete(t *testing.T) {
	b := newBench(t, &fake{})
	for _, cmd := range (&app{env: b.env}).command().Commands() {
		if cmd.Long == "" || cmd.Example == "" || cmd.Short == "" {
			t.Errorf("%s has no help or no example", cmd.Name())
		}
		for line := range strings.Lines(cmd.Long + "\n" + cmd.Example) {
			if len(line) > 101 {
				t.Errorf("%s: a line of the help is too long: %q", cmd.Name(), line)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	b := newBench(t, &fake{})
	if r := b.run("", "version"); r.code != 0 || !strings.HasPrefix(r.out, "espalier v0.0.0-test (go") {
		t.Errorf("%s", r)
	}
	if r := b.run("", "version", "-o", "json"); r.code != 0 || !strings.Contains(r.out, `"espalier": "v0.0.0-test"`) {
		t.Errorf("%s", r)
	}
}

func TestStateIsBesideTheInput(t *testing.T) {
	b := newBench(t, &fake{steps: someSteps()})
	if err := os.Mkdir("sub", 0o700); err != nil {
		t.Fatal(err)
	}
	b.file(filepath.Join("sub", "config.yaml"), example(t, "4-byo-subnet.yaml"))
	r := b.run("", "apply", "--yes", "-f", "sub/config.yaml", "--name", "shoot--dev--one")
	if r.code != 0 || !strings.Contains(r.out, "sub/shoot--dev--one.espalier.json") {
		t.Errorf("%s", r)
	}
}
