// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/sharedfilesystems/v2/sharenetworks"
	"github.com/gophercloud/gophercloud/v2/pagination"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// ShareNetwork is a Manila share network.
type ShareNetwork struct {
	Name    string    // set at creation; who renames it does no harm
	Mark    string    `plan:"-"`
	Network engine.ID `plan:"fixed"`
	Subnet  engine.ID `plan:"fixed"`
}

type shareNetworkReader interface {
	ShareNetworks(ctx context.Context, q Query) ([]Found[ShareNetwork], error)
	ShareNetwork(ctx context.Context, id engine.ID) (*ShareNetwork, error)
}

type shareNetworkWriter interface {
	CreateShareNetwork(ctx context.Context, want ShareNetwork) (engine.ID, ShareNetwork, error)
	DeleteShareNetwork(ctx context.Context, id engine.ID) error
}

// ShareNetworks keeps share networks.
type ShareNetworks struct{}

var _ engine.Kind[Writer, ShareNetwork] = ShareNetworks{}

// Kind implements engine.Kind.
func (ShareNetworks) Kind() string { return "share-network" }

// Create implements engine.Kind.
func (ShareNetworks) Create(ctx context.Context, w Writer, want ShareNetwork) (engine.ID, ShareNetwork, error) {
	return w.CreateShareNetwork(ctx, want)
}

// Update implements engine.Kind. Nothing of a share network is changed.
func (ShareNetworks) Update(_ context.Context, _ Writer, _ engine.ID, have, _ ShareNetwork) (ShareNetwork, error) {
	return have, nil
}

// Delete implements engine.Kind.
func (ShareNetworks) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.DeleteShareNetwork(ctx, r.ID)
}

// errNoManila is why share networks can not be read or made.
var errNoManila = fault.Errorf(fault.NotFound, "the catalogue has no shared file system service (Manila) in this region")

func foundShareNetwork(s sharenetworks.ShareNetwork) Found[ShareNetwork] {
	return Found[ShareNetwork]{engine.ID(s.ID), s.Name, s.Description, s.ProjectID,
		ShareNetwork{s.Name, s.Description, engine.ID(s.NeutronNetID), engine.ID(s.NeutronSubnetID)}}
}

// ShareNetworks implements Reader. No microversion is asked for: from 2.51 on
// the answer does not tell network and subnet.
func (c *Client) ShareNetworks(ctx context.Context, q Query) ([]Found[ShareNetwork], error) {
	if c.share == nil {
		return nil, errNoManila
	}
	var all []sharenetworks.ShareNetwork
	pager := pagination.NewPager(c.share, c.share.ServiceURL("share-networks", "detail")+"?"+q.Encode(), func(r pagination.PageResult) pagination.Page {
		p := sharenetworks.ShareNetworkPage{MarkerPageBase: pagination.MarkerPageBase{PageResult: r}}
		p.Owner = p
		return p
	})
	err := pager.EachPage(ctx, func(_ context.Context, p pagination.Page) (bool, error) {
		some, err := sharenetworks.ExtractShareNetworks(p)
		all = append(all, some...)
		return len(some) >= fullPage, err
	})
	return found(all, foundShareNetwork), translate("listing share networks", err)
}

// fullPage is how many things Manila lists at most at once. A shorter page is
// the last one, which saves the call that would find no more.
const fullPage = 1000

// ShareNetwork implements Reader. It returns nil if there is none.
func (c *Client) ShareNetwork(ctx context.Context, id engine.ID) (*ShareNetwork, error) {
	if c.share == nil {
		return nil, errNoManila
	}
	s, err := sharenetworks.Get(ctx, c.share, string(id)).Extract()
	if err := translate("reading share network "+string(id), err); err != nil {
		if fault.Is(err, fault.NotFound) {
			return nil, nil
		}
		return nil, err
	}
	state := foundShareNetwork(*s).State
	return &state, nil
}

// CreateShareNetwork implements Writer.
func (c *Client) CreateShareNetwork(ctx context.Context, want ShareNetwork) (engine.ID, ShareNetwork, error) {
	if c.share == nil {
		return "", ShareNetwork{}, creating("creating share network "+want.Name, errNoManila)
	}
	s, err := sharenetworks.Create(ctx, c.share, sharenetworks.CreateOpts{
		Name: want.Name, Description: want.Mark, NeutronNetID: string(want.Network), NeutronSubnetID: string(want.Subnet),
	}).Extract()
	if err != nil {
		return "", ShareNetwork{}, creating("creating share network "+want.Name, err)
	}
	return engine.ID(s.ID), foundShareNetwork(*s).State, nil
}

// DeleteShareNetwork implements Writer.
func (c *Client) DeleteShareNetwork(ctx context.Context, id engine.ID) error {
	op := "deleting share network " + string(id)
	if c.share == nil {
		return translate(op, errNoManila)
	}
	return gone(translate(op, sharenetworks.Delete(ctx, c.share, string(id)).ExtractErr()))
}

// optional returns the client of a service that not every cloud has, or nil.
func (c *Client) optional(kind, version string, availability gophercloud.Availability) (*gophercloud.ServiceClient, error) {
	s, err := c.service(kind, version, availability)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	return s, err
}
