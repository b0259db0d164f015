// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"encoding/json"
	"net/http"
	"slices"
)

// Snapshot returns all that the cloud holds, or all that projects (by name or
// ID) own, as JSON: kinds, each with a list of objects as an admin sees them,
// sorted by ID. Equal content gives equal bytes. Key pairs are the users' who
// have a role in one of the projects. Things that nobody owns, like the ports of
// gateways, are only in the snapshot of all.
func (c *Cloud) Snapshot(projects ...string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	ids := map[string]bool{}
	for _, name := range projects {
		if p := c.findProject(name); p != nil {
			ids[p.id] = true
		}
	}
	wanted := func(project string) bool { return len(projects) == 0 || ids[project] }
	own := &call{cloud: c, method: http.MethodGet, now: c.opt.Now(), header: http.Header{}, who: &session{user: &user{}, roles: []string{"admin"}}}
	all := map[string][]fields{
		"networks": snap(own, c.kinds.networks, wanted), "subnets": snap(own, c.kinds.subnets, wanted),
		"subnetpools": snap(own, c.kinds.subnetPools, wanted), "address_scopes": snap(own, c.kinds.scopes, wanted),
		"routers": snap(own, c.kinds.routers, wanted), "ports": snap(own, c.kinds.ports, wanted),
		"floatingips": snap(own, c.kinds.floatingIPs, wanted), "security_groups": snap(own, c.kinds.groups, wanted),
		"rbac_policies":  snap(own, c.kinds.rbacs, wanted),
		"keypairs":       c.snapKeyPairs(wanted),
		"share_networks": snapTable(&c.shareNetworks, wanted, own.shownShareNetwork),
		"loadbalancers":  snapTable(&c.loadBalancers, wanted, own.shownLoadBalancer),
	}
	for _, g := range all["security_groups"] {
		list, _ := g["security_group_rules"].([]fields)
		for _, r := range list {
			delete(r, "standard_attr_id") // a number of the database
		}
	}
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return []byte(err.Error()) // all is made of texts, numbers, lists and maps
	}
	return append(raw, '\n')
}

func snap[T shower](c *call, k *kind[T], wanted func(string) bool) []fields {
	return snapTable(k.of(c.cloud), wanted, func(v T) fields { return k.render(c, v) })
}

func snapTable[T thing](t *table[T], wanted func(string) bool, show func(T) fields) []fields {
	list := t.where(func(v T) bool { return wanted(v.std().Project) })
	slices.SortFunc(list, func(a, b T) int {
		if a.std().ID < b.std().ID {
			return -1
		}
		return 1
	})
	shown := []fields{}
	for _, v := range list {
		shown = append(shown, show(v))
	}
	return shown
}

func (c *Cloud) snapKeyPairs(wanted func(string) bool) []fields {
	shown := []fields{}
	for _, u := range c.identity.users {
		has := slices.ContainsFunc(c.identity.projects, func(p *project) bool { return wanted(p.id) && len(u.roles[p.id]) > 0 })
		for _, k := range c.keyPairs {
			if has && k.user == u.id {
				f := k.shown(true, true)
				f["id"] = u.name + "/" + k.name // Nova's own is a number
				shown = append(shown, f)
			}
		}
	}
	slices.SortFunc(shown, func(a, b fields) int {
		if spell(a["id"]) < spell(b["id"]) {
			return -1
		}
		return 1
	})
	return shown
}
