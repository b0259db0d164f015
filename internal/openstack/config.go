// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/netip"
	"strings"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
	"github.com/espalier-io/espalier/internal/validate"
)

// A Cluster is what the network of a cluster depends on besides its
// InfrastructureConfig.
type Cluster struct {
	// TechnicalID is the name of the cluster in the cloud (in Gardener the
	// namespace of its control plane). All that is made for it is named so.
	TechnicalID string
	// UID tells clusters apart that have had the same technical ID.
	UID string
	// Region is where the cluster is; it chooses among the CloudProfile's pools.
	Region string
	// Nodes, Pods and Services are spec.networking of the Shoot; any may be empty.
	Nodes, Pods, Services []netip.Prefix
	// DualStack says that IPv6 is among the IP families.
	DualStack bool
	// Overlay says that the CNI tunnels pod traffic. If it does not, each node
	// gets a route on the router.
	Overlay bool
	// MaxNodes is how many nodes there may be at the most, surge included;
	// 0: not known.
	MaxNodes int
	// SSHPublicKey is the key of the key pair, in the format of OpenSSH. If it
	// is empty there is no key pair.
	SSHPublicKey string
	// Inherited is the flat state of Gardener's OpenStack provider, if the
	// cluster was made by it (InfrastructureState, data); nil: it was not.
	Inherited map[string]string
}

// Config is what is asked for: a configuration that passed static validation,
// and the cluster that it is for.
type Config struct {
	Cluster
	infra v1alpha1.InfrastructureConfig
	// What the CloudProfile says:
	dns            []netip.Addr
	snat           *bool
	gatewayDefault string
}

// NewConfig puts a Config together. The profile may be nil. The error is for
// what static validation lets pass because it does not look at it.
func NewConfig(infra *v1alpha1.InfrastructureConfig, cluster Cluster, profile *v1alpha1.CloudProfileConfig) (Config, error) {
	c := Config{Cluster: cluster, infra: *infra.DeepCopy()}
	if cluster.TechnicalID == "" {
		return c, fault.Errorf(fault.Invalid, "the cluster has no technical ID: name it")
	}
	if len(c.mark(strings.Repeat("x", longestNode))) > longestDescription {
		return c, fault.Errorf(fault.Invalid, "technical ID and UID are too long for a description in Neutron (%d characters at the most)", longestDescription)
	}
	if err := checkInherited(cluster.Inherited); err != nil {
		return c, err
	}
	if profile == nil {
		return c, nil
	}
	c.snat = profile.UseSNAT
	if pool, _ := validate.FindFloatingPool(profile.Constraints.FloatingPools, "", cluster.Region, infra.FloatingPoolName); pool != nil && pool.DefaultFloatingSubnet != nil {
		c.gatewayDefault = *pool.DefaultFloatingSubnet
	}
	for _, s := range profile.DNSServers {
		a, err := netip.ParseAddr(s)
		if err != nil {
			return c, fault.Errorf(fault.Invalid, "dnsServers of the CloudProfile: %q is not an IP address", s)
		}
		c.dns = append(c.dns, a)
	}
	return c, nil
}

const (
	longestDescription = 255 // Neutron's limit
	longestNode        = 64
)

// resolvers returns the CloudProfile's DNS servers of one IP version, or nil
// ("whatever there is") if it names none at all.
func (c Config) resolvers(version int) []string {
	if len(c.dns) == 0 {
		return nil
	}
	out := []string{}
	for _, a := range c.dns {
		if a.Is4() == (version == 4) {
			out = append(out, a.String())
		}
	}
	return out
}

// families are the EtherTypes of the nodes.
func (c Config) families() []string {
	if c.DualStack {
		return []string{"IPv4", "IPv6"}
	}
	return []string{"IPv4"}
}

// markPrefix begins the description of everything that is made for the cluster.
func (c Config) markPrefix() string { return c.TechnicalID + " " + c.UID + "/" }

// mark is the description of what a node stands for, word for word. Names are
// not unique in Neutron, and tags can not be set in the call that creates.
func (c Config) mark(node string) string { return c.markPrefix() + node }

// readMark returns the node that a description names if it is a mark of this
// cluster, and the UID if it is one of another cluster of the same technical ID.
func (c Config) readMark(description string) (node, otherUID string) {
	rest, ok := strings.CutPrefix(description, c.TechnicalID+" ")
	if !ok {
		return "", ""
	}
	uid, node, ok := strings.Cut(rest, "/")
	switch {
	case !ok || uid == "" || strings.Contains(uid, " "):
		return "", ""
	case uid != c.UID:
		return "", uid
	}
	return node, ""
}

// canonical is the one spelling of a UUID that Neutron knows.
func canonical(id string) engine.ID {
	if uuid, ok := validate.CanonicalUUID(id); ok {
		return engine.ID(uuid)
	}
	return engine.ID(id)
}
