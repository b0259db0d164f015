// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/subnetpools"
	"github.com/gophercloud/gophercloud/v2/pagination"

	"github.com/espalier-io/espalier/internal/engine"
)

// SubnetPool is a Neutron subnet pool. It is always the user's.
type SubnetPool struct {
	Name          string
	IPVersion     int // 4 or 6
	MinPrefix     int
	MaxPrefix     int
	DefaultPrefix int
}

type subnetPoolReader interface {
	SubnetPools(ctx context.Context, q Query) ([]Found[SubnetPool], error)
}

func foundSubnetPool(p subnetpools.SubnetPool) Found[SubnetPool] {
	return Found[SubnetPool]{engine.ID(p.ID), p.Name, p.Description, p.ProjectID,
		SubnetPool{p.Name, p.IPversion, p.MinPrefixLen, p.MaxPrefixLen, p.DefaultPrefixLen}}
}

// SubnetPools implements Reader.
func (c *Client) SubnetPools(ctx context.Context, q Query) ([]Found[SubnetPool], error) {
	all, err := list(ctx, c.network, "subnetpools", q,
		func(r pagination.PageResult) pagination.Page {
			return subnetpools.SubnetPoolPage{LinkedPageBase: pagination.LinkedPageBase{PageResult: r}}
		}, subnetpools.ExtractSubnetPools)
	return found(all, foundSubnetPool), err
}
