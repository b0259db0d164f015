// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package vpctest

import (
	"context"

	"github.com/espalier-io/espalier/internal/engine"
)

// NAT is a NAT gateway. Facts know only those that are pending or available.
type NAT struct {
	Mark    string    `plan:"-"`
	Subnet  engine.ID `plan:"fixed"`
	Address engine.ID `plan:"replace-first"` // else there is no egress meanwhile
	State   string
}

// NATs keeps NAT gateways.
type NATs struct{}

// Kind names it in records.
func (NATs) Kind() string { return "nat-gateway" }

// Idempotent: it takes a ClientToken.
func (NATs) Idempotent() {}

// Create makes a gateway.
func (NATs) Create(ctx context.Context, w Writer, want NAT) (engine.ID, NAT, error) {
	return w.CreateNAT(ctx, want, engine.Nonce(ctx))
}

// Update waits: one that is pending will be available.
func (NATs) Update(_ context.Context, _ Writer, _ engine.ID, have, _ NAT) (NAT, error) {
	return have, nil
}

// Ready says whether it is available.
func (NATs) Ready(ctx context.Context, w Writer, id engine.ID) (*NAT, error) {
	n, err := w.NAT(ctx, id)
	if n == nil || err != nil || n.State != "available" {
		return nil, err
	}
	return n, nil
}

// Delete deletes a gateway.
func (NATs) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.Delete(ctx, r.Kind, r.ID)
}
