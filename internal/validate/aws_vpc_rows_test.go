// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"strings"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
)

const z0, z1 = "networks.zones[0].", "networks.zones[1]."

var awsVPCRows = []awsRow{
	{"S2", "a VPC to make", awsManaged, nil, nil, nil},
	{"S2", "an existing VPC", awsExisting, nil, nil, nil},
	{"S2", "neither", awsManaged, func(c *awsCluster) { c.config.Networks.VPC.CIDR = nil }, nil, []string{"S2 networks.vpc"}},
	{"S2", "both", awsManaged, func(c *awsCluster) { c.config.Networks.VPC.ID = to("vpc-1") }, nil, []string{"S2 networks.vpc"}},
	{"S3", "an ID", awsExisting, nil, nil, nil},
	{"S3", "a name", awsExisting, func(c *awsCluster) { c.config.Networks.VPC.ID = to("corporate") }, nil, []string{"S3 networks.vpc.id"}},
	{"S3", "the prefix alone", awsExisting, func(c *awsCluster) { c.config.Networks.VPC.ID = to("vpc-") }, nil, []string{"S3 networks.vpc.id"}},
	{"S3", "an ID and a line break", awsExisting, func(c *awsCluster) { c.config.Networks.VPC.ID = to("vpc-1\n") }, nil, []string{"S3 networks.vpc.id"}},
	{"S3", "an ID of 256 characters", awsExisting, func(c *awsCluster) { c.config.Networks.VPC.ID = to("vpc-" + strings.Repeat("1", 252)) }, nil, []string{"S3 networks.vpc.id"}},
	{"S3b", "an ID of 255 characters", awsExisting, func(c *awsCluster) { c.config.Networks.VPC.ID = to("vpc-" + strings.Repeat("1", 251)) }, nil, nil},
	{"S3b", "empty", awsExisting, func(c *awsCluster) { c.config.Networks.VPC.ID = to("") }, nil, []string{"S3b networks.vpc.id"}},

	{"S4", "a range", awsManaged, nil, nil, nil},
	{"S4", "no range", awsManaged, vpcRange("ten"), nil, []string{"S4 networks.vpc.cidr"}},
	{"S4", "empty", awsManaged, vpcRange(""), nil, []string{"S4 networks.vpc.cidr"}},
	{"S4", "bits behind the prefix", awsManaged, vpcRange("10.250.0.1/16"), nil, []string{"S4 networks.vpc.cidr"}},
	{"S4", "an IPv6 range", awsManaged, vpcRange("2001:db8::/56"), nil, []string{"S4 networks.vpc.cidr"}},
	{"S4", "no range in a dual-stack cluster", awsDual, vpcRange("ten"), nil, []string{"S4 networks.vpc.cidr"}},
	{"S4", "no range in a cluster with IPv6 alone", awsIPv6, vpcRange("ten"), nil, []string{"S4 networks.vpc.cidr"}},
	{"S4", "a running dual-stack cluster keeps it", awsDual, vpcRange("ten"), vpcRange("ten"), nil},
	{"S4", "a running cluster is told", awsManaged, vpcRange("ten"), vpcRange("ten"), []string{"S4 networks.vpc.cidr"}},

	{"S7", "a service", awsManaged, endpoints("s3", "dynamodb"), nil, nil},
	{"S7", "no name", awsManaged, endpoints("s3", "S3_x", ""), nil, []string{"S7 networks.vpc.gatewayEndpoints[1]", "S7 networks.vpc.gatewayEndpoints[2]"}},
	{"S8", "with a VPC of the user", awsManaged, func(c *awsCluster) {
		endpoints("s3")(c)
		c.config.Networks.VPC = v1alpha1.VPC{ID: to("vpc-1"), GatewayEndpoints: []string{"s3"}}
	}, nil, nil},
	{"S8", "with subnets of the user", awsExisting, endpoints("s3", "dynamodb"), nil, []string{"S8 networks.vpc.gatewayEndpoints"}},

	{"S9", "an ID", awsExisting, nil, nil, nil},
	{"S9", "a name", awsExisting, nodesGroup("default"), nil, []string{"S9 networks.nodesSecurityGroupID"}},
	{"S9", "another kind of ID", awsExisting, nodesGroup("vpc-1"), nil, []string{"S9 networks.nodesSecurityGroupID"}},
	{"S9b", "absent", awsExisting, func(c *awsCluster) { c.config.Networks.NodesSecurityGroupID = nil }, nil, nil},
	{"S9b", "empty", awsExisting, nodesGroup(""), nil, []string{"S9b networks.nodesSecurityGroupID"}},
	{"S10", "with a VPC and subnets to make", awsManaged, func(c *awsCluster) { nodesGroup("sg-1")(c); c.config.Networks.VPC = v1alpha1.VPC{ID: to("vpc-1")} }, nil, nil},
	{"S10", "without a VPC", awsManaged, nodesGroup("sg-1"), nil, []string{"S10 networks.nodesSecurityGroupID"}},

	{"S32", "a /56 of a pool", awsDual, ipamPool("2001:db8::/56"), nil, nil},
	{"S32", "all that can be wrong", awsManaged, func(c *awsCluster) { ipamPool("2001:db8::1/64")(c); c.config.Networks.VPC.Ipv6IpamPool.ID = nil }, nil,
		[]string{"S32 networks.vpc.ipv6IpamPool.cidrBlock", "S32 networks.vpc.ipv6IpamPool.cidrBlock", "S32 networks.vpc.ipv6IpamPool.cidrBlock", "S32 networks.vpc.ipv6IpamPool.cidrBlock"}},
	{"S32", "an IPv4 range", awsDual, ipamPool("10.0.0.0/8"), nil, []string{"S32 networks.vpc.ipv6IpamPool.cidrBlock"}},
	{"S32", "no range", awsDual, ipamPool(""), nil, []string{"S32 networks.vpc.ipv6IpamPool.cidrBlock"}},
	{"Y4", "a pool by ID", awsDual, func(c *awsCluster) { c.config.Networks.VPC.Ipv6IpamPool = &v1alpha1.IPAMPool{ID: to("ipam-pool-1")} }, nil, nil},
	{"Y4", "a pool without ID", awsDual, noPoolID, nil, []string{"Y4 networks.vpc.ipv6IpamPool.id"}},
	{"Y4", "a pool with an empty ID", awsDual, func(c *awsCluster) { c.config.Networks.VPC.Ipv6IpamPool = &v1alpha1.IPAMPool{ID: to("")} }, nil, []string{"Y4 networks.vpc.ipv6IpamPool.id"}},
	{"Y4", "a running cluster keeps it", awsDual, noPoolID, noPoolID, nil},

	{"S33", "no file system", awsExisting, nil, nil, nil},
	{"S33", "the user's file system", awsExisting, efs(true, to("fs-1")), nil, nil},
	{"S33", "a managed file system where subnets are made", awsManaged, efs(true, nil), nil, nil},
	{"S33", "switched off", awsExisting, efs(false, nil), nil, nil},
	{"S33", "a managed file system on subnets of the user", awsExisting, efs(true, nil), nil, []string{"S33 elasticFileSystem.id"}},
	{"Y5", "absent", awsManaged, efs(true, nil), nil, nil},
	{"Y5", "empty", awsManaged, efs(true, to("")), nil, []string{"Y5 elasticFileSystem.id"}},
	{"Y5", "a running cluster keeps it", awsManaged, efs(true, to("")), efs(true, to("")), nil},

	{"Y3", "settings of a VPC to make", awsDual, func(c *awsCluster) { ipamPool("2001:db8::/56")(c); c.config.EnableDedicatedTenancyForVPC = to(true) }, nil, nil},
	{"Y3", "settings of an existing VPC", awsExisting, func(c *awsCluster) {
		c.config.Networks.VPC.Ipv6IpamPool, c.config.EnableDedicatedTenancyForVPC = &v1alpha1.IPAMPool{ID: to("ipam-pool-1")}, to(true)
	}, nil, []string{"Y3 enableDedicatedTenancyForVPC", "Y3 networks.vpc.ipv6IpamPool"}},
}

func vpcRange(cidr string) func(*awsCluster) {
	return func(c *awsCluster) { c.config.Networks.VPC.CIDR = &cidr }
}

func endpoints(names ...string) func(*awsCluster) {
	return func(c *awsCluster) { c.config.Networks.VPC.GatewayEndpoints = names }
}

func nodesGroup(id string) func(*awsCluster) {
	return func(c *awsCluster) { c.config.Networks.NodesSecurityGroupID = &id }
}

func ipamPool(block string) func(*awsCluster) {
	return func(c *awsCluster) {
		c.config.Networks.VPC.Ipv6IpamPool = &v1alpha1.IPAMPool{ID: to("ipam-pool-1"), CidrBlock: &block}
	}
}

func noPoolID(c *awsCluster) { c.config.Networks.VPC.Ipv6IpamPool = &v1alpha1.IPAMPool{} }

func efs(enabled bool, id *string) func(*awsCluster) {
	return func(c *awsCluster) {
		c.config.ElasticFileSystem = &v1alpha1.ElasticFileSystemConfig{Enabled: enabled, ID: id}
	}
}

var awsTagRows = []awsRow{
	{"S34", "keys of others", awsManaged, ignore("owner", "cost center", "a.b:c/d@e+f-g=h_1"), nil, nil},
	{"S34", "keys that are needed or none", awsManaged, ignore("Name", "kubernetes.io/role/elb", "gardener.cloud", "ümlaut", strings.Repeat("x", 129)), nil,
		[]string{"S34 ignoreTags.keys[0]", "S34 ignoreTags.keys[1]", "S34 ignoreTags.keys[2]", "S34 ignoreTags.keys[3]", "S34 ignoreTags.keys[4]"}},
	{"S34b", "keys of others", awsManaged, ignore("owner"), nil, nil},
	{"S34b", "an empty key", awsManaged, ignore("owner", ""), nil, []string{"S34b ignoreTags.keys[1]"}},
	{"S35", "prefixes of others", awsManaged, ignorePrefixes("cost/", "Names"), nil, nil},
	{"S35", "prefixes of what is needed", awsManaged, ignorePrefixes("Na", "kubernetes.io/", "kube", "gardener.cloud/x", "a*"), nil,
		[]string{"S35 ignoreTags.keyPrefixes[0]", "S35 ignoreTags.keyPrefixes[1]", "S35 ignoreTags.keyPrefixes[2]", "S35 ignoreTags.keyPrefixes[3]", "S35 ignoreTags.keyPrefixes[4]"}},
	{"S35b", "prefixes of others", awsManaged, ignorePrefixes("cost/"), nil, nil},
	{"S35b", "an empty prefix", awsManaged, ignorePrefixes(""), nil, []string{"S35b ignoreTags.keyPrefixes[0]"}},
}

func ignore(keys ...string) func(*awsCluster) {
	return func(c *awsCluster) { c.config.IgnoreTags = &v1alpha1.IgnoreTags{Keys: keys} }
}

func ignorePrefixes(prefixes ...string) func(*awsCluster) {
	return func(c *awsCluster) { c.config.IgnoreTags = &v1alpha1.IgnoreTags{KeyPrefixes: prefixes} }
}
