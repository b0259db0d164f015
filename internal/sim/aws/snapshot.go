// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"encoding/json"
	"slices"
	"strings"
)

// Snapshot returns all that the cloud holds, or all that accounts (by name)
// own, as JSON: kinds, each with a list of objects as their owner sees them,
// sorted by ID. Tags are one field each, like "tag:Name". Equal content gives
// equal bytes. What is gone and only still told of, like a deleted NAT gateway,
// is not in it.
func (c *Cloud) Snapshot(accounts ...string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	wanted := func(s *std) bool {
		return !s.leaving && (len(accounts) == 0 || slices.Contains(accounts, s.account.name))
	}
	all := map[string][]map[string]any{
		"vpcs": snap(c, vpcs, wanted), "dhcp_options": snap(c, dhcpSets, wanted), "subnets": snap(c, subnets, wanted),
		"subnet_cidr_reservations": snap(c, reservations, wanted), "route_tables": snap(c, routeTables, wanted),
		"internet_gateways": snap(c, internetGateways, wanted), "egress_only_internet_gateways": snap(c, egressGateways, wanted),
		"nat_gateways": snap(c, natGateways, wanted), "addresses": snap(c, addresses, wanted),
		"security_groups": snap(c, groups, wanted), "security_group_rules": snap(c, rules, wanted),
		"network_interfaces": snap(c, networkInterfaces, wanted), "instances": snap(c, instances, wanted),
		"key_pairs": snap(c, keyPairs, wanted), "vpc_endpoints": snap(c, endpoints, wanted),
	}
	all["roles"] = snapTable(&c.roles, wanted, func(r *role) object {
		o := showRole(r)
		for _, name := range sortedKeys(r.Policies) {
			o = o.with("policy:"+name, r.Policies[name])
		}
		return o
	})
	all["instance_profiles"] = snapTable(&c.profiles, wanted, func(p *profile) object { return (&call{cloud: c}).shownProfile(p) })
	all["classic_load_balancers"] = snapTable(&c.classics, wanted, func(l *classic) object { return l.shown(c) })
	all["load_balancers"] = snapTable(&c.modern, wanted, func(b *balancer) object { return b.shown(c) })
	all["target_groups"] = snapTable(&c.targets, wanted, func(t *targetGroup) object { return t.shown() })
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return []byte(err.Error()) // all is made of texts, numbers, lists and objects
	}
	return append(raw, '\n')
}

func sortedKeys(m map[string]string) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func snap[T thing](c *Cloud, k *kind[T], wanted func(*std) bool) []map[string]any {
	return snapTable(k.of(c), wanted, func(v T) object {
		s := v.self()
		return k.show(&call{cloud: c, account: s.account, region: s.region, params: &params{}}, v)
	})
}

func snapTable[T thing](t *table[T], wanted func(*std) bool, show func(T) object) []map[string]any {
	list := t.where(func(v T) bool { return wanted(v.self()) })
	slices.SortStableFunc(list, func(a, b T) int { return strings.Compare(a.self().ID, b.self().ID) })
	all := []map[string]any{}
	for _, v := range list {
		s := v.self()
		f := map[string]any{"id": s.ID, "owner": s.account.name}
		if names := s.Tags.values("Name"); len(names) > 0 {
			f["name"] = names[0]
		}
		for _, shown := range show(v) {
			if shown.name != "tagSet" && shown.name != "Tags" && shown.value != nil {
				f[shown.name] = shown.value
			}
		}
		for _, t := range s.Tags {
			f["tag:"+t.key] = t.value
		}
		all = append(all, f)
	}
	return all
}
