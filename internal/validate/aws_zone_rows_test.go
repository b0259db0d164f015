// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"strings"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
)

var awsZoneRows = []awsRow{
	{"S1", "two zones", awsManaged, nil, nil, nil},
	{"S1", "no zone", awsManaged, func(c *awsCluster) { c.config.Networks.Zones, c.workers[0].Zones = nil, nil }, nil, []string{"S1 networks.zones", "K1 spec.provider.workers[0].zones"}},
	{"S11", "all managed", awsManaged, nil, nil, nil},
	{"S11", "all existing", awsExisting, nil, nil, nil},
	{"S11", "some of each", awsExisting, func(c *awsCluster) { *c.zone(1) = v1alpha1.Zone{Name: "eu-central-1b", Workers: to("10.250.32.0/19")} }, nil, []string{"S11 networks.zones"}},
	{"S12", "ranges", awsManaged, nil, nil, nil},
	{"S12", "with IPv6 alone none is needed", awsIPv6, nil, nil, nil},
	{"S12", "no zone has either", awsManaged, noWorkers, nil, []string{"S12 networks.zones", "S13 networks.zones[0]", "S13 networks.zones[1]"}},
	{"S12", "no zone has either in a dual-stack cluster", awsDual, noWorkers, nil, []string{"S12 networks.zones", "S13 networks.zones[0]", "S13 networks.zones[1]"}},
	{"S13", "each zone has one", awsExisting, nil, nil, nil},
	{"S13", "one has none", awsManaged, func(c *awsCluster) { c.zone(1).Workers = nil }, nil, []string{"S13 networks.zones[1]"}},
	{"S13", "one has none beside existing ones, with IPv6 alone", awsExisting, func(c *awsCluster) {
		c.networking = awsIPv6().networking
		*c.zone(1) = v1alpha1.Zone{Name: "eu-central-1b"}
	}, nil, []string{"S13 networks.zones[1]"}},
	{"S14", "a subnet", awsExisting, nil, nil, nil},
	{"S14", "a subnet and a range", awsExisting, func(c *awsCluster) { c.zone(0).Workers = to("10.250.0.0/19") }, nil, []string{"S11 networks.zones", "S14 " + z0 + "workers"}},

	{"S15", "an ID", awsExisting, nil, nil, nil},
	{"S15", "a name", awsExisting, func(c *awsCluster) { c.zone(0).WorkersSubnetID = to("nodes") }, nil, []string{"S15 " + z0 + "workersSubnetID"}},
	{"S15", "capitals", awsExisting, func(c *awsCluster) { c.zone(0).WorkersSubnetID = to("subnet-1A") }, nil, []string{"S15 " + z0 + "workersSubnetID"}},
	{"S15b", "an ID", awsExisting, nil, nil, nil},
	{"S15b", "empty", awsExisting, func(c *awsCluster) { c.zone(0).WorkersSubnetID = to("") }, nil, []string{"S15b " + z0 + "workersSubnetID"}},
	{"S16", "with a VPC", awsExisting, nil, nil, nil},
	{"S16", "with a VPC to make", awsExisting, func(c *awsCluster) {
		c.config.Networks.VPC, c.config.Networks.NodesSecurityGroupID = v1alpha1.VPC{CIDR: to("10.250.0.0/16")}, nil
		c.config.Networks.Zones = c.config.Networks.Zones[:1]
		c.workers[0].Zones = c.workers[0].Zones[:1]
	}, nil, []string{"S16 " + z0 + "workersSubnetID", "S16 " + z0 + "publicSubnetID", "S16 " + z0 + "internalSubnetID"}},
	{"S17", "two subnets", awsExisting, nil, nil, nil},
	{"S17", "one subnet twice", awsExisting, func(c *awsCluster) { c.zone(1).WorkersSubnetID = to("subnet-1a") }, nil, []string{"S17 " + z1 + "workersSubnetID"}},
	{"S18", "no ranges", awsExisting, nil, nil, nil},
	{"S18", "ranges beside a subnet", awsExisting, func(c *awsCluster) {
		c.zone(0).Internal, c.zone(0).Public = to("10.250.112.0/22"), to("10.250.96.0/22")
	}, nil,
		[]string{"S18 " + z0 + "internal", "S18 " + z0 + "public"}},
	{"S19", "with a worker subnet", awsExisting, nil, nil, nil},
	{"S19", "without a worker subnet", awsManaged, func(c *awsCluster) {
		c.zone(0).PublicSubnetID, c.zone(0).InternalSubnetID = to("subnet-2a"), to("subnet-3a")
	}, nil,
		[]string{"S19 " + z0 + "publicSubnetID", "S19 " + z0 + "internalSubnetID"}},
	{"S20", "IDs", awsExisting, nil, nil, nil},
	{"S20", "names", awsExisting, func(c *awsCluster) {
		c.zone(0).PublicSubnetID, c.zone(0).InternalSubnetID = to("public"), to("internal")
	}, nil,
		[]string{"S20 " + z0 + "publicSubnetID", "S20 " + z0 + "internalSubnetID"}},
	{"S20b", "IDs", awsExisting, nil, nil, nil},
	{"S20b", "empty", awsExisting, func(c *awsCluster) { c.zone(0).PublicSubnetID, c.zone(1).InternalSubnetID = to(""), to("") }, nil,
		[]string{"S20b " + z0 + "publicSubnetID", "S20b " + z1 + "internalSubnetID"}},
	{"S21", "a subnet for nodes and for load balancers", awsExisting, func(c *awsCluster) {
		c.zone(0).InternalSubnetID, c.zone(1).PublicSubnetID = to("subnet-1a"), to("subnet-1b")
	}, nil, nil},
	{"S21", "the worker subnet of one zone, the internal of another", awsExisting, func(c *awsCluster) { c.zone(0).InternalSubnetID = to("subnet-1b") }, nil, nil},
	{"S21", "one subnet in two zones", awsExisting, func(c *awsCluster) {
		c.zone(1).PublicSubnetID, c.zone(1).InternalSubnetID = to("subnet-3a"), to("subnet-2a")
	}, nil,
		[]string{"S21 " + z1 + "publicSubnetID", "S21 " + z1 + "internalSubnetID"}},
	{"S22", "two subnets", awsExisting, nil, nil, nil},
	{"S22", "one subnet", awsExisting, func(c *awsCluster) { c.zone(0).InternalSubnetID = to("subnet-2a") }, nil, []string{"S21 " + z0 + "internalSubnetID", "S22 " + z0 + "internalSubnetID"}},
	{"S23", "in all zones", awsExisting, nil, nil, nil},
	{"S23", "in no zone", awsExisting, func(c *awsCluster) { c.zone(0).PublicSubnetID, c.zone(1).PublicSubnetID = nil, nil }, nil, nil},
	{"S23", "in one of two zones", awsExisting, func(c *awsCluster) { c.zone(1).PublicSubnetID = nil }, nil, []string{"S23 " + z1 + "publicSubnetID"}},
	{"S24", "in no zone", awsExisting, func(c *awsCluster) { c.zone(0).InternalSubnetID, c.zone(1).InternalSubnetID = nil, nil }, nil, nil},
	{"S24", "in one of two zones", awsExisting, func(c *awsCluster) { c.zone(0).InternalSubnetID = nil }, nil, []string{"S24 " + z0 + "internalSubnetID"}},

	{"S30", "for a NAT gateway", awsManaged, func(c *awsCluster) { c.zone(0).ElasticIPAllocationID = to("eipalloc-1") }, nil, nil},
	{"S30", "without a public subnet", awsManaged, func(c *awsCluster) { c.zone(0).ElasticIPAllocationID, c.zone(0).Public = to("eipalloc-1"), nil }, nil, []string{"S30 " + z0 + "elasticIPAllocationID"}},
	{"S30", "with subnets of the user", awsExisting, func(c *awsCluster) { c.zone(0).ElasticIPAllocationID = to("eipalloc-1") }, nil, []string{"S30 " + z0 + "elasticIPAllocationID"}},
	{"S31", "two", awsManaged, func(c *awsCluster) {
		c.zone(0).ElasticIPAllocationID, c.zone(1).ElasticIPAllocationID = to("eipalloc-1"), to("eipalloc-2")
	}, nil, nil},
	{"S31", "one twice", awsManaged, func(c *awsCluster) {
		c.zone(0).ElasticIPAllocationID, c.zone(1).ElasticIPAllocationID = to("eipalloc-1"), to("eipalloc-1")
	}, nil, []string{"S31 " + z1 + "elasticIPAllocationID"}},
	{"S31b", "an ID", awsManaged, func(c *awsCluster) { c.zone(0).ElasticIPAllocationID = to("eipalloc-1") }, nil, nil},
	{"S31b", "an address", awsManaged, func(c *awsCluster) { c.zone(0).ElasticIPAllocationID = to("203.0.113.7") }, nil, []string{"S31b " + z0 + "elasticIPAllocationID"}},
	{"S31c", "absent", awsManaged, nil, nil, nil},
	{"S31c", "empty", awsManaged, func(c *awsCluster) { c.zone(0).ElasticIPAllocationID, c.zone(1).ElasticIPAllocationID = to(""), to("") }, nil,
		[]string{"S31c " + z0 + "elasticIPAllocationID", "S31c " + z1 + "elasticIPAllocationID"}},

	{"S36", "zones of the region", awsManaged, nil, nil, nil},
	{"S36", "a zone of another region", awsManaged, zoneNamed("eu-west-1a"), nil, []string{"S36 " + z0 + "name"}},
	{"S36", "a running cluster keeps a zone that is not listed any more", awsManaged, zoneNamed("eu-central-1z"), zoneNamed("eu-central-1z"), nil},
	{"S36", "a zone that changes is checked", awsManaged, zoneNamed("eu-central-1z"), func(c *awsCluster) { zoneNamed("eu-central-1z")(c); c.zone(0).ElasticIPAllocationID = to("eipalloc-1") }, []string{"S36 " + z0 + "name"}},
	{"S36", "a zone that is added is checked", awsManaged, oneZone, func(c *awsCluster) { c.zone(1).Name = "eu-west-1b"; c.workers[0].Zones[1] = "eu-west-1b" }, []string{"S36 " + z1 + "name"}},
	{"S36b", "two zones", awsManaged, nil, nil, nil},
	{"S36b", "one zone twice", awsManaged, zoneNamed("eu-central-1b"), nil, []string{"S36b " + z1 + "name"}},
	{"S36b", "one zone twice without a CloudProfile", awsManaged, func(c *awsCluster) { zoneNamed("eu-central-1b")(c); c.profile = nil }, nil, []string{"S36b " + z1 + "name"}},
	{"S36b", "a running cluster keeps it", awsManaged, zoneNamed("eu-central-1b"), zoneNamed("eu-central-1b"), nil},
	{"S37", "a zone", awsManaged, nil, nil, nil},
	{"S37", "a Local Zone", awsManaged, func(c *awsCluster) { zoneNamed("us-west-2-lax-1a")(c); c.profile = nil }, nil, nil},
	{"S37", "capitals", awsManaged, func(c *awsCluster) { zoneNamed("EU-central-1a")(c); c.profile = nil }, nil, []string{"S37 " + z0 + "name"}},
	{"S37", "too long", awsManaged, func(c *awsCluster) { zoneNamed(strings.Repeat("a", 256))(c); c.profile = nil }, nil, []string{"S37 " + z0 + "name"}},
	{"S37b", "a zone", awsManaged, nil, nil, nil},
	{"S37b", "no name", awsManaged, func(c *awsCluster) { zoneNamed("")(c); c.workers[0].Zones = c.workers[0].Zones[1:] }, nil, []string{"S37b " + z0 + "name"}},
}

func oneZone(c *awsCluster) {
	c.config.Networks.Zones, c.workers[0].Zones = c.config.Networks.Zones[:1], c.workers[0].Zones[:1]
}

func noWorkers(c *awsCluster) {
	for i := range c.config.Networks.Zones {
		c.zone(i).Workers = nil
	}
}

// zoneNamed renames the first zone, for the worker pool too.
func zoneNamed(name string) func(*awsCluster) {
	return func(c *awsCluster) { c.zone(0).Name, c.workers[0].Zones[0] = name, name }
}
