// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
	world "github.com/espalier-io/espalier/test/estate/openstack"
)

const (
	bound    = 6                // runs that a flow may take to come to its end
	patience = 15 * time.Second // between them, but for the first two
)

// A point is one run of the campaign.
type point struct {
	variant world.Variant
	flow    flow
	mishap  *mishap
	spot    spot
	second  spot // of pairs: where the run after it dies, counted from its first call
}

// String implements fmt.Stringer.
func (p point) String() string {
	text := fmt.Sprintf("%s/%s/%s/%s", p.variant.Name, p.flow, p.mishap.name, p.spot)
	if p.second.n > 0 {
		text += " then " + p.second.String()
	}
	return text
}

// A reference is a flow that nobody disturbed.
type reference struct {
	flow   flow
	calls  []sim.Call // of the flow only, with their numbers in the log
	saves  int
	made   string
	status string
}

// A trial is a point that is tried.
type trial struct {
	*ground
	point
	first   *process
	fired   atomic.Bool
	hidden  bool        // something may be hidden from some reads
	keep    bool        // answers stay bent after the first run
	then    func()      // after the first run, nil: nothing
	between func(error) // the same, with its error
}

// A result is what came of a trial.
type result struct {
	point      point
	fired      bool
	runs       int
	extra      int // calls more than undisturbed
	violations []string
}

// refer runs a flow undisturbed.
func refer(t *testing.T, v world.Variant, f flow, seed uint64) (ref *reference) {
	synctest.Test(t, func(t *testing.T) {
		g := newGround(t, v, seed, sim.Options{})
		g.prepare(f)
		base := g.calls()
		p := g.start()
		if err := p.run(f); err != nil {
			t.Fatalf("%s, %s, undisturbed: %v", v.Name, f, err)
		}
		ref = &reference{flow: f, calls: g.cloud.Calls()[base:], saves: p.saves}
		g.settle()
		ref.made, ref.status = g.outcome()
		if f == again && len(sim.Writes(ref.calls)) > 0 {
			t.Errorf("%s, again, undisturbed: it writes", v.Name)
		}
		for _, text := range g.violations {
			t.Errorf("%s, %s, undisturbed: %s", v.Name, f, text)
		}
	})
	return ref
}

// outcome is what there is, and what the status says of it.
func (g *ground) outcome() (made, status string) {
	change := g.changed("in the end")
	p := g.start()
	if err := p.facts(0); err != nil {
		g.violated("I5", "looking in the end: %v", err)
		return change.Print(), ""
	}
	raw, err := json.Marshal(p.look.Status())
	if err != nil {
		g.violated("I6", "the status: %v", err)
	}
	g.secret("status", string(raw))
	var names []string
	for _, t := range change.Made {
		names = append(names, t.ID, t.String())
	}
	return change.Print(), address.ReplaceAllString(strings.NewReplacer(names...).Replace(string(raw)), "‹address›")
}

// address is one that the cloud chooses anew for each router.
var address = regexp.MustCompile(`203\.0\.113\.[0-9]+|2001:db8:[0-9a-f:]+(/[0-9]+)?`)

// try tries a point.
func try(t *testing.T, p point, ref *reference, seed uint64) (res result) {
	synctest.Test(t, func(t *testing.T) {
		o := sim.Options{}
		if p.mishap.options != nil {
			o = p.mishap.options()
		}
		r := &trial{ground: newGround(t, p.variant, seed, o), point: p}
		r.prepare(p.flow)
		base := r.calls()
		r.first = r.start()
		p.mishap.arm(r, p.spot)
		runs, converged := r.converge()
		res = result{point: p, fired: r.fired.Load(), runs: runs, extra: r.calls() - base - len(ref.calls)}
		r.disarm()
		r.settle()
		if r.hidden {
			r.show()
		}
		if p.mishap.late {
			if err := r.start().run(p.flow); err != nil {
				r.violated("I5", "after what came late: %v", err)
			}
		}
		if converged {
			r.judge(ref)
		}
		res.violations = r.violations
	})
	return res
}

// converge runs the flow until it is done.
func (t *trial) converge() (runs int, done bool) {
	err := t.first.run(t.flow)
	if t.mishap.heals && err != nil {
		t.violated("I5", "one run should get over it: %v", err)
	}
	if t.between != nil {
		t.between(err)
	}
	if t.then != nil {
		t.then()
	}
	if !t.mishap.stays {
		t.disarmFirst()
	}
	for runs = 1; err != nil && runs < bound; runs++ {
		if runs > 1 {
			<-time.After(patience)
		}
		p := t.start()
		if runs == 1 && t.second.n > 0 {
			t.dieAgain(p)
		}
		if err = p.run(t.flow); runs == 1 && t.second.n > 0 {
			t.disarmFirst()
		}
	}
	if err != nil {
		t.violated("I5", "not done after %d runs: %v", runs, err)
	}
	return runs, err == nil
}

// disarmFirst ends what was only for the first run.
func (t *trial) disarmFirst() {
	t.set(nil)
	t.cloud.ClearFaults()
	if !t.keep {
		t.bent = nil
	}
}

func (t *trial) disarm() {
	t.keep = false
	t.disarmFirst()
	t.cloud.Throttle(0, 0)
	t.cloud.HideNew(0)
}

// show reads until nothing is hidden any more.
func (t *trial) show() {
	for range mostHidden {
		p := t.start()
		if err := p.facts(0); err != nil {
			t.violated("I5", "looking: %v", err)
		}
		p.cancel()
	}
}

// judge looks whether all is as it would be undisturbed, and that nothing more
// is to be done; then it takes everything away.
func (t *trial) judge(ref *reference) {
	made, status := t.outcome()
	if made != ref.made {
		t.violated("I2", "there is\n%s\nundisturbed\n%s", made, ref.made)
	}
	if status != ref.status {
		t.violated("I6", "the status is\n%s\nundisturbed\n%s", status, ref.status)
	}
	before := t.calls()
	p := t.start()
	err := p.run(t.flow)
	if writes := sim.Writes(t.cloud.Calls()[before:]); err != nil || len(writes) > 0 {
		t.violated("I5", "once more: %d writes, %v\n%s", len(writes), err, p.plan)
	}
	if t.flow != remove {
		if err := t.start().run(remove); err != nil {
			t.violated("I2", "deleting: %v", err)
		}
	}
	t.settle()
	change := t.changed("deleted")
	if len(change.Made) > 0 {
		t.violated("I2", "left:\n%s", change.Print())
	}
	if state, err := engine.LoadState(t.saved, nil); err != nil || len(state.Records()) > 0 {
		t.violated("I2", "the state in the end: %v\n%s", err, t.saved)
	}
	if unknown := t.cloud.Unknown(); len(unknown) > 0 {
		t.violated("I7", "calls that the cloud does not know: %v", unknown)
	}
}

// denied says that an error comes of a refusal, however deep.
func denied(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "403") || errors.Is(err, errFindings))
}
