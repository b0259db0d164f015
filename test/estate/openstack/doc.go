// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package openstack is the estate on OpenStack: see package estate.
package openstack
