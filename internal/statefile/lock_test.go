// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/espalier-io/espalier/internal/fault"
)

// TestMain lets the test binary be the other process of the lock tests.
func TestMain(m *testing.M) {
	path := os.Getenv("STATEFILE_TEST_HOLD")
	if path == "" {
		os.Exit(m.Run())
	}
	if _, err := Open(path, now); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("held")
	select {} // until it is killed
}

// hold starts a process that holds the lock.
func hold(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STATEFILE_TEST_HOLD="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // dead already in most tests
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	return cmd
}

func TestLockOfAnotherProcessIsNamedAndGoesWithIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	other := hold(t, path)
	_, err := Open(path, now)
	wantFault(t, err, fault.InUse, "process "+strconv.Itoa(other.Process.Pid), "since 2026-05-04T03:02:01Z", "the lock goes with the process")
	if _, _, err := Read(path); err != nil {
		t.Errorf("looking needs no lock: %v", err)
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait() // "signal: killed"
	save(t, open(t, path), "{}")
}

func TestLockHoldsWithinOneProcessToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	f := open(t, path)
	_, err := Open(path, now)
	wantFault(t, err, fault.InUse, "process "+strconv.Itoa(os.Getpid()))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
}

// Many take the lock at once while each removes its file at the end: there is
// never more than one holder, and none of the saves is lost.
func TestOnlyOneHoldsTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for saved := 0; saved < 10; {
				f, err := Open(path, now)
				if fault.Is(err, fault.InUse) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				n, _ := strconv.Atoi(string(trim(f.Data())))
				if err := f.Save(t.Context(), []byte(strconv.Itoa(n+1))); err != nil {
					t.Error(err)
				}
				if err := f.Close(); err != nil {
					t.Error(err)
				}
				saved++
			}
		})
	}
	wg.Wait()
	if got := onDisk(t, path); got != "40\n" {
		t.Errorf("of 40 saves the file has counted %q", got)
	}
}

func trim(data []byte) []byte {
	if len(data) == 0 {
		return []byte("0")
	}
	return data[:len(data)-1]
}
