// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package clouds gives tests the clouds that they run on: the embedded
// OpenStack, and the real servers that hack/openstack brings up. Both are the
// same from the start: users and projects admin, a and b (passwords like the
// names), domain Default, region RegionOne, and the external network "public"
// with the subnet "public", 203.0.113.0/24, which belongs to admin.
//
// Without ESPALIER_OPENSTACK (the path of the env file that hack/openstack/up
// prints) the real half of a test is skipped, loudly; with CI=true it fails. For
// AWS there is moto, which hack/moto installs (ESPALIER_MOTO, in the same way).
package clouds
