// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

// The codes of the static rules for OpenStack, in the order of the tables: S
// what was always checked, U what may not change, P the CloudProfile, H the
// Shoot, C the control plane, K the workers, N the proposal for existing
// subnets, X and Y what we add. A code is never given to another rule.
const (
	poolMissing               code = "EOS001" // S1
	poolName                  code = "EOS002" // S1b
	noNodeSubnet              code = "EOS003" // S2
	poolAndRange              code = "EOS004" // S3
	workerRange               code = "EOS005" // S4
	workersRange              code = "EOS006" // S5
	outsideNodes              code = "EOS007" // S6
	subnetPoolID              code = "EOS008" // S7
	subnetPoolPrefix          code = "EOS009" // S8
	networkID                 code = "EOS010" // S9
	routerID                  code = "EOS011" // S10
	poolSubnetName            code = "EOS012" // S11
	poolSubnetChars           code = "EOS013" // S11b
	poolSubnetAndRouter       code = "EOS014" // S12
	ipv6Empty                 code = "EOS015" // S13
	ipv6Incomplete            code = "EOS016" // S14
	ipv6Range                 code = "EOS017" // S15
	ipv6Overlap               code = "EOS018" // S16
	networkChanged            code = "EOS019" // U1
	routerChanged             code = "EOS020" // U2
	workerChanged             code = "EOS021" // U3
	workersChanged            code = "EOS022" // U4
	subnetPoolChanged         code = "EOS023" // U5
	poolChanged               code = "EOS024" // U6
	poolSubnetChanged         code = "EOS025" // U7
	shareNetworkChanged       code = "EOS026" // U8
	poolNotAllowed            code = "EOS027" // P1
	configMissing             code = "EOS028" // H1
	controlPlaneMissing       code = "EOS029" // H2
	configUnreadable          code = "EOS030" // H3
	controlPlaneUnreadable    code = "EOS031" // H4
	nodesMissing              code = "EOS032" // H5
	ipv6Only                  code = "EOS033" // H6
	dualStackWithoutIPv6      code = "EOS034" // H7
	overlayUnreadable         code = "EOS035" // H8
	lbProviderMissing         code = "EOS036" // C1
	lbProviderNotAllowed      code = "EOS037" // C2
	lbClassNameMissing        code = "EOS038" // C3
	lbClassName               code = "EOS039" // C3b
	lbClassTwice              code = "EOS040" // C4
	lbClassRole               code = "EOS041" // C5
	lbClassPurpose            code = "EOS042" // C6
	lbClassID                 code = "EOS043" // C7
	lbClassSelectors          code = "EOS044" // C8
	lbClassNotAllowed         code = "EOS045" // C9
	manilaWithoutShareNetwork code = "EOS046" // C10
	controlPlaneField         code = "EOS047" // C11
	zoneDeprecated            code = "EOS048" // C12
	zonesMissing              code = "EOS049" // K1
	zonesChanged              code = "EOS050" // K2
	subnetNeedsNetwork        code = "EOS051" // N1
	subnetNeedsRouter         code = "EOS052" // N2
	subnetID                  code = "EOS053" // N3
	subnetAndRange            code = "EOS054" // N4
	subnetAndPool             code = "EOS055" // N5
	subnetChanged             code = "EOS056" // N6
	groupNeedsNetwork         code = "EOS057" // N7
	groupID                   code = "EOS058" // N8
	groupChanged              code = "EOS059" // N9
	shareNeedsNetwork         code = "EOS060" // N10
	shareID                   code = "EOS061" // N11
	shareTwice                code = "EOS062" // N12
	shareChanged              code = "EOS063" // N13
	nodeSubnetNeedsNetwork    code = "EOS064" // N14
	nodeSubnetNeedsRouter     code = "EOS065" // N15
	nodeSubnetNeedsSubnet     code = "EOS066" // N16
	nodeSubnetID              code = "EOS067" // N17
	nodeSubnetAndPool         code = "EOS068" // N18
	nodeSubnetAndRange        code = "EOS069" // N19
	podRangeMissing           code = "EOS070" // N20
	serviceRangeMissing       code = "EOS071" // N21
	podRangeTooSmall          code = "EOS072" // N22
	ipv6Changed               code = "EOS073" // N23
	rangeNotIPv4              code = "EOS074" // X1
	subnetsEqual              code = "EOS075" // X2
	ipv6Unused                code = "EOS076" // X3
	serviceRangeTooWide       code = "EOS077" // X4
	podRangeOneNode           code = "EOS078" // X5
	serviceRangeRewritten     code = "EOS079" // X6
	idSpelling                code = "EOS080" // X7
	workerDeprecated          code = "EOS081" // X8
	rangesNotIPv4             code = "EOS082" // X9
	networkingRange           code = "EOS083" // Y1
	networkingOverlap         code = "EOS084" // Y2
	workersOverlap            code = "EOS085" // Y3
	subnetPoolIDFormat        code = "EOS086" // Y4
	ipv6PoolIDFormat          code = "EOS087" // Y5
	nodeRangeNot64            code = "EOS088" // Y6
	poolSubnetPattern         code = "EOS089" // Y7
	twoRanges                 code = "EOS090" // Y8
	poolIgnored               code = "EOS091" // Y9
	podRangeSmall             code = "EOS092" // Y10
)
