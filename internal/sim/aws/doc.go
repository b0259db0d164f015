// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package aws is an AWS in memory: EC2's networks and key pairs, IAM's roles
// and instance profiles, STS, Classic and v2 load balancers as far as cleaning
// up needs, and Service Quotas, served over HTTP under one address.
//
// It is stateful and enforces what the real services enforce: references,
// overlaps, dependencies, quotas, the rules of tags and filters, how security
// group rules are merged, which routes are black holes. The AWS SDK uses it
// unchanged; AWS's documentation says what is right. An action or a parameter
// that it does not know is answered with the code NotImplemented and counted
// (Cloud.Unknown), never with something that looks like success.
//
//	cloud := aws.New(aws.Options{})
//	server, err := cloud.Start()     // or cloud.Transport(), without a socket
//	err = cloud.Plant(world)         // what the user owns, see World
//	before := cloud.Snapshot()
//	…                                // AWS_ENDPOINT_URL=server.URL, access key ID a, any secret
//	differences, err := snapshot.Compare(before, cloud.Snapshot())
//
// # Accounts and regions
//
// The access key ID decides the account: admin, a and b are there, a World
// makes more. Signatures are not verified, but their scope is read: it names
// the service that a request is for, and the region. What is made in one region
// is not seen in another. A key or a region that there is not is refused as AWS
// refuses it.
//
// # How it is built
//
// A request goes through Cloud.serve: switches (latency, faults, throttling),
// then the operation, which runs while it alone holds the lock. Every kind of
// thing of EC2 is a kind: how IDs look, which filters there are, how it is
// shown; describing, paging, tags and eventual consistency are done once for
// all kinds.
//
// IDs and addresses are made of Options.Seed and of what is created, so that
// the same run gives the same bytes. Nothing sleeps but the latency switch.
package aws
