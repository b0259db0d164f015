// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"cmp"
	"net/netip"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
)

// Status is what others need to know of a cluster's network.
type Status struct {
	// Provider is what workers, control plane and bastions are made of.
	Provider v1alpha1.InfrastructureStatus `json:"providerStatus"`
	// Nodes, Pods and Services are status.networking of the Shoot.
	Nodes    []string `json:"nodes"`
	Pods     []string `json:"pods"`
	Services []string `json:"services"`
	// EgressCIDRs are the addresses that traffic of the nodes comes from, as far
	// as they are known: the gateways of the user's are not asked for theirs.
	EgressCIDRs []string `json:"egressCIDRs"`
}

// Status tells of what is there now; what is not there is left empty. Lists are
// sorted. Source: Gardener AWS provider, InfrastructureStatus.
func (l *Layout) Status() Status {
	var s Status
	p := &s.Provider
	p.TypeMeta = metav1.TypeMeta{APIVersion: v1alpha1.SchemeGroupVersion.String(), Kind: "InfrastructureStatus"}
	if l.keyPair != nil {
		if _, pair := l.keyPair.Now(); pair != nil {
			p.EC2.KeyName = pair.Name
		}
	}
	if _, profile := l.profile.Now(); profile != nil {
		p.IAM.InstanceProfiles = []v1alpha1.InstanceProfile{{Purpose: v1alpha1.PurposeNodes, Name: profile.Name}}
	}
	if _, role := l.role.Now(); role != nil {
		p.IAM.Roles = []v1alpha1.Role{{Purpose: v1alpha1.PurposeNodes, ARN: role.ARN}}
	}
	s.Nodes, s.Pods, s.Services, s.EgressCIDRs = texts(l.c.Nodes), texts(l.c.Pods), texts(l.c.Services), []string{}
	if id, vpc := l.vpc.Now(); vpc != nil {
		p.VPC.ID = string(id)
		if l.c.IPv6 {
			s.Nodes = slices.Concat(vpc.IPv6CIDRs, s.Nodes)
			s.Pods = slices.Concat(vpc.IPv6CIDRs, s.Pods)
			s.EgressCIDRs = slices.Clone(vpc.IPv6CIDRs)
			if r := l.services.String(); !slices.Contains(s.Services, r) {
				s.Services = slices.Concat([]string{r}, s.Services)
			}
		}
	}
	for _, u := range l.subnets {
		if id, subnet := u.node.Now(); subnet != nil {
			p.VPC.Subnets = append(p.VPC.Subnets, v1alpha1.Subnet{Purpose: u.purpose, ID: string(id), Zone: u.zone})
		}
	}
	slices.SortFunc(p.VPC.Subnets, func(a, b v1alpha1.Subnet) int {
		return cmp.Or(cmp.Compare(a.Zone, b.Zone), cmp.Compare(a.Purpose, b.Purpose), cmp.Compare(a.ID, b.ID))
	})
	if id, group := l.group.Now(); group != nil {
		p.VPC.SecurityGroups = []v1alpha1.SecurityGroup{{Purpose: v1alpha1.PurposeNodes, ID: string(id)}}
	}
	return s
}

func texts(ps []netip.Prefix) []string {
	out := []string{}
	for _, p := range ps {
		out = append(out, p.String())
	}
	return out
}
