// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// A Session is one cluster in one account and region, with its state.
type Session struct {
	client *Client
	config Config
	state  *engine.State

	account string // known after the first look
}

// Open finds credentials. It asks the cloud nothing.
func Open(ctx context.Context, c Config, s *engine.State, o Options) (*Session, error) {
	client, err := Connect(ctx, c.Region, o)
	if err != nil {
		return nil, err
	}
	c.Region = client.Region() // it may be known from the environment only
	return &Session{client: client, config: c, state: s}, nil
}

// Cloud names what the session sees in words for people.
func (s *Session) Cloud() string {
	if s.account == "" {
		return "region " + s.client.region
	}
	return fmt.Sprintf("account %s, region %s", s.account, s.client.region)
}

// A Look is what was seen at one moment, and what follows from it. Of one Look
// one plan can be applied.
type Look struct {
	*Layout
	session *Session
	at      time.Time
}

// Look reads the facts and builds the graph. It changes nothing. What can not
// be read is told by the findings and the plan; the error is that of ctx, or
// that the credentials are not accepted.
func (s *Session) Look(ctx context.Context, purpose Purpose) (*Look, error) {
	at := time.Now()
	f, rerr := Read(ctx, s.client, s.config, s.state, purpose)
	if err := ctx.Err(); err != nil {
		return nil, fault.New(fault.Unavailable, "reading the cloud", err)
	}
	if rerr != nil {
		return nil, rerr
	}
	s.account = f.Account
	return &Look{Topology(s.config, f), s, at}, nil
}

// Unsettled says until when creates of an earlier run may still show, and
// which: see [engine.Graph.Unsettled].
func (l *Look) Unsettled(window time.Duration) (until time.Time, names []string) {
	return l.Graph.Unsettled(l.at, window)
}

// moment is how long a tag call waits for others that are equal.
const moment = 20 * time.Millisecond

// Apply carries out a plan of this Look. The guard lets pass what the plan and
// the state say is ours, and nothing else. That it refused something is an
// error even if all else went well, since then something here is wrong.
func (l *Look) Apply(ctx context.Context, p *engine.Plan, o engine.Options) error {
	s, c := l.session, l.session.config
	planned := map[string]bool{}
	for _, step := range p.Steps {
		if step.Owner == engine.Ours && step.ID != "" && !l.swept[string(step.ID)] { // those may be deleted only
			planned[string(step.ID)] = true
		}
	}
	s.client.guard.Allow(Permissions{
		Names: []string{c.name("nodes"), c.name("ssh-publickey")}, VPC: string(c.given().VPC),
		MarkKey: markPrefix + c.TechnicalID, MarkValue: c.UID + "/", Tags: l.tags, Swept: l.swept,
		Ours: func(id string) bool { return planned[id] || recorded(s.state, engine.ID(id)) },
	})
	before := len(s.client.guard.Refused())
	if o.Limit == 0 {
		o.Limit = readsAtATime // equal tag calls are one
	}
	err := l.Graph.Apply(ctx, Join(s.client, moment), p, o)
	s.client.guard.Allow(Permissions{})
	return errors.Join(err, errors.Join(s.client.guard.Refused()[before:]...))
}
