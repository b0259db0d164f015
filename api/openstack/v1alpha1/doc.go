// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package v1alpha1 holds the wire types of API group
// openstack.provider.extensions.gardener.cloud/v1alpha1 and nothing else: what
// users write into a Shoot or an Infrastructure, and what is published about
// what was made of it.
//
// The documents are exchanged with Gardener's OpenStack provider, so the JSON
// keys never change, odd ones included: subnetPoolID beside subnetId, and
// externalFixedIP for a list. What Gardener's provider may write and this
// package does not know is tolerated where others write it (CloudProfileConfig,
// status and state), and an error where the user writes it.
//
// The types carry no defaults and no rules; the rules are in internal/validate.
//
// +k8s:deepcopy-gen=package
// +groupName=openstack.provider.extensions.gardener.cloud
package v1alpha1

//go:generate go tool -modfile=../../../tools/go.mod deepcopy-gen --go-header-file ../../boilerplate.go.txt --output-file zz_generated.deepcopy.go .
