// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package statefile

import (
	"errors"
	"os"
)

// tryLock refuses: without a lock that goes with the process two runs at once
// could not be told apart from one.
func tryLock(*os.File) error {
	return errors.New("this operating system has no file lock that Espalier knows: use Linux, macOS or a BSD")
}
