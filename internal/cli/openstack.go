// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"net/http"
	"net/netip"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
	"github.com/espalier-io/espalier/internal/openstack"
)

// realClouds goes to the OpenStack of the user's credentials.
type realClouds struct{ getenv func(string) string }

func (r realClouds) open(ctx context.Context, c *input.Cluster, s *engine.State, how connection) (session, error) {
	config, err := configured(c, s)
	if err != nil {
		return nil, err
	}
	creds, err := openstack.LoadCredentials(how.osCloud, r.getenv)
	if err != nil {
		return nil, err
	}
	o := openstack.Options{Region: c.Region, UserAgent: "espalier/" + how.version}
	if how.wire != nil {
		o.Transport = how.wire(http.DefaultTransport)
	}
	opened, err := openstack.Open(ctx, creds, config, s, o)
	if err != nil {
		return nil, err
	}
	return openStackSession{opened}, nil
}

// configured puts together what the network depends on.
func configured(c *input.Cluster, s *engine.State) (openstack.Config, error) {
	o := openstack.Cluster{TechnicalID: c.TechnicalID, UID: c.UID, Region: c.Region, SSHPublicKey: c.SSHPublicKey, MaxNodes: c.MaxNodes, Overlay: true}
	if n := c.Networking; n != nil {
		o.DualStack = n.DualStack()
		o.Overlay = n.Overlay == nil || *n.Overlay
		for to, cidr := range map[*[]netip.Prefix]string{&o.Nodes: n.Nodes, &o.Pods: n.Pods, &o.Services: n.Services} {
			if cidr == "" {
				continue
			}
			ps, err := openstack.ParsePrefixes(cidr)
			if err != nil {
				return openstack.Config{}, fault.New(fault.Invalid, "reading the ranges of the cluster", err)
			}
			*to = ps
		}
	}
	if len(s.Records()) == 0 && s.Config() == nil { // it is taken over once
		o.Inherited = c.Inherited
	}
	return openstack.NewConfig(c.Config, o, c.Profile)
}

type openStackSession struct{ *openstack.Session }

func (s openStackSession) String() string { return s.Cloud() }

func (s openStackSession) look(ctx context.Context, why purpose) (look, error) {
	purposes := map[purpose]openstack.Purpose{
		toReconcile: openstack.Reconciliation, toPreflight: openstack.Preflight, toDelete: openstack.Deletion,
	}
	l, err := s.Look(ctx, purposes[why])
	if err != nil {
		return nil, err
	}
	return openStackLook{l}, nil
}

type openStackLook struct{ *openstack.Look }

func (l openStackLook) Outcome() (any, error) { return l.Status(), nil }
