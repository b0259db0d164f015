// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"
	"github.com/gophercloud/gophercloud/v2/pagination"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// Port is a Neutron port. We only look at ports.
type Port struct {
	Name, Owner, Device string // device_owner and device_id
	Network             engine.ID
	Addresses           map[engine.ID][]string // by subnet
	Groups              []string
	Tags                []string
}

type portReader interface {
	Ports(ctx context.Context, q Query) ([]Found[Port], error)
}

// interfaceOwners are the device owners of a port that connects a router to a
// subnet: legacy, distributed and highly available routers.
var interfaceOwners = []string{
	"network:router_interface", "network:router_interface_distributed", "network:ha_router_replicated_interface",
}

func (p Port) isInterface() bool { return slices.Contains(interfaceOwners, p.Owner) }

func foundPort(p ports.Port) Found[Port] {
	state := Port{
		Name: p.Name, Owner: p.DeviceOwner, Device: p.DeviceID, Network: engine.ID(p.NetworkID),
		Addresses: map[engine.ID][]string{}, Groups: p.SecurityGroups, Tags: p.Tags,
	}
	for _, ip := range p.FixedIPs {
		subnet := engine.ID(ip.SubnetID)
		state.Addresses[subnet] = append(state.Addresses[subnet], ip.IPAddress)
	}
	return Found[Port]{engine.ID(p.ID), p.Name, p.Description, p.ProjectID, state}
}

// Ports implements Reader.
func (c *Client) Ports(ctx context.Context, q Query) ([]Found[Port], error) {
	all, err := list(ctx, c.network, "ports", q,
		func(r pagination.PageResult) pagination.Page {
			return ports.PortPage{LinkedPageBase: pagination.LinkedPageBase{PageResult: r}}
		}, ports.ExtractPorts)
	return found(all, foundPort), err
}

// mostHolders is how many ports an error names.
const mostHolders = 5

// withHolders adds to an error that says "in use" which ports still hold the
// thing, so that its reader knows whom to ask. That they can not be read is
// said, too.
func (c *Client) withHolders(ctx context.Context, err error, q Query) error {
	if !fault.Is(err, fault.InUse) {
		return err
	}
	all, lerr := c.Ports(ctx, q)
	if lerr != nil {
		return fmt.Errorf("%w; what holds it can not be read: %w", err, lerr)
	}
	var names []string
	for _, p := range all {
		if strings.HasPrefix(p.State.Owner, "network:dhcp") || p.State.Owner == "network:distributed" {
			continue // the network's own, which goes with it
		}
		names = append(names, p.State.holder(p.ID))
	}
	slices.Sort(names)
	switch n := len(names); {
	case n == 0:
		return err
	case n > mostHolders:
		names = append(names[:mostHolders], fmt.Sprintf("and %d more", n-mostHolders))
	}
	return fmt.Errorf("%w; held by %s", err, strings.Join(names, ", "))
}

// holder says what a port is and whose it seems.
func (p Port) holder(id engine.ID) string {
	what := "port " + string(id)
	if p.Name != "" {
		what += fmt.Sprintf(" %q", p.Name)
	}
	switch {
	case p.Owner == "":
		what += " (of nobody: it may be left over"
	case strings.HasPrefix(p.Owner, "compute:"):
		what += " (of server " + p.Device
	case p.isInterface():
		what += " (interface of router " + p.Device
	case p.Owner == "Octavia":
		what += " (of load balancer " + strings.TrimPrefix(p.Device, "lb-")
	default:
		what += fmt.Sprintf(" (%s %s", p.Owner, p.Device)
	}
	for _, tag := range p.Tags {
		if cluster, ok := strings.CutPrefix(tag, "kubernetes.io-cluster-"); ok {
			what += ", cluster " + cluster
		}
	}
	return what + ")"
}
