// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
)

// managedWithIPv6Alone reports whether the subnets are made in a cluster with
// IPv6 alone, where a zone needs no ranges.
func (v *awsView) managedWithIPv6Alone() bool { return !v.existing() && v.ipv6() && !v.ipv4() }

// zonesUniform checks that there are zones and that all get their worker subnets
// in one way.
func (v *awsView) zonesUniform() field.ErrorList {
	zones, path := v.config.Networks.Zones, v.networks().Child("zones")
	if len(zones) == 0 {
		return field.ErrorList{awsZonesMissing.at(path, "", "there is no zone", "add at least one availability zone with its subnets")}
	}
	managed := slices.ContainsFunc(zones, func(z v1alpha1.Zone) bool { return z.Workers != nil })
	switch {
	case v.existing() && managed:
		return field.ErrorList{awsZonesMixed.at(path, "", "some zones have workersSubnetID and some have workers", "use one of the two in all zones")}
	case !v.existing() && !managed && !v.managedWithIPv6Alone():
		return field.ErrorList{awsNoWorkers.at(path, "", "no zone says where its nodes live", "give each zone workers, or workersSubnetID")}
	}
	return nil
}

// zonesComplete checks that each zone says where its nodes live, once.
func (v *awsView) zonesComplete() field.ErrorList {
	var findings field.ErrorList
	for i, z := range v.config.Networks.Zones {
		switch path := v.zone(i); {
		case z.Workers == nil && z.WorkersSubnetID == nil && !v.managedWithIPv6Alone():
			findings = append(findings, awsZoneWithoutWorkers.at(path, "", "zone "+z.Name+" does not say where its nodes live", "give it workers, or workersSubnetID"))
		case z.Workers != nil && z.WorkersSubnetID != nil:
			findings = append(findings, awsWorkersTwice.at(path.Child("workers"), "", "the nodes live in the subnet "+*z.WorkersSubnetID+", and workers gives a range for another", "keep one of the two"))
		}
	}
	return findings
}

// lbSubnetsComplete checks that load balancer subnets of a kind are named in all
// zones or in none.
func (v *awsView) lbSubnetsComplete() field.ErrorList {
	zones := v.config.Networks.Zones
	if len(zones) < 2 {
		return nil
	}
	var findings field.ErrorList
	for _, kind := range []struct {
		rule code
		key  string
		id   func(v1alpha1.Zone) *string
	}{
		{awsPublicIncomplete, "publicSubnetID", func(z v1alpha1.Zone) *string { return z.PublicSubnetID }},
		{awsInternalIncomplete, "internalSubnetID", func(z v1alpha1.Zone) *string { return z.InternalSubnetID }},
	} {
		if !slices.ContainsFunc(zones, func(z v1alpha1.Zone) bool { return kind.id(z) != nil }) {
			continue
		}
		for i, z := range zones {
			if z.WorkersSubnetID != nil && kind.id(z) == nil {
				findings = append(findings, kind.rule.at(v.zone(i).Child(kind.key), "", "other zones have "+kind.key, "name one here, or in no zone"))
			}
		}
	}
	return findings
}

// zoneNames checks the names for themselves, against each other and against the
// CloudProfile. Zones that did not change are only compared.
func (v *awsView) zoneNames() field.ErrorList {
	var findings field.ErrorList
	var names []string
	for i, z := range v.config.Networks.Zones {
		path := v.zone(i).Child("name")
		if z.Name == "" {
			findings = append(findings, awsZoneNameMissing.at(path, "", "the zone has no name", "name the availability zone (aws ec2 describe-availability-zones)"))
			continue
		}
		if fault := zoneNameFault(z.Name); fault != "" {
			findings = append(findings, awsZoneName.at(path, z.Name, fault, "use the name that AWS gives it, such as eu-central-1a"))
		}
		if !v.unchanged(i) {
			if v.zones != nil && !slices.Contains(v.zones, z.Name) {
				findings = append(findings, awsZoneNotAllowed.at(path, z.Name, "the CloudProfile does not have this zone in region "+v.region, allowedValues(v.zones)))
			}
			if slices.Contains(names, z.Name) {
				findings = append(findings, awsZoneTwice.at(path, z.Name, "another entry is for this zone", "put all subnets of a zone into one entry"))
			}
		}
		names = append(names, z.Name)
	}
	return findings
}

// unchanged reports whether a zone is as it was before an update.
func (v *awsView) unchanged(i int) bool {
	return v.old != nil && i < len(v.old.Networks.Zones) && reflect.DeepEqual(v.old.Networks.Zones[i], v.config.Networks.Zones[i])
}

// needsVPC reports a subnet that is named without its VPC.
func (v *awsView) needsVPC(path *field.Path, id string) field.ErrorList {
	if v.config.Networks.VPC.ID != nil {
		return nil
	}
	return field.ErrorList{awsSubnetNeedsVPC.at(path, id, "a subnet is part of a VPC, and networks.vpc.id is not given", "add networks.vpc.id")}
}

// workerSubnets checks the worker subnets of the user.
func (v *awsView) workerSubnets() field.ErrorList {
	var findings field.ErrorList
	seen := map[string]string{}
	for i, z := range v.config.Networks.Zones {
		if z.WorkersSubnetID == nil {
			continue
		}
		id, path := *z.WorkersSubnetID, v.zone(i).Child("workersSubnetID")
		findings = append(findings, awsNodesKind.at(path, id)...)
		findings = append(findings, v.needsVPC(path, id)...)
		if other, twice := seen[id]; twice && id != "" {
			findings = append(findings, awsSubnetTwice.at(path, id, "it is also the worker subnet of zone "+other+", and a subnet lies in one zone", "name the subnet of zone "+z.Name))
		}
		seen[id] = z.Name
		for _, cidr := range []struct {
			key   string
			value *string
		}{{"internal", z.Internal}, {"public", z.Public}} {
			if cidr.value != nil {
				findings = append(findings, awsRangeBesideSubnet.at(v.zone(i).Child(cidr.key), *cidr.value, "with workersSubnetID no subnets are made", "name a subnet in "+cidr.key+"SubnetID, or tag one, and remove the range"))
			}
		}
	}
	return findings
}

// lbSubnets checks the load balancer subnets of the user. One that is a worker
// subnet too is fine.
func (v *awsView) lbSubnets() field.ErrorList {
	var findings field.ErrorList
	seen := map[string]bool{}
	for i, z := range v.config.Networks.Zones {
		for _, named := range []struct {
			key string
			id  *string
		}{{"publicSubnetID", z.PublicSubnetID}, {"internalSubnetID", z.InternalSubnetID}} {
			if named.id == nil {
				continue
			}
			id, path := *named.id, v.zone(i).Child(named.key)
			if z.WorkersSubnetID == nil {
				findings = append(findings, awsLBSubnetAlone.at(path, id, "the zone has no workersSubnetID, so its subnets are made", "add workersSubnetID, or give the range of a subnet to make"))
				continue
			}
			findings = append(findings, awsLBKind.at(path, id)...)
			findings = append(findings, v.needsVPC(path, id)...)
			if seen[id] && id != "" {
				findings = append(findings, awsLBSubnetTwice.at(path, id, "it is named as a load balancer subnet before", "name another subnet"))
			}
			seen[id] = true
		}
		if z.WorkersSubnetID != nil && z.PublicSubnetID != nil && z.InternalSubnetID != nil && *z.PublicSubnetID == *z.InternalSubnetID {
			findings = append(findings, awsPublicIsInternal.at(v.zone(i).Child("internalSubnetID"), *z.InternalSubnetID, "it is the public subnet of the zone too, and only a public one has a route to an internet gateway", "name two subnets"))
		}
	}
	return findings
}

// elasticIPs checks the elastic IPs of NAT gateways that are made.
func (v *awsView) elasticIPs() field.ErrorList {
	var findings field.ErrorList
	seen := map[string]bool{}
	for i, z := range v.config.Networks.Zones {
		if z.ElasticIPAllocationID == nil {
			continue
		}
		id, path := *z.ElasticIPAllocationID, v.zone(i).Child("elasticIPAllocationID")
		if z.Workers == nil || z.Public == nil {
			findings = append(findings, awsEIPWithoutNAT.at(path, id, "it is for a NAT gateway that is made, and the zone does not have both workers and public", "remove it, or give both ranges"))
		}
		if seen[id] && id != "" {
			findings = append(findings, awsEIPTwice.at(path, id, "another zone has this elastic IP", "give each zone its own"))
		}
		seen[id] = true
		findings = append(findings, awsEIPKind.at(path, id)...)
	}
	return findings
}
