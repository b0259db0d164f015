// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package aws describes and keeps a cluster's network on AWS.
//
// Read topology.go first: it says which resources there are and whose. The
// rest follows from it:
//
//	config.go       what is asked for
//	facts.go        what is there: one Describe per kind, in one parallel round
//	topology.go     the graph; ownership is decided here and nowhere else
//	<kind>.go       one file per kind: its state, how it is read, how written
//	checks*.go      what is wrong with a network, as pure functions of facts
//	status.go       what others need to know of the result
//	client.go       the cloud, through aws-sdk-go-v2
//	once.go         which calls are not done again while their outcome is unknown
//	takeover.go     what the state of Gardener's provider says, and what it has to show
//	join.go         equal tag calls that come together become one
//	guard.go        the last look at each call that writes
//	errors.go       the cloud's errors in the words of package fault
//	session.go      all of it together, as the command line and the controller see it
package aws
