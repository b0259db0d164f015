// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package input makes one cluster of the documents and flags that a user gives
// to a command.
//
//	source.go    files and standard input, cut into documents
//	strict.go    a document into a type; unknown fields become findings
//	cluster.go   documents and flags into one Cluster
//	form.go      which cloud they are of, and what differs between clouds
//	shoot.go     what a Shoot says
//	infra.go     what an Infrastructure, or a bare configuration, says
//	profile.go   the three kinds of cloud profile
//	name.go      the technical ID, and which names will do
//	codes.go     what can be found wrong while reading
//
// An error means that there is no cluster to speak of (no file, not YAML, the
// wrong kind, no name). What is wrong within a document is a finding, so that
// it is reported together with all that the rules have to say.
package input
