// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
)

// A backend is one running cloud.
type backend interface {
	// login gets a token, or an earlier one of the same user and project.
	login(context.Context, gophercloud.AuthOptions) (*gophercloud.ProviderClient, error)
	// fresh gets a token of its own.
	fresh(context.Context, gophercloud.AuthOptions) (*gophercloud.ProviderClient, error)
	// hold keeps what is pending in Octavia pending, or lets it go on.
	hold(t testing.TB, still bool)
}

// backends are the clouds that the suite runs on. start returns a function that
// hands out a cloud in its first state for each case.
var backends = []struct {
	name  string
	right bool // its answers are the measure
	start func(t *testing.T) func(t *testing.T) backend
}{
	{name: "embedded", start: startEmbedded},
	{name: "real", right: true, start: startReal},
}

// A real cloud is one that hack/openstack brought up.
type real struct {
	url string
	// holdFile stops Octavia's worker while it is there.
	holdFile string
	mu       sync.Mutex
	tokens   map[gophercloud.AuthOptions]*gophercloud.ProviderClient
}

const noServers = "NOT RUN ON REAL SERVERS: start them and name their env file: ESPALIER_OPENSTACK=$(hack/openstack/up)"

var theReal = sync.OnceValues(func() (map[string]string, error) {
	return readEnv(os.Getenv("ESPALIER_OPENSTACK"))
})

var realTokens = &real{tokens: map[gophercloud.AuthOptions]*gophercloud.ProviderClient{}}

func startReal(t *testing.T) func(t *testing.T) backend {
	t.Helper()
	if os.Getenv("ESPALIER_OPENSTACK") == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal(noServers)
		}
		t.Skip(noServers)
	}
	env, err := theReal()
	if err != nil {
		t.Fatal(err)
	}
	realTokens.url = env["OS_AUTH_URL"]
	realTokens.holdFile = env["ESPALIER_OPENSTACK_HOLD"]
	return func(t *testing.T) backend {
		t.Helper()
		snap := exec.CommandContext(t.Context(), env["ESPALIER_OPENSTACK_SNAP"], "reset")
		snap.Env = append(os.Environ(), "ESPALIER_OPENSTACK_CACHE="+env["ESPALIER_OPENSTACK_CACHE"])
		if out, err := snap.CombinedOutput(); err != nil {
			t.Fatalf("resetting the real servers: %v\n%s", err, out)
		}
		realTokens.hold(t, false)
		return realTokens
	}
}

func (r *real) hold(t testing.TB, still bool) {
	t.Helper()
	var err error
	if still {
		err = os.WriteFile(r.holdFile, nil, 0o600)
	} else if err = os.Remove(r.holdFile); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (r *real) fresh(ctx context.Context, options gophercloud.AuthOptions) (*gophercloud.ProviderClient, error) {
	return authenticate(ctx, r.url, options)
}

// login keeps tokens: users and projects outlive a reset.
func (r *real) login(ctx context.Context, options gophercloud.AuthOptions) (*gophercloud.ProviderClient, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.tokens[options]; p != nil {
		return p, nil
	}
	p, err := r.fresh(ctx, options)
	if err == nil {
		r.tokens[options] = p
	}
	return p, err
}

// readEnv reads the lines "export KEY=VALUE" of a file.
func readEnv(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
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
