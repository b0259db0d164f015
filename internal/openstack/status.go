// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/netip"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
)

// Status is what others need to know of a cluster's network.
type Status struct {
	// Provider is what workers, control plane and bastions are made of.
	Provider v1alpha1.InfrastructureStatus `json:"providerStatus"`
	// Nodes, Pods and Services are status.networking of the Shoot.
	Nodes    []string `json:"nodes"`
	Pods     []string `json:"pods"`
	Services []string `json:"services"`
	// EgressCIDRs are the addresses that traffic of the nodes comes from, each
	// with a prefix of a single address. A router without a gateway has none.
	EgressCIDRs []string `json:"egressCIDRs"`
}

// Status tells of what is there now; what is not there is left empty.
// Lists are sorted. Source: Gardener OpenStack provider, InfrastructureStatus.
func (l *Layout) Status() Status {
	var s Status
	s.Provider.TypeMeta = metav1.TypeMeta{APIVersion: v1alpha1.SchemeGroupVersion.String(), Kind: "InfrastructureStatus"}
	n := &s.Provider.Networks
	if id, network := l.network.Now(); network != nil {
		n.ID, n.Name = string(id), network.Name
	}
	if id, external := l.external.Now(); external != nil {
		n.FloatingPool = v1alpha1.FloatingPoolStatus{ID: string(id), Name: external.Name}
	}
	n.Router.ExternalFixedIPs = []string{}
	if id, router := l.router.Now(); router != nil {
		n.Router.ID = string(id)
		n.Router.ExternalFixedIPs = sortedAddresses(router.ExternalIPs)
		if len(n.Router.ExternalFixedIPs) > 0 {
			n.Router.IP = n.Router.ExternalFixedIPs[0]
		}
	}
	l.subnetStatus(&s)
	l.ipv6Status(&s)
	l.restStatus(&s)
	s.EgressCIDRs = []string{}
	for _, ip := range n.Router.ExternalFixedIPs {
		if a, err := netip.ParseAddr(ip); err == nil {
			s.EgressCIDRs = append(s.EgressCIDRs, netip.PrefixFrom(a, a.BitLen()).String())
		}
	}
	return s
}

// subnetStatus adds the ranges of the cluster and the IPv4 subnet of its nodes.
func (l *Layout) subnetStatus(s *Status) {
	n := &s.Provider.Networks
	n.Subnets = []v1alpha1.Subnet{}
	s.Nodes, s.Pods, s.Services = texts(l.c.Nodes), texts(l.c.Pods), texts(l.c.Services)
	if id, subnet := l.subnet.Now(); subnet != nil {
		n.Subnets = append(n.Subnets, v1alpha1.Subnet{Purpose: v1alpha1.PurposeNodes, ID: string(id), CIDR: subnet.CIDR})
		if p, ok := prefix(subnet.CIDR); ok && !contains(l.c.Nodes, p) {
			s.Nodes = append(s.Nodes, subnet.CIDR)
		}
	}
}

// restStatus adds what hangs on the network.
func (l *Layout) restStatus(s *Status) {
	if l.share != nil {
		if id, share := l.share.Now(); share != nil {
			s.Provider.Networks.ShareNetwork = &v1alpha1.ShareNetworkStatus{ID: string(id), Name: share.Name}
		}
	}
	s.Provider.SecurityGroups = []v1alpha1.SecurityGroup{}
	if id, group := l.group.Now(); group != nil {
		s.Provider.SecurityGroups = append(s.Provider.SecurityGroups, v1alpha1.SecurityGroup{Purpose: v1alpha1.PurposeNodes, ID: string(id), Name: group.Name})
	}
	if l.keyPair != nil {
		if _, pair := l.keyPair.Now(); pair != nil {
			s.Provider.Node.KeyName = pair.Name
		}
	}
}

// ipv6Status adds the IPv6 side of a dual-stack cluster. Ranges beside a node
// subnet of the user's are published as they are configured. Source: proposal,
// "BYO IPv6 Node Subnet (Dual-Stack)".
func (l *Layout) ipv6Status(s *Status) {
	if l.ipv6.nodes == nil {
		return
	}
	add := func(n *engine.Node[Subnet], purpose v1alpha1.Purpose, to *[]string, show func(string) string) {
		if n == nil {
			return
		}
		if id, subnet := n.Now(); subnet != nil {
			nets := &s.Provider.Networks
			nets.Subnets = append(nets.Subnets, v1alpha1.Subnet{Purpose: purpose, ID: string(id), CIDR: show(subnet.CIDR)})
			*to = append(*to, show(subnet.CIDR))
		}
	}
	as := func(cidr string) string { return cidr }
	add(l.ipv6.nodes, v1alpha1.PurposeNodesIPv6, &s.Nodes, as)
	add(l.ipv6.pods, v1alpha1.PurposePods, &s.Pods, as)
	add(l.ipv6.services, v1alpha1.PurposeServices, &s.Services, publishedServices)
	if in := l.c.infra.Networks.IPv6; in != nil && l.ipv6.pods == nil {
		s.Pods, s.Services = append(s.Pods, in.PodCIDR), append(s.Services, in.ServiceCIDR)
	}
}

func texts(ps []netip.Prefix) []string {
	out := []string{}
	for _, p := range ps {
		out = append(out, p.String())
	}
	return out
}

// sortedAddresses sorts by family, then by value; what is no address comes last.
func sortedAddresses(all []string) []string {
	out := append([]string{}, all...)
	slices.SortFunc(out, func(a, b string) int {
		x, _ := netip.ParseAddr(a)
		y, _ := netip.ParseAddr(b)
		return x.Compare(y)
	})
	return out
}
