// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package clouds

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	tokensv3 "github.com/gophercloud/gophercloud/v2/openstack/identity/v3/tokens"
)

// A User is somebody with a token for one project.
type User struct {
	// Provider is gophercloud's client with the token.
	Provider *gophercloud.ProviderClient
}

// logins keeps tokens of users.
type logins struct {
	mu   sync.Mutex
	held map[string]*User
}

func newLogins() *logins { return &logins{held: map[string]*User{}} }

// User logs in one of admin, a and b, or returns an earlier login.
func (c *Cloud) User(ctx context.Context, name string) (*User, error) {
	c.logins.mu.Lock()
	defer c.logins.mu.Unlock()
	if u := c.logins.held[name]; u != nil {
		return u, nil
	}
	u, err := c.Login(ctx, Password(name, name, name))
	if err == nil {
		c.logins.held[name] = u
	}
	return u, err
}

// Password returns the options of a user of the domain Default.
func Password(user, secret, project string) gophercloud.AuthOptions {
	return gophercloud.AuthOptions{Username: user, Password: secret, TenantName: project, DomainName: "Default"}
}

// Login gets a token.
func (c *Cloud) Login(ctx context.Context, options gophercloud.AuthOptions) (*User, error) {
	options.IdentityEndpoint = c.AuthURL
	p, err := openstack.NewClient(c.AuthURL)
	if err != nil {
		return nil, err
	}
	if err := openstack.Authenticate(ctx, p, options); err != nil {
		return nil, err
	}
	return &User{p}, nil
}

// Project returns the ID of the project that the token is for.
func (u *User) Project() (string, error) {
	result, ok := u.Provider.GetAuthResult().(tokensv3.CreateResult)
	if !ok {
		return "", errors.New("not a token of Keystone v3")
	}
	p, err := result.ExtractProject()
	if err != nil || p == nil {
		return "", fmt.Errorf("a token without a project: %w", err)
	}
	return p.ID, nil
}

// services by short names: the type in the catalogue, and the version in the
// URL that the catalogue may have or lack.
var services = map[string]struct{ kind, version string }{
	"network":  {"network", "v2.0/"},
	"compute":  {"compute", ""},
	"share":    {"sharev2", ""},
	"lb":       {"load-balancer", "v2.0/"},
	"identity": {"identity", "v3/"},
}

// Services returns the short names of the services.
func Services() []string { return []string{"compute", "identity", "lb", "network", "share"} }

// Service returns gophercloud's client of a service, without asking the service
// for its versions.
func (u *User) Service(name string) (*gophercloud.ServiceClient, error) {
	s := services[name]
	where := gophercloud.EndpointOpts{Region: "RegionOne"}
	where.ApplyDefaults(s.kind)
	url, err := u.Provider.EndpointLocator(where)
	if err != nil {
		return nil, fmt.Errorf("looking for %s in the catalogue: %w", s.kind, err)
	}
	url = strings.TrimSuffix(url, s.version) + s.version
	return &gophercloud.ServiceClient{ProviderClient: u.Provider, Type: s.kind, Endpoint: url, ResourceBase: url}, nil
}

// An Answer is what came back for a request.
type Answer struct {
	Status int
	Body   map[string]any
}

// Do sends one request. A path is relative to the API of Neutron; another
// service's begins with its short name and a colon: "compute:os-keypairs". A
// whole URL is taken as it is.
func (u *User) Do(ctx context.Context, method, path string, header http.Header, body any) (Answer, error) {
	url, err := u.url(path)
	if err != nil {
		return Answer{}, err
	}
	var content io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return Answer{}, err
		}
		content = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(ctx, method, url, content)
	if err != nil {
		return Answer{}, err
	}
	r.Header.Set("X-Auth-Token", u.Provider.Token())
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(r.Header, header)
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		return Answer{}, err
	}
	defer w.Body.Close()
	raw, err := io.ReadAll(w.Body)
	got := Answer{Status: w.StatusCode}
	if len(raw) > 0 && json.Unmarshal(raw, &got.Body) != nil {
		got.Body = map[string]any{"text": string(raw)}
	}
	return got, err
}

func (u *User) url(path string) (string, error) {
	if strings.HasPrefix(path, "http") {
		return path, nil
	}
	name, rest, other := strings.Cut(path, ":")
	if _, known := services[name]; !other || !known {
		name, rest = "network", path
	}
	s, err := u.Service(name)
	if err != nil {
		return "", err
	}
	return s.Endpoint + rest, nil
}

// Singular returns the key of one object of a collection.
func Singular(collection string) string {
	if _, name, other := strings.Cut(collection, ":"); other {
		collection = name
	}
	name := collection[strings.LastIndex(collection, "/")+1:]
	switch name {
	case "rbac-policies":
		return "rbac_policy"
	case "os-keypairs":
		return "keypair"
	}
	return strings.ReplaceAll(strings.TrimSuffix(name, "s"), "-", "_")
}
