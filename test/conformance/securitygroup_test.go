// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"strings"
	"testing"
)

func TestSecurityGroups(t *testing.T) { on(t, "security-groups", ofSecurityGroups) }

var ofSecurityGroups = []trial{
	{"a new group lets everything out and nothing in, and the answer says so", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		rules := g.parts("security_group_rules")
		l.equal("directions", pluck(rules, "direction"), []string{"egress", "egress"})
		l.equal("versions", pluck(rules, "ethertype"), []string{"IPv4", "IPv6"})
		l.equal("read again", len(l.a.get("security-groups/"+g.id()).parts("security_group_rules")), 2)
	}},
	{"two groups may have the same name but not that of the default group", func(l *lab) {
		l.a.make("security-groups", M{"name": "g"})
		l.a.make("security-groups", M{"name": "g"})
		l.equal("found", len(l.a.list("security-groups?name=g")), 2)
		l.a.refused(409, "SecurityGroupDefaultAlreadyExists", "POST", "security-groups", M{"security_group": M{"name": "default"}})
	}},
	{"every project has a default group whose members reach one another", func(l *lab) {
		found := l.a.list("security-groups?name=default")
		l.equal("groups", len(found), 1)
		l.equal("rules", len(found[0].parts("security_group_rules")), 4)
		l.a.refused(409, "SecurityGroupCannotRemoveDefault", "DELETE", "security-groups/"+found[0].id(), nil)
	}},
	{"name and description can be changed", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g", "description": "d"})
		l.equal("name", l.a.set("security-groups/"+g.id(), M{"name": "h", "description": "e"})["name"], "h")
	}},
	{"a group that a port has can not be deleted", func(l *lab) {
		n, g := l.a.network("n"), l.a.make("security-groups", M{"name": "g"})
		p := l.a.port(n, M{"security_groups": []string{g.id()}})
		l.a.refused(409, "SecurityGroupInUse", "DELETE", "security-groups/"+g.id(), nil)
		l.a.drop("ports/" + p.id())
		l.a.drop("security-groups/" + g.id())
		l.a.gone("SecurityGroupNotFound", "security-groups/"+g.id())
	}},
	{"a group that another group's rule names can be deleted and takes the rule with it", func(l *lab) {
		g, h := l.a.make("security-groups", M{"name": "g"}), l.a.make("security-groups", M{"name": "h"})
		r := l.a.make("security-group-rules", M{"security_group_id": g.id(), "direction": "ingress", "remote_group_id": h.id()})
		got := l.a.do("DELETE", "security-groups/"+h.id(), nil)
		l.equal("status", got.Status, 204)
		l.a.gone("SecurityGroupRuleNotFound", "security-group-rules/"+r.id())
	}},
	{"a group that is not there can not be read, changed or deleted", func(l *lab) {
		l.a.refused(404, "SecurityGroupNotFound", "GET", "security-groups/"+nobody, nil)
		l.a.refused(404, "SecurityGroupNotFound", "PUT", "security-groups/"+nobody, M{"security_group": M{"name": "g"}})
		l.a.refused(404, "SecurityGroupNotFound", "DELETE", "security-groups/"+nobody, nil)
	}},
	{"the name may have 255 characters", func(l *lab) {
		l.a.make("security-groups", M{"name": strings.Repeat("x", 255)})
		l.a.refused(400, "HTTPBadRequest", "POST", "security-groups", M{"security_group": M{"name": strings.Repeat("x", 256)}})
	}},
}

func TestSecurityGroupRules(t *testing.T) { on(t, "security-group-rules", ofSecurityGroupRules) }

var ofSecurityGroupRules = []trial{
	{"a rule says what it was given and nothing else", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		r := l.a.make("security-group-rules", nodePorts(g, "tcp", nil))
		l.equal("ports", []any{r["port_range_min"], r["port_range_max"]}, []any{30000, 32767})
		l.equal("prefix", r["remote_ip_prefix"], nil)
		l.equal("version", r["ethertype"], "IPv4")
		l.equal("read again", l.a.get("security-group-rules/"+r.id()).without("normalized_cidr", "remote_address_group_id"), r.without("normalized_cidr", "remote_address_group_id"))
	}},
	{"a prefix is kept as it was sent", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		l.equal("prefix", l.a.make("security-group-rules", nodePorts(g, "tcp", "0.0.0.0/0"))["remote_ip_prefix"], "0.0.0.0/0")
		l.equal("prefix", l.a.make("security-group-rules", nodePorts(g, "udp", "10.1.0.7/16"))["remote_ip_prefix"], "10.1.0.7/16")
	}},
	{"a rule that is there already is refused and the answer names it", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		r := l.a.make("security-group-rules", nodePorts(g, "tcp", nil))
		again := nodePorts(g, "tcp", nil)
		again["description"] = "another description"
		text := l.a.refused(409, "SecurityGroupRuleExists", "POST", "security-group-rules", M{"security_group_rule": again})
		l.equal("names the rule", strings.Contains(text, r.id()), true)
	}},
	{"no prefix and the prefix of everything are the same rule", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		l.a.make("security-group-rules", nodePorts(g, "tcp", nil))
		l.a.refused(409, "SecurityGroupRuleExists", "POST", "security-group-rules", M{"security_group_rule": nodePorts(g, "tcp", "0.0.0.0/0")})
	}},
	{"the egress rules of a new group can not be made again", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		l.a.refused(409, "SecurityGroupRuleExists", "POST", "security-group-rules", M{"security_group_rule": M{
			"security_group_id": g.id(), "direction": "egress", "ethertype": "IPv4"}})
	}},
	{"several rules at once are all made", func(l *lab) {
		l.seen.revisionsVary()
		g := l.a.make("security-groups", M{"name": "g"})
		made := object(l.a.ok("POST", "security-group-rules", M{"security_group_rules": []M{
			nodePorts(g, "tcp", nil), nodePorts(g, "udp", nil),
			{"security_group_id": g.id(), "direction": "ingress", "ethertype": "IPv4", "remote_group_id": g.id()},
		}}).Body).parts("security_group_rules")
		l.equal("made", len(made), 3)
		l.equal("in the group", len(l.a.get("security-groups/"+g.id()).parts("security_group_rules")), 5)
	}},
	{"several rules of which one exists are all refused", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		l.a.make("security-group-rules", nodePorts(g, "tcp", nil))
		l.a.refused(409, "SecurityGroupRuleExists", "POST", "security-group-rules", M{"security_group_rules": []M{
			nodePorts(g, "udp", nil), nodePorts(g, "tcp", nil)}})
		l.equal("in the group", len(l.a.get("security-groups/"+g.id()).parts("security_group_rules")), 3)
	}},
	{"several rules of which two are equal are all refused", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		got := l.a.do("POST", "security-group-rules", M{"security_group_rules": []M{nodePorts(g, "udp", nil), nodePorts(g, "udp", nil)}})
		l.equal("status", got.Status, 409)
		l.equal("in the group", len(l.a.get("security-groups/"+g.id()).parts("security_group_rules")), 2)
	}},
	{"several rules of two groups at once are refused", func(l *lab) {
		g, h := l.a.make("security-groups", M{"name": "g"}), l.a.make("security-groups", M{"name": "h"})
		l.a.refused(400, "SecurityGroupNotSingleGroupRules", "POST", "security-group-rules", M{"security_group_rules": []M{
			nodePorts(g, "udp", nil), nodePorts(h, "udp", nil)}})
	}},
	{"a group and a prefix exclude one another", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		r := nodePorts(g, "tcp", "10.0.0.0/8")
		r["remote_group_id"] = g.id()
		l.a.refused(400, "SecurityGroupMultipleRemoteEntites", "POST", "security-group-rules", M{"security_group_rule": r})
	}},
	{"a prefix of the other IP version is refused", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		l.a.refused(400, "SecurityGroupRuleParameterConflict", "POST", "security-group-rules", M{"security_group_rule": nodePorts(g, "tcp", "fd00::/8")})
	}},
	{"ports without a protocol and a range upside down are refused", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		l.a.refused(400, "SecurityGroupProtocolRequiredWithPorts", "POST", "security-group-rules", M{"security_group_rule": M{
			"security_group_id": g.id(), "direction": "ingress", "port_range_min": 1, "port_range_max": 2}})
		l.a.refused(400, "SecurityGroupInvalidPortRange", "POST", "security-group-rules", M{"security_group_rule": M{
			"security_group_id": g.id(), "direction": "ingress", "protocol": "tcp", "port_range_min": 2, "port_range_max": 1}})
	}},
	{"a group or a remote group that is not there or a stranger's is refused", func(l *lab) {
		g, theirs := l.a.make("security-groups", M{"name": "g"}), l.b.make("security-groups", M{"name": "theirs"})
		l.a.refused(404, "SecurityGroupNotFound", "POST", "security-group-rules", M{"security_group_rule": M{
			"security_group_id": nobody, "direction": "ingress"}})
		l.a.refused(404, "SecurityGroupNotFound", "POST", "security-group-rules", M{"security_group_rule": M{
			"security_group_id": theirs.id(), "direction": "ingress"}})
		l.a.refused(404, "SecurityGroupNotFound", "POST", "security-group-rules", M{"security_group_rule": M{
			"security_group_id": g.id(), "direction": "ingress", "remote_group_id": theirs.id()}})
	}},
	{"a rule can be deleted and then is gone", func(l *lab) {
		g := l.a.make("security-groups", M{"name": "g"})
		r := l.a.make("security-group-rules", nodePorts(g, "tcp", nil))
		l.a.drop("security-group-rules/" + r.id())
		l.a.gone("SecurityGroupRuleNotFound", "security-group-rules/"+r.id())
		l.a.refused(404, "SecurityGroupRuleNotFound", "DELETE", "security-group-rules/"+r.id(), nil)
	}},
	{"rules can be listed by group", func(l *lab) {
		g, h := l.a.make("security-groups", M{"name": "g"}), l.a.make("security-groups", M{"name": "h"})
		l.a.make("security-group-rules", nodePorts(g, "tcp", nil))
		l.equal("of g", len(l.a.list("security-group-rules?security_group_id="+g.id())), 3)
		l.equal("of g and h", len(l.a.list("security-group-rules?security_group_id="+g.id()+"&security_group_id="+h.id())), 5)
	}},
}

// nodePorts is a rule that opens the node ports.
func nodePorts(group object, protocol string, prefix any) M {
	r := M{
		"security_group_id": group.id(), "direction": "ingress", "ethertype": "IPv4", "protocol": protocol,
		"port_range_min": 30000, "port_range_max": 32767,
	}
	if prefix != nil {
		r["remote_ip_prefix"] = prefix
	}
	return r
}
