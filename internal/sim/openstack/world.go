// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"

	"sigs.k8s.io/yaml"
)

// A World is what is in a cloud before anything begins: what the user owns, and
// neighbours. Field names are those of the APIs where the meaning is the same.
//
// A reference to another thing is its name in the same project, "project/name",
// or its ID; a network may also be one of any project that is external or
// shared. An ID that is not given is made of the seed.
type World struct {
	// Users are made besides admin, a and b.
	Users []WorldUser `json:"users,omitempty"`
	// Policy sets rules, see Cloud.SetPolicy.
	Policy map[string]Access `json:"policy,omitempty"`
	// Projects are filled; those that are not there yet are made.
	Projects map[string]WorldProject `json:"projects,omitempty"`
}

// WorldUser is a user, and the roles that he has in a project.
type WorldUser struct {
	Name     string   `json:"name"`
	Password string   `json:"password,omitempty"` // default: the name
	Project  string   `json:"project,omitempty"`  // default: the name
	Roles    []string `json:"roles,omitempty"`    // default: member and what goes with it
	// Credential makes an application credential for the project, with this ID.
	Credential *WorldCredential `json:"application_credential,omitempty"`
}

// WorldCredential is an application credential.
type WorldCredential struct {
	ID     string `json:"id,omitempty"`
	Name   string `json:"name"`
	Secret string `json:"secret"`
}

// WorldProject is what a project has.
type WorldProject struct {
	AddressScopes  []WorldScope        `json:"address_scopes,omitempty"`
	SubnetPools    []WorldSubnetPool   `json:"subnet_pools,omitempty"`
	Networks       []WorldNetwork      `json:"networks,omitempty"`
	SecurityGroups []WorldGroup        `json:"security_groups,omitempty"`
	Routers        []WorldRouter       `json:"routers,omitempty"`
	Ports          []WorldPort         `json:"ports,omitempty"`
	FloatingIPs    []WorldFloatingIP   `json:"floating_ips,omitempty"`
	KeyPairs       []WorldKeyPair      `json:"key_pairs,omitempty"`
	ShareNetworks  []WorldShareNetwork `json:"share_networks,omitempty"`
	LoadBalancers  []WorldLoadBalancer `json:"load_balancers,omitempty"`
	Quotas         map[string]int      `json:"quotas,omitempty"`
}

// WorldScope is an address scope.
type WorldScope struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name"`
	IPVersion int    `json:"ip_version"`
	Shared    bool   `json:"shared,omitempty"`
}

// WorldSubnetPool is a subnet pool.
type WorldSubnetPool struct {
	ID           string   `json:"id,omitempty"`
	Name         string   `json:"name"`
	Description  string   `json:"description,omitempty"`
	Prefixes     []string `json:"prefixes"`
	Default      int      `json:"default_prefixlen,omitempty"`
	Min          int      `json:"min_prefixlen,omitempty"`
	Max          int      `json:"max_prefixlen,omitempty"`
	IsDefault    bool     `json:"is_default,omitempty"`
	Shared       bool     `json:"shared,omitempty"`
	AddressScope string   `json:"address_scope,omitempty"` // a reference
	Tags         []string `json:"tags,omitempty"`
}

// WorldNetwork is a network with its subnets.
type WorldNetwork struct {
	ID           string        `json:"id,omitempty"`
	Name         string        `json:"name"`
	Description  string        `json:"description,omitempty"`
	External     bool          `json:"external,omitempty"`
	Shared       bool          `json:"shared,omitempty"`      // with all
	SharedWith   []string      `json:"shared_with,omitempty"` // names of projects
	AdminStateUp *bool         `json:"admin_state_up,omitempty"`
	PortSecurity *bool         `json:"port_security_enabled,omitempty"`
	MTU          int           `json:"mtu,omitempty"`
	Tags         []string      `json:"tags,omitempty"`
	Subnets      []WorldSubnet `json:"subnets,omitempty"`
}

// WorldSubnet is a subnet. It has a CIDR or a pool.
type WorldSubnet struct {
	ID           string              `json:"id,omitempty"`
	Name         string              `json:"name,omitempty"`
	Description  string              `json:"description,omitempty"`
	CIDR         string              `json:"cidr,omitempty"`
	SubnetPool   string              `json:"subnet_pool,omitempty"` // a reference
	PrefixLength int                 `json:"prefixlen,omitempty"`
	IPVersion    int                 `json:"ip_version,omitempty"` // default: that of the CIDR, or 4
	Gateway      string              `json:"gateway_ip,omitempty"` // "none": no gateway
	DHCP         *bool               `json:"enable_dhcp,omitempty"`
	DNS          []string            `json:"dns_nameservers,omitempty"`
	Pools        []map[string]string `json:"allocation_pools,omitempty"`
	HostRoutes   []WorldRoute        `json:"host_routes,omitempty"`
	AddressMode  string              `json:"ipv6_address_mode,omitempty"`
	RAMode       string              `json:"ipv6_ra_mode,omitempty"`
	Tags         []string            `json:"tags,omitempty"`
}

// WorldRoute is a route.
type WorldRoute struct {
	Destination string `json:"destination"`
	NextHop     string `json:"nexthop"`
}

// WorldGroup is a security group, which has besides its rules the two that let
// everything out. The group "default" is there already; it gets the rules.
type WorldGroup struct {
	ID          string      `json:"id,omitempty"`
	Name        string      `json:"name"`
	Description string      `json:"description,omitempty"`
	Tags        []string    `json:"tags,omitempty"`
	Rules       []WorldRule `json:"rules,omitempty"`
	// Bare takes the two rules away.
	Bare bool `json:"bare,omitempty"`
}

// WorldRule is a rule of a group.
type WorldRule struct {
	Direction   string `json:"direction"`
	Ethertype   string `json:"ethertype,omitempty"`
	Protocol    string `json:"protocol,omitempty"`
	PortMin     int    `json:"port_range_min,omitempty"`
	PortMax     int    `json:"port_range_max,omitempty"`
	Prefix      string `json:"remote_ip_prefix,omitempty"`
	RemoteGroup string `json:"remote_group,omitempty"` // a reference, or "self"
}

// WorldRouter is a router with its gateway, interfaces and extra routes.
type WorldRouter struct {
	ID           string       `json:"id,omitempty"`
	Name         string       `json:"name"`
	Description  string       `json:"description,omitempty"`
	AdminStateUp *bool        `json:"admin_state_up,omitempty"`
	Gateway      string       `json:"gateway,omitempty"` // a network
	SNAT         *bool        `json:"enable_snat,omitempty"`
	Interfaces   []string     `json:"interfaces,omitempty"` // subnets
	Routes       []WorldRoute `json:"routes,omitempty"`
	Tags         []string     `json:"tags,omitempty"`
}

// WorldPort is a port.
type WorldPort struct {
	ID             string         `json:"id,omitempty"`
	Name           string         `json:"name,omitempty"`
	Description    string         `json:"description,omitempty"`
	Network        string         `json:"network"` // a reference
	FixedIPs       []WorldFixedIP `json:"fixed_ips,omitempty"`
	DeviceOwner    string         `json:"device_owner,omitempty"`
	DeviceID       string         `json:"device_id,omitempty"`
	SecurityGroups []string       `json:"security_groups,omitempty"` // references
	PortSecurity   *bool          `json:"port_security_enabled,omitempty"`
	Pairs          []fields       `json:"allowed_address_pairs,omitempty"`
	MAC            string         `json:"mac_address,omitempty"`
	Tags           []string       `json:"tags,omitempty"`
}

// WorldFixedIP is an address of a port.
type WorldFixedIP struct {
	Subnet  string `json:"subnet,omitempty"` // a reference
	Address string `json:"ip_address,omitempty"`
}

// WorldFloatingIP is a floating IP.
type WorldFloatingIP struct {
	ID          string   `json:"id,omitempty"`
	Description string   `json:"description,omitempty"`
	Network     string   `json:"network"`        // a reference
	Port        string   `json:"port,omitempty"` // a reference, or the name of a load balancer
	Address     string   `json:"floating_ip_address,omitempty"`
	Tags        []string `json:"tags,omitempty"`
}

// WorldKeyPair is a key pair of a user.
type WorldKeyPair struct {
	Name   string `json:"name"`
	Public string `json:"public_key"`
	User   string `json:"user,omitempty"` // default: the one with the name of the project
}

// WorldShareNetwork is a share network.
type WorldShareNetwork struct {
	ID          string `json:"id,omitempty"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Network     string `json:"network,omitempty"` // a reference
	Subnet      string `json:"subnet,omitempty"`  // a reference
}

// WorldLoadBalancer is a load balancer, which is ACTIVE.
type WorldLoadBalancer struct {
	ID          string   `json:"id,omitempty"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Subnet      string   `json:"subnet"` // a reference
	Address     string   `json:"vip_address,omitempty"`
	Listeners   int      `json:"listeners,omitempty"` // how many
	Status      string   `json:"provisioning_status,omitempty"`
	Tags        []string `json:"tags,omitempty"`
}

// ParseWorld reads a world. Fields that there are not are errors.
func ParseWorld(text []byte) (World, error) {
	var w World
	if err := yaml.UnmarshalStrict(text, &w); err != nil {
		return World{}, fmt.Errorf("reading the world: %w", err)
	}
	return w, nil
}
