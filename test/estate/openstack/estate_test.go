// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/openstack"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
	"github.com/espalier-io/espalier/test/estate"
)

// Every variant finds nothing that blocks it in the estate, is made, and is
// taken away again; then the estate is as it was. The campaign and the kill
// test build on this.
func TestEveryVariantLivesInTheEstate(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cloud, err := New(sim.Options{Seed: v.Name})
				if err != nil {
					t.Fatal(err)
				}
				survey, err := Inspect(cloud)
				if err != nil {
					t.Fatal(err)
				}
				var saved []byte
				l := look(t, cloud, v, &saved, openstack.Reconciliation)
				for _, f := range l.Check() {
					if f.Severity == engine.Error {
						t.Errorf("%s", f)
					}
				}
				p, err := l.Plan()
				if err == nil {
					err = l.Apply(t.Context(), p, engine.Options{})
				}
				if err != nil {
					t.Fatal(err)
				}
				change, err := survey.Compare(cloud, v.Beside)
				if err != nil || len(change.Harm) > 0 || len(change.Doubles()) > 0 || len(change.Made) == 0 {
					t.Errorf("%v, made %d, twice %v, harm:\n%s", err, len(change.Made), change.Doubles(), strings.Join(change.Harm, "\n"))
				}
				l = look(t, cloud, v, &saved, openstack.Deletion)
				if p, err = l.PlanDelete(); err == nil {
					err = l.Apply(t.Context(), p, engine.Options{})
				}
				if err != nil {
					t.Fatal(err)
				}
				change, err = survey.Compare(cloud, v.Beside)
				if err != nil || len(change.Harm)+len(change.Made) > 0 {
					t.Errorf("%v, harm:\n%s\nleft:\n%s", err, strings.Join(change.Harm, "\n"), change.Print())
				}
			})
		})
	}
}

func look(t *testing.T, cloud *sim.Cloud, v Variant, saved *[]byte, why openstack.Purpose) *openstack.Look {
	t.Helper()
	creds, err := Credentials()
	if err != nil {
		t.Fatal(err)
	}
	config, err := v.Config()
	if err != nil {
		t.Fatal(err)
	}
	state, err := engine.LoadState(*saved, func(_ context.Context, b []byte) error { *saved = b; return nil })
	if err != nil {
		t.Fatal(err)
	}
	session, err := openstack.Open(t.Context(), creds, config, state, openstack.Options{Transport: cloud.Transport()})
	if err != nil {
		t.Fatal(err)
	}
	l, err := session.Look(t.Context(), why)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The surveyor sees what it is there for.
func TestTheSurveyorSees(t *testing.T) {
	cloud, err := New(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	survey, err := Inspect(cloud)
	if err != nil {
		t.Fatal(err)
	}
	more := sim.World{Projects: map[string]sim.WorldProject{Project: {Networks: []sim.WorldNetwork{
		{Name: estate.Cluster, Description: mark + "network"}, {Name: estate.Cluster, Description: mark + "network"},
	}}}}
	if err := cloud.Plant(more); err != nil {
		t.Fatal(err)
	}
	change, err := survey.Compare(cloud, Nothing)
	if err != nil || len(change.Made) != 2 || len(change.Doubles()) != 1 || len(change.Harm) != 0 {
		t.Errorf("%v %+v", err, change)
	}
	if err := cloud.Plant(sim.World{Projects: map[string]sim.WorldProject{Project: {Networks: []sim.WorldNetwork{{
		Name: "more", Subnets: []sim.WorldSubnet{{Name: "more", CIDR: "10.9.0.0/24"}},
	}}, SecurityGroups: []sim.WorldGroup{{Name: "default", Rules: []sim.WorldRule{{Direction: "ingress"}}}}}}}); err != nil {
		t.Fatal(err)
	}
	if change, err = survey.Compare(cloud, Addresses); err != nil || len(change.Harm) == 0 {
		t.Errorf("a rule in the user's default group: %v %+v", err, change.Harm)
	}
	for text, leaks := range map[string]bool{"x " + estate.Secret: true, estate.TokenPrefix + "0": true, "gardener at http://cloud": false} {
		if (estate.Leaks(text) != "") != leaks {
			t.Errorf("%q leaks: %q", text, estate.Leaks(text))
		}
	}
}
