// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// Options are how a session works. The zero value is fit for use.
type Options struct {
	Region    string // empty: what the credentials say
	UserAgent string
	// Transport carries the requests that the guard let pass; nil is a usual one.
	Transport http.RoundTripper
}

// A Session is one cluster in one project and region, with its state.
type Session struct {
	client *Client
	config Config
	state  *engine.State
}

// Open gets a token and finds the APIs. It changes nothing.
func Open(ctx context.Context, creds Credentials, c Config, s *engine.State, o Options) (*Session, error) {
	client, err := Connect(ctx, creds, o.Region, o.UserAgent, o.Transport)
	if err != nil {
		return nil, err
	}
	return &Session{client, c, s}, nil
}

// Cloud names what the session sees in words for people.
func (s *Session) Cloud() string {
	return fmt.Sprintf("project %s (%s), region %s", s.client.project.name, s.client.project.id, s.client.region)
}

// A Look is what was seen at one moment, and what follows from it. Of one Look
// one plan can be applied.
type Look struct {
	*Layout
	session *Session
	at      time.Time
}

// Look reads the facts and builds the graph. It changes nothing. What can not
// be read is told by the findings and the plan; the error is only that of ctx.
func (s *Session) Look(ctx context.Context, purpose Purpose) (*Look, error) {
	at := time.Now()
	f := Read(ctx, s.client, s.config, s.state, s.client.Cloud(), s.client.Project(), purpose)
	if err := ctx.Err(); err != nil {
		return nil, fault.New(fault.Unavailable, "reading the cloud", err)
	}
	return &Look{Topology(s.config, f), s, at}, nil
}

// Unsettled says until when creates of an earlier run may still show, and
// which: see [engine.Graph.Unsettled].
func (l *Look) Unsettled(window time.Duration) (until time.Time, names []string) {
	return l.Graph.Unsettled(l.at, window)
}

// Apply carries out a plan of this Look. The guard lets pass what the plan and
// the state say is ours, and nothing else. That it refused something is an
// error even if all else went well, since then something here is wrong.
func (l *Look) Apply(ctx context.Context, p *engine.Plan, o engine.Options) error {
	s := l.session
	planned := map[string]bool{}
	for _, step := range p.Steps {
		if step.Owner == engine.Ours && step.ID != "" {
			planned[string(step.ID)] = true
		}
	}
	if _, group := l.group.Now(); group != nil && l.group.Ours() {
		for _, id := range group.IDs {
			planned[id] = true
		}
	}
	s.client.guard.Allow(Permissions{
		Mark:   s.config.markPrefix(),
		Name:   s.config.TechnicalID,
		Given:  l.theirs(),
		Into:   l.into(),
		Pods:   l.podRanges,
		Swept:  func(id string) bool { return l.swept[id] },
		Routes: l.routes,
		Ours:   func(id string) bool { return planned[id] || l.recorded(id) },
	})
	before := len(s.client.guard.Refused())
	err := l.Graph.Apply(ctx, s.client, p, o)
	s.client.guard.Allow(Permissions{})
	return errors.Join(err, errors.Join(s.client.guard.Refused()[before:]...))
}

// theirs are the IDs of the user's things that this graph knows.
func (l *Look) theirs() (ids []string) {
	for _, v := range l.Views() {
		if v.Owner == engine.Yours && v.Kind == "" && v.ID != "" {
			ids = append(ids, string(v.ID))
		}
	}
	return ids
}

// into says where the user's IDs may stand in what is made: each only in the
// field that puts our thing into theirs.
func (l *Look) into() map[string][]string {
	g := l.session.config.given()
	text := func(ids ...engine.ID) (out []string) {
		for _, id := range ids {
			out = append(out, string(id))
		}
		return out
	}
	var pools []engine.ID
	for id := range l.pools {
		pools = append(pools, id)
	}
	return map[string][]string{
		"router":                           text(g.Router),
		"network_id":                       text(g.Network),
		"subnetpool_id":                    text(pools...),
		"external_gateway_info.network_id": text(l.external.Found()),
		"external_gateway_info.external_fixed_ips.subnet_id": text(l.gatewaySubnets...),
		"neutron_net_id":    text(g.Network),
		"neutron_subnet_id": text(g.Subnet),
	}
}

func (l *Look) recorded(id string) bool {
	for _, r := range l.session.state.Records() {
		if string(r.ID) == id {
			return true
		}
	}
	return false
}
