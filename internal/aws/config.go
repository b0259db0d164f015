// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"net/netip"
	"strings"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/fault"
)

// A Cluster is what the network of a cluster depends on besides its
// InfrastructureConfig.
type Cluster struct {
	// TechnicalID is the name of the cluster in the cloud (in Gardener the
	// namespace of its control plane).
	TechnicalID string
	// UID tells clusters apart that have had the same technical ID.
	UID string
	// Region is where the cluster is.
	Region string
	// Nodes, Pods and Services are spec.networking of the Shoot, both IP
	// families; any may be empty.
	Nodes, Pods, Services []netip.Prefix
	// IPv4 and IPv6 say which IP families the cluster has.
	IPv4, IPv6 bool
	// Overlay says that the CNI tunnels pod traffic. If it does not, each node
	// gets an IPv4 route in the tables of the worker subnets.
	Overlay bool
	// SSHPublicKey is the key of the key pair, in the format of OpenSSH. If it
	// is empty there is no key pair.
	SSHPublicKey string
	// MaxNodes is how many nodes there may be at the most, surge included;
	// 0: not known.
	MaxNodes int
	// Inherited is the flat state of Gardener's AWS provider, if the cluster is
	// taken over from it; nil if not. It counts until our own state has something.
	Inherited map[string]string
	// RemovePodRoutes lets a deletion take routes to pods out of the user's
	// tables: those that lead to a machine of this cluster or to one that is gone.
	RemovePodRoutes bool
}

// Config is what is asked for: a configuration that passed static validation,
// and the cluster that it is for.
type Config struct {
	Cluster
	infra v1alpha1.InfrastructureConfig
}

// NewConfig puts a Config together. The error is [fault.Invalid] for what
// static validation does not look at, and for what is not supported yet.
func NewConfig(infra *v1alpha1.InfrastructureConfig, cluster Cluster) (Config, error) {
	c := Config{Cluster: cluster, infra: *infra.DeepCopy()}
	switch {
	case cluster.TechnicalID == "":
		return c, fault.Errorf(fault.Invalid, "the cluster has no technical ID: name it")
	case len(clusterTag+cluster.TechnicalID) > longestTagKey:
		return c, fault.Errorf(fault.Invalid, "the technical ID is too long for a tag key (%d characters at the most)", longestTagKey)
	case !c.byo():
		return c, fault.Errorf(fault.Invalid, "networks.zones: subnets that Espalier makes are not supported on AWS yet; name subnets of yours with workersSubnetID")
	case c.infra.ElasticFileSystem != nil && c.infra.ElasticFileSystem.Enabled:
		return c, fault.Errorf(fault.Invalid, "elasticFileSystem: file systems are not supported on AWS yet; leave it out")
	}
	return c, c.checkInherited()
}

const longestTagKey = 128

// routed says that nodes get routes in the tables of their subnets, so that
// the route controller has to find these tables. Source: proposal, "Overlay
// Networking and Route Tables".
func (c Config) routed() bool { return c.IPv4 && !c.Overlay }

// families are the IP families as CIDRs of everything.
func (c Config) anywhere() (cidrs []string) {
	if c.IPv4 {
		cidrs = append(cidrs, everyIPv4)
	}
	if c.IPv6 {
		cidrs = append(cidrs, everyIPv6)
	}
	return cidrs
}

// name is the name of something that is made for the cluster. Source: Gardener
// AWS provider, whose names are kept.
func (c Config) name(suffix string) string { return c.TechnicalID + "-" + suffix }

const (
	clusterTag = "kubernetes.io/cluster/"
	// marker says that Gardener set the role tag that it names, and not for
	// which cluster.
	marker       = "gardener.cloud/managed-tag"
	elbTag       = "kubernetes.io/role/elb"
	internalTag  = "kubernetes.io/role/internal-elb"
	markPrefix   = "espalier.io/"
	nameTag      = "Name"
	ownedByUs    = "owned"
	sharedWithUs = "shared"
)

func (c Config) clusterKey() string { return clusterTag + c.TechnicalID }

// marks are the tags of everything that is made for the cluster, in the call
// that makes it: those that Gardener's provider sets, and our own, which says
// for which cluster and for which node of the graph.
func (c Config) marks(node, name string) map[string]string {
	return map[string]string{c.clusterKey(): ownedByUs, nameTag: name, markPrefix + c.TechnicalID: c.UID + "/" + node}
}

// readMark returns the node that the tags of a resource name if it is this
// cluster's, and the UID if it is that of another cluster of the same name.
func (c Config) readMark(tags map[string]string) (node, otherUID string) {
	uid, node, ok := strings.Cut(tags[markPrefix+c.TechnicalID], "/")
	switch {
	case !ok || uid == "":
		return "", ""
	case uid != c.UID:
		return "", uid
	}
	return node, ""
}
