// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package kill

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
)

var (
	update = flag.Bool("update", false, "write the figures in docs/reliability.md anew")
	only   = flag.String("point", "", "try only the points whose name contains this")
)

func TestMain(m *testing.M) {
	flag.Parse()
	debug.SetGCPercent(400) // there is little to keep, and much to do
	// A process of AWS waits a moment for tags that are alike.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(buildAndRun(m))
}

// sites is where the directories of all sites are. A file system in memory is
// good enough, and much faster with all the syncing: a process that is killed
// takes nothing with it that it has written.
var sites string

// buildAndRun builds the program with its kill points, and runs the tests.
func buildAndRun(m *testing.M) int {
	memory := "/dev/shm"
	if info, err := os.Stat(memory); err != nil || !info.IsDir() {
		memory = ""
	}
	var err error
	if sites, err = os.MkdirTemp(memory, "espalier-kill-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(sites)
	dir, err := os.MkdirTemp("", "espalier-kill-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "espalier")
	build := exec.Command("go", "build", "-tags", "killpoints", "-o", program, "github.com/espalier-io/espalier/cmd/espalier")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the program: %v\n%s", err, out)
		return 2
	}
	return m.Run()
}
