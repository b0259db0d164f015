// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// espalier is the path of the program.
var espalier string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "espalier-e2e-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		espalier = filepath.Join(dir, "espalier")
		build := exec.Command("go", "build", "-o", espalier, "github.com/espalier-io/espalier/cmd/espalier")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building espalier: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}
