// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package kill tests that it does not matter where a run dies. The real
// program, built with the tag killpoints, works as a process of its own on an
// embedded cloud behind HTTP, and is killed (SIGKILL) at every call and at
// every save of its state, in apply and delete of every variant of the estate;
// it is interrupted (Ctrl-C) at every call too. Then the same command is run
// again, and the user's things, the neighbours' and ours are counted.
//
// What the test must know of a cloud is a house; each has a file.
//
// The number of points tried stands in docs/reliability.md, and the test
// compares it.
package kill
