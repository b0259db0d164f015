// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/external"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/portsecurity"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/pagination"

	"github.com/espalier-io/espalier/internal/engine"
)

// Network is a Neutron network.
type Network struct {
	Name         string // set at creation; who renames it does no harm
	Mark         string `plan:"-"`
	External     bool   `plan:"-"`
	Shared       bool   `plan:"-"`
	AdminStateUp bool   `plan:"-"`
	PortSecurity bool   `plan:"-"`
	Project      string `plan:"-"`
}

type networkReader interface {
	Networks(ctx context.Context, q Query) ([]Found[Network], error)
}

type networkWriter interface {
	CreateNetwork(ctx context.Context, want Network) (engine.ID, Network, error)
	DeleteNetwork(ctx context.Context, id engine.ID) error
}

// Networks keeps networks.
type Networks struct{}

var _ engine.Kind[Writer, Network] = Networks{}

// Kind implements engine.Kind.
func (Networks) Kind() string { return "network" }

// Create implements engine.Kind.
func (Networks) Create(ctx context.Context, w Writer, want Network) (engine.ID, Network, error) {
	return w.CreateNetwork(ctx, want)
}

// Update implements engine.Kind. Nothing of a network is changed.
func (Networks) Update(_ context.Context, _ Writer, _ engine.ID, have, _ Network) (Network, error) {
	return have, nil
}

// Delete implements engine.Kind.
func (Networks) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.DeleteNetwork(ctx, r.ID)
}

// networkBody is a network with what the extensions add to it.
type networkBody struct {
	networks.Network
	external.NetworkExternalExt
	portsecurity.PortSecurityExt
}

func (n networkBody) found() Found[Network] {
	return Found[Network]{engine.ID(n.ID), n.Name, n.Description, n.ProjectID, Network{
		Name: n.Name, Mark: n.Description, External: n.External, Shared: n.Shared,
		AdminStateUp: n.AdminStateUp, PortSecurity: n.PortSecurityEnabled, Project: n.ProjectID,
	}}
}

// Networks implements Reader.
func (c *Client) Networks(ctx context.Context, q Query) ([]Found[Network], error) {
	all, err := list(ctx, c.network, "networks", q,
		func(r pagination.PageResult) pagination.Page {
			return networks.NetworkPage{LinkedPageBase: pagination.LinkedPageBase{PageResult: r}}
		},
		func(p pagination.Page) (all []networkBody, err error) {
			err = networks.ExtractNetworksInto(p, &all)
			return all, err
		})
	return found(all, networkBody.found), err
}

// CreateNetwork implements Writer.
func (c *Client) CreateNetwork(ctx context.Context, want Network) (engine.ID, Network, error) {
	var n networkBody
	err := networks.Create(ctx, c.network, networks.CreateOpts{Name: want.Name, Description: want.Mark}).ExtractInto(&n)
	if err != nil {
		return "", Network{}, creating("creating network "+want.Name, err)
	}
	return engine.ID(n.ID), n.found().State, nil
}

// DeleteNetwork implements Writer.
func (c *Client) DeleteNetwork(ctx context.Context, id engine.ID) error {
	err := gone(translate("deleting network "+string(id), networks.Delete(ctx, c.network, string(id)).ExtractErr()))
	return c.withHolders(ctx, err, Query{"network_id": {string(id)}})
}

// found maps the bodies of a list.
func found[B, T any](all []B, of func(B) Found[T]) []Found[T] {
	out := make([]Found[T], 0, len(all))
	for _, b := range all {
		out = append(out, of(b))
	}
	return out
}
