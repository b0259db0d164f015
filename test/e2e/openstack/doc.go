// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package openstack runs the espalier program as users run it, on the real
// servers that hack/openstack brings up and on the embedded cloud, and proves
// what it promises: what the user owns stays as it is, a second run writes
// nothing, delete takes away exactly what was made, and strangers see and touch
// nothing.
//
// Each case is a file with a comment that says what it proves. Between program
// and cloud stands a relay of ours that counts the calls; what is in the cloud
// is surveyed by its administrator, past the relay. Neutron raises a thing's
// revision_number with every write, even one that changes nothing: so equal
// numbers prove that nobody wrote. Where adding something of ours to a thing of
// the user's raises its number by itself (a subnet in his network, an interface
// on his router), all other fields are compared.
package openstack
