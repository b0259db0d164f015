// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/espalier-io/espalier/internal/fault"
)

func mustJSON(t *testing.T, s *State) []byte {
	t.Helper()
	data, err := s.content()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// With the credentials of another project every ID would read as absent.
func TestStateOfAnotherCloud(t *testing.T) {
	g := newGraph(state(t, `{"version":1,"cloud":"elsewhere","records":[]}`, nil))
	_, err := g.Plan()
	wantErr(t, err, "error EGEN101: state: the state belongs to elsewhere, the credentials to toy")
	_, err = g.PlanDelete()
	wantErr(t, err, "EGEN101")
	if r, ok := errors.AsType[Refusal](err); !ok || len(r) != 1 || r[0].Code != otherCloud || r[0].Fix == "" {
		t.Errorf("the findings are %v", r)
	}
}

func TestStateThatCanNotBeRead(t *testing.T) {
	for data, want := range map[string]string{
		`{"version":2}`: "version 2 is not known",
		`{`:             "reading the state",
	} {
		_, err := LoadState([]byte(data), nil)
		wantErr(t, err, want)
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: kind %q", data, fault.KindOf(err))
		}
	}
}

// The document carries the UID, the configuration and what was known of the
// user's things, through a save and a load.
func TestStateCarriesMoreThanRecords(t *testing.T) {
	var saved []byte
	s := state(t, "", func(_ context.Context, b []byte) error { saved = b; return nil })
	if err := errors.Join(s.SetUID("u-1"), s.SetConfig(json.RawMessage("{\n \"a\": 1}"))); err != nil {
		t.Fatal(err)
	}
	cloud := newToy()
	g := newGraph(s)
	Refer(g, "network", Rule{}, There("net-1", thing{}), nil)
	Refer(g, "gone", Rule{}, Absent[thing]("x"), nil)
	mark(g, all(cloud), "a", nil, just("a"))
	mustApply(t, g, cloud)

	s = state(t, string(saved), nil)
	if s.UID() != "u-1" || string(s.Config()) != `{"a":1}` || s.Cloud() != "toy" {
		t.Errorf("saved %s", saved)
	}
	if s.Known("network") != "net-1" || s.Known("gone") != "" {
		t.Errorf("known: %q, %q", s.Known("network"), s.Known("gone"))
	}
	if err := s.SetUID("u-1"); err != nil {
		t.Error(err)
	}
	if err := s.SetUID("u-2"); !fault.Is(err, fault.Conflict) {
		t.Errorf("another UID: %v", err)
	}
	if err := s.SetConfig(json.RawMessage("{")); !fault.Is(err, fault.Invalid) {
		t.Errorf("broken configuration: %v", err)
	}
}

// The serial rises by one per save, and a run that changes nothing saves nothing.
func TestSerial(t *testing.T) {
	var serials []int
	var saved []byte
	fail := false
	save := func(_ context.Context, b []byte) error {
		if fail {
			return errFlaky
		}
		var doc struct{ Serial int }
		if err := json.Unmarshal(b, &doc); err != nil {
			return err
		}
		serials, saved = append(serials, doc.Serial), b
		return nil
	}
	cloud := newToy()
	run := func(name string) error {
		s := state(t, string(saved), save)
		g := newGraph(s)
		mark(g, all(cloud, "id-1"), name, nil, just(name))
		return g.Apply(t.Context(), cloud, mustPlan(t, g), Options{})
	}
	if err := errors.Join(run("a"), run("a")); err != nil || len(serials) != 2 {
		t.Fatalf("err %v, serials %v", err, serials)
	}
	s := state(t, string(saved), save)
	for _, fail = range []bool{true, false} { // the same state tries again
		g := newGraph(s)
		mark(g, all(cloud, "id-1"), "b", nil, just("b"))
		if err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{}); fail {
			wantErr(t, err, "saving the state: flaky")
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for i, n := range serials {
		if n != i+1 {
			t.Errorf("serials %v", serials)
		}
	}
	if n := state(t, string(saved), nil).Serial(); n != len(serials) {
		t.Errorf("serial %d after %d saves", n, len(serials))
	}
}

// Nothing at all is done without the intents; no create after a save that failed.
func TestSaveFails(t *testing.T) {
	for at, want := range []int{0, 1, 2} {
		cloud, saves := newToy(), 0
		s := state(t, "", func(context.Context, []byte) error {
			if saves++; saves > at {
				return errors.New("disk full")
			}
			return nil
		})
		g, f := newGraph(s), all(cloud)
		for _, n := range []string{"a", "b", "c"} {
			mark(g, f, n, nil, just(n))
		}
		err := g.Apply(t.Context(), cloud, mustPlan(t, g), Options{Limit: 1})
		wantErr(t, err, "disk full")
		if len(cloud.things) != want {
			t.Errorf("save %d fails: %d things", at+1, len(cloud.things))
		}
	}
}
