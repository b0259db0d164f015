// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"net/url"
	"strings"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/config/clouds"
	"sigs.k8s.io/yaml"

	"github.com/espalier-io/espalier/internal/fault"
)

// Credentials say who asks which cloud. They are never printed or saved.
type Credentials struct {
	auth     gophercloud.AuthOptions
	endpoint gophercloud.EndpointOpts
	tls      *tls.Config
	source   string
}

// LoadCredentials reads credentials as openstacksdk does: the entry of
// clouds.yaml (and secure.yaml) that cloud or, if it is empty, OS_CLOUD names;
// without either, the OS_* variables, which getenv looks up.
func LoadCredentials(cloud string, getenv func(string) string) (Credentials, error) {
	if cloud == "" {
		cloud = getenv("OS_CLOUD")
	}
	if cloud != "" {
		auth, endpoint, conf, err := clouds.Parse(clouds.WithCloudName(cloud))
		if err != nil {
			return Credentials{}, fault.Errorf(fault.Unauthenticated, "reading the credentials of cloud %q from clouds.yaml: %w", cloud, err)
		}
		return newCredentials(auth, endpoint, conf, fmt.Sprintf("cloud %q of clouds.yaml", cloud))
	}
	if getenv("OS_AUTH_URL") == "" {
		return Credentials{}, fault.Errorf(fault.Unauthenticated, "no OpenStack credentials: name an entry of clouds.yaml with --os-cloud or OS_CLOUD, or set OS_AUTH_URL and the other OS_* variables")
	}
	entry, err := yaml.Marshal(clouds.Clouds{Clouds: map[string]clouds.Cloud{fromEnv: environment(getenv)}})
	if err != nil {
		return Credentials{}, fault.New(fault.Invalid, "reading the OS_* variables", err)
	}
	auth, endpoint, conf, err := clouds.Parse(clouds.WithCloudName(fromEnv), clouds.WithCloudsYAML(bytes.NewReader(entry)))
	if err != nil {
		return Credentials{}, fault.New(fault.Unauthenticated, "reading the OS_* variables", err)
	}
	return newCredentials(auth, endpoint, conf, "the OS_* variables")
}

// fromEnv is what openstacksdk calls the cloud of the environment.
const fromEnv = "envvars"

// environment is the entry of clouds.yaml that the OS_* variables amount to.
func environment(getenv func(string) string) clouds.Cloud {
	first := func(names ...string) string {
		for _, n := range names {
			if v := getenv(n); v != "" {
				return v
			}
		}
		return ""
	}
	c := clouds.Cloud{
		AuthInfo: &clouds.AuthInfo{
			AuthURL:                     getenv("OS_AUTH_URL"),
			Token:                       getenv("OS_TOKEN"),
			Username:                    getenv("OS_USERNAME"),
			UserID:                      first("OS_USER_ID", "OS_USERID"),
			Password:                    getenv("OS_PASSWORD"),
			ApplicationCredentialID:     getenv("OS_APPLICATION_CREDENTIAL_ID"),
			ApplicationCredentialName:   getenv("OS_APPLICATION_CREDENTIAL_NAME"),
			ApplicationCredentialSecret: getenv("OS_APPLICATION_CREDENTIAL_SECRET"),
			ProjectName:                 first("OS_PROJECT_NAME", "OS_TENANT_NAME"),
			ProjectID:                   first("OS_PROJECT_ID", "OS_TENANT_ID"),
			UserDomainName:              first("OS_USER_DOMAIN_NAME", "OS_DOMAIN_NAME"),
			UserDomainID:                first("OS_USER_DOMAIN_ID", "OS_DOMAIN_ID"),
			ProjectDomainName:           first("OS_PROJECT_DOMAIN_NAME", "OS_DOMAIN_NAME"),
			ProjectDomainID:             first("OS_PROJECT_DOMAIN_ID", "OS_DOMAIN_ID"),
		},
		RegionName:     getenv("OS_REGION_NAME"),
		Interface:      first("OS_INTERFACE", "OS_ENDPOINT_TYPE"),
		CACertFile:     getenv("OS_CACERT"),
		ClientCertFile: getenv("OS_CERT"),
		ClientKeyFile:  getenv("OS_KEY"),
	}
	if v := strings.ToLower(getenv("OS_INSECURE")); v == "true" || v == "1" || v == "yes" {
		verify := false
		c.Verify = &verify
	}
	return c
}

func newCredentials(auth gophercloud.AuthOptions, endpoint gophercloud.EndpointOpts, conf *tls.Config, source string) (Credentials, error) {
	u, err := url.Parse(auth.IdentityEndpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return Credentials{}, fault.Errorf(fault.Invalid, "%s: the auth URL %q is not an http or https URL", source, auth.IdentityEndpoint)
	}
	// With the version in the URL nobody has to ask Keystone for its versions.
	if !strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), "/v3") {
		u = u.JoinPath("v3")
	}
	auth.IdentityEndpoint = u.String()
	auth = scoped(auth)
	auth.AllowReauth = auth.TokenID == ""
	return Credentials{auth, endpoint, conf, source}, nil
}

// scoped puts in the domain that is left out, and takes out what goes without
// saying for an application credential.
func scoped(auth gophercloud.AuthOptions) gophercloud.AuthOptions {
	if domainless(auth) {
		auth.DomainID = "default"
		if auth.Scope != nil && auth.Scope.ProjectName != "" && auth.Scope.DomainID == "" && auth.Scope.DomainName == "" {
			auth.Scope.DomainID = "default"
		}
	}
	if auth.ApplicationCredentialID != "" || auth.ApplicationCredentialName != "" {
		auth.Scope, auth.TenantID, auth.TenantName = nil, "", "" // it is bound to a project
		if auth.ApplicationCredentialID != "" {
			auth.DomainID, auth.DomainName, auth.Username, auth.UserID = "", "", "", ""
		}
	}
	return auth
}

// domainless says that a user or project is named without a domain, which in
// openstacksdk means the domain with the ID default.
func domainless(auth gophercloud.AuthOptions) bool {
	return auth.Username != "" && auth.DomainID == "" && auth.DomainName == ""
}

// Region is the region that the credentials name; it may be empty.
func (c Credentials) Region() string { return c.endpoint.Region }

// String says who asks whom, without secrets.
func (c Credentials) String() string {
	who := c.auth.Username + c.auth.UserID
	if who == "" {
		who = "application credential " + c.auth.ApplicationCredentialID + c.auth.ApplicationCredentialName
	} else {
		who = "user " + who
	}
	project := c.auth.TenantName
	if project == "" {
		project = c.auth.TenantID
	}
	if project != "" {
		who += ", project " + project
	}
	return fmt.Sprintf("%s at %s (from %s)", who, c.auth.IdentityEndpoint, c.source)
}
