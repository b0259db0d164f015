// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package v1alpha1 holds the wire types of API group
// aws.provider.extensions.gardener.cloud/v1alpha1 and nothing else: what users
// write into a Shoot or an Infrastructure, and what is published about what was
// made of it.
//
// The documents are exchanged with Gardener's AWS provider, so the JSON keys
// never change, odd ones included: elasticFileSystem has the key "id" in the
// configuration and "ID" in the status.
//
// The types carry no defaults and no rules; the rules are in internal/validate.
//
// +k8s:deepcopy-gen=package
// +groupName=aws.provider.extensions.gardener.cloud
package v1alpha1

//go:generate go tool -modfile=../../../tools/go.mod deepcopy-gen --go-header-file ../../boilerplate.go.txt --output-file zz_generated.deepcopy.go .
