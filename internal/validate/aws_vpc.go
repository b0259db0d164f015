// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"net/netip"
	"regexp"
	"strconv"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// awsID is how the IDs of one kind of resource look.
type awsID struct {
	malformed, missing code
	prefix             string
	list               string // the call that lists them
}

var afterPrefix = regexp.MustCompile(`^[a-z0-9]+$`)

// at reports an ID that cannot be one.
func (k awsID) at(path *field.Path, id string) field.ErrorList {
	if id == "" {
		return field.ErrorList{k.missing.at(path, "", "the ID is empty", "give the ID (aws ec2 "+k.list+"), or remove the key")}
	}
	if len(id) > longestName || len(id) <= len(k.prefix) || id[:len(k.prefix)] != k.prefix || !afterPrefix.MatchString(id[len(k.prefix):]) {
		return field.ErrorList{k.malformed.at(path, id, "an ID of this kind is "+k.prefix+" and lower case letters and digits, at most "+strconv.Itoa(longestName)+" in all", "give the ID (aws ec2 "+k.list+"), not the name")}
	}
	return nil
}

var (
	awsVPCKind   = awsID{awsVPCID, awsVPCIDMissing, "vpc-", "describe-vpcs"}
	awsGroupKind = awsID{awsGroupID, awsGroupIDMissing, "sg-", "describe-security-groups"}
	awsNodesKind = awsID{awsSubnetID, awsSubnetIDMissing, "subnet-", "describe-subnets"}
	awsLBKind    = awsID{awsLBSubnetID, awsLBSubnetIDMissing, "subnet-", "describe-subnets"}
	awsEIPKind   = awsID{awsEIPID, awsEIPIDMissing, "eipalloc-", "describe-addresses"}
)

// vpcSource checks that exactly one thing says where the VPC comes from.
func (v *awsView) vpcSource() field.ErrorList {
	vpc := v.config.Networks.VPC
	switch {
	case vpc.ID == nil && vpc.CIDR == nil:
		return field.ErrorList{awsVPCSource.at(v.vpc(), field.OmitValueType{}, "nothing says which VPC to use", "give id for a VPC of yours, or cidr to have one made")}
	case vpc.ID != nil && vpc.CIDR != nil:
		return field.ErrorList{awsVPCSource.at(v.vpc(), field.OmitValueType{}, "id names a VPC of yours ("+*vpc.ID+"), and cidr asks for one to be made ("+*vpc.CIDR+")", "keep one of the two")}
	case vpc.ID != nil:
		return awsVPCKind.at(v.vpc().Child("id"), *vpc.ID)
	}
	prefix, fault := parseRange(*vpc.CIDR)
	if fault == "" && !prefix.Addr().Is4() {
		prefix, fault = netip.Prefix{}, "this is an IPv6 range"
	}
	if fault == "" || v.lenient() {
		return nil
	}
	return field.ErrorList{awsVPCRange.at(v.vpc().Child("cidr"), *vpc.CIDR, fault, fixRange(prefix, "10.250.0.0/16"))}
}

// lenient is true where a running cluster may break a rule that Gardener's
// provider does not check: whatever is about the range of the VPC once IPv6 is
// among the families.
func (v *awsView) lenient() bool { return v.update && v.ipv6() }

// endpoints checks the gateway endpoints.
func (v *awsView) endpoints() field.ErrorList {
	names, path := v.config.Networks.VPC.GatewayEndpoints, v.vpc().Child("gatewayEndpoints")
	var findings field.ErrorList
	for i, name := range names {
		if len(validation.IsDNS1123Subdomain(name)) > 0 {
			findings = append(findings, awsEndpointName.at(path.Index(i), name, "this is no name of a service: lower case letters, digits, dashes and dots", "give a name such as s3 or dynamodb"))
		}
	}
	if len(names) > 0 && v.existing() {
		findings = append(findings, awsEndpointsWithSubnets.at(path, "", "an endpoint needs routes in route tables, and with workersSubnetID those are yours", "make the endpoint yourself (aws ec2 create-vpc-endpoint) and remove the list"))
	}
	return findings
}

// securityGroup checks networks.nodesSecurityGroupID.
func (v *awsView) securityGroup() field.ErrorList {
	id, path := v.config.Networks.NodesSecurityGroupID, v.networks().Child("nodesSecurityGroupID")
	if id == nil {
		return nil
	}
	findings := awsGroupKind.at(path, *id)
	if v.config.Networks.VPC.ID == nil {
		findings = append(findings, awsGroupNeedsVPC.at(path, *id, "a security group is part of a VPC, and networks.vpc.id is not given", "add networks.vpc.id, or remove the group to have one made"))
	}
	return findings
}

// poolBlock is the prefix length of the IPv6 range of a VPC.
const poolBlock = 56

// ipv6Pool checks the pool of the VPC's IPv6 range.
func (v *awsView) ipv6Pool() field.ErrorList {
	pool, path := v.config.Networks.VPC.Ipv6IpamPool, v.vpc().Child("ipv6IpamPool")
	if pool == nil {
		return nil
	}
	var findings field.ErrorList
	unnamed := pool.ID == nil && pool.CidrBlock == nil || pool.ID != nil && *pool.ID == ""
	if unnamed && !v.update {
		findings = append(findings, awsPoolIDMissing.at(path.Child("id"), "", "the pool is not named", "give the ID (aws ec2 describe-ipam-pools), or remove ipv6IpamPool"))
	}
	if pool.CidrBlock == nil {
		return findings
	}
	return append(findings, v.poolRange(*pool.CidrBlock, pool.ID != nil, path.Child("cidrBlock"))...)
}

// poolRange checks the very range that is asked of the pool; each fault for
// itself.
func (v *awsView) poolRange(block string, named bool, path *field.Path) field.ErrorList {
	var findings field.ErrorList
	prefix, fault := parseRange(block)
	if prefix.IsValid() && prefix.Addr().Is4() {
		prefix, fault = netip.Prefix{}, "this is an IPv4 range"
	}
	if fault != "" {
		findings = append(findings, awsPoolRange.at(path, block, fault, fixRange(prefix, "2001:db8:0:100::/56")))
	}
	if prefix.IsValid() && prefix.Bits() != poolBlock {
		findings = append(findings, awsPoolRange.at(path, block, "the IPv6 range of a VPC is a /56, and this is a /"+strconv.Itoa(prefix.Bits()), "give a /56 of the pool"))
	}
	if v.net != nil && !v.ipv6() {
		findings = append(findings, awsPoolRange.at(path, block, "IPv6 is not among spec.networking.ipFamilies", "add it, or remove the block"))
	}
	if !named {
		findings = append(findings, awsPoolRange.at(path, block, "the pool that the block is of is not named", "add ipv6IpamPool.id"))
	}
	return findings
}

// fileSystem checks the ID of the file system.
func (v *awsView) fileSystem() field.ErrorList {
	efs, path := v.config.ElasticFileSystem, v.base.Child("elasticFileSystem", "id")
	switch {
	case efs == nil:
	case efs.Enabled && efs.ID == nil && v.existing():
		return field.ErrorList{awsFileSystemMissing.at(path, "", "with workersSubnetID no file system is made, and none is named", "name one (aws efs describe-file-systems), or set elasticFileSystem.enabled to false")}
	case efs.ID != nil && *efs.ID == "" && !v.update:
		return field.ErrorList{awsFileSystemIDMissing.at(path, "", "the ID is empty", "give the ID (aws efs describe-file-systems), or remove the key")}
	}
	return nil
}

// settingsUnused points at settings of a VPC that is made, beside one that is
// the user's.
func (v *awsView) settingsUnused() field.ErrorList {
	if v.config.Networks.VPC.ID == nil {
		return nil
	}
	var findings field.ErrorList
	if isTrue(v.config.EnableDedicatedTenancyForVPC) {
		findings = append(findings, awsSettingUnused.at(v.base.Child("enableDedicatedTenancyForVPC"), true, "the tenancy is chosen when a VPC is made, and this one exists", "remove it"))
	}
	if v.config.Networks.VPC.Ipv6IpamPool != nil {
		findings = append(findings, awsSettingUnused.at(v.vpc().Child("ipv6IpamPool"), "", "the IPv6 range is taken from the pool when a VPC is made, and this one exists", "remove it"))
	}
	return findings
}

// zoneNameFault says what is wrong with the name of a zone, or nothing.
func zoneNameFault(name string) string {
	if !zoneName.MatchString(name) {
		return "a zone has lower case letters, digits and dashes"
	}
	if length := utf8.RuneCountInString(name); length > longestName {
		return "a name has at most " + strconv.Itoa(longestName) + " characters, this one has " + strconv.Itoa(length)
	}
	return ""
}

var zoneName = regexp.MustCompile(`^[a-z0-9-]+$`)
