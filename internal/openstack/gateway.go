// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/engine"
)

// gatewayPattern chooses the subnets of the external network in which the
// gateway of a router of ours may be: the user's pattern, else the default of
// the CloudProfile; empty: Neutron chooses.
func (c Config) gatewayPattern() string {
	if p := c.infra.FloatingPoolSubnetName; p != nil {
		return *p
	}
	return c.gatewayDefault
}

// fitsPattern says whether a subnet's name fits a pattern: a glob, or after "~"
// a regular expression, and after "!" the opposite. A subnet without a name
// fits none. Source: Gardener OpenStack provider, floatingPoolSubnetName.
func fitsPattern(pattern, name string) bool {
	if name == "" {
		return false
	}
	rest, negated := strings.CutPrefix(pattern, "!")
	expr, isRegexp := strings.CutPrefix(rest, "~")
	var fits bool
	if isRegexp {
		re, err := regexp.Compile(expr)
		fits = err == nil && re.MatchString(name)
	} else {
		ok, err := path.Match(rest, name)
		fits = err == nil && ok || rest == name
	}
	return fits != negated
}

// gatewaySubnets reads the subnets of the external network, as long as there
// is a router to be made and a pattern to choose by.
func (s *survey) gatewaySubnets(ctx context.Context) {
	if s.c.gatewayPattern() == "" || s.given.Router != "" || len(s.f.External) != 1 {
		return
	}
	if found, err := s.f.Routers.Marked(routerNode); err != nil || len(found) > 0 {
		return
	}
	all, err := s.r.Subnets(ctx, Query{"network_id": {string(s.f.External[0].ID)}})
	s.f.GatewaySubnetsErr = err
	for _, f := range all {
		if fitsPattern(s.c.gatewayPattern(), f.Name) {
			s.f.GatewaySubnets = append(s.f.GatewaySubnets, f.ID)
		}
	}
	slices.Sort(s.f.GatewaySubnets)
}

// checkGateway sees to it that a pattern leaves a subnet for the gateway.
func (t *topology) checkGateway() {
	pattern := t.c.gatewayPattern()
	if pattern == "" || t.given.Router != "" || t.router.Found() != "" {
		return
	}
	t.require(rules.gatewaySubnets, routerNode, engine.Needs(t.external), func(engine.Deps) engine.Problem {
		if t.f.GatewaySubnetsErr != nil {
			return engine.Problem{Unknown: t.f.GatewaySubnetsErr}
		}
		return engine.Unless(len(t.f.GatewaySubnets) > 0, pattern, "no subnet of %s that these credentials can see fits %q", t.c.infra.FloatingPoolName, pattern)
	})
}
