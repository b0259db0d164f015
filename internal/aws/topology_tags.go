// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// A wantedTag is a tag on something of the user's: one, however many reasons
// there are for it.
type wantedTag struct {
	on      engine.ID
	node    engine.Dependency
	key     string
	value   string
	table   bool // on a route table
	reasons []string
}

func (t *topology) want(on engine.ID, node engine.Dependency, key, value, reason string) {
	i := slices.IndexFunc(t.wanted, func(w *wantedTag) bool { return w.on == on && w.key == key })
	if i < 0 {
		_, table := node.(*engine.Node[RouteTable])
		t.wanted = append(t.wanted, &wantedTag{on: on, node: node, key: key, value: value, table: table})
		i = len(t.wanted) - 1
	}
	if !slices.Contains(t.wanted[i].reasons, reason) {
		t.wanted[i].reasons = append(t.wanted[i].reasons, reason)
	}
}

// manageTags adds the tags, the cluster tag of a resource before its roles. A
// key that is there already, whatever its value, is the user's.
func (t *topology) manageTags() {
	cluster := map[engine.ID]engine.Dependency{}
	for _, role := range []bool{false, true} {
		for _, w := range t.wanted {
			if (w.key != t.c.clusterKey()) != role {
				continue
			}
			kind := "subnet"
			if w.table {
				kind = "route-table"
			}
			name := fmt.Sprintf("%s %s/tag %s", kind, w.on, w.key)
			because := engine.Because(w.reasons...)
			t.tags[string(tagID(w.on, w.key))] = w.value
			if role {
				t.tags[string(tagID(w.on, marker))] = w.key
				t.manageRole(name, w, cluster[w.on], because)
				continue
			}
			byHand := engine.ByHand(fmt.Sprintf("If it is this cluster's: aws ec2 delete-tags --resources %s --tags Key=%s,Value=%s", w.on, w.key, w.value))
			tag := t.tag(w)
			cluster[w.on] = engine.Manage(t.Graph, name, Tags{}, t.inheritTag(engine.Attached(t.f.State, name, tag), tag), engine.Needs(w.node),
				func(engine.Deps, *Tag) Tag { return Tag{w.on, w.key, w.value} }, because, byHand)
		}
	}
	for _, r := range t.f.State.Records() { // what is taken away again
		on, key := cutTag(r.ID)
		switch r.Kind {
		case RoleTags{}.Kind():
			t.tags[string(tagID(on, marker))] = key
			t.tags[string(r.ID)] = r.Attrs["value"]
		case Tags{}.Kind():
			t.tags[string(r.ID)] = r.Attrs["value"]
		}
	}
}

// manageRole adds a role tag: ours if we set it, or if Gardener did for another
// cluster, which its marker says.
func (t *topology) manageRole(name string, w *wantedTag, cluster engine.Dependency, because engine.Option) {
	fact := engine.Absent[RoleTag](tagID(w.on, w.key))
	tags, _ := t.tagsOf(w)
	switch tag, err := t.tag(w).State(); {
	case err != nil:
		fact = engine.Unknown[RoleTag](fact.ID, err)
	case tag != nil:
		fact = engine.There(fact.ID, RoleTag{w.on, w.key, tag.Value, tags[marker] == w.key, t.c.clusterKey()})
	}
	left := otherClusters(tags, t.c.clusterKey())
	leaving := t.f.Purpose == Deletion && len(left) > 0 // what it has left to them is no more its own
	claim := engine.Shared(t.f.State, name, fact, func(r RoleTag) bool { return r.Marked && r.Value == "1" && !leaving })
	stays := engine.StaysIf("")
	if leaving {
		stays = engine.StaysIf("stays if they are still there: " + strings.Join(left, ", "))
	}
	engine.Manage(t.Graph, name, RoleTags{}, claim, engine.Needs(w.node, engine.First(cluster)),
		func(engine.Deps, *RoleTag) RoleTag {
			return RoleTag{On: w.on, Key: w.key, Value: "1", Cluster: t.c.clusterKey()}
		}, because, stays)
}

// tag is the fact of a tag: that it is absent is known only if what it is on
// was read.
func (t *topology) tag(w *wantedTag) engine.Fact[Tag] {
	id := tagID(w.on, w.key)
	tags, err := t.tagsOf(w)
	if err != nil {
		return engine.Unknown[Tag](id, err)
	}
	if value, ok := tags[w.key]; ok {
		return engine.There(id, Tag{w.on, w.key, value})
	}
	return engine.Absent[Tag](id)
}

func (t *topology) tagsOf(w *wantedTag) (map[string]string, error) {
	if w.table {
		table, err := t.f.Tables.Get(w.on).State()
		if table == nil {
			return nil, err
		}
		return table.Tags, nil
	}
	subnet, err := t.f.Subnets.Get(w.on).State()
	if subnet == nil {
		return nil, err
	}
	return subnet.Tags, nil
}
