// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"testing"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/rbacpolicies"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"

	"github.com/espalier-io/espalier/internal/engine"
)

// Somebody in another project copies our mark and shares the thing with us: it
// is neither taken for ours, nor changed, nor deleted.
func TestACopyOfOurMarkInAnotherProject(t *testing.T) {
	w := newWorld(t)
	n, err := networks.Create(t.Context(), w.admin.network, networks.CreateOpts{Name: cluster, Description: cluster + " " + uid + "/" + networkNode}).Extract()
	w.must(err)
	_, err = rbacpolicies.Create(t.Context(), w.admin.network, rbacpolicies.CreateOpts{
		Action: rbacpolicies.ActionAccessShared, ObjectType: "network", TargetTenant: w.user.Project(), ObjectID: n.ID,
	}).Extract()
	w.must(err)
	before := w.everything()
	r := w.run(w.pattern(1), rose(), nil)
	w.must(r.apply())
	if id := r.look(Reconciliation).network.Found(); id == engine.ID(n.ID) || id == "" {
		t.Errorf("the network is %s", id)
	}
	r.saved = nil
	w.must(r.delete())
	if w.everything() != before {
		t.Error("not as it was")
	}
}

// Names are the user's to change: what is recorded is found by its ID.
func TestARenamedThingIsStillOurs(t *testing.T) {
	w := newWorld(t)
	before := w.everything()
	r := w.run(w.pattern(1), rose(), nil)
	w.must(r.apply())
	id := string(r.look(Reconciliation).network.Found())
	name := "renamed"
	_, err := networks.Update(t.Context(), w.user.network, id, networks.UpdateOpts{Name: &name}).Extract()
	w.must(err)
	if p, err := r.look(Reconciliation).Plan(); err != nil || !p.Idle() {
		t.Errorf("%v\n%s", err, p)
	}
	w.must(r.delete())
	if w.everything() != before {
		t.Error("not as it was")
	}
}
