// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"

	"sigs.k8s.io/yaml"
)

// A World is what is in a cloud before anything begins: what the user owns, and
// neighbours. Field names are near those of the APIs.
//
// Most things may have an id (else one is made of the seed), a name (their tag
// Name, and how other things of the same VPC, or else of the same region, refer
// to them) and tags. A reference to another thing is its name or its ID.
type World struct {
	// Zones are added to regions, by the region; a region that is not one of Regions is made.
	Zones map[string][]WorldZone `json:"zones,omitempty"`
	// Accounts are filled; those that are not there yet are made.
	Accounts map[string]WorldAccount `json:"accounts,omitempty"`
}

// WorldZone is a zone of a region.
type WorldZone struct {
	Name   string `json:"name"`
	ID     string `json:"id,omitempty"`     // default: the name
	Type   string `json:"type,omitempty"`   // default: availability-zone; or local-zone, wavelength-zone
	Parent string `json:"parent,omitempty"` // of a Local or Wavelength Zone
}

// WorldAccount is what an account has.
type WorldAccount struct {
	ID string `json:"id,omitempty"` // 12 digits
	// AccessKeys are access key IDs besides the name of the account.
	AccessKeys []string `json:"access_keys,omitempty"`
	// Deny forbids actions, see Cloud.Deny.
	Deny     []string               `json:"deny,omitempty"`
	Roles    []WorldRole            `json:"roles,omitempty"`
	Profiles []WorldProfile         `json:"instance_profiles,omitempty"`
	Regions  map[string]WorldRegion `json:"regions,omitempty"`
}

// WorldRole is a role of IAM; trust is a document that lets EC2 assume it, unless it is given.
type WorldRole struct {
	Name     string            `json:"name"`
	Trust    string            `json:"trust,omitempty"`
	Policies map[string]string `json:"policies,omitempty"` // inline: documents by name
	Tags     map[string]string `json:"tags,omitempty"`
}

// WorldProfile is an instance profile.
type WorldProfile struct {
	Name string            `json:"name"`
	Role string            `json:"role,omitempty"`
	Tags map[string]string `json:"tags,omitempty"`
}

// WorldRegion is what an account has in a region.
type WorldRegion struct {
	Quotas    map[string]float64 `json:"quotas,omitempty"` // by code, like L-93826ACB
	Addresses []WorldAddress     `json:"addresses,omitempty"`
	KeyPairs  []WorldKeyPair     `json:"key_pairs,omitempty"`
	VPCs      []WorldVPC         `json:"vpcs,omitempty"`
	// Gateways are internet gateways that are attached to nothing.
	Gateways []WorldThing `json:"internet_gateways,omitempty"`
}

// WorldThing is what every thing of EC2 may have.
type WorldThing struct {
	ID   string            `json:"id,omitempty"`
	Name string            `json:"name,omitempty"`
	Tags map[string]string `json:"tags,omitempty"`
}

// WorldAddress is an Elastic IP address.
type WorldAddress struct {
	WorldThing
	IP string `json:"ip,omitempty"`
}

// WorldKeyPair is a key pair. Its name is no tag.
type WorldKeyPair struct {
	WorldThing
	Public string `json:"public_key"`
}

// WorldVPC is a VPC with all that is in it. It has a main route table and a
// security group "default", as every VPC; what is said of those is added to them.
type WorldVPC struct {
	WorldThing
	CIDRs        []string            `json:"cidrs"`          // IPv4; the first is the primary one
	IPv6         []string            `json:"ipv6,omitempty"` // blocks, or "amazon"
	DNSSupport   *bool               `json:"enable_dns_support,omitempty"`
	DNSHostnames *bool               `json:"enable_dns_hostnames,omitempty"` // default, as everywhere here: true
	DHCP         map[string][]string `json:"dhcp_options,omitempty"`         // default: the region's
	DHCPID       string              `json:"dhcp_options_id,omitempty"`

	Gateway        *WorldThing       `json:"internet_gateway,omitempty"`
	Egress         *WorldThing       `json:"egress_only_internet_gateway,omitempty"`
	Subnets        []WorldSubnet     `json:"subnets,omitempty"`
	SecurityGroups []WorldGroup      `json:"security_groups,omitempty"`
	Instances      []WorldInstance   `json:"instances,omitempty"`
	Interfaces     []WorldInterface  `json:"network_interfaces,omitempty"`
	NATs           []WorldNAT        `json:"nat_gateways,omitempty"`
	RouteTables    []WorldRouteTable `json:"route_tables,omitempty"`
	Endpoints      []WorldEndpoint   `json:"gateway_endpoints,omitempty"`
	LoadBalancers  []WorldBalancer   `json:"load_balancers,omitempty"`
}

// WorldSubnet is a subnet.
type WorldSubnet struct {
	WorldThing
	Zone         string             `json:"zone,omitempty"` // default: the first of the region
	CIDR         string             `json:"cidr,omitempty"`
	IPv6         []string           `json:"ipv6,omitempty"`
	AutoAssign6  bool               `json:"assign_ipv6_address_on_creation,omitempty"`
	Native6      bool               `json:"ipv6_native,omitempty"`
	DNS64        bool               `json:"enable_dns64,omitempty"`
	MapPublicIP  bool               `json:"map_public_ip_on_launch,omitempty"`
	Outpost      string             `json:"outpost_arn,omitempty"`
	Free         *int               `json:"available_ip_address_count,omitempty"`
	SharedWith   []string           `json:"shared_with,omitempty"` // accounts
	Reservations []WorldReservation `json:"cidr_reservations,omitempty"`
}

// WorldReservation is a reserved block of a subnet.
type WorldReservation struct {
	WorldThing
	CIDR string `json:"cidr"`
	Type string `json:"type,omitempty"` // default: explicit
}

// WorldGroup is a security group. It lets everything out, unless it is bare.
type WorldGroup struct {
	WorldThing
	GroupName   string      `json:"group_name"`
	Description string      `json:"description,omitempty"`
	Owner       string      `json:"owner,omitempty"` // a participant of a shared VPC
	Bare        bool        `json:"bare,omitempty"`
	Rules       []WorldRule `json:"rules,omitempty"`
}

// WorldRule is a rule of a group. Its peer is a block, a group ("self" is the
// group itself) or a prefix list.
type WorldRule struct {
	Egress      bool   `json:"egress,omitempty"`
	Protocol    string `json:"protocol,omitempty"` // default: -1, all
	FromPort    int    `json:"from_port,omitempty"`
	ToPort      int    `json:"to_port,omitempty"`
	Peer        string `json:"peer"`
	Description string `json:"description,omitempty"`
}

// WorldInstance is a machine with one network interface.
type WorldInstance struct {
	WorldThing
	Subnet      string   `json:"subnet"`
	State       string   `json:"state,omitempty"` // default: running
	Type        string   `json:"instance_type,omitempty"`
	Groups      []string `json:"security_groups,omitempty"`
	InterfaceID string   `json:"network_interface_id,omitempty"`
}

// WorldInterface is a network interface of something else than a machine or a NAT gateway.
type WorldInterface struct {
	WorldThing
	Subnet      string   `json:"subnet"`
	Description string   `json:"description,omitempty"`
	Type        string   `json:"interface_type,omitempty"` // default: interface
	Requester   string   `json:"requester_id,omitempty"`
	Groups      []string `json:"security_groups,omitempty"`
	Attached    bool     `json:"attached,omitempty"`
}

// WorldNAT is a NAT gateway. Without a subnet it is a regional one.
type WorldNAT struct {
	WorldThing
	Subnet  string `json:"subnet,omitempty"`
	Address string `json:"address,omitempty"` // of a public one; default: one is made
	Private bool   `json:"private,omitempty"`
	State   string `json:"state,omitempty"` // default: available
}

// WorldRouteTable is a route table.
type WorldRouteTable struct {
	WorldThing
	Main bool `json:"main,omitempty"`
	// Subnets that are associated with it.
	Subnets []string     `json:"subnets,omitempty"`
	Routes  []WorldRoute `json:"routes,omitempty"`
}

// WorldRoute is a route. Its target is the name or ID of something in the VPC, "igw" or "eigw" for the
// gateways of the VPC, or any other ID (tgw-…, pcx-…, vgw-…, vpce-…).
type WorldRoute struct {
	Destination string `json:"destination"` // a block or a prefix list
	Target      string `json:"target"`
	Origin      string `json:"origin,omitempty"` // default: CreateRoute
	Blackhole   bool   `json:"blackhole,omitempty"`
}

// WorldEndpoint is a gateway endpoint.
type WorldEndpoint struct {
	WorldThing
	Service     string   `json:"service"` // like s3
	RouteTables []string `json:"route_tables,omitempty"`
}

// WorldBalancer is a load balancer with its interfaces, one in each subnet.
type WorldBalancer struct {
	Name      string            `json:"name"`
	Type      string            `json:"type,omitempty"`   // classic (default), application, network
	Scheme    string            `json:"scheme,omitempty"` // default: internet-facing
	Subnets   []string          `json:"subnets"`
	Groups    []string          `json:"security_groups,omitempty"`
	Tags      map[string]string `json:"tags,omitempty"`
	Protected bool              `json:"deletion_protection,omitempty"`
	// TargetGroups of its listeners, or of none; they have the tags of the load balancer too.
	TargetGroups []string `json:"target_groups,omitempty"`
	// Bare: the load balancer itself is gone, only its target groups are there.
	Bare bool `json:"bare,omitempty"`
}

// ParseWorld reads a world. Fields that there are not are errors.
func ParseWorld(text []byte) (World, error) {
	var w World
	if err := yaml.UnmarshalStrict(text, &w); err != nil {
		return World{}, fmt.Errorf("reading the world: %w", err)
	}
	return w, nil
}
