// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package guide

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// commands are those of python-openstackclient and python-manilaclient that the
// guide uses, with the options that it uses.
var commands = map[string]command{
	"network create": {nil, create("network")},
	"network set": {map[string]option{
		"--disable": flag("admin_state_up", false), "--disable-port-security": flag("port_security_enabled", false),
	}, set("network")},
	"network delete": {nil, remove("network")},
	"network show":   show("network"),

	"subnet create": {map[string]option{
		"--network": refer("network_id", "network"), "--subnet-range": text("cidr"), "--dns-nameserver": element("dns_nameservers"),
		"--ip-version": number("ip_version"), "--ipv6-ra-mode": text("ipv6_ra_mode"), "--ipv6-address-mode": text("ipv6_address_mode"),
	}, createSubnet},
	"subnet set": {map[string]option{
		"--no-dhcp": flag("enable_dhcp", false), "--no-dns-nameservers": flag("dns_nameservers", []string{}),
	}, set("subnet")},
	"subnet delete": {nil, remove("subnet")},
	"subnet show":   show("subnet"),

	"router create": {nil, create("router")},
	"router set": {map[string]option{
		"--external-gateway": {set: gateway}, "--route": {set: addRoute}, "--disable": flag("admin_state_up", false),
	}, set("router")},
	"router unset":         {map[string]option{"--external-gateway": flag("external_gateway_info", object{})}, set("router")},
	"router add subnet":    {nil, plug("add_router_interface")},
	"router remove subnet": {nil, plug("remove_router_interface")},
	"router delete":        {nil, remove("router")},
	"router show":          show("router"),

	"security group create": {nil, create("security group")},
	"security group delete": {nil, remove("security group")},
	"security group show":   show("security group"),
	"security group rule create": {map[string]option{
		"--ingress": flag("direction", "ingress"), "--ethertype": text("ethertype"), "--protocol": {set: protocol},
		"--dst-port": {set: ports}, "--remote-group": refer("remote_group_id", "security group"), "--remote-ip": text("remote_ip_prefix"),
	}, createRule},

	"subnet pool create": {map[string]option{
		"--pool-prefix": element("prefixes"), "--default-prefix-length": number("default_prefixlen"),
	}, create("subnet pool")},
	"subnet pool delete": {nil, remove("subnet pool")},
	"subnet pool show":   show("subnet pool"),

	"share network create": {map[string]option{
		"--name": text("name"), "--neutron-net-id": text("neutron_net_id"), "--neutron-subnet-id": text("neutron_subnet_id"),
	}, create("share network")},
	"share network delete": {nil, remove("share network")},
	"share network show":   show("share network"),
}

func text(field string) option {
	return option{set: func(_ context.Context, _ *shell, body object, v string) error { body[field] = v; return nil }}
}

func flag(field string, value any) option {
	return option{flag: true, set: func(_ context.Context, _ *shell, body object, _ string) error { body[field] = value; return nil }}
}

func number(field string) option {
	return option{set: func(_ context.Context, _ *shell, body object, v string) (err error) {
		body[field], err = strconv.Atoi(v)
		return err
	}}
}

// element is an option that may be repeated.
func element(field string) option {
	return option{set: func(_ context.Context, _ *shell, body object, v string) error {
		list, _ := body[field].([]string)
		body[field] = append(list, v)
		return nil
	}}
}

// refer is an option that names another thing.
func refer(field, what string) option {
	return option{set: func(ctx context.Context, s *shell, body object, v string) (err error) {
		body[field], err = s.identify(ctx, what, v)
		return err
	}}
}

func gateway(ctx context.Context, s *shell, body object, v string) error {
	id, err := s.id(ctx, kinds["network"], v)
	body["external_gateway_info"] = object{"network_id": id}
	return err
}

func addRoute(_ context.Context, _ *shell, body object, v string) error {
	destination, hop, ok := strings.Cut(strings.TrimPrefix(v, "destination="), ",gateway=")
	if !ok {
		return fmt.Errorf("--route %s: not a route", v)
	}
	body["routes"] = []object{{"destination": destination, "nexthop": hop}}
	return nil
}

func protocol(_ context.Context, _ *shell, body object, v string) error {
	if v != "any" {
		body["protocol"] = v
	}
	return nil
}

func ports(_ context.Context, _ *shell, body object, v string) (err error) {
	from, to, ok := strings.Cut(v, ":")
	if !ok {
		to = from
	}
	if body["port_range_min"], err = strconv.Atoi(from); err == nil {
		body["port_range_max"], err = strconv.Atoi(to)
	}
	return err
}

// one is the only argument.
func (c call) one() (string, error) {
	if len(c.names) != 1 {
		return "", fmt.Errorf("%q are not one name", c.names)
	}
	return c.names[0], nil
}

func create(what string) func(context.Context, *shell, call) (string, error) {
	return func(ctx context.Context, s *shell, c call) (string, error) {
		k := kinds[what]
		if c.body["name"] == nil {
			name, err := c.one()
			if err != nil {
				return "", err
			}
			c.body["name"] = name
		}
		return "", s.send(ctx, http.MethodPost, k.service, k.path, object{k.singular: c.body}, nil)
	}
}

func createSubnet(ctx context.Context, s *shell, c call) (string, error) {
	if c.body["ip_version"] == nil {
		c.body["ip_version"] = 4
	}
	return create("subnet")(ctx, s, c)
}

// createRule says "anyone" as the client does: by the range of all addresses.
func createRule(ctx context.Context, s *shell, c call) (string, error) {
	group, err := c.one()
	if err != nil {
		return "", err
	}
	if c.body["security_group_id"], err = s.identify(ctx, "security group", group); err != nil {
		return "", err
	}
	if c.body["remote_group_id"] == nil && c.body["remote_ip_prefix"] == nil {
		c.body["remote_ip_prefix"] = map[any]string{"IPv4": "0.0.0.0/0", "IPv6": "::/0"}[c.body["ethertype"]]
	}
	return "", s.send(ctx, http.MethodPost, "network", "security-group-rules", object{"security_group_rule": c.body}, nil)
}

// uuidLength is that of the IDs that OpenStack gives.
const uuidLength = 36

// identify takes an ID as it is, and looks a name up.
func (s *shell) identify(ctx context.Context, what, ref string) (string, error) {
	if len(ref) == uuidLength && strings.Count(ref, "-") == 4 {
		return ref, nil
	}
	return s.id(ctx, kinds[what], ref)
}

func set(what string) func(context.Context, *shell, call) (string, error) {
	return func(ctx context.Context, s *shell, c call) (string, error) {
		return s.byName(ctx, what, c, func(k kind, id string) error {
			return s.send(ctx, http.MethodPut, k.service, k.path+"/"+id, object{k.singular: c.body}, nil)
		})
	}
}

func remove(what string) func(context.Context, *shell, call) (string, error) {
	return func(ctx context.Context, s *shell, c call) (string, error) {
		return s.byName(ctx, what, c, func(k kind, id string) error {
			return s.send(ctx, http.MethodDelete, k.service, k.path+"/"+id, nil, nil)
		})
	}
}

func (s *shell) byName(ctx context.Context, what string, c call, do func(k kind, id string) error) (string, error) {
	name, err := c.one()
	if err != nil {
		return "", err
	}
	id, err := s.identify(ctx, what, name)
	if err != nil {
		return "", err
	}
	return "", do(kinds[what], id)
}

// show is only known with "-f value -c id".
func show(what string) command {
	only := func(want string) option {
		return option{set: func(_ context.Context, _ *shell, body object, v string) error {
			if body[want] = true; v != want {
				return fmt.Errorf("the test only knows -f value -c id, not %s", v)
			}
			return nil
		}}
	}
	return command{map[string]option{"-f": only("value"), "-c": only("id")}, func(ctx context.Context, s *shell, c call) (string, error) {
		name, err := c.one()
		if err != nil || len(c.body) != 2 {
			return "", fmt.Errorf("the test only knows NAME -f value -c id: %w", err)
		}
		return s.id(ctx, kinds[what], name)
	}}
}

func plug(action string) func(context.Context, *shell, call) (string, error) {
	return func(ctx context.Context, s *shell, c call) (string, error) {
		if len(c.names) != 2 {
			return "", fmt.Errorf("%q are not a router and a subnet", c.names)
		}
		router, err := s.identify(ctx, "router", c.names[0])
		if err != nil {
			return "", err
		}
		subnet, err := s.identify(ctx, "subnet", c.names[1])
		if err != nil {
			return "", err
		}
		return "", s.send(ctx, http.MethodPut, "network", "routers/"+router+"/"+action, object{"subnet_id": subnet}, nil)
	}
}
