// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/applicationcredentials"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/tokens"
)

// TestCredentials proves that a password from the environment, an application
// credential and an entry of clouds.yaml lead to the same cluster, that wrong
// ones end with exit code 2 and say what is wrong, and that no secret is printed
// or kept.
func TestCredentials(t *testing.T) {
	onEach(t, func(s *site) {
		c := s.cluster("shoot--dev--one", s.ownSubnet())
		c.must("apply")
		id, secret := s.credential()
		for name, env := range map[string][]string{
			"application credential": {"OS_AUTH_URL=" + s.url, "OS_AUTH_TYPE=v3applicationcredential", "OS_REGION_NAME=RegionOne",
				"OS_APPLICATION_CREDENTIAL_ID=" + id, "OS_APPLICATION_CREDENTIAL_SECRET=" + secret},
			"clouds.yaml": {"OS_CLOUD=mine", "OS_CLIENT_CONFIG_FILE=" + s.cloudsYAML()},
		} {
			r := c.by(env).idle()
			for _, hidden := range []string{secret, "password"} {
				if strings.Contains(r.stdout+r.stderr, hidden) {
					s.Errorf("with %s the program prints %q: %s", name, hidden, r)
				}
			}
		}
		for name, env := range map[string][]string{
			"wrong password":               s.as("a", "wrong-password", "a"),
			"project without a role":       s.as("a", "a", "b"),
			"wrong secret of a credential": {"OS_AUTH_URL=" + s.url, "OS_APPLICATION_CREDENTIAL_ID=" + id, "OS_APPLICATION_CREDENTIAL_SECRET=wrong"},
			"no credentials":               nil,
		} {
			r := c.by(env).run("apply")
			if r.code != 2 || len(r.calls.writes()) > 0 || strings.Contains(r.stdout+r.stderr, "wrong-password") {
				s.Errorf("with %s apply must end with 2, write nothing and print no password: %s", name, r)
			}
		}
		state, err := os.ReadFile(c.state())
		if err != nil || strings.Contains(string(state), secret) {
			s.Errorf("the state holds a secret, or can not be read: %v", err)
		}
		c.must("delete")
	})
}

// credential makes an application credential of a.
func (s *site) credential() (id, secret string) {
	s.Helper()
	a, err := s.cloud.User(s.Context(), "a")
	if err != nil {
		s.Fatal(err)
	}
	identity, err := a.Service("identity")
	if err != nil {
		s.Fatal(err)
	}
	who, err := a.Provider.GetAuthResult().(tokens.CreateResult).ExtractUser()
	if err != nil {
		s.Fatal(err)
	}
	made, err := applicationcredentials.Create(s.Context(), identity, who.ID, applicationcredentials.CreateOpts{Name: "espalier"}).Extract()
	if err != nil {
		s.Fatal(err)
	}
	return made.ID, made.Secret
}

// cloudsYAML writes a clouds.yaml with the cloud "mine".
func (s *site) cloudsYAML() string {
	s.Helper()
	path := filepath.Join(s.dir, "clouds.yaml")
	text := "clouds:\n  mine:\n    region_name: RegionOne\n    auth:\n      auth_url: " + s.url +
		"\n      username: a\n      password: a\n      project_name: a\n      user_domain_name: Default\n      project_domain_name: Default\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	return path
}
