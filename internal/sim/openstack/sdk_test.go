// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	sdk "github.com/gophercloud/gophercloud/v2/openstack"
)

// client is a user of the cloud, through gophercloud.
type client struct {
	t     *testing.T
	url   string
	token string

	network, compute *gophercloud.ServiceClient
}

// serve starts a cloud for a test, which must leave no request unanswered.
func serve(t *testing.T, o Options) (*Cloud, *Server) {
	t.Helper()
	c := New(o)
	s, err := c.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.Close()
		for _, call := range c.Unknown() {
			t.Errorf("the cloud did not know %s", call)
		}
	})
	return c, s
}

// login returns a client for a user whose name is also the password and the project.
func login(t *testing.T, s *Server, user string) *client {
	t.Helper()
	p, err := sdk.AuthenticatedClient(t.Context(), gophercloud.AuthOptions{
		IdentityEndpoint: s.AuthURL, Username: user, Password: user, TenantName: user, DomainID: Domain,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, url: s.URL, token: p.Token()}
	where := gophercloud.EndpointOpts{Region: Region}
	if c.network, err = sdk.NewNetworkV2(p, where); err != nil {
		t.Fatal(err)
	}
	if c.compute, err = sdk.NewComputeV2(p, where); err != nil {
		t.Fatal(err)
	}
	return c
}

// send sends a request with a raw body and returns status and body.
func (c *client) send(method, path, body string) (int, map[string]any) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("X-Auth-Token", c.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	got := map[string]any{}
	if len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &got); err != nil {
			c.t.Fatalf("%s %s: %v in %s", method, path, err, raw)
		}
	}
	return resp.StatusCode, got
}

// must sends a request that has to work, and returns the object of the answer.
func (c *client) must(method, path, body string) map[string]any {
	c.t.Helper()
	status, got := c.send(method, path, body)
	if status/100 != 2 {
		c.t.Fatalf("%s %s %s: %d %v", method, path, body, status, got)
	}
	for _, v := range got {
		if one, isObject := v.(map[string]any); isObject && len(got) == 1 {
			return one
		}
	}
	return got
}

// id is must for a creation.
func (c *client) id(path, body string) string {
	c.t.Helper()
	id, _ := c.must("POST", path, body)["id"].(string)
	return id
}
