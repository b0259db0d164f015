// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package cli is the command line. [Run] is the whole of it: arguments in,
// texts and an exit code out, and nothing of the process is touched but what
// an [Env] holds.
//
//	validate.go preflight.go plan.go apply.go delete.go status.go explain.go
//	draw.go demo.go cloud.go version.go
//	                                 one subcommand each, its help text on top
//	options.go                       flags that several of them share
//	run.go                           what the verbs have in common: state, look, wait, check
//	confirm.go                       questions before anything is written
//	provider.go                      what a run needs of a cloud
//	builtin.go proof.go              what cloud and demo need of a cloud in memory
//	openstack.go aws.go              the clouds, and with _builtin those in memory
//	memory.go                        what the state says of the configuration applied last
//	report.go text.go html.go        the result: JSON and YAML, tables, or a page
//	progress.go                      what is going on, for a terminal or a log
//	failure.go                       errors and exit codes
//	planfile.go                      plans that are kept and applied later
//
// Standard output carries the result and nothing else; all that is said on the
// way goes to standard error.
package cli
