// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/espalier-io/espalier/test/clouds"
)

type object = map[string]any

// A survey is all that is in a cloud, in all projects: by kind and ID, or name.
type survey map[string]object

var surveyed = []string{"networks", "subnets", "routers", "ports", "security-groups", "floatingips", "subnetpools", "rbac-policies"}

// takeSurvey lists everything, the network's things as the administrator, key
// pairs and share networks as their owners.
func takeSurvey(ctx context.Context, cloud *clouds.Cloud) (survey, error) {
	all := survey{}
	add := func(who, collection string) error {
		u, err := cloud.User(ctx, who)
		if err != nil {
			return err
		}
		got, err := u.Do(ctx, http.MethodGet, collection, nil, nil)
		if err != nil || got.Status != http.StatusOK {
			return fmt.Errorf("listing %s as %s: %d %v %w", collection, who, got.Status, got.Body, err)
		}
		for _, list := range got.Body {
			objects, _ := list.([]any)
			for _, o := range objects {
				o, _ := o.(object)
				if pair, ok := o["keypair"].(object); ok {
					o = pair
					o["id"] = o["name"]
				}
				if o["id"] != nil {
					all[fmt.Sprintf("%s of %s: %v", collection, who, o["id"])] = o
				}
			}
		}
		return nil
	}
	for _, collection := range surveyed {
		if err := add("admin", collection); err != nil {
			return nil, err
		}
	}
	for _, who := range []string{"a", "b"} {
		for _, collection := range []string{"compute:os-keypairs", "share:share-networks/detail"} {
			if err := add(who, collection); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// counted are the fields with which the cloud counts writes to a thing.
var counted = []string{"revision_number", "updated_at"}

// added are the fields that the cloud itself changes on a thing to which
// something is added, and changes back: a network lists its subnets, and a port
// gets an address of each subnet of its network whose hosts make their own.
var added = append([]string{"subnets", "fixed_ips"}, counted...)

// harm says what of an earlier survey is not as it was. Of the things in
// spared, by their IDs, some fields are left out.
func (now survey) harm(before survey, but []string, spared ...string) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(before)) {
		was, is := before[name], now[name]
		if slices.Contains(spared, fmt.Sprint(was["id"])) {
			was, is = without(was, but), without(is, but)
		}
		if diff := cmp.Diff(was, is); diff != "" {
			fmt.Fprintf(&text, "%s (-before +now):\n%s", name, diff)
		}
	}
	return text.String()
}

// made lists what is there now and was not before, but for the group "default"
// that Neutron makes for a project by itself.
func (now survey) made(before survey) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if before[name] == nil && now[name]["name"] != "default" {
			names = append(names, name)
		}
	}
	return names
}

func without(o object, fields []string) object {
	rest := maps.Clone(o)
	for _, f := range fields {
		delete(rest, f)
	}
	return rest
}
