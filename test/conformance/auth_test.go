// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/applicationcredentials"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/tokens"

	"github.com/espalier-io/espalier/test/clouds"
)

func TestAuthentication(t *testing.T) { on(t, "authentication", ofAuthentication) }

var ofAuthentication = []trial{
	{"user, password and project give a token for the project with its roles, implied ones included", func(l *lab) {
		p, err := l.cloud.Login(l.Context(), clouds.Password("a", "a", "a"))
		l.must(err)
		r := p.Provider.GetAuthResult().(tokens.CreateResult)
		project, err := r.ExtractProject()
		l.must(err)
		l.equal("project", project.Name, "a")
		roles, err := r.ExtractRoles()
		l.must(err)
		names := []string{}
		for _, role := range roles {
			names = append(names, role.Name)
		}
		l.equal("roles", sorted(names...), []string{"load-balancer_member", "member", "reader"})
	}},
	{"the domain may be given by its ID, and the project by its own", func(l *lab) {
		_, err := l.cloud.Login(l.Context(), gophercloud.AuthOptions{Username: "a", Password: "a", DomainID: "default", TenantID: l.a.project()})
		l.must(err)
	}},
	{"a user may be given by the ID", func(l *lab) {
		_, err := l.cloud.Login(l.Context(), gophercloud.AuthOptions{UserID: l.a.id(), Password: "a", TenantID: l.a.project()})
		l.must(err)
	}},
	{"a wrong password, an unknown user and an unknown project are all the same 401", func(l *lab) {
		texts := map[string]bool{}
		for _, options := range []gophercloud.AuthOptions{clouds.Password("a", "wrong", "a"), clouds.Password("nobody", "a", "a"), clouds.Password("a", "a", "nowhere")} {
			_, err := l.cloud.Login(l.Context(), options)
			l.equal("status", status(err), 401)
			texts[err.Error()[strings.Index(err.Error(), "{"):]] = true
		}
		l.equal("texts", len(texts), 1)
	}},
	{"a project in which the user has no role is refused", func(l *lab) {
		_, err := l.cloud.Login(l.Context(), clouds.Password("a", "a", "b"))
		l.equal("status", status(err), 401)
	}},
	{"without a project the token is for the user's default project", func(l *lab) {
		p, err := l.cloud.Login(l.Context(), gophercloud.AuthOptions{Username: "a", Password: "a", DomainName: "Default"})
		l.must(err)
		project, err := p.Provider.GetAuthResult().(tokens.CreateResult).ExtractProject()
		l.must(err)
		if project == nil {
			l.Fatal("the token is for no project")
		}
		l.equal("project", project.Name, "a")
	}},
	{"an application credential gives a token for its project by ID and by name", func(l *lab) {
		c := l.a.credential("c")
		p, err := l.cloud.Login(l.Context(), gophercloud.AuthOptions{ApplicationCredentialID: c.ID, ApplicationCredentialSecret: c.Secret})
		l.must(err)
		project, err := p.Provider.GetAuthResult().(tokens.CreateResult).ExtractProject()
		l.must(err)
		l.equal("project", project.ID, l.a.project())
		_, err = l.cloud.Login(l.Context(), gophercloud.AuthOptions{Username: "a", DomainName: "Default",
			ApplicationCredentialName: "c", ApplicationCredentialSecret: c.Secret})
		l.must(err)
	}},
	{"an application credential with a wrong secret is refused and an unknown one is not found", func(l *lab) {
		c := l.a.credential("c")
		_, err := l.cloud.Login(l.Context(), gophercloud.AuthOptions{ApplicationCredentialID: c.ID, ApplicationCredentialSecret: "wrong"})
		l.equal("secret", status(err), 401)
		_, err = l.cloud.Login(l.Context(), gophercloud.AuthOptions{ApplicationCredentialID: nobody, ApplicationCredentialSecret: c.Secret})
		l.equal("ID", status(err), 404)
	}},
	{"a token that is none is refused by every service", func(l *lab) {
		for _, path := range []string{"networks", "compute:os-keypairs", "share:share-networks/detail", "lb:lbaas/loadbalancers"} {
			l.a.headers = http.Header{"X-Auth-Token": {"none"}}
			got := l.a.do("GET", path, nil)
			l.a.headers = nil
			l.equal(path, got.Status, 401)
		}
	}},
}

func TestCatalogue(t *testing.T) { on(t, "catalogue", ofCatalogue) }

var ofCatalogue = []trial{
	{"it names a public endpoint of every service in the region", func(l *lab) {
		catalogue, err := l.a.login().Provider.GetAuthResult().(tokens.CreateResult).ExtractServiceCatalog()
		l.must(err)
		found := []string{}
		for _, e := range catalogue.Entries {
			for _, at := range e.Endpoints {
				if at.Interface == "public" {
					l.equal("region of "+e.Type, at.Region, "RegionOne")
					found = append(found, e.Type)
				}
			}
		}
		l.equal("services", sorted(found...), []string{"compute", "identity", "load-balancer", "network", "sharev2"})
	}},
	{"Neutron says what it can do", func(l *lab) {
		found := pluck(quiet(l.a, "extensions"), "alias")
		for _, needed := range []string{
			"address-scope", "external-net", "extraroute", "extraroute-atomic", "ip-substring-filtering", "net-mtu", "pagination",
			"port-security", "quota_details", "quotas", "rbac-policies", "revision-if-match", "router", "security-group", "sorting",
			"standard-attr-description", "standard-attr-revisions", "standard-attr-tag", "standard-attr-timestamp", "subnet_allocation",
		} {
			l.equal(needed, slices.Contains(found, needed), true)
		}
	}},
	{"an extension can be asked for by its alias", func(l *lab) {
		l.equal("alias", l.a.try("GET", "extensions/extraroute-atomic", nil).only()["alias"], "extraroute-atomic")
		l.equal("status", l.a.try("GET", "extensions/colours", nil).Status, 404)
	}},
}

// id returns the ID of the user.
func (u *user) id() string {
	u.lab.Helper()
	who, err := u.login().Provider.GetAuthResult().(tokens.CreateResult).ExtractUser()
	u.lab.must(err)
	return who.ID
}

// credential makes an application credential of the user.
func (u *user) credential(name string) *applicationcredentials.ApplicationCredential {
	u.lab.Helper()
	c, err := applicationcredentials.Create(u.lab.Context(), u.service("identity"), u.id(), applicationcredentials.CreateOpts{Name: name}).Extract()
	u.lab.must(err)
	return c
}
