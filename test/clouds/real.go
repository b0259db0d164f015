// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package clouds

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

const noServers = "NOT RUN ON REAL SERVERS: start them and name their env file: ESPALIER_OPENSTACK=$(hack/openstack/up)"

// tokens outlive a reset, as users and projects do.
var tokens = newLogins()

// real returns what opens the real servers, or skips the test.
func real(t *testing.T) func(t *testing.T) *Cloud {
	t.Helper()
	path := os.Getenv("ESPALIER_OPENSTACK")
	if path == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal(noServers)
		}
		t.Skip(noServers)
	}
	env, err := readEnv(path)
	if err != nil {
		t.Fatal(err)
	}
	lock(t, path+".lock")
	hold := func(still bool) error { return present(env["ESPALIER_OPENSTACK_HOLD"], still) }
	return func(t *testing.T) *Cloud {
		t.Helper()
		c := &Cloud{AuthURL: env["OS_AUTH_URL"], Real: true, hold: hold, logins: tokens}
		c.Hold(t, false)
		snap := exec.CommandContext(t.Context(), env["ESPALIER_OPENSTACK_SNAP"], "reset")
		snap.Env = append(os.Environ(), "ESPALIER_OPENSTACK_CACHE="+env["ESPALIER_OPENSTACK_CACHE"])
		if out, err := snap.CombinedOutput(); err != nil {
			t.Fatalf("resetting the real servers: %v\n%s", err, out)
		}
		return c
	}
}

// lock keeps other test programs off the servers until the test ends.
func lock(t *testing.T, file string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() }) // which unlocks it
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatalf("locking %s: %v", file, err)
	}
}

// present makes an empty file, or removes it.
func present(file string, wanted bool) error {
	if wanted {
		return os.WriteFile(file, nil, 0o600)
	}
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// readEnv reads the lines "export KEY=VALUE" of a file.
func readEnv(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("ESPALIER_OPENSTACK: %w", err)
	}
	defer f.Close()
	env := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		key, value, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "export "), "=")
		env[key] = value
	}
	return env, lines.Err()
}
