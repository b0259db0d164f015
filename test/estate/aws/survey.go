// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"slices"
	"strings"

	sim "github.com/espalier-io/espalier/internal/sim/aws"
	"github.com/espalier-io/espalier/internal/sim/snapshot"
	"github.com/espalier-io/espalier/test/estate"
)

// A Survey is the estate as it was before anybody worked in it, Kubernetes included.
type Survey struct {
	before  *estate.Survey
	variant Variant
}

// Inspect takes the survey of what was there before a variant.
func Inspect(o sim.Options, v Variant) (*Survey, error) {
	cloud, err := New(o, false)
	if err != nil {
		return nil, err
	}
	before, err := estate.Inspect(cloud.Snapshot(), estate.Guide{Mark: mark, Chosen: chosen})
	return &Survey{before, v}, err
}

// Compare says what has happened. Tags that the variant adds, and what
// Kubernetes has left if it has, count as made.
func (s *Survey) Compare(c *sim.Cloud) (estate.Change, error) {
	return s.before.Compare(c.Snapshot(), s.variant.adds)
}

// adds says which difference in a thing of the user's is something that a
// cluster adds to it. Its ID is that under which it is recorded.
func (v Variant) adds(d snapshot.Difference) ([]estate.Thing, bool) {
	if key, ok := strings.CutPrefix(d.Field, "tag:"); ok {
		id := d.ID + "#" + key
		tag := estate.Thing{Kind: "tags", ID: id, Name: key + " on " + d.ID, Object: map[string]any{"value": d.After}}
		if key != marker { // that goes with the role tag
			tag.Mark = estate.UID + "/tag"
		}
		value, wanted := v.Tags[id]
		return []estate.Thing{tag}, wanted && d.Before == nil && d.After == value
	}
	if !v.Left {
		return nil, false
	}
	switch {
	case d.Kind == "subnets" && d.ID == SubnetLeft && d.Field == "availableIpAddressCount": // load balancers have some
		return []estate.Thing{{Kind: "addresses in use", ID: d.ID, Object: map[string]any{"free": d.After}}}, true
	case d.Kind == "route_tables" && d.ID == TableLeft && d.Field == "routeSet":
		return routes(d)
	}
	return nil, false
}

// routes are those to pods.
func routes(d snapshot.Difference) (made []estate.Thing, ok bool) {
	for _, added := range estate.Added(d.After, d.Before) {
		route, _ := added.(map[string]any)
		to := fmt.Sprint(route["destinationCidrBlock"])
		made = append(made, estate.Thing{Kind: "routes", ID: d.ID + "#" + to, Name: to, Object: route})
		if !strings.HasPrefix(to, "100.64.") {
			return nil, false
		}
	}
	return made, estate.Contains(d.After, d.Before)
}

// mark is the tag by which we know our own.
func mark(object map[string]any) string {
	if s, ok := object["tag:espalier.io/"+estate.Cluster].(string); ok && strings.HasPrefix(s, estate.UID+"/") {
		return s
	}
	return ""
}

// anew are fields that the cloud chooses anew each time.
var anew = []string{"id"}

func chosen(_ map[string]any, field string) bool { return slices.Contains(anew, field) }
