// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package conformance holds one suite of cases that runs against the embedded
// OpenStack (internal/sim/openstack) and against real Keystone, Neutron, Nova,
// Manila and Octavia servers (hack/openstack).
//
// A case is a function of a lab: a cloud that nobody else uses, seen by its
// administrator and by two members of projects that are strangers. It says what
// it expects, and besides, everything that it sent and was answered is written
// down in a form that does not depend on chance (transcript): identifiers,
// times and addresses that the cloud chose are numbered or masked. The
// transcripts of the real servers lie in testdata. Both clouds are compared
// with them at every run, so the embedded cloud is held to the real answers
// even where no real server is at hand. Where the two differ the real servers
// are right.
//
// Without ESPALIER_OPENSTACK (the path of the env file that hack/openstack/up
// prints) the real half is skipped, loudly; with CI=true that is a failure.
// With -update the transcripts are written from the real servers.
package conformance
