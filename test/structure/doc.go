// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package structure checks what a compiler and a linter do not: which package
// may import which, how long a file and a function may be, that every exported
// name is documented, that ownership is decided in one place, and that papers
// and code agree.
//
// A check is a function from a tree of files to a list of faults, each with
// its place, what is wrong and how to mend it. The test runs every check over
// this repository; rows beside each check show it a small bad tree and demand
// the fault, so that no check is one that cannot fail.
//
// Where a limit has to be broken, a comment says why, beside the thing itself:
//
//	//structure:allow <reason>
//
// It stands in the comment of a function for its length, and before or right
// after the package clause for the length of a file. One without a reason, or
// one that nothing needs, is a fault too.
package structure
