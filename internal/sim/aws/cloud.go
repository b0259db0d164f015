// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
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
	// PageLimit is how many things EC2 lists at most at once; 0 is 1000.
	PageLimit int
}

// A Cloud is an AWS in memory. It is an http.Handler, safe for concurrent use.
// Make it with New. Its log and most of its switches are those of
// traffic.Switches: Calls, ClearCalls, SetLatency, Inject, ClearFaults, Hook, Throttle.
type Cloud struct {
	opt        Options
	operations operations
	taggable   []tagger

	*switches

	mu       sync.Mutex // guards what follows; an operation runs while it is held
	ids      map[string]int
	accounts map[string]*account // by name
	keys     map[string]string   // access key ID: name of the account
	regions  map[string]*region
	denied   map[string][]string // account: patterns
	buckets  map[string]*switches
	unknown  []string
	quotas   map[string]float64 // account/region/service/code
	tokens   map[string]token   // of idempotent requests
	hide     struct{ byID, byFilter int }
	pending  int // reads until a thing that is pending or going moves on

	ec2
	identity
	balancing
}

// ec2 is what EC2 holds, of all accounts and regions.
type ec2 struct {
	vpcs       table[*vpc]
	dhcp       table[*dhcpOptions]
	subnets    table[*subnet]
	reserved   table[*reservation]
	tables     table[*routeTable]
	gateways   table[*internetGateway]
	egress     table[*egressGateway]
	nats       table[*natGateway]
	addresses  table[*address]
	groups     table[*group]
	rules      table[*rule]
	interfaces table[*networkInterface]
	instances  table[*instance]
	keyPairs   table[*keyPair]
	endpoints  table[*endpoint]
}

// account is an AWS account.
type account struct{ name, id string }

func (a *account) arn() string { return "arn:aws:iam::" + a.id + ":user/" + a.name }

// token is what a client token made.
type token struct{ request, id string }

// New returns a cloud with the accounts admin, a and b (each with its name as
// the access key ID), the regions of Regions, and nothing else.
func New(o Options) *Cloud {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = time.Sleep //nolint:forbidigo // it is what the latency switch is for; tests use testing/synctest
	}
	if o.PageLimit == 0 {
		o.PageLimit = 1000
	}
	c := &Cloud{
		opt: o, switches: traffic.New[Call](o.Now), ids: map[string]int{}, accounts: map[string]*account{}, keys: map[string]string{},
		regions: defaultRegions(), denied: map[string][]string{}, buckets: map[string]*switches{}, quotas: map[string]float64{},
		tokens: map[string]token{}, pending: 1, operations: operations{},
	}
	for _, name := range []string{"admin", "a", "b"} {
		c.addAccount(name, "")
	}
	for _, more := range []operations{
		vpcOperations, dhcpOperations, subnetOperations, reservationOperations, tableOperations, gatewayOperations, egressOperations,
		natOperations, addressOperations, groupOperations, ruleOperations, interfaceOperations, instanceOperations, keyPairOperations,
		tagOperations, zoneOperations, endpointOperations,
		roleOperations, rolePolicyOperations, profileOperations, stsOperations, classicOperations, balancerOperations, quotaOperations,
	} {
		maps.Copy(c.operations, more)
	}
	c.taggable = taggers(c)
	return c
}

// addAccount makes an account, or returns the one there is. The number of an
// account that is not given is made of its name.
func (c *Cloud) addAccount(name, id string) *account {
	if a := c.accounts[name]; a != nil {
		return a
	}
	if id == "" {
		d := sha256.Sum256([]byte("account " + name))
		id = fmt.Sprintf("%012d", (uint64(d[0])<<32|uint64(d[1])<<24|uint64(d[2])<<16|uint64(d[3])<<8|uint64(d[4]))%900000000000+100000000000)
	}
	a := &account{name: name, id: id}
	c.accounts[name] = a
	c.keys[name] = name
	return a
}

// accountOf finds the account of an access key.
func (c *Cloud) accountOf(key string) *account {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.accounts[c.keys[key]]
}

// AccountID returns the number of an account, by its name; empty if there is none.
func (c *Cloud) AccountID(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.accounts[name]; a != nil {
		return a.id
	}
	return ""
}

// digest is the hash of the seed, what is to be named, and how many times that
// was asked before.
func (c *Cloud) digest(of ...string) string {
	key := fmt.Sprintf("%q", of)
	n := c.ids[key]
	c.ids[key]++
	d := sha256.Sum256(fmt.Appendf(nil, "%s %s %d", c.opt.Seed, key, n))
	return hex.EncodeToString(d[:])
}

// newID makes an ID of EC2: a prefix with its dash, and 17 digits.
func (c *Cloud) newID(prefix string, of ...string) string {
	return prefix + "0" + c.digest(append([]string{prefix}, of...)...)[:16]
}

// requestID is the same for the same call of the log.
func (c *Cloud) requestID(n int) string {
	d := sha256.Sum256(fmt.Appendf(nil, "request %d", n))
	h := hex.EncodeToString(d[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// HideNew lets things of EC2 that are made from now on be absent from so many
// reads that would have shown them: those that name their ID (which fail
// whole, with NotFound) and those that do not (which leave them out). Only
// Describe is late: what refers to them works.
func (c *Cloud) HideNew(byID, byFilter int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hide.byID, c.hide.byFilter = byID, byFilter
}

// SetPending says how many reads show a NAT gateway as pending or deleting, and
// the interfaces of a load balancer that was deleted, before they move on. It is 1.
func (c *Cloud) SetPending(reads int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending = reads
}

// defaultID is the ID of a thing that an account has once in a region without having made it.
func (c *Cloud) defaultID(prefix string, of *call) string {
	d := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %s", c.opt.Seed, prefix, of.account.id, of.region))
	return prefix + "0" + hex.EncodeToString(d[:])[:16]
}
