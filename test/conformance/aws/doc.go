// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package aws holds one suite of cases that runs against the embedded AWS
// (internal/sim/aws) and against moto, a server that others wrote.
//
// A case says in a sentence what AWS's documentation says, and proves it through
// the SDK. The embedded cloud must pass every case. Moto is looser than AWS: what
// it lacks stands in a list (lacks_test.go), with what it does instead. A case
// of the list that moto passes is a fault of the list, and a case outside of it
// that moto fails is a fault to be looked at: where moto and AWS's documentation
// differ the documentation is right, where the embedded cloud and the documentation
// differ the embedded cloud is mended.
//
// ESPALIER_MOTO is the path of moto_server, as hack/moto prints it. Without it
// the half with moto is skipped, loudly; with CI=true that is a failure.
package aws
