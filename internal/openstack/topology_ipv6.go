// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/netip"

	"github.com/espalier-io/espalier/internal/engine"
)

// ipv6Subnets are the IPv6 side of a dual-stack cluster. With a node subnet of
// the user's there is no other: the ranges of pods and Services are virtual.
type ipv6Subnets struct {
	nodes          *engine.Node[Subnet] // nil if the cluster is single-stack
	pods, services *engine.Node[Subnet] // nil if the node subnet is the user's
}

const (
	nodesIPv6Node    = "subnet-ipv6"
	podsIPv6Node     = "subnet-ipv6-pods"
	servicesIPv6Node = "subnet-ipv6-services"
	shareNode        = "share-network"
)

// addIPv6 adds the IPv6 subnet of the nodes and, if it is ours, two subnets
// that only reserve the ranges of pods and Services: no router, no DHCP.
//
// Source: proposal, "BYO IPv6 Node Subnet (Dual-Stack)"; the three subnets and
// their names are those of Gardener's OpenStack provider.
func (t *topology) addIPv6() (s ipv6Subnets) {
	if id := t.given.SubnetIPv6; id != "" {
		s.nodes = engine.Refer(t.Graph, nodesIPv6Node, rules.subnetIPv6.engine(), t.f.Subnets.Get(id), engine.Needs(t.network))
		t.addInterface(s.nodes, id, nodesIPv6Node, rules.attachedIPv6)
		return s
	}
	off, none := false, ""
	s.nodes = t.manageSubnet(nodesIPv6Node, t.c.TechnicalID+"-ipv6", t.c.ipv6Range(nodesIPv6Node, Subnet{IPv6Mode: "slaac", DNS: t.c.resolvers(6)}))
	t.addInterface(s.nodes, "", nodesIPv6Node, rules.attachedIPv6)
	reservation := Subnet{DHCP: &off, Gateway: &none}
	s.pods = t.manageSubnet(podsIPv6Node, t.c.TechnicalID+"-ipv6-pod", t.c.ipv6Range(podsIPv6Node, reservation))
	s.services = t.manageSubnet(servicesIPv6Node, t.c.TechnicalID+"-ipv6-svc", t.c.ipv6Range(servicesIPv6Node, reservation))
	return s
}

// ipv6Range says where the range of a subnet comes from: the configuration's
// CIDR, which wins, or its subnet pool.
func (c Config) ipv6Range(node string, s Subnet) Subnet {
	s.IPVersion = 6
	in := c.infra.Networks.IPv6
	if in == nil {
		return s // static validation refuses that
	}
	if in.NodeCIDR == "" && in.SubnetPoolID != nil {
		s.CIDR, s.Pool = engine.Chosen, canonical(*in.SubnetPoolID)
		return s
	}
	s.CIDR = map[string]string{nodesIPv6Node: in.NodeCIDR, podsIPv6Node: in.PodCIDR, servicesIPv6Node: in.ServiceCIDR}[node]
	if p, ok := prefix(s.CIDR); ok {
		s.CIDR = p.String() // the spelling that Neutron answers with
	}
	return s
}

// publishedServices is the range of IPv6 Services that others are told of.
// kube-apiserver serves no more than a /108; what Gardener's provider has
// always published for ranges of its own is the first /112.
func publishedServices(cidr string) string {
	p, ok := prefix(cidr)
	if !ok || p.Bits() > 112 {
		return cidr
	}
	return netip.PrefixFrom(p.Addr(), 112).String()
}
