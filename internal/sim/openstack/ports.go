// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Owners of devices that ports belong to.
const (
	ownerInterface = "network:router_interface"
	ownerGateway   = "network:router_gateway"
	ownerFloating  = "network:floatingip"
	ownerDHCP      = "network:dhcp"
)

type fixedIP struct {
	Subnet  string     `json:"subnet_id"`
	Address netip.Addr `json:"ip_address"`
}

type addressPair struct {
	Address string `json:"ip_address"`
	MAC     string `json:"mac_address"`
}

type port struct {
	standard
	Name         string
	Network      string
	MAC          string
	AdminStateUp bool
	Status       string
	Device       string
	Owner        string
	FixedIPs     []fixedIP
	Pairs        []addressPair
	DHCPOptions  []any
	Groups       []string
	VNIC         string
	Host         string
	Profile      fields
	VIF          string
	VIFDetails   fields
	PortSecurity bool
	QoS          *string
	NetworkQoS   *string
	Request      *string
}

func (p *port) shown() fields {
	return fields{
		"name": p.Name, "network_id": p.Network, "mac_address": p.MAC, "admin_state_up": p.AdminStateUp, "status": p.Status,
		"device_id": p.Device, "device_owner": p.Owner, "fixed_ips": p.FixedIPs, "allowed_address_pairs": p.Pairs,
		"extra_dhcp_opts": p.DHCPOptions, "security_groups": p.Groups, "binding:vnic_type": p.VNIC, "binding:host_id": p.Host,
		"binding:profile": p.Profile, "binding:vif_type": p.VIF, "binding:vif_details": p.VIFDetails,
		"port_security_enabled": p.PortSecurity, "qos_policy_id": value(p.QoS), "qos_network_policy_id": value(p.NetworkQoS),
		"resource_request": value(p.Request),
	}
}

// onRouter says whether the port is an interface or the gateway of a router.
func (p *port) onRouter() bool {
	switch p.Owner {
	case ownerInterface, "network:router_interface_distributed", "network:ha_router_replicated_interface", ownerGateway:
		return true
	}
	return false
}

// automatic says whether the port is of one of Neutron's agents, and goes with its network.
func (p *port) automatic() bool { return p.Owner == ownerDHCP || p.Owner == "network:distributed" }

// in says whether the port has an address of a subnet.
func (p *port) in(subnet string) bool {
	return slices.ContainsFunc(p.FixedIPs, func(ip fixedIP) bool { return ip.Subnet == subnet })
}

// portKind is what the cloud knows about ports.
func portKind() *kind[*port] {
	return &kind[*port]{
		one: "port", many: "ports", missing: "PortNotFound", text: "Port %s could not be found.", quota: true,
		of: func(c *Cloud) *table[*port] { return &c.ports },
		attrs: attributes{
			"name":                  {post | put | filter, text(255)},
			"network_id":            {post | filter | must, reference},
			"admin_state_up":        {post | put | filter, flag},
			"mac_address":           {post | put | filter, macAddress},
			"fixed_ips":             {post | put | filter, fixedIPs},
			"device_id":             {post | put | filter, text(255)},
			"device_owner":          {post | put | filter, text(255)},
			"status":                {flags: filter},
			"allowed_address_pairs": {post | put, addressPairs},
			"extra_dhcp_opts":       {flags: post | put},
			"security_groups":       {post | put | filter, references},
			"port_security_enabled": {post | put, flag},
			"binding:vnic_type":     {post | put, text(64)},
			"binding:host_id":       {post | put | filter | guarded | secret, text(255)},
			"binding:profile":       {flags: post | put | guarded | secret},
			"binding:vif_type":      {flags: secret},
			"binding:vif_details":   {flags: secret},
			"resource_request":      {flags: secret},
			"qos_policy_id":         {}, "qos_network_policy_id": {}, "trunk_details": {},
			"ip_allocation": {flags: filter},
		}.common(),
		make: makePort, change: changePort, remove: removePort,
		sees: func(c *call, p *port) bool {
			n, there := c.cloud.networks.get(p.Network)
			return there && c.owns(n.Project)
		},
		filters: map[string]func(*Cloud, *port, []string) bool{
			"fixed_ips": portHasIPs,
			"security_groups": func(_ *Cloud, p *port, ids []string) bool {
				return slices.ContainsFunc(p.Groups, func(id string) bool { return slices.Contains(ids, id) })
			},
			"mac_address": func(_ *Cloud, p *port, macs []string) bool {
				return slices.ContainsFunc(macs, func(m string) bool { return strings.EqualFold(m, p.MAC) })
			},
		},
	}
}

// portHasIPs is the filter fixed_ips=subnet_id=…, ip_address=… and
// ip_address_substr=…: one of each that is asked for.
func portHasIPs(_ *Cloud, p *port, values []string) bool {
	asked := map[string][]string{}
	for _, v := range values {
		name, value, _ := strings.Cut(v, "=")
		asked[name] = append(asked[name], value)
	}
	any := func(fits func(ip fixedIP) bool) bool { return slices.ContainsFunc(p.FixedIPs, fits) }
	if ids := asked["subnet_id"]; ids != nil && !any(func(ip fixedIP) bool { return slices.Contains(ids, ip.Subnet) }) {
		return false
	}
	if as := asked["ip_address"]; as != nil && !any(func(ip fixedIP) bool { return slices.Contains(as, ip.Address.String()) }) {
		return false
	}
	parts := asked["ip_address_substr"]
	return parts == nil || any(func(ip fixedIP) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(ip.Address.String(), part) })
	})
}

func makePort(c *call, in input) (*port, error) {
	n, err := c.networkFor(in.text("network_id"))
	if err != nil {
		return nil, err
	}
	if !c.usable(n) {
		return nil, c.forbidForeign(n, "port")
	}
	if err := c.demandInNetwork("create_port", n, in); err != nil {
		return nil, err
	}
	p := &port{
		standard: c.fresh("port", in), Name: in.text("name"), Network: n.ID, Status: "DOWN",
		AdminStateUp: get(in, "admin_state_up", true), Device: in.text("device_id"), Owner: in.text("device_owner"),
		Pairs: []addressPair{}, DHCPOptions: []any{}, Groups: []string{}, FixedIPs: []fixedIP{},
		VNIC: "normal", Host: in.text("binding:host_id"), Profile: fields{}, VIF: "unbound", VIFDetails: fields{},
		PortSecurity: n.PortSecurity && !isNetworkOwned(in.text("device_owner")),
	}
	set(in, "port_security_enabled", &p.PortSecurity)
	set(in, "binding:vnic_type", &p.VNIC)
	if err := c.chooseMAC(p, in); err != nil {
		return nil, err
	}
	if err := c.allocate(p, in); err != nil {
		return nil, err
	}
	if err := c.chooseGroups(p, in); err != nil {
		return nil, err
	}
	if err := p.choosePairs(in); err != nil {
		return nil, err
	}
	c.cloud.ports.add(p)
	return p, nil
}

// demandInNetwork refuses what only the owner of a network may set on a port in it.
func (c *call) demandInNetwork(rule string, n *network, in input) error {
	owns := c.owns(n.Project)
	wishes, _ := in.values["fixed_ips"].([]wish)
	if slices.ContainsFunc(wishes, func(w wish) bool { return w.Address.IsValid() }) {
		if err := c.demandParts(rule, "fixed_ips", []string{"ip_address"}, owns); err != nil {
			return err
		}
	}
	if pairs, _ := in.values["allowed_address_pairs"].([]addressPair); len(pairs) > 0 {
		if err := c.demandParts(rule, "allowed_address_pairs", []string{"ip_address"}, owns); err != nil {
			return err
		}
	}
	parts := []string{}
	for _, name := range []string{"mac_address", "port_security_enabled"} {
		if in.has(name) {
			parts = append(parts, name)
		}
	}
	if isNetworkOwned(in.text("device_owner")) {
		parts = append(parts, "device_owner")
	}
	return c.demandAttributes(rule, parts, owns)
}

// isNetworkOwned says whether Neutron itself owns the device; such ports have no security groups.
func isNetworkOwned(owner string) bool { return strings.HasPrefix(owner, "network:") }

// macOf makes the address of a port.
func macOf(id string) string {
	d := fixedHex("mac", id)
	return fmt.Sprintf("fa:16:3e:%s:%s:%s", d[:2], d[2:4], d[4:6])
}

func (c *call) chooseMAC(p *port, in input) error {
	if p.MAC == "" {
		p.MAC = macOf(p.ID)
	}
	if mac := in.text("mac_address"); mac != "" {
		p.MAC = strings.ToLower(mac)
	}
	if c.cloud.ports.has(func(o *port) bool { return o.Network == p.Network && o.MAC == p.MAC && o.ID != p.ID }) {
		return conflict("MacAddressInUse", "Unable to complete operation for network %s. The mac address %s is in use.", p.Network, p.MAC)
	}
	return nil
}

// chooseGroups takes the groups of the body, else the default one.
func (c *call) chooseGroups(p *port, in input) error {
	ids, named := in.values["security_groups"].([]string)
	if !named {
		if p.PortSecurity && !isNetworkOwned(p.Owner) && p.Project != "" {
			p.Groups = []string{c.cloud.addDefaultGroup(p.Project).ID}
		}
		return nil
	}
	for _, id := range ids {
		if _, err := c.cloud.kinds.groups.find(c, id); err != nil {
			return err
		}
	}
	if len(ids) > 0 && !p.PortSecurity {
		return refuse(400, "PortSecurityAndIPRequiredForSecurityGroups",
			"Port security must be enabled and port must have an IP address in order to use security groups.")
	}
	p.Groups = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(p.Groups) == 0 {
		p.Groups = []string{}
	}
	return nil
}

func (p *port) choosePairs(in input) error {
	pairs, named := in.values["allowed_address_pairs"].([]addressPair)
	if !named {
		pairs = p.Pairs
	}
	if len(pairs) > 0 && !p.PortSecurity {
		return conflict("AddressPairAndPortSecurityRequired", "Port Security must be enabled in order to have allowed address pairs on a port.")
	}
	for i := range pairs {
		if pairs[i].MAC == "" {
			pairs[i].MAC = p.MAC
		}
	}
	p.Pairs = pairs
	return nil
}

func changePort(c *call, p *port, in input) error {
	if n, there := c.cloud.networks.get(p.Network); there {
		if err := c.demandInNetwork("update_port", n, in); err != nil {
			return err
		}
	}
	next := *p
	set(in, "port_security_enabled", &next.PortSecurity)
	set(in, "device_owner", &next.Owner)
	if in.has("mac_address") {
		if err := c.chooseMAC(&next, in); err != nil {
			return err
		}
	}
	if in.has("fixed_ips") {
		if err := c.allocate(&next, in); err != nil {
			return err
		}
	}
	if in.has("security_groups") {
		if err := c.chooseGroups(&next, in); err != nil {
			return err
		}
	} else if !next.PortSecurity && len(next.Groups) > 0 {
		return conflict("PortSecurityPortHasSecurityGroup", "Port has security group associated. Cannot disable port security or IP address until security group is removed.")
	}
	if err := next.choosePairs(in); err != nil {
		return err
	}
	set(in, "name", &next.Name)
	set(in, "admin_state_up", &next.AdminStateUp)
	set(in, "device_id", &next.Device)
	set(in, "binding:vnic_type", &next.VNIC)
	set(in, "binding:host_id", &next.Host)
	*p = next
	return nil
}

// removePort leaves those alone that a router or a floating IP needs.
func removePort(c *call, p *port) error {
	if p.onRouter() || p.Owner == ownerFloating {
		if _, there := c.cloud.routers.get(p.Device); there || p.Owner == ownerFloating {
			return conflict("ServicePortInUse", "Port %s cannot be deleted directly via the port API: has device owner %s.", p.ID, p.Owner)
		}
	}
	c.dissociate(p.ID)
	return nil
}

var macShape = regexp.MustCompile(`^([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}$`)

func macAddress(name string, v any) (any, error) {
	s, _ := v.(string)
	if !macShape.MatchString(s) {
		return nil, why(name, "'%s' is not a valid MAC address.", python(v))
	}
	return s, nil
}

// mac is the address as bytes.
func (p *port) mac() (raw [6]byte) {
	for i, part := range strings.SplitN(p.MAC, ":", 6) {
		b, err := strconv.ParseUint(part, 16, 8)
		if err == nil {
			raw[i] = byte(b)
		}
	}
	return raw
}

// references allows lists of UUIDs.
func references(name string, v any) (any, error) {
	got, err := texts(name, v)
	if err != nil {
		return nil, err
	}
	list, _ := got.([]string)
	for _, s := range list {
		if !uuidShape.MatchString(s) {
			return nil, why(name, "'%s' is not a valid UUID.", s)
		}
	}
	return list, nil
}

// addressPairs allows lists of {ip_address, mac_address}, each once.
func addressPairs(name string, v any) (any, error) {
	list := []addressPair{}
	all, isList := v.([]any)
	if v != nil && !isList {
		return nil, why(name, "'%s' is not a list", python(v))
	}
	for _, e := range all {
		m, _ := e.(map[string]any)
		a, _ := m["ip_address"].(string)
		mac, _ := m["mac_address"].(string)
		if _, err := netip.ParseAddr(a); err != nil {
			if _, err := netip.ParsePrefix(a); err != nil {
				return nil, why(name, "'%s' is not a valid IP address.", a)
			}
		}
		pair := addressPair{a, strings.ToLower(mac)}
		if slices.Contains(list, pair) {
			return nil, refuse(400, "DuplicateAddressPairInRequest", "Request contains duplicate address pair: mac_address %s ip_address %s.", python(m["mac_address"]), a)
		}
		list = append(list, pair)
	}
	return list, nil
}
