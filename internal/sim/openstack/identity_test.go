// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"testing"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	sdk "github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/applicationcredentials"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/tokens"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
)

func TestWhoGetsAToken(t *testing.T) {
	c, s := serve(t, Options{})
	if err := c.Plant(World{Users: []WorldUser{
		{Name: "app", Project: "a", Credential: &WorldCredential{ID: "0123", Name: "robot", Secret: "s3cret"}},
	}}); err != nil {
		t.Fatal(err)
	}
	password := func(user, password, project string) gophercloud.AuthOptions {
		return gophercloud.AuthOptions{Username: user, Password: password, TenantName: project, DomainID: Domain}
	}
	for _, test := range []struct {
		name string
		with gophercloud.AuthOptions
		ok   bool
	}{
		{"a user in his project", password("a", "a", "a"), true},
		{"a user whose domain is given by name", gophercloud.AuthOptions{Username: "a", Password: "a", TenantName: "a", DomainName: "Default"}, true},
		{"a user with a project's ID", gophercloud.AuthOptions{Username: "a", Password: "a", TenantID: c.ProjectID("a"), DomainID: Domain}, true},
		{"an admin", password("admin", "admin", "admin"), true},
		{"an application credential by ID", gophercloud.AuthOptions{ApplicationCredentialID: "0123", ApplicationCredentialSecret: "s3cret"}, true},
		{"an application credential by name and user", gophercloud.AuthOptions{ApplicationCredentialName: "robot", ApplicationCredentialSecret: "s3cret", Username: "app", DomainID: Domain}, true},
		{"a wrong password", password("a", "b", "a"), false},
		{"nobody", password("nobody", "nobody", "a"), false},
		{"a project in which the user has no role", password("a", "a", "b"), false},
		{"a project that there is not", password("a", "a", "nothing"), false},
		{"another domain", gophercloud.AuthOptions{Username: "a", Password: "a", TenantName: "a", DomainName: "other"}, false},
		{"a wrong secret", gophercloud.AuthOptions{ApplicationCredentialID: "0123", ApplicationCredentialSecret: "x"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.with.IdentityEndpoint = s.AuthURL
			p, err := sdk.AuthenticatedClient(t.Context(), test.with)
			switch {
			case test.ok && err != nil:
				t.Fatal(err)
			case !test.ok && !gophercloud.ResponseCodeIs(err, http.StatusUnauthorized):
				t.Fatalf("the error is %v, want 401", err)
			case test.ok:
				net, err := sdk.NewNetworkV2(p, gophercloud.EndpointOpts{Region: Region})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := networks.List(net, nil).AllPages(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestTokensEnd(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c, s := serve(t, Options{Now: func() time.Time { return now }, TokenLife: time.Hour})
	for _, test := range []struct {
		name string
		end  func(a *client)
	}{
		{"when their time is over", func(*client) { now = now.Add(time.Hour) }},
		{"when all are declared to have expired", func(*client) { c.ExpireTokens() }},
		{"when they are revoked", func(a *client) {
			p := a.network.ProviderClient
			id := &gophercloud.ServiceClient{ProviderClient: p, Endpoint: s.AuthURL + "/", ResourceBase: s.AuthURL + "/"}
			if err := tokens.Revoke(t.Context(), id, p.Token()).Err; err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := login(t, s, "a")
			if status, _ := a.send("GET", neutron+"/networks", ""); status != http.StatusOK {
				t.Fatalf("a new token gets %d", status)
			}
			test.end(a)
			if status, body := a.send("GET", neutron+"/networks", ""); status != http.StatusUnauthorized || body["error"] == nil {
				t.Errorf("the answer is %d %v, want 401", status, body)
			}
		})
	}
}

func TestApplicationCredentialsAreMadeAndTakenBack(t *testing.T) {
	_, s := serve(t, Options{})
	a := login(t, s, "a")
	p := a.network.ProviderClient
	id := &gophercloud.ServiceClient{ProviderClient: p, Endpoint: s.AuthURL + "/", ResourceBase: s.AuthURL + "/"}
	own, err := tokens.Get(t.Context(), id, p.Token()).ExtractUser()
	if err != nil {
		t.Fatal(err)
	}
	k, err := applicationcredentials.Create(t.Context(), id, own.ID, applicationcredentials.CreateOpts{Name: "robot"}).Extract()
	if err != nil {
		t.Fatal(err)
	}
	with := gophercloud.AuthOptions{IdentityEndpoint: s.AuthURL, ApplicationCredentialID: k.ID, ApplicationCredentialSecret: k.Secret}
	if _, err := sdk.AuthenticatedClient(t.Context(), with); err != nil {
		t.Fatal(err)
	}
	if err := applicationcredentials.Delete(t.Context(), id, own.ID, k.ID).ExtractErr(); err != nil {
		t.Fatal(err)
	}
	if _, err := sdk.AuthenticatedClient(t.Context(), with); !gophercloud.ResponseCodeIs(err, http.StatusNotFound) {
		t.Errorf("a credential that was deleted gets %v", err)
	}
}

func TestTheCatalogueNamesTheHostThatWasAsked(t *testing.T) {
	c, s := serve(t, Options{})
	a := login(t, s, "a")
	if want := s.URL + "/network/"; a.network.Endpoint != want {
		t.Errorf("the catalogue names %s, want %s", a.network.Endpoint, want)
	}
	c.Without("sharev2", true)
	p := login(t, s, "a").network.ProviderClient
	if _, err := sdk.NewSharedFileSystemV2(p, gophercloud.EndpointOpts{Region: Region}); err == nil {
		t.Error("a service that was taken out of the catalogue is found")
	}
}
