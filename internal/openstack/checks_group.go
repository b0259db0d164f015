// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

func (t *topology) checkGroup() {
	r := rules.groupName
	if t.given.SecurityGroup == "" {
		r.field, r.fix = "", "rename the other group: machines are given their group by its name"
	}
	t.require(r, groupNode, engine.Needs(t.group), func(d engine.Deps) engine.Problem {
		if t.f.GroupsNamedErr != nil {
			return engine.Problem{Unknown: t.f.GroupsNamedErr}
		}
		var others []string
		for _, g := range t.f.GroupsNamed {
			if g.ID != t.group.Found() && g.Name == t.group.State(d).Name {
				others = append(others, string(g.ID))
			}
		}
		return engine.Unless(len(others) == 0, t.group.State(d).Name, "the name %q is also that of %s", t.group.State(d).Name, strings.Join(others, ", "))
	})
	if t.given.SecurityGroup == "" {
		return
	}
	t.require(rules.groupRules, groupNode, engine.Needs(t.group), func(d engine.Deps) engine.Problem {
		missing := missingRules(t.group.State(d).Rules, t.c.neededRules())
		if len(missing) == 0 {
			return engine.Problem{}
		}
		var says, fixes []string
		for _, m := range missing {
			says = append(says, m.String())
			fixes = append(fixes, m.command(string(t.given.SecurityGroup)))
		}
		p := engine.Unless(false, string(t.given.SecurityGroup), "missing: %s", strings.Join(says, "; "))
		p.Fix = strings.Join(fixes, "; ")
		return p
	})
}

func (t *topology) checkNamesakes() {
	for _, n := range t.f.Namesakes {
		if t.share != nil && n.ID == t.share.Found() {
			continue // it is adopted
		}
		r, message := rules.namesake, fmt.Sprintf("%s %s is called %q", n.Kind, n.ID, n.Name)
		if n.UID != "" {
			r, message = rules.otherCluster, fmt.Sprintf("%s %s belongs to a cluster %q with the UID %s; this one has %s", n.Kind, n.ID, t.c.TechnicalID, n.UID, t.c.UID)
		}
		t.require(r, n.Kind+" "+string(n.ID), nil, func(engine.Deps) engine.Problem {
			return engine.Problem{Value: string(n.ID), Message: message}
		})
	}
}

func (t *topology) checkShareNetwork() {
	if t.f.NoManila && t.given.ShareNetwork == "" {
		t.require(rules.noManila, shareNode, nil, func(engine.Deps) engine.Problem {
			return engine.Problem{Message: errNoManila.Error()}
		})
	}
	if t.given.ShareNetwork == "" {
		return
	}
	t.require(rules.shareElsewhere, shareNode, engine.Needs(t.share, t.network, t.subnet), func(d engine.Deps) engine.Problem {
		s := t.share.State(d)
		if s.Network == "" {
			return engine.Problem{} // newer Manila tells only of its subnets
		}
		return engine.Unless(s.Network == t.network.ID(d) && s.Subnet == t.subnet.ID(d), string(t.given.ShareNetwork),
			"share network %s is on subnet %s of network %s", t.given.ShareNetwork, s.Subnet, s.Network)
	})
}
