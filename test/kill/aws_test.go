// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package kill

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"

	sim "github.com/espalier-io/espalier/internal/sim/aws"
	"github.com/espalier-io/espalier/test/estate"
	world "github.com/espalier-io/espalier/test/estate/aws"
)

func amazon() house {
	h := house{name: "AWS"}
	for _, v := range world.Variants() {
		verbs := []string{apply, remove}
		if v.Left { // how it is made is the same as ever
			verbs = []string{remove}
		}
		survey := sync.OnceValues(func() (*world.Survey, error) { return world.Inspect(sim.Options{Seed: v.Name}, v) })
		h.variants = append(h.variants, variant{
			name: v.Name, verbs: verbs, config: v.YAML, flags: v.Flags,
			open: func() (ground, error) { return onAWS(v, survey) },
		})
	}
	return h
}

func onAWS(v world.Variant, before func() (*world.Survey, error)) (ground, error) {
	cloud, err := world.New(sim.Options{Seed: v.Name}, v.Left)
	if err != nil {
		return ground{}, err
	}
	survey, err := before()
	return ground{
		cloud: plainly(cloud, plainAWS), env: world.Env, recordID: recordIDOnAWS,
		compare: func() (estate.Change, error) { return survey.Compare(cloud) },
		settle:  func(ctx context.Context) error { return world.Settle(ctx, cloud) },
	}, err
}

// recordIDOnAWS is the name of what is known by it.
func recordIDOnAWS(t estate.Thing) string {
	for _, field := range []string{"keyName", "RoleName", "InstanceProfileName"} {
		if name, ok := t.Object[field].(string); ok {
			return name
		}
	}
	return t.ID
}

// often are the calls of which nobody knows how often they come, with the
// parameter that is not the same every time, if there is one: those of tags, which are made of
// several that are alike and come within a moment, and those that are tried
// until nothing is in the way any more.
var often = map[string]string{
	"CreateTags": "ResourceId.", "DeleteTags": "ResourceId.", "DescribeTags": "Filter.1.Value.",
	"DescribeNetworkInterfaces": "", "DeleteSecurityGroup": "", "DeleteTargetGroup": "",
}

func plainAWS(c sim.Call) call {
	varies, once := often[c.Action]
	form, err := url.ParseQuery(c.Body)
	says := c.Service + " " + c.Action
	if err != nil {
		return call{n: c.N, says: says + " " + c.Body, write: c.Write}
	}
	var parts []string
	for name, values := range form {
		if name != "Action" && name != "Version" && (varies == "" || !strings.HasPrefix(name, varies)) {
			parts = append(parts, name+"="+strings.Join(values, ","))
		}
	}
	slices.Sort(parts)
	return call{n: c.N, says: strings.Join(append([]string{says}, parts...), " "), write: c.Write, once: once}
}
