// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"net/http"
	"strings"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/layer3/routers"

	"github.com/espalier-io/espalier/internal/engine"
)

// Interface connects a router to a subnet. Its ID is router/subnet.
type Interface struct {
	Router    engine.ID `plan:"replace"`
	Subnet    engine.ID `plan:"replace"`
	Addresses []string  `plan:"-"` // of the router on the subnet
}

func interfaceID(router, subnet engine.ID) engine.ID {
	if router == "" || subnet == "" {
		return ""
	}
	return router + "/" + subnet
}

type interfaceWriter interface {
	AddInterface(ctx context.Context, router, subnet engine.ID) error
	RemoveInterface(ctx context.Context, router, subnet engine.ID) error
}

// Interfaces keeps router interfaces.
type Interfaces struct{}

var (
	_ engine.Kind[Writer, Interface] = Interfaces{}
	_ engine.Namer[Interface]        = Interfaces{}
)

// Kind implements engine.Kind.
func (Interfaces) Kind() string { return "router-interface" }

// IDOf implements engine.Namer.
func (Interfaces) IDOf(i Interface) engine.ID { return interfaceID(i.Router, i.Subnet) }

// Create implements engine.Kind.
func (k Interfaces) Create(ctx context.Context, w Writer, want Interface) (engine.ID, Interface, error) {
	if err := w.AddInterface(ctx, want.Router, want.Subnet); err != nil {
		return "", want, err
	}
	return k.IDOf(want), want, nil
}

// Update implements engine.Kind. An interface has nothing to change.
func (Interfaces) Update(_ context.Context, _ Writer, _ engine.ID, have, _ Interface) (Interface, error) {
	return have, nil
}

// Delete implements engine.Kind.
func (Interfaces) Delete(ctx context.Context, w Writer, r engine.Record) error {
	router, subnet, _ := strings.Cut(string(r.ID), "/")
	return w.RemoveInterface(ctx, engine.ID(router), engine.ID(subnet))
}

// AddInterface implements Writer. Neutron has only a text for an interface that
// is there already, so that after a refusal the state is read instead.
func (c *Client) AddInterface(ctx context.Context, router, subnet engine.ID) error {
	_, err := routers.AddInterface(ctx, c.network, string(router), routers.AddInterfaceOpts{SubnetID: string(subnet)}).Extract()
	if err == nil {
		return nil
	}
	if code := statusOf(err); code == http.StatusBadRequest || code == http.StatusConflict {
		if there, rerr := c.hasInterface(ctx, router, subnet); rerr == nil && there {
			return nil
		}
	}
	return creating("adding subnet "+string(subnet)+" to router "+string(router), err)
}

func (c *Client) hasInterface(ctx context.Context, router, subnet engine.ID) (bool, error) {
	all, err := c.Ports(ctx, Query{"device_id": {string(router)}, "fixed_ips": {"subnet_id=" + string(subnet)}})
	for _, p := range all {
		if p.State.isInterface() {
			return true, nil
		}
	}
	return false, err
}

// RemoveInterface implements Writer.
func (c *Client) RemoveInterface(ctx context.Context, router, subnet engine.ID) error {
	_, err := routers.RemoveInterface(ctx, c.network, string(router), routers.RemoveInterfaceOpts{SubnetID: string(subnet)}).Extract()
	return gone(translate("removing subnet "+string(subnet)+" from router "+string(router), err))
}
