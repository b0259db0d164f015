// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/quotas"
)

// A Quota is how many of a kind of thing a project has and may have.
type Quota struct{ Used, Limit int } // Limit -1: no limit

// left is how many more there may be; ok is false if there is no limit.
func (q Quota) left() (n int, ok bool) { return q.Limit - q.Used, q.Limit >= 0 }

type quotaReader interface {
	// Quotas returns Neutron's quotas of the project, by the names that they
	// have in its API.
	Quotas(ctx context.Context) (map[string]Quota, error)
}

// Quotas implements Reader.
func (c *Client) Quotas(ctx context.Context) (map[string]Quota, error) {
	all, err := quotas.GetDetail(ctx, c.network, c.project.id).Extract()
	if err != nil {
		return nil, translate("reading the quotas of Neutron", err)
	}
	of := func(d quotas.QuotaDetail) Quota { return Quota{d.Used + d.Reserved, d.Limit} }
	return map[string]Quota{
		"network": of(all.Network), "subnet": of(all.Subnet), "router": of(all.Router), "port": of(all.Port),
		"security_group": of(all.SecurityGroup), "security_group_rule": of(all.SecurityGroupRule),
	}, nil
}
