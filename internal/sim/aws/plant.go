// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
)

// Plant puts a world into the cloud. It enforces what the services enforce, but
// for quotas and permissions. An error says where in the world it is; what was
// planted before it stays.
func (c *Cloud) Plant(w World) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	hide := c.hide
	c.hide = struct{ byID, byFilter int }{}
	defer func() { c.hide = hide }()
	for _, name := range slices.Sorted(maps.Keys(w.Zones)) {
		if err := c.plantZones(name, w.Zones[name]); err != nil {
			return fmt.Errorf("zones.%s%w", name, err)
		}
	}
	names := slices.Sorted(maps.Keys(w.Accounts))
	for _, name := range names { // first all, so that things can be shared
		if err := c.plantAccount(name, w.Accounts[name]); err != nil {
			return fmt.Errorf("accounts.%s.%w", name, err)
		}
	}
	for _, name := range names {
		a := w.Accounts[name]
		p := planter{c, c.accounts[name], "us-east-1"}
		if err := p.identity(a); err != nil {
			return fmt.Errorf("accounts.%s.%w", name, err)
		}
		for _, region := range slices.Sorted(maps.Keys(a.Regions)) {
			if c.regions[region] == nil {
				return fmt.Errorf("accounts.%s.regions.%s: there is no such region", name, region)
			}
			p.region = region
			if err := p.fill(a.Regions[region]); err != nil {
				return fmt.Errorf("accounts.%s.regions.%s.%w", name, region, err)
			}
		}
	}
	return nil
}

func (c *Cloud) plantZones(name string, zones []WorldZone) error {
	r := c.regions[name]
	if r == nil {
		r = &region{}
		c.regions[name] = r
	}
	for i, z := range zones {
		z.ID, z.Type = cmp.Or(z.ID, z.Name), cmp.Or(z.Type, "availability-zone")
		if z.Name == "" || r.zone(z.Name) != nil {
			return fmt.Errorf("[%d].name: %q is empty or taken", i, z.Name)
		}
		r.zones = append(r.zones, &zone{Name: z.Name, ID: z.ID, Type: z.Type, Group: z.Name, Parent: z.Parent})
	}
	return nil
}

var accountID = regexp.MustCompile(`^\d{12}$`)

func (c *Cloud) plantAccount(name string, w WorldAccount) error {
	if w.ID != "" && !accountID.MatchString(w.ID) {
		return fmt.Errorf("id: %q is not 12 digits", w.ID)
	}
	a := c.addAccount(name, w.ID)
	if w.ID != "" {
		a.id = w.ID
	}
	for _, key := range w.AccessKeys {
		c.keys[key] = name
	}
	if len(w.Deny) > 0 {
		c.denied[name] = w.Deny
	}
	return nil
}

// planter plants what one account has in one region, with the operations that a client would use.
type planter struct {
	*Cloud
	account *account
	region  string
}

// request is a request of the account. Pairs are parameters, empty ones are left out.
func (p planter) request(id string, pairs ...string) *call {
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			form.Set(pairs[i], pairs[i+1])
		}
	}
	return &call{
		cloud: p.Cloud, protocol: protocols["ec2"], account: p.account, region: p.region, now: p.opt.Now(), params: queryParams(form), planted: true, wish: id,
	}
}

// last is what was made last.
func last[T thing](t *table[T]) T { return t.all[len(t.all)-1] }

// plant makes a thing with an operation, and gives it its tags.
func plant[T thing](p planter, t *table[T], w WorldThing, do func(*call) (object, error), pairs ...string) (T, error) {
	var none T
	if _, err := do(p.request(w.ID, append(pairs, "·name", w.Name)...)); err != nil {
		return none, err
	}
	v := last(t)
	v.self().Tags = w.tags()
	return v, nil
}

func (w WorldThing) tags() (all tags) {
	if w.Name != "" {
		all = all.set("Name", w.Name)
	}
	for key, value := range w.Tags {
		all = all.set(key, value)
	}
	return all
}

// called finds a thing by its ID or its tag Name.
func called[T thing](t *table[T], ref string, ok func(T) bool) (T, bool) {
	for _, v := range t.all {
		if (v.self().ID == ref || slices.Contains(v.self().Tags.values("Name"), ref)) && ok(v) {
			return v, true
		}
	}
	var none T
	return none, false
}

func (p planter) here(s *std) bool { return s.account == p.account && s.region == p.region }

const trustEC2 = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}`

func (p planter) identity(w WorldAccount) error {
	for i, r := range w.Roles {
		if _, err := createRole(p.request("", "RoleName", r.Name, "AssumeRolePolicyDocument", cmp.Or(r.Trust, trustEC2))); err != nil {
			return fmt.Errorf("roles[%d]: %w", i, err)
		}
		made := last(&p.roles)
		made.Policies, made.Tags = maps.Clone(r.Policies), WorldThing{Tags: r.Tags}.tags()
		if made.Policies == nil {
			made.Policies = map[string]string{}
		}
	}
	for i, r := range w.Profiles {
		if _, err := createProfile(p.request("", "InstanceProfileName", r.Name)); err != nil {
			return fmt.Errorf("instance_profiles[%d]: %w", i, err)
		}
		last(&p.profiles).Tags = WorldThing{Tags: r.Tags}.tags()
		if r.Role == "" {
			continue
		}
		if _, err := addRole(p.request("", "InstanceProfileName", r.Name, "RoleName", r.Role)); err != nil {
			return fmt.Errorf("instance_profiles[%d].role: %w", i, err)
		}
	}
	return nil
}

func (p planter) fill(w WorldRegion) error {
	for code, value := range w.Quotas {
		if !p.setQuota(p.account.name, p.region, code, value) {
			return fmt.Errorf("quotas.%s: there is no such quota", code)
		}
	}
	if err := p.addressesAndKeys(w); err != nil {
		return err
	}
	for i, g := range w.Gateways {
		if _, err := plant(p, &p.gateways, g, createGateway); err != nil {
			return fmt.Errorf("internet_gateways[%d]: %w", i, err)
		}
	}
	for i, v := range w.VPCs {
		if err := p.vpc(v); err != nil {
			return fmt.Errorf("vpcs[%d].%w", i, err)
		}
	}
	return nil
}

func (p planter) addressesAndKeys(w WorldRegion) error {
	for i, a := range w.Addresses {
		v, err := plant(p, &p.addresses, a.WorldThing, allocateAddress)
		if err != nil {
			return fmt.Errorf("addresses[%d]: %w", i, err)
		}
		if a.IP != "" {
			if v.IP, err = netip.ParseAddr(a.IP); err != nil {
				return fmt.Errorf("addresses[%d].ip: %w", i, err)
			}
		}
	}
	for i, k := range w.KeyPairs {
		name := k.Name
		k.Name = ""
		encoded := base64.StdEncoding.EncodeToString([]byte(k.Public))
		if _, err := plant(p, &p.keyPairs, k.WorldThing, importKeyPair, "KeyName", name, "PublicKeyMaterial", encoded); err != nil {
			return fmt.Errorf("key_pairs[%d]: %w", i, err)
		}
	}
	return nil
}
