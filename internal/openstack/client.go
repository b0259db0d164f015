// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/tokens"
	"github.com/gophercloud/gophercloud/v2/pagination"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// A Reader looks at a cloud. Nothing that it does changes anything.
type Reader interface {
	networkReader
	subnetReader
	routerReader
	portReader
	securityGroupReader
	keyPairReader
	subnetPoolReader
	shareNetworkReader
	loadBalancerReader
	quotaReader
}

// A Writer changes a cloud. Each create returns what the cloud answered.
type Writer interface {
	networkWriter
	subnetWriter
	routerWriter
	interfaceWriter
	securityGroupWriter
	keyPairWriter
	shareNetworkWriter
	loadBalancerWriter
	routeWriter
}

// Graph is a graph of OpenStack resources.
type Graph = engine.Graph[Writer]

// A Found is a resource as the cloud lists it.
type Found[T any] struct {
	ID          engine.ID
	Name        string
	Description string
	Project     string // the ID of the project that owns it
	State       T
}

// A Query selects resources of one kind by the filters of the API: all keys
// must fit, and of each key one of the values.
type Query = url.Values

// withIDs selects resources by their IDs.
func withIDs(ids ...engine.ID) Query {
	q := Query{}
	for _, id := range ids {
		q.Add("id", string(id))
	}
	return q
}

// A Client is a Reader and a Writer of one project in one region. It is safe
// for parallel use and keeps its token.
type Client struct {
	provider         *gophercloud.ProviderClient
	network, compute *gophercloud.ServiceClient
	share, balancer  *gophercloud.ServiceClient // nil: the cloud has none
	guard            *Guard
	project          project
	region           string
}

type project struct{ id, name string }

var (
	_ Reader = (*Client)(nil)
	_ Writer = (*Client)(nil)
)

// Connect gets a token and returns a client, whose requests all go through the
// guard and then through base. The region may be empty if the credentials or
// the catalogue leave no choice.
func Connect(ctx context.Context, creds Credentials, region, userAgent string, base http.RoundTripper) (*Client, error) {
	if base == nil {
		base = &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSClientConfig: creds.tls, ForceAttemptHTTP2: true,
			MaxIdleConnsPerHost: 16, IdleConnTimeout: 30 * time.Second, TLSHandshakeTimeout: 10 * time.Second,
		}
	}
	identity, err := url.Parse(creds.auth.IdentityEndpoint)
	if err != nil {
		return nil, fault.New(fault.Invalid, "reading the auth URL", err)
	}
	guard := &Guard{base: base}
	guard.serve(service{"identity", identity.Host, strings.TrimSuffix(identity.Path, "/") + "/"})
	p, err := openstack.NewClient(creds.auth.IdentityEndpoint)
	if err != nil {
		return nil, fault.New(fault.Invalid, "reading the auth URL", err)
	}
	p.HTTPClient = http.Client{Transport: guard, Timeout: time.Minute} // a write that has begun is not cancelled
	p.UserAgent.Prepend(userAgent)
	retry(p)
	auth := creds.auth
	if err := openstack.AuthenticateV3(ctx, p, &auth, gophercloud.EndpointOpts{}); err != nil {
		return nil, translate("getting a token for "+creds.String(), err)
	}
	c := &Client{provider: p, guard: guard}
	if err := c.scope(); err != nil {
		return nil, err
	}
	if region == "" {
		region = creds.endpoint.Region
	}
	return c, c.locate(region, creds.endpoint.Availability)
}

// scope learns from the token which project it is for.
func (c *Client) scope() error {
	result, ok := c.provider.GetAuthResult().(interface {
		ExtractProject() (*tokens.Project, error)
	})
	if !ok {
		return fault.Errorf(fault.Unauthenticated, "the token does not say which project it is for")
	}
	p, err := result.ExtractProject()
	if err != nil {
		return fault.New(fault.Unavailable, "reading the token", err)
	}
	if p == nil || p.ID == "" {
		return fault.Errorf(fault.Unauthenticated, "the credentials name no project: set OS_PROJECT_NAME or OS_PROJECT_ID, or project_name in clouds.yaml")
	}
	c.project = project{p.ID, p.Name}
	return nil
}

// locate finds the APIs of the region in the catalogue.
func (c *Client) locate(region string, availability gophercloud.Availability) (err error) {
	if region == "" {
		if region, err = c.onlyRegion(); err != nil {
			return err
		}
	}
	c.region = region
	if c.network, err = c.service("network", "v2.0/", availability); err != nil {
		return err
	}
	if c.compute, err = c.service("compute", "", availability); err != nil {
		return err
	}
	if c.share, err = c.optional("shared-file-system", "", availability); err != nil {
		return err
	}
	c.balancer, err = c.optional("load-balancer", "v2.0/", availability)
	return err
}

// onlyRegion returns the region of the catalogue, if there is just one.
func (c *Client) onlyRegion() (string, error) {
	result, ok := c.provider.GetAuthResult().(interface {
		ExtractServiceCatalog() (*tokens.ServiceCatalog, error)
	})
	if !ok {
		return "", fault.Errorf(fault.Invalid, "no region is named: use --region or OS_REGION_NAME")
	}
	catalogue, err := result.ExtractServiceCatalog()
	if err != nil {
		return "", fault.New(fault.Unavailable, "reading the catalogue", err)
	}
	regions := map[string]bool{}
	for _, entry := range catalogue.Entries {
		for _, e := range entry.Endpoints {
			if entry.Type == "network" {
				regions[e.Region] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(regions))
	if len(names) != 1 {
		return "", fault.Errorf(fault.Invalid, "the cloud has the regions %s: choose one with --region or OS_REGION_NAME", strings.Join(names, ", "))
	}
	return names[0], nil
}

// service looks an API up in the catalogue. The constructors of gophercloud
// would ask the service for its versions first, with a call each.
func (c *Client) service(kind, version string, availability gophercloud.Availability) (*gophercloud.ServiceClient, error) {
	where := gophercloud.EndpointOpts{Region: c.region, Availability: availability}
	where.ApplyDefaults(kind)
	base, err := c.provider.EndpointLocator(where)
	if err != nil {
		return nil, fault.Errorf(fault.NotFound, "the catalogue has no %s service in region %q: check the region", kind, c.region)
	}
	root := strings.TrimSuffix(base, version) + version
	u, err := url.Parse(root)
	if err != nil {
		return nil, fault.New(fault.Invalid, "reading the URL of the "+kind+" service", err)
	}
	c.guard.serve(service{kind, u.Host, u.Path})
	return &gophercloud.ServiceClient{ProviderClient: c.provider, Type: kind, Endpoint: base, ResourceBase: root}, nil
}

// Cloud names the project and the region that the client sees: state of one
// means nothing in another.
func (c *Client) Cloud() string { return c.project.id + "/" + c.region }

// Project returns the ID of the project.
func (c *Client) Project() string { return c.project.id }

// list reads a collection to its last page.
func list[T any](ctx context.Context, c *gophercloud.ServiceClient, collection string, q Query,
	page func(pagination.PageResult) pagination.Page, extract func(pagination.Page) ([]T, error)) ([]T, error) {
	address := c.ServiceURL(collection)
	if len(q) > 0 {
		address += "?" + q.Encode()
	}
	op := fmt.Sprintf("listing %s", collection)
	pages, err := pagination.NewPager(c, address, page).AllPages(ctx)
	if err != nil {
		return nil, translate(op, err)
	}
	all, err := extract(pages)
	if err != nil {
		return nil, fault.New(fault.Unavailable, op, err)
	}
	return all, nil
}
