// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package openstack is an OpenStack in memory: Keystone v3, Neutron v2.0,
// Nova's key pairs, Manila's share networks and Octavia's load balancers,
// served over HTTP under one port.
//
// It is stateful and enforces what the real services enforce: references,
// overlaps, quotas, who may see and change what, which fields are fixed, and
// how revision_number and updated_at move. Clients such as gophercloud use it
// unchanged. What differs from a real Neutron, Nova, Manila or Octavia is a
// fault of this package. A request that it does not know is answered with 501
// and counted (Cloud.Unknown), never with something that looks like success.
//
//	cloud := openstack.New(openstack.Options{})
//	server, err := cloud.Start()     // or cloud.Transport(), without a socket
//	err = cloud.Plant(world)         // what the user owns, see World
//	before := cloud.Snapshot()
//	…                                // OS_AUTH_URL=server.AuthURL, user a, password a, project a
//	differences, err := openstack.Compare(before, cloud.Snapshot())
//
// # How it is built
//
// A request goes through Cloud.serve: switches (latency, faults, throttling),
// then the route, then one handler that runs while it alone holds the lock.
// Every kind of thing of Neutron is a kind: a table of its attributes and
// functions that make, change, remove and show it; the rest (filters, paging,
// policy, tags, bulk creation, quotas) is done once for all kinds.
//
// Switches: SetLatency, Inject (faults before or after the effect), Hook (each
// phase of each call), Throttle, HideNew, SetPolicy, SetQuota, SetPending,
// ExpireTokens, Without, WithoutExtension, OpenExternalSubnets. Calls is the log,
// Depth its longest chain.
//
// IDs and addresses are made of Options.Seed and of what is created, so that
// the same run gives the same bytes. Nothing sleeps but the latency switch.
package openstack
