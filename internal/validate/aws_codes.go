// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

// The codes of the static rules for AWS, in the order of the tables; the letters
// of the numbers are those of OpenStack's. A code is never given to another rule.
const (
	awsZonesMissing           code = "EAWS001" // S1
	awsVPCSource              code = "EAWS002" // S2
	awsVPCID                  code = "EAWS003" // S3
	awsVPCIDMissing           code = "EAWS004" // S3b
	awsVPCRange               code = "EAWS005" // S4
	awsOutsideVPC             code = "EAWS006" // S5
	awsOverlapsVPC            code = "EAWS007" // S6
	awsEndpointName           code = "EAWS008" // S7
	awsEndpointsWithSubnets   code = "EAWS009" // S8
	awsGroupID                code = "EAWS010" // S9
	awsGroupIDMissing         code = "EAWS011" // S9b
	awsGroupNeedsVPC          code = "EAWS012" // S10
	awsZonesMixed             code = "EAWS013" // S11
	awsNoWorkers              code = "EAWS014" // S12
	awsZoneWithoutWorkers     code = "EAWS015" // S13
	awsWorkersTwice           code = "EAWS016" // S14
	awsSubnetID               code = "EAWS017" // S15
	awsSubnetIDMissing        code = "EAWS018" // S15b
	awsSubnetNeedsVPC         code = "EAWS019" // S16
	awsSubnetTwice            code = "EAWS020" // S17
	awsRangeBesideSubnet      code = "EAWS021" // S18
	awsLBSubnetAlone          code = "EAWS022" // S19
	awsLBSubnetID             code = "EAWS023" // S20
	awsLBSubnetIDMissing      code = "EAWS024" // S20b
	awsLBSubnetTwice          code = "EAWS025" // S21
	awsPublicIsInternal       code = "EAWS026" // S22
	awsPublicIncomplete       code = "EAWS027" // S23
	awsInternalIncomplete     code = "EAWS028" // S24
	awsLBRange                code = "EAWS029" // S25
	awsWorkersRange           code = "EAWS030" // S26
	awsOutsideNodes           code = "EAWS031" // S27
	awsZonesOverlap           code = "EAWS032" // S28
	awsSubnetOverlapsCluster  code = "EAWS033" // S29
	awsEIPWithoutNAT          code = "EAWS034" // S30
	awsEIPTwice               code = "EAWS035" // S31
	awsEIPID                  code = "EAWS036" // S31b
	awsEIPIDMissing           code = "EAWS037" // S31c
	awsPoolRange              code = "EAWS038" // S32
	awsFileSystemMissing      code = "EAWS039" // S33
	awsIgnoredKey             code = "EAWS040" // S34
	awsIgnoredKeyMissing      code = "EAWS041" // S34b
	awsIgnoredPrefix          code = "EAWS042" // S35
	awsIgnoredPrefixMissing   code = "EAWS043" // S35b
	awsZoneNotAllowed         code = "EAWS044" // S36
	awsZoneTwice              code = "EAWS045" // S36b
	awsZoneName               code = "EAWS046" // S37
	awsZoneNameMissing        code = "EAWS047" // S37b
	awsFileSystemChanged      code = "EAWS048" // U1
	awsTenancyChanged         code = "EAWS049" // U2
	awsVPCChanged             code = "EAWS050" // U3
	awsVPCRangeChanged        code = "EAWS051" // U4
	awsGroupChanged           code = "EAWS052" // U5
	awsPoolChanged            code = "EAWS053" // U6
	awsZoneRemoved            code = "EAWS054" // U7
	awsZoneRenamed            code = "EAWS055" // U8
	awsSubnetChanged          code = "EAWS056" // U9
	awsRangeChanged           code = "EAWS057" // U10
	awsLBSubnetChanged        code = "EAWS058" // U11
	awsDualStackOff           code = "EAWS059" // U12
	awsConfigMissing          code = "EAWS060" // H1
	awsConfigUnreadable       code = "EAWS061" // H2
	awsNodesMissing           code = "EAWS062" // H3
	awsOverlayOn              code = "EAWS063" // H4
	awsOverlayUnsaid          code = "EAWS064" // H5
	awsOverlayUnreadable      code = "EAWS065" // H6
	awsControlPlaneUnreadable code = "EAWS066" // C1
	awsControlPlaneField      code = "EAWS067" // C2
	awsIngressClass           code = "EAWS068" // C3
	awsIngressClassMissing    code = "EAWS069" // C3b
	awsWorkerZonesMissing     code = "EAWS070" // K1
	awsWorkerZoneUnknown      code = "EAWS071" // K2
	awsWorkerZonesChanged     code = "EAWS072" // K3
	awsNetworkingRange        code = "EAWS073" // Y1
	awsNetworkingOverlap      code = "EAWS074" // Y2
	awsSettingUnused          code = "EAWS075" // Y3
	awsPoolIDMissing          code = "EAWS076" // Y4
	awsFileSystemIDMissing    code = "EAWS077" // Y5
	awsIPv4Unused             code = "EAWS078" // Y6
	awsRangeSize              code = "EAWS079" // Y7
)
