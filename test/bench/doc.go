// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package bench counts what a run costs. Calls and depth come from the call log
// of the embedded cloud, in a bubble of testing/synctest, so that each call
// takes exactly 100 ms of a time that nobody waits for: the figures are the same
// on every machine. The tables in docs/benchmarks.md are compared with them at
// every run, and written anew with -update.
package bench
