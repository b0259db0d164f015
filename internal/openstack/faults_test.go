// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/keypairs"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"
	secrules "github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/rules"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
)

// The tests here are named after what they protect from faults that the
// existing provider has; B1, B2, B3, B7 and B8 are in leftovers_test.go, B9 in
// takeover_test.go, B15 in audit_test.go, B18 in dual_test.go.

// B4: a router of the user's without a gateway is central egress, not an error.
func TestARouterWithoutAGatewayServes(t *testing.T) {
	w := newWorld(t)
	_, err := routers.Update(t.Context(), w.user.network, w.router, routers.UpdateOpts{GatewayInfo: &routers.GatewayInfo{}}).Extract()
	w.must(err)
	r := w.run(w.pattern(4), rose(), nil)
	w.must(r.apply())
	s := r.look(Reconciliation).Status()
	if len(s.EgressCIDRs) != 0 || s.EgressCIDRs == nil || s.Provider.Networks.Router.ID != w.router {
		t.Errorf("status %+v", s)
	}
}

// B5 and B9b: nothing is adopted by its name, neither to be changed nor to be
// deleted, whether the state is there or lost.
func TestNothingIsAdoptedByName(t *testing.T) {
	w := newWorld(t)
	n, err := networks.Create(t.Context(), w.user.network, networks.CreateOpts{Name: cluster}).Extract()
	w.must(err)
	w.subnetIn(w.user, "namesake", subnets.CreateOpts{Name: cluster, NetworkID: n.ID, CIDR: "10.250.0.0/19", IPVersion: gophercloud.IPv4})
	w.must(func() error {
		_, err := routers.Create(t.Context(), w.user.network, routers.CreateOpts{Name: cluster}).Extract()
		return err
	}())
	before := w.everything()
	r := w.run(w.pattern(1), rose(), nil)
	w.must(r.apply())
	r.saved = nil
	w.must(r.delete())
	if w.everything() != before {
		t.Error("the namesakes are not as they were")
	}
}

// B11 and B17: what is wrong with the configuration is said before the first write.
func TestWhatIsWrongIsSaidBeforeTheFirstWrite(t *testing.T) {
	for _, d := range slices.Concat(givenDeviations, fitDeviations, dualDeviations) {
		w := newWorld(t)
		infra, k := w.pattern(d.pattern), rose()
		d.change(w, &infra, &k)
		r := w.run(infra, k, nil)
		l := r.look(Reconciliation)
		blocked := slices.ContainsFunc(l.Check(), func(f engine.Finding) bool { return f.Severity == engine.Error })
		if wants := strings.Contains(d.codes, "EOS1") && d.codes < "EOS14" || strings.HasPrefix(d.codes, "EGEN"); blocked != wants {
			t.Errorf("%s: blocked %v before an apply: %v", d.name, blocked, l.Check())
		}
	}
}

// B10: a denied call is told at once and by its kind, and tried once.
func TestADeniedCallIsToldAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.run(w.pattern(3), rose(), nil)
		w.must(r.apply())
		w.SetPolicy("remove_router_interface", sim.Nobody)
		w.ClearCalls()
		err := r.delete()
		if !fault.Is(err, fault.Denied) || !strings.Contains(err.Error(), "removing subnet") || !strings.Contains(err.Error(), "PolicyNotAuthorized") {
			t.Errorf("err = %v (%s)", err, fault.KindOf(err))
		}
		tries := 0
		for _, c := range w.Calls() {
			if strings.HasSuffix(c.Path, "/remove_router_interface") {
				tries++
			}
		}
		if tries != 1 {
			t.Errorf("tried %d times", tries)
		}
		w.SetPolicy("remove_router_interface", sim.Owner)
		w.must(r.delete())
	})
}

// B12: a rule that is not wanted any more is deleted as a rule, those of others stay.
func TestARuleGoesAndTheGroupStays(t *testing.T) {
	w := newWorld(t)
	k := rose()
	k.Overlay, k.Pods = false, prefixes("100.64.0.0/11")
	r := w.run(w.pattern(4), k, nil)
	w.must(r.apply())
	group := string(r.look(Reconciliation).group.Found())
	_, err := secrules.Create(t.Context(), w.user.network, secrules.CreateOpts{SecGroupID: group, Direction: "ingress", EtherType: "IPv4", Protocol: "tcp", PortRangeMin: 22, PortRangeMax: 22, RemoteIPPrefix: "10.1.0.0/16"}).Extract()
	w.must(err)
	k.Overlay = true
	r.config = w.run(w.pattern(4), k, nil).config
	l := r.look(Reconciliation)
	p, err := l.Plan()
	w.must(err)
	if !strings.Contains(p.String(), "foreign, stays: Rules: ingress IPv4 tcp 22 from 10.1.0.0/16") {
		t.Errorf("plan:\n%s", p)
	}
	w.must(l.Apply(t.Context(), p, engine.Options{}))
	_, have := r.look(Reconciliation).group.Now()
	rules := have.Rules
	if slices.Contains(rules, Rule{"ingress", "IPv4", "", 0, 0, "100.64.0.0/11"}) || !slices.Contains(rules, Rule{"ingress", "IPv4", "tcp", 22, 22, "10.1.0.0/16"}) || len(rules) != 6 {
		t.Errorf("rules %v", rules)
	}
}

// B13: a deletion without a state finds what bears the mark.
func TestADeletionWithoutAStateLeavesNothing(t *testing.T) {
	for n := 1; n <= 5; n++ {
		w := newWorld(t)
		before := w.everything()
		r := w.run(w.pattern(n), rose(), nil)
		w.must(r.apply())
		r.saved = nil
		w.must(r.delete())
		if w.everything() != before {
			t.Errorf("pattern %d: not as it was", n)
		}
	}
}

// B16: a key pair of another content is not ours to replace, and is not deleted.
func TestAKeyPairOfSomebodyElse(t *testing.T) {
	w := newWorld(t)
	const theirs = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINvoq1eq/CEhEJD0HkpzN90SK+1TFC83bAQPccurUPks"
	_, err := keypairs.Create(t.Context(), w.user.compute, keypairs.CreateOpts{Name: cluster, PublicKey: theirs}).Extract()
	w.must(err)
	before := w.everything()
	r := w.run(w.pattern(4), rose(), nil)
	if _, err := r.look(Reconciliation).Plan(); err == nil || !strings.Contains(err.Error(), "EGEN104") {
		t.Errorf("err = %v", err)
	}
	w.must(r.delete())
	if w.everything() != before {
		t.Error("it is not as it was")
	}
}

// B19: a load balancer that can not be deleted is an error that names it; the
// rest that does not depend on it is deleted.
func TestALoadBalancerThatStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.run(w.pattern(1), rose(), nil)
		w.must(r.apply())
		id := w.balancer("kube_service_"+cluster+"_default_web", string(r.look(Reconciliation).subnet.Found()))
		w.Inject(sim.Fault{Match: func(c sim.Call) bool { return c.Method == http.MethodDelete && strings.Contains(c.Path, id) }, Times: -1, Status: http.StatusForbidden, Body: `{"faultcode":"Client","faultstring":"Policy does not allow this request to be performed."}`})
		err := r.delete()
		if err == nil || !strings.Contains(err.Error(), id) || !fault.Is(err, fault.Denied) {
			t.Errorf("err = %v", err)
		}
		if k, err := w.user.KeyPair(t.Context(), cluster); err != nil || k != nil {
			t.Errorf("the key pair: %v, %v", k, err)
		}
		w.ClearFaults()
		w.must(r.delete())
	})
}

// With the credentials of another project every ID would read as absent.
func TestAnotherProjectIsRefused(t *testing.T) {
	w := newWorld(t)
	r := w.run(w.pattern(1), rose(), nil)
	w.must(r.apply())
	before := w.everything()
	r.user = "b"
	for what, f := range map[string]func() error{"apply": r.apply, "delete": r.delete} {
		if err := f(); err == nil || !strings.Contains(err.Error(), "EGEN101") {
			t.Errorf("%s: err = %v", what, err)
		}
	}
	if w.everything() != before {
		t.Error("something has changed")
	}
}

// Two clusters on one network, subnet and router: each deleted alone leaves the
// other's things, and the other then has nothing to do.
func TestTwoClustersOnOneSubnet(t *testing.T) {
	w := newWorld(t)
	before := w.everything()
	a := w.run(w.pattern(4), rose(), nil)
	k := rose()
	k.TechnicalID, k.UID = cluster+"bud", "another"
	b := w.run(w.pattern(4), k, nil)
	w.must(errors.Join(a.apply(), b.apply()))
	w.must(a.delete())
	if p, err := b.look(Reconciliation).Plan(); err != nil || !p.Idle() {
		t.Errorf("%v\n%s", err, p)
	}
	w.must(a.apply())
	w.must(b.delete())
	if p, err := a.look(Reconciliation).Plan(); err != nil || !p.Idle() {
		t.Errorf("%v\n%s", err, p)
	}
	w.must(a.delete())
	if w.everything() != before {
		t.Error("not as it was")
	}
}
