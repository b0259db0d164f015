// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"crypto/sha256"
	"net/netip"
	"slices"

	"github.com/espalier-io/espalier/internal/engine"
)

// ServiceRange is the IPv6 range of Services of a cluster whose configuration
// names none. It is nothing in the cloud, since Service addresses never leave
// the nodes: it is only kept in the state, so that it stays what it once was.
type ServiceRange struct {
	CIDR string `plan:"fixed"`
}

// ServiceRanges keeps ranges of Services. It calls nothing.
type ServiceRanges struct{}

var (
	_ engine.Kind[Writer, ServiceRange] = ServiceRanges{}
	_ engine.Namer[ServiceRange]        = ServiceRanges{}
)

// Kind implements engine.Kind.
func (ServiceRanges) Kind() string { return "service-range" }

// IDOf implements engine.Namer.
func (ServiceRanges) IDOf(r ServiceRange) engine.ID { return engine.ID(r.CIDR) }

// Create implements engine.Kind.
func (k ServiceRanges) Create(_ context.Context, _ Writer, want ServiceRange) (engine.ID, ServiceRange, error) {
	return k.IDOf(want), want, nil
}

// Update implements engine.Kind. It is never asked: the range is fixed.
func (ServiceRanges) Update(_ context.Context, _ Writer, _ engine.ID, have, _ ServiceRange) (ServiceRange, error) {
	return have, nil
}

// Delete implements engine.Kind.
func (ServiceRanges) Delete(context.Context, Writer, engine.Record) error { return nil }

const rangeNode = "service-range"

// addServiceRange keeps the range, as far as it is not the user's.
func (t *topology) addServiceRange() {
	if !t.c.IPv6 || len(family(t.c.Services, true)) > 0 {
		return
	}
	want := ServiceRange{t.services.String()}
	fact := engine.Absent[ServiceRange](engine.ID(want.CIDR))
	if r, ok := t.f.State.Get(rangeNode); ok && r.ID == fact.ID || t.c.isInheritedRange(want.CIDR) {
		fact = engine.There(fact.ID, want)
	}
	claim := engine.Attached(t.f.State, rangeNode, fact)
	if fact.There() {
		claim = engine.Inherited(claim, fact, func(ServiceRange) bool { return true })
	}
	engine.Manage(t.Graph, rangeNode, ServiceRanges{}, claim, nil,
		func(engine.Deps, *ServiceRange) ServiceRange { return want })
}

// serviceRange is the IPv6 range of Services: the one in spec.networking; or
// else the one that is recorded, or that Gardener's provider has published; or
// else the one that follows from the cluster's UID.
func (c Config) serviceRange(s *engine.State) netip.Prefix {
	if given := family(c.Services, true); len(given) > 0 {
		return given[0]
	}
	if r, ok := s.Get(rangeNode); ok {
		if p, ok := prefix(string(r.ID)); ok {
			return p
		}
	}
	if p, ok := c.inheritedRange(); ok {
		return p
	}
	return c.derivedRange()
}

// derivedRange is a /108 of the unique local addresses that follows from the
// cluster's UID. Source: RFC 4193, section 3.2.
func (c Config) derivedRange() netip.Prefix {
	sum := sha256.Sum256([]byte(c.UID))
	raw := [16]byte{0xfd}
	copy(raw[1:8], sum[:7]) // global ID and subnet ID
	return netip.PrefixFrom(netip.AddrFrom16(raw), 108)
}

// insideRanges are the ranges that nodes route themselves, so that nothing of
// the VPC may lie in them: of pods in IPv4, and of Services. In IPv6 pods have
// addresses of the VPC; so may Services of a cluster that was taken over.
func (t *topology) insideRanges() []netip.Prefix {
	ranges := slices.Concat(family(t.c.Pods, false), t.c.Services)
	if t.c.IPv6 && t.services == t.c.derivedRange() {
		ranges = append(ranges, t.services)
	}
	return ranges
}
