// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// awsChangeCodes lists the rules about what may not change.
func awsChangeCodes() []code {
	return []code{awsFileSystemChanged, awsTenancyChanged, awsVPCChanged, awsVPCRangeChanged, awsGroupChanged, awsPoolChanged,
		awsZoneRemoved, awsZoneRenamed, awsSubnetChanged, awsRangeChanged, awsLBSubnetChanged, awsDualStackOff}
}

// changes compares the configuration with the one before. Some fields may never
// change, others may be set later and not change from then on.
func (v *awsView) changes() field.ErrorList {
	if v.old == nil {
		return nil
	}
	var findings field.ErrorList
	was, is := v.old, v.config
	if was.ElasticFileSystem != nil && !reflect.DeepEqual(was.ElasticFileSystem, is.ElasticFileSystem) {
		findings = append(findings, awsFileSystemChanged.at(v.base.Child("elasticFileSystem"), "", "field is immutable once it is set", "take the change back"))
	}
	findings = append(findings, fixed(awsTenancyChanged, v.base.Child("enableDedicatedTenancyForVPC"), was.EnableDedicatedTenancyForVPC, is.EnableDedicatedTenancyForVPC)...)
	findings = append(findings, fixed(awsVPCChanged, v.vpc().Child("id"), was.Networks.VPC.ID, is.Networks.VPC.ID)...)
	findings = append(findings, fixed(awsVPCRangeChanged, v.vpc().Child("cidr"), was.Networks.VPC.CIDR, is.Networks.VPC.CIDR)...)
	findings = append(findings, fixed(awsGroupChanged, v.networks().Child("nodesSecurityGroupID"), was.Networks.NodesSecurityGroupID, is.Networks.NodesSecurityGroupID)...)
	if pool := was.Networks.VPC.Ipv6IpamPool; pool != nil && !reflect.DeepEqual(pool, is.Networks.VPC.Ipv6IpamPool) {
		findings = append(findings, awsPoolChanged.at(v.vpc().Child("ipv6IpamPool"), "", "field is immutable once it is set", "take the change back"))
	}
	findings = append(findings, v.zoneChanges()...)
	if was.DualStack != nil && was.DualStack.Enabled && (is.DualStack == nil || !is.DualStack.Enabled) {
		findings = append(findings, awsDualStackOff.at(v.base.Child("dualStack", "enabled"), false, "it cannot be switched off", "take the change back"))
	}
	return findings
}

// zoneChanges compares the zones place by place.
func (v *awsView) zoneChanges() field.ErrorList {
	was, is := v.old.Networks.Zones, v.config.Networks.Zones
	if len(was) > len(is) {
		return field.ErrorList{awsZoneRemoved.at(v.networks().Child("zones"), "", fmt.Sprintf("there were %d zones and now there are %d", len(was), len(is)), "take the change back, for zones may only be added")}
	}
	var findings field.ErrorList
	for i, before := range was {
		now, path := is[i], v.zone(i)
		if before.Name != now.Name {
			findings = append(findings, awsZoneRenamed.at(path.Child("name"), now.Name, fmt.Sprintf("field is immutable, it was %q", before.Name), "keep the old zones first and in order"))
		}
		findings = append(findings, fixed(awsSubnetChanged, path.Child("workersSubnetID"), before.WorkersSubnetID, now.WorkersSubnetID)...)
		findings = append(findings, fixedOnceSet(awsRangeChanged, path.Child("public"), before.Public, now.Public)...)
		findings = append(findings, fixedOnceSet(awsRangeChanged, path.Child("internal"), before.Internal, now.Internal)...)
		findings = append(findings, fixedOnceSet(awsRangeChanged, path.Child("workers"), before.Workers, now.Workers)...)
		findings = append(findings, fixedOnceSet(awsLBSubnetChanged, path.Child("publicSubnetID"), before.PublicSubnetID, now.PublicSubnetID)...)
		findings = append(findings, fixedOnceSet(awsLBSubnetChanged, path.Child("internalSubnetID"), before.InternalSubnetID, now.InternalSubnetID)...)
	}
	return findings
}

// fixed reports a field that differs from what it was.
func fixed[T comparable](rule code, path *field.Path, was, is *T) field.ErrorList {
	if equal(was, is) {
		return nil
	}
	before, now := notSet, any("")
	if was != nil {
		before = fmt.Sprintf("%#v", *was)
	}
	if is != nil {
		now = *is
	}
	return field.ErrorList{rule.at(path, now, "field is immutable, it was "+before, "take the change back, or make a new cluster")}
}

// fixedOnceSet is fixed for a field that may be set later.
func fixedOnceSet[T comparable](rule code, path *field.Path, was, is *T) field.ErrorList {
	if was == nil {
		return nil
	}
	return fixed(rule, path, was, is)
}
