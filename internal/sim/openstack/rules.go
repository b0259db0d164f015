// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

type rule struct {
	standard
	Group        string
	Ethertype    string
	Direction    string
	Protocol     *string
	PortMin      *int
	PortMax      *int
	Prefix       *string
	Normalized   *string
	RemoteGroup  *string
	AddressGroup *string
}

func (r *rule) shown() fields {
	return fields{
		"security_group_id": r.Group, "ethertype": r.Ethertype, "direction": r.Direction, "protocol": value(r.Protocol),
		"port_range_min": value(r.PortMin), "port_range_max": value(r.PortMax), "remote_ip_prefix": value(r.Prefix),
		"normalized_cidr": value(r.Normalized), "remote_group_id": value(r.RemoteGroup),
		"remote_address_group_id": value(r.AddressGroup),
	}
}

// ruleKind is what the cloud knows about security group rules.
func ruleKind() *kind[*rule] {
	return &kind[*rule]{
		one: "security_group_rule", many: "security_group_rules", missing: "SecurityGroupRuleNotFound",
		text: "Security group rule %s does not exist", quota: true, denied: true,
		of: func(c *Cloud) *table[*rule] { return &c.rules },
		attrs: attributes{
			"security_group_id":       {post | filter | must, text(255)},
			"direction":               {post | filter | must, oneOf("ingress", "egress")},
			"ethertype":               {post | filter, ethertype},
			"protocol":                {post | filter, protocol},
			"port_range_min":          {post | filter, portNumber},
			"port_range_max":          {post | filter, portNumber},
			"remote_ip_prefix":        {post | filter, remotePrefix},
			"remote_group_id":         {post | filter, optional(text(255))},
			"remote_address_group_id": {flags: filter},
			"normalized_cidr":         {flags: filter},
			"standard_attr_id":        {},
		}.common(),
		bulk: checkRules,
		make: func(c *call, in input) (*rule, error) {
			r := newRule(in)
			r.standard = c.fresh("security_group_rule", in)
			r.Revision = 0
			c.cloud.rules.add(r)
			c.touchGroup(r.Group)
			return r, nil
		},
		change: func(*call, *rule, input) error { return nil },
		remove: func(c *call, r *rule) error {
			c.touchGroup(r.Group)
			return nil
		},
		// The release Zed takes a description and tags of a rule, and shows neither.
		show: func(_ *call, _ *rule, f fields) {
			delete(f, "description")
			delete(f, "tags")
		},
		sees: func(c *call, r *rule) bool {
			g, there := c.cloud.groups.get(r.Group)
			return there && c.owns(g.Project)
		},
	}
}

func newRule(in input) *rule {
	r := &rule{
		Group: in.text("security_group_id"), Direction: in.text("direction"), Ethertype: get(in, "ethertype", "IPv4"),
		Protocol: in.pointer("protocol"), PortMin: in.number("port_range_min"), PortMax: in.number("port_range_max"),
		Prefix: in.pointer("remote_ip_prefix"), RemoteGroup: in.pointer("remote_group_id"),
	}
	if r.Prefix != nil {
		normalized := wholePrefix(*r.Prefix).Masked().String()
		r.Normalized = &normalized
	}
	if r.Protocol != nil && r.Ethertype == "IPv6" && slices.Contains([]string{"icmp", "icmpv6"}, *r.Protocol) {
		icmp := "ipv6-icmp"
		r.Protocol = &icmp
	}
	return r
}

func (c *call) touchGroup(id string) {
	if g, there := c.cloud.groups.get(id); there {
		c.touch(g)
	}
}

// checkRules refuses all rules of a body if one is wrong.
func checkRules(c *call, ins []input) error {
	var list []*rule
	for _, in := range ins {
		r := newRule(in)
		if err := r.check(); err != nil {
			return err
		}
		if len(list) > 0 && list[0].Group != r.Group {
			return refuse(http.StatusBadRequest, "SecurityGroupNotSingleGroupRules", "Only allowed to update rules for one security profile at a time")
		}
		list = append(list, r)
	}
	for _, r := range list {
		if _, err := c.cloud.kinds.groups.find(c, r.Group); err != nil {
			return err
		}
		if r.RemoteGroup == nil {
			continue
		}
		if _, err := c.cloud.kinds.groups.find(c, *r.RemoteGroup); err != nil {
			return err
		}
	}
	return c.newRules(list)
}

// newRules refuses rules that are there, or twice in the list.
func (c *call) newRules(list []*rule) error {
	for i, r := range list {
		if slices.ContainsFunc(list[:i], func(o *rule) bool { return o.key() == r.key() }) {
			return conflict("DuplicateSecurityGroupRuleInPost", "Duplicate Security Group Rule in POST.")
		}
	}
	for _, r := range list {
		for _, o := range c.cloud.rulesOf(r.Group) {
			if o.key() == r.key() {
				return conflict("SecurityGroupRuleExists", "Security group rule already exists. Rule id is %s.", o.ID)
			}
		}
	}
	return nil
}

// key is equal for rules that are duplicates of each other. No prefix and the
// prefix that holds all addresses are the same; so are a protocol's name and number.
func (r *rule) key() string {
	text := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	number := func(p *int) int {
		if p == nil {
			return -1
		}
		return *p
	}
	prefix := text(r.Normalized)
	if prefix == "0.0.0.0/0" || prefix == "::/0" {
		prefix = ""
	}
	proto := text(r.Protocol)
	if n, known := protocols[proto]; known {
		proto = strconv.Itoa(n)
	}
	return fmt.Sprint(r.Group, r.Direction, r.Ethertype, proto, number(r.PortMin), number(r.PortMax), prefix, text(r.RemoteGroup))
}

// check refuses what does not fit together.
func (r *rule) check() error {
	if r.Prefix != nil && r.RemoteGroup != nil {
		return refuse(http.StatusBadRequest, "SecurityGroupMultipleRemoteEntites",
			"Only one of remote_ip_prefix or remote_group_id or remote_address_group_id may be provided.")
	}
	if r.Prefix != nil && wholePrefix(*r.Prefix).Addr().Is4() != (r.Ethertype == "IPv4") {
		return refuse(http.StatusBadRequest, "SecurityGroupRuleParameterConflict", "Conflicting value ethertype %s for CIDR %s", r.Ethertype, *r.Prefix)
	}
	return r.checkPorts()
}

func (r *rule) checkPorts() error {
	if r.PortMin == nil && r.PortMax == nil {
		return nil
	}
	if r.Protocol == nil {
		return refuse(http.StatusBadRequest, "SecurityGroupProtocolRequiredWithPorts", "Must also specify protocol if port range is given.")
	}
	number, known := protocols[*r.Protocol]
	if !known {
		number, _ = strconv.Atoi(*r.Protocol) // the check of the attribute let only numbers pass
	}
	switch number {
	case protocols["tcp"], protocols["udp"], protocols["sctp"], protocols["dccp"], protocols["udplite"]:
		return checkRange(r.PortMin, r.PortMax)
	case protocols["icmp"], protocols["ipv6-icmp"]:
		return checkICMP(r.PortMin, r.PortMax)
	}
	return nil
}

// checkRange refuses port 0, and ranges that are none.
func checkRange(from, to *int) error {
	for _, p := range []*int{from, to} {
		if p != nil && *p == 0 {
			return refuse(http.StatusBadRequest, "SecurityGroupInvalidPortValue", "Invalid value for port %d", 0)
		}
	}
	if from == nil || to == nil || *from > *to {
		return refuse(http.StatusBadRequest, "SecurityGroupInvalidPortRange", "For TCP/UDP protocols, port_range_min must be <= port_range_max")
	}
	return nil
}

// checkICMP refuses types and codes that are none, and a code without a type.
func checkICMP(kind, code *int) error {
	for i, p := range []*int{kind, code} {
		if p != nil && *p > 255 {
			return refuse(http.StatusBadRequest, "SecurityGroupInvalidIcmpValue", "Invalid value for ICMP %s %d. It must be 0 to 255.",
				[]string{"type (port_range_min)", "code (port_range_max)"}[i], *p)
		}
	}
	if kind == nil {
		return refuse(http.StatusBadRequest, "SecurityGroupMissingIcmpType", "ICMP code (port-range-max) %d is provided but ICMP type (port-range-min) is missing.", *code)
	}
	return nil
}

// protocols are the names that Neutron knows, and their numbers.
var protocols = map[string]int{
	"ah": 51, "dccp": 33, "egp": 8, "esp": 50, "gre": 47, "hopopt": 0, "icmp": 1, "igmp": 2, "ip": 0, "ipip": 4,
	"ipv6-encap": 41, "ipv6-frag": 44, "ipv6-icmp": 58, "icmpv6": 58, "ipv6-nonxt": 59, "ipv6-opts": 60, "ipv6-route": 43,
	"ospf": 89, "pgm": 113, "rsvp": 46, "sctp": 132, "tcp": 6, "udp": 17, "udplite": 136, "vrrp": 112,
}

func protocol(_ string, v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	s := strings.ToLower(python(v))
	if _, known := protocols[s]; known {
		return s, nil
	}
	if n, err := strconv.Atoi(s); err == nil && n >= 0 && n <= 255 {
		return s, nil
	}
	return nil, refuse(http.StatusBadRequest, "SecurityGroupRuleInvalidProtocol",
		"Security group rule protocol %s not supported. Only protocol values [None, '%s'] and integer representations [0 to 255] are supported.",
		s, strings.Join(slices.Sorted(maps.Keys(protocols)), "', '"))
}

func ethertype(_ string, v any) (any, error) {
	for _, known := range []string{"IPv4", "IPv6"} {
		if s, _ := v.(string); strings.EqualFold(s, known) {
			return known, nil
		}
	}
	return nil, refuse(http.StatusBadRequest, "SecurityGroupRuleInvalidEtherType", "Security group rule for ethertype '%s' not supported. Allowed values are ['IPv4', 'IPv6'].", python(v))
}

func portNumber(name string, v any) (any, error) {
	n, err := whole(name, v)
	if i, isNumber := n.(int); err == nil && isNumber && (i < 0 || i > 65535) {
		return nil, refuse(http.StatusBadRequest, "SecurityGroupInvalidPortValue", "Invalid value for port %d", i)
	}
	return n, err
}

// remotePrefix allows a CIDR or an address; it is stored as it was sent.
func remotePrefix(_ string, v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	s, _ := v.(string)
	if !wholePrefix(s).IsValid() {
		return nil, refuse(http.StatusBadRequest, "InvalidCIDR", "Invalid CIDR %s given as IP prefix.", python(v))
	}
	return s, nil
}

// wholePrefix reads a CIDR, or an address as all of one.
func wholePrefix(s string) netip.Prefix {
	if a, err := netip.ParseAddr(s); err == nil {
		return netip.PrefixFrom(a, a.BitLen())
	}
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return netip.Prefix{}
	}
	return p
}
