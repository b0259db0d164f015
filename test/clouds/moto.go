// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package clouds

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const noMoto = "NOT RUN ON MOTO: export ESPALIER_MOTO=$(hack/moto)"

// MotoProgram is the path of moto_server, which hack/moto installs. Without it
// the test is skipped, loudly; with CI=true it fails.
func MotoProgram(t *testing.T) string {
	t.Helper()
	program := os.Getenv("ESPALIER_MOTO")
	switch {
	case program != "":
	case os.Getenv("CI") == "true":
		t.Fatal(noMoto)
	default:
		t.Skip(noMoto)
	}
	return program
}

// StartMoto starts a moto of the test's own on a free port of loopback, and
// returns its URL. It ends with the test.
func StartMoto(t *testing.T) string {
	t.Helper()
	program := MotoProgram(t)
	c := exec.CommandContext(t.Context(), program, "-H", "127.0.0.1", "-p", "0")
	c.Env = append(os.Environ(), "PYTHONUNBUFFERED=1")
	out, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill() // this process, and it has no children
		_ = c.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, url, found := strings.Cut(lines.Text(), "Running on "); found {
			go func() {
				for lines.Scan() { // so that it never waits for a reader
				}
			}()
			return strings.TrimSpace(url)
		}
	}
	t.Fatalf("%s did not start", program)
	return ""
}
