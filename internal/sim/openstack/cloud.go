// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"github.com/espalier-io/espalier/internal/sim/traffic"
)

// Options are what a cloud is made with. The zero value is good.
type Options struct {
	// Seed is what IDs are made of. Two clouds with the same seed that get the
	// same requests give the same IDs.
	Seed string
	// Now tells the time; nil is time.Now.
	Now func() time.Time
	// Sleep waits; nil is time.Sleep. Only latency uses it.
	Sleep func(time.Duration)
	// URL is where clients reach the cloud, as the catalogue says it. Empty: the
	// host that the request for the token named.
	URL string
	// TokenLife is how long tokens live; 0 is 24 hours.
	TokenLife time.Duration
	// PageLimit is how many things Neutron lists at most at once (its
	// pagination_max_limit); 0 is no limit.
	PageLimit int
}

// A Cloud is an OpenStack in memory. It is an http.Handler, safe for
// concurrent use. Make it with New. Its log and some of its switches are those
// of traffic.Switches: Calls, SetLatency, Inject, ClearFaults, Hook, Throttle
// (more calls get 429 with Retry-After).
type Cloud struct {
	opt    Options
	routes routes
	kinds  kinds

	*flow

	mu       sync.Mutex // guards what follows; a handler runs while it is held
	ids      map[string]int
	identity identity
	policy   policy
	quotas   map[string]map[string]int // project, resource
	switches switches
	strange  []string // method and path of what was answered with 501

	networks    table[*network]
	subnets     table[*subnet]
	subnetPools table[*subnetPool]
	scopes      table[*scope]
	routers     table[*router]
	ports       table[*port]
	floatingIPs table[*floatingIP]
	groups      table[*group]
	rules       table[*rule]
	rbacs       table[*rbac]
	keyPairs    []*keyPair

	shareNetworks table[*shareNetwork]
	loadBalancers table[*loadBalancer]
}

// kinds are the kinds of things of Neutron.
type kinds struct {
	networks    *kind[*network]
	subnets     *kind[*subnet]
	routers     *kind[*router]
	ports       *kind[*port]
	groups      *kind[*group]
	rules       *kind[*rule]
	floatingIPs *kind[*floatingIP]
	subnetPools *kind[*subnetPool]
	scopes      *kind[*scope]
	rbacs       *kind[*rbac]
}

// New returns a cloud with the users and projects admin, a and b (each with
// its name as the password), domain Default, region RegionOne, and nothing else.
func New(o Options) *Cloud {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = time.Sleep //nolint:forbidigo // it is what the latency switch is for; tests use testing/synctest
	}
	if o.TokenLife == 0 {
		o.TokenLife = 24 * time.Hour
	}
	c := &Cloud{opt: o, flow: traffic.New[Call](o.Now), ids: map[string]int{}, quotas: map[string]map[string]int{}}
	c.switches.pending = 3
	c.kinds = kinds{
		networks: networkKind(), subnets: subnetKind(), routers: routerKind(), ports: portKind(), groups: groupKind(), rules: ruleKind(),
		floatingIPs: floatingIPKind(), subnetPools: subnetPoolKind(), scopes: scopeKind(), rbacs: rbacKind(),
	}
	c.routes = c.table()
	c.policy = defaultPolicy()
	c.identity = newIdentity(c)
	return c
}

// digest is the hash of the seed, what is to be named, and how many times that
// was asked before.
func (c *Cloud) digest(of ...string) [sha256.Size]byte {
	key := fmt.Sprintf("%q", of)
	n := c.ids[key]
	c.ids[key]++
	return sha256.Sum256(fmt.Appendf(nil, "%s %s %d", c.opt.Seed, key, n))
}

// uuid makes an ID, with dashes.
func (c *Cloud) uuid(of ...string) string {
	d := c.digest(of...)
	d[6] = d[6]&0x0f | 0x40 // version 4
	d[8] = d[8]&0x3f | 0x80
	h := hex.EncodeToString(d[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// hexID makes an ID of Keystone: 32 digits without dashes.
func (c *Cloud) hexID(of ...string) string {
	d := c.digest(of...)
	return hex.EncodeToString(d[:16])
}
