// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"github.com/espalier-io/espalier/internal/engine"
)

// checkNamesakes looks for things of a cluster with the same name and another
// UID, and for a group that has the name of ours and is not.
func (t *topology) checkNamesakes() {
	groups, _ := t.f.Groups.All() // that not all are known is told elsewhere
	for _, f := range groups {
		if g, err := f.State(); err == nil && g.VPC == t.given.VPC {
			t.checkUID(groupNode, f.ID, g.Marks)
			t.checkName(f.ID, g)
		}
	}
	// Role and instance profile are taken then, too, which the engine tells, but not by whom.
	name := engine.ID(t.c.name("nodes"))
	if r, err := t.f.Roles.Get(name).State(); t.given.SecurityGroup != "" && err == nil && r != nil {
		t.checkUID(roleNode, name, r.Marks)
	}
}

// checkName asks whether a group that is not ours has the name that ours would get.
func (t *topology) checkName(id engine.ID, g *SecurityGroup) {
	name := t.c.name("nodes")
	if g.Name != name || t.given.SecurityGroup != "" {
		return
	}
	node, other := t.c.readMark(g.Marks)
	if known := node != "" || other != "" || recorded(t.f.State, id) || t.c.inherited(groupNode) == id; !known {
		t.require(rules.groupName, groupNode, nil, func(engine.Deps) engine.Problem {
			return engine.Unless(false, string(id), "%s in %s is called %s, too", id, g.VPC, name)
		})
	}
}

func (t *topology) checkUID(what string, id engine.ID, tags map[string]string) {
	if _, other := t.c.readMark(tags); other != "" {
		t.require(rules.otherCluster, what, nil, func(engine.Deps) engine.Problem {
			return engine.Unless(false, string(id), "%s belongs to a cluster %q with the UID %s; this one has %s", id, t.c.TechnicalID, other, t.c.UID)
		})
	}
}
