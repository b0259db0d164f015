// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
)

var awsRangeRows = []awsRow{
	{"S5", "inside", awsManaged, nil, nil, nil},
	{"S5", "nodes around the VPC", awsManaged, vpcRange("10.250.0.0/17"), nil, []string{"S5 networking.nodes"}},
	{"S5", "subnets beside the VPC", awsManaged, func(c *awsCluster) {
		c.zone(0).Public, c.zone(0).Internal, c.zone(0).Workers = to("10.251.0.0/22"), to("10.251.4.0/22"), to("10.251.32.0/19")
	}, nil, []string{"S27 " + z0 + "workers", "S5 " + z0 + "public", "S5 " + z0 + "internal", "S5 " + z0 + "workers"}},
	{"S5", "subnets beside the VPC of a dual-stack cluster", awsDual, func(c *awsCluster) { c.zone(0).Public = to("10.251.0.0/22") }, nil, []string{"S5 " + z0 + "public"}},
	{"S5", "with IPv6 alone the nodes do not count", awsIPv6, func(c *awsCluster) { c.zone(0).Public = to("10.251.0.0/22") }, nil, []string{"S5 " + z0 + "public"}},
	{"S5", "a running dual-stack cluster keeps them", awsDual, outsideVPC, outsideVPC, nil},
	{"S5", "a running cluster is told", awsManaged, outsideVPC, outsideVPC, []string{"S5 " + z0 + "public"}},
	{"S5", "nothing is compared with a VPC that cannot be read", awsManaged, vpcRange("ten"), nil, []string{"S4 networks.vpc.cidr"}},
	{"S6", "apart", awsManaged, nil, nil, nil},
	{"S6", "in the VPC", awsManaged, func(c *awsCluster) { vpcRange("10.0.0.0/16")(c); clusterIn10(c) }, nil, []string{"S6 networking.pods", "S6 networking.services"}},
	{"S6", "in the VPC of a dual-stack cluster", awsDual, func(c *awsCluster) { vpcRange("10.0.0.0/16")(c); clusterIn10(c) }, nil, []string{"S6 networking.pods", "S6 networking.services"}},

	{"S25", "ranges", awsManaged, nil, nil, nil},
	{"S25", "none", awsManaged, func(c *awsCluster) { c.zone(0).Public, c.zone(0).Internal = nil, nil }, nil, nil},
	{"S25", "malformed", awsManaged, func(c *awsCluster) { c.zone(0).Public, c.zone(0).Internal = to("10.250.96.1/22"), to("") }, nil, []string{"S25 " + z0 + "public", "S25 " + z0 + "internal"}},
	{"S25", "IPv6", awsManaged, func(c *awsCluster) { c.zone(0).Public = to("2001:db8::/64") }, nil, []string{"S25 " + z0 + "public"}},
	{"S26", "a range", awsManaged, nil, nil, nil},
	{"S26", "malformed", awsManaged, func(c *awsCluster) { c.zone(0).Workers = to("") }, nil, []string{"S26 " + z0 + "workers"}},
	{"S26", "with IPv6 alone it does not count", awsIPv6, func(c *awsCluster) { c.zone(0).Workers = to("") }, nil, nil},
	{"S27", "inside", awsManaged, nil, nil, nil},
	{"S27", "beside the nodes", awsManaged, func(c *awsCluster) {
		c.networking.Nodes = to("10.250.0.0/18")
		c.zone(1).Workers = to("10.250.64.0/19")
	}, nil, []string{"S27 " + z1 + "workers"}},
	{"S27", "load balancers need not be inside", awsManaged, func(c *awsCluster) { c.networking.Nodes = to("10.250.0.0/18") }, nil, nil},
	{"S28", "side by side", awsManaged, nil, nil, nil},
	{"S28", "over one another", awsManaged, func(c *awsCluster) {
		c.zone(0).Internal, c.zone(1).Workers = to("10.250.96.0/23"), to("10.250.16.0/20")
		c.zone(1).Public = to("10.250.96.0/24")
	}, nil, []string{"S28 " + z0 + "internal", "S28 " + z1 + "public", "S28 " + z1 + "public", "S28 " + z1 + "workers"}},
	{"S29", "apart", awsManaged, nil, nil, nil},
	{"S29", "in the ranges of pods and Services", awsManaged, func(c *awsCluster) {
		c.config.Networks.VPC = v1alpha1.VPC{ID: to("vpc-1")}
		c.zone(0).Public, c.zone(0).Internal, c.zone(0).Workers = to("100.64.0.0/22"), to("100.96.0.0/22"), to("100.64.32.0/19")
	}, nil, []string{"S27 " + z0 + "workers", "S29 " + z0 + "internal", "S29 " + z0 + "public", "S29 " + z0 + "workers"}},

	{"Y1", "ranges", awsManaged, nil, nil, nil},
	{"Y1", "malformed", awsManaged, func(c *awsCluster) {
		c.networking.Nodes, c.networking.Pods, c.networking.Services = to("nodes"), to("100.96.0.1/11"), to("100.64.0.0/33")
	}, nil, []string{"Y1 spec.networking.nodes", "Y1 spec.networking.pods", "Y1 spec.networking.services"}},
	{"Y2", "apart", awsManaged, nil, nil, nil},
	{"Y2", "over one another", awsExisting, func(c *awsCluster) {
		c.networking.Pods, c.networking.Services = to("10.250.0.0/17"), to("10.250.64.0/24")
	}, nil,
		[]string{"Y2 spec.networking.pods", "Y2 spec.networking.services", "Y2 spec.networking.services"}},
	{"Y6", "no ranges", awsIPv6, nil, nil, nil},
	{"Y6", "IPv6 ranges", awsIPv6, func(c *awsCluster) { c.networking.Services = to("fd00::/108") }, nil, nil},
	{"Y6", "IPv4 ranges", awsIPv6, func(c *awsCluster) {
		c.networking.Nodes, c.networking.Pods, c.networking.Services = to("10.250.0.0/16"), to("100.96.0.0/11"), to("100.64.0.0/13")
	}, nil, []string{"Y6 spec.networking.nodes", "Y6 spec.networking.pods", "Y6 spec.networking.services"}},
	{"Y7", "from /16 to /28", awsManaged, func(c *awsCluster) { c.zone(0).Public = to("10.250.96.0/28") }, nil, nil},
	{"Y7", "too wide and too small", awsManaged, oddSizes, nil, []string{"Y7 " + z0 + "public", "Y7 " + z0 + "internal", "Y7 " + z0 + "workers", "Y7 networks.vpc.cidr"}},
	{"Y7", "a running cluster keeps them", awsManaged, oddSizes, oddSizes, nil},
}

func outsideVPC(c *awsCluster) { c.zone(0).Public = to("10.251.0.0/22") }

// clusterIn10 puts everything into 10.0.0.0/16.
func clusterIn10(c *awsCluster) {
	c.networking.Nodes, c.networking.Pods, c.networking.Services = to("10.0.0.0/17"), to("10.0.128.0/18"), to("10.0.192.0/18")
	c.config.Networks.Zones = []v1alpha1.Zone{{Name: "eu-central-1a", Workers: to("10.0.0.0/19")}, {Name: "eu-central-1b", Workers: to("10.0.32.0/19")}}
}

func oddSizes(c *awsCluster) {
	vpcRange("10.0.0.0/8")(c)
	c.networking.Nodes = to("10.0.0.0/8")
	c.zone(0).Public, c.zone(0).Internal, c.zone(0).Workers = to("10.1.0.0/29"), to("10.1.0.8/32"), to("10.2.0.0/15")
}

// awsSame leaves an update without a change.
func awsSame(*awsCluster) {}

var awsUpdateRows = []awsRow{
	{"U1", "set later", awsManaged, nil, efs(true, nil), nil},
	{"U1", "changed", awsManaged, efs(true, nil), efs(true, to("fs-1")), []string{"U1 elasticFileSystem"}},
	{"U1", "removed", awsManaged, efs(true, nil), awsSame, []string{"U1 elasticFileSystem"}},
	{"U2", "unchanged", awsManaged, tenancy, tenancy, nil},
	{"U2", "set", awsManaged, nil, tenancy, []string{"U2 enableDedicatedTenancyForVPC"}},
	{"U2", "removed", awsManaged, tenancy, awsSame, []string{"U2 enableDedicatedTenancyForVPC"}},
	{"U3", "unchanged", awsExisting, nil, awsSame, nil},
	{"U3", "changed", awsExisting, nil, func(c *awsCluster) { c.config.Networks.VPC.ID = to("vpc-2") }, []string{"U3 networks.vpc.id"}},
	{"U3", "from a managed VPC to one of the user", awsManaged, nil, func(c *awsCluster) { c.config.Networks.VPC = v1alpha1.VPC{ID: to("vpc-1")} }, []string{"U3 networks.vpc.id", "U4 networks.vpc.cidr"}},
	{"U4", "unchanged", awsManaged, nil, awsSame, nil},
	{"U4", "changed", awsManaged, nil, vpcRange("10.248.0.0/14"), []string{"U4 networks.vpc.cidr"}},
	{"U5", "unchanged", awsExisting, nil, awsSame, nil},
	{"U5", "changed", awsExisting, nil, nodesGroup("sg-2"), []string{"U5 networks.nodesSecurityGroupID"}},
	{"U5", "set", awsExisting, noNodesGroup, awsSame, []string{"U5 networks.nodesSecurityGroupID"}},
	{"U5", "removed", awsExisting, nil, noNodesGroup, []string{"U5 networks.nodesSecurityGroupID"}},
	{"U6", "set later", awsDual, nil, ipamPool("2001:db8::/56"), nil},
	{"U6", "changed", awsDual, ipamPool("2001:db8::/56"), ipamPool("2001:db8:0:100::/56"), []string{"U6 networks.vpc.ipv6IpamPool"}},
	{"U6", "removed", awsDual, ipamPool("2001:db8::/56"), awsSame, []string{"U6 networks.vpc.ipv6IpamPool"}},
	{"U7", "added", awsManaged, nil, func(c *awsCluster) {
		c.config.Networks.Zones = append(c.config.Networks.Zones, v1alpha1.Zone{Name: "eu-central-1c", Workers: to("10.250.64.0/19")})
	}, nil},
	{"U7", "removed", awsManaged, func(c *awsCluster) { c.workers[0].Zones = c.workers[0].Zones[:1] }, func(c *awsCluster) {
		c.config.Networks.Zones, c.workers[0].Zones = c.config.Networks.Zones[:1], c.workers[0].Zones[:1]
	}, []string{"U7 networks.zones"}},
	{"U8", "unchanged", awsManaged, nil, awsSame, nil},
	{"U8", "exchanged", awsManaged, nil, func(c *awsCluster) { c.zone(0).Name, c.zone(1).Name = c.zone(1).Name, c.zone(0).Name }, []string{"U8 " + z0 + "name", "U8 " + z1 + "name"}},
	{"U9", "unchanged", awsExisting, nil, awsSame, nil},
	{"U9", "changed", awsExisting, nil, func(c *awsCluster) { c.zone(0).WorkersSubnetID = to("subnet-9") }, []string{"U9 " + z0 + "workersSubnetID"}},
	{"U10", "set later", awsManaged, func(c *awsCluster) { c.zone(0).Public, c.zone(0).Internal = nil, nil }, awsSame, nil},
	{"U10", "changed and removed", awsManaged, nil, func(c *awsCluster) {
		c.zone(0).Public, c.zone(0).Internal, c.zone(0).Workers = nil, to("10.250.112.0/23"), to("10.250.0.0/20")
	}, []string{"U10 " + z0 + "public", "U10 " + z0 + "internal", "U10 " + z0 + "workers"}},
	{"U11", "set later", awsExisting, func(c *awsCluster) {
		*c.zone(0) = v1alpha1.Zone{Name: "eu-central-1a", WorkersSubnetID: to("subnet-1a")}
	}, awsSame, nil},
	{"U11", "changed and removed", awsExisting, nil, func(c *awsCluster) {
		c.zone(0).PublicSubnetID, c.zone(0).InternalSubnetID, c.zone(1).InternalSubnetID = to("subnet-9"), nil, nil
	}, []string{"U11 " + z0 + "publicSubnetID", "U11 " + z0 + "internalSubnetID", "U11 " + z1 + "internalSubnetID"}},
	{"U12", "switched on", awsManaged, nil, dualStack(true), nil},
	{"U12", "off stays off", awsManaged, dualStack(false), awsSame, nil},
	{"U12", "switched off", awsManaged, dualStack(true), dualStack(false), []string{"U12 dualStack.enabled"}},
	{"U12", "removed", awsManaged, dualStack(true), awsSame, []string{"U12 dualStack.enabled"}},
}

func tenancy(c *awsCluster)      { c.config.EnableDedicatedTenancyForVPC = to(true) }
func noNodesGroup(c *awsCluster) { c.config.Networks.NodesSecurityGroupID = nil }

func dualStack(enabled bool) func(*awsCluster) {
	return func(c *awsCluster) { c.config.DualStack = &v1alpha1.DualStack{Enabled: enabled} }
}

const awsHead = `{"apiVersion":"aws.provider.extensions.gardener.cloud/v1alpha1","kind":`

var awsShootRows = []awsRow{
	{"H1", "there", awsManaged, nil, nil, nil},
	{"H1", "missing", awsManaged, func(c *awsCluster) { c.config = nil }, nil, []string{"H1"}},
	{"H1", "a cluster without workers needs none", awsManaged, func(c *awsCluster) { c.config, c.workers, c.networking = nil, nil, nil }, nil, nil},
	{"H1", "a Shoot that is being deleted is left in peace", awsManaged, func(c *awsCluster) { c.config, c.deleted = nil, true }, nil, nil},
	{"H2", "read", awsManaged, nil, nil, nil},
	{"H2", "an unknown field", awsManaged, func(c *awsCluster) { c.rawConfig = awsHead + `"InfrastructureConfig","network":{}}` }, nil, []string{"H2"}},
	{"H2", "an old one may have unknown fields", awsManaged, func(c *awsCluster) { c.rawConfig = awsHead + `"InfrastructureConfig","network":{}}` }, awsSame, []string{"U4 networks.vpc.cidr"}},
	{"H3", "there", awsManaged, nil, nil, nil},
	{"H3", "missing", awsManaged, func(c *awsCluster) { c.networking.Nodes = nil }, nil, []string{"H3 spec.networking.nodes"}},
	{"H3", "missing where no families are given", awsManaged, func(c *awsCluster) { c.networking.Nodes, c.networking.IPFamilies = nil, nil }, nil, []string{"H3 spec.networking.nodes"}},
	{"H3", "with IPv6 alone none is needed", awsIPv6, nil, nil, nil},
	{"H4", "overlay off", awsDual, nil, nil, nil},
	{"H4", "overlay on with IPv4", awsManaged, awsPlugin(`{"overlay":{"enabled":true}}`), nil, nil},
	{"H4", "overlay on with both", awsDual, awsPlugin(`{"overlay":{"enabled":true}}`), nil, []string{"H4 spec.networking.providerConfig.overlay.enabled"}},
	{"H5", "no word with IPv4", awsManaged, awsPlugin(""), nil, nil},
	{"H5", "no word with both", awsDual, awsPlugin(`{}`), nil, []string{"H5 spec.networking.ipFamilies"}},
	{"H5", "no word with IPv6 alone", awsIPv6, awsPlugin(`{"overlay":{}}`), nil, []string{"H5 spec.networking.ipFamilies"}},
	{"H6", "true or false", awsManaged, nil, nil, nil},
	{"H6", "a text", awsManaged, awsPlugin(`{"overlay":{"enabled":"no"}}`), nil, []string{"H6 spec.networking.providerConfig"}},
	{"H6", "a text with IPv6", awsDual, awsPlugin(`{"overlay":"no"}`), nil, []string{"H5 spec.networking.ipFamilies", "H6 spec.networking.providerConfig"}},

	{"C1", "absent", awsManaged, nil, nil, nil},
	{"C1", "read", awsManaged, ingress("alb"), nil, nil},
	{"C1", "another cloud", awsManaged, func(c *awsCluster) { c.rawControl = with(`"loadBalancerProvider":"x"`, "ControlPlaneConfig") }, nil, []string{"C1 " + cp}},
	{"C2", "nothing unknown", awsManaged, ingress("alb"), nil, nil},
	{"C2", "an unknown field", awsManaged, func(c *awsCluster) { c.rawControl = awsHead + `"ControlPlaneConfig","new":1}` }, nil, []string{"C2 " + cp}},
	{"C3", "a class", awsManaged, ingress("my-alb.example"), nil, nil},
	{"C3", "capitals", awsManaged, ingress("ALB"), nil, []string{"C3 " + cp + ".loadBalancerController.ingressClassName"}},
	{"C3b", "absent", awsManaged, func(c *awsCluster) { ingress("x")(c); c.control.LoadBalancerController.IngressClassName = nil }, nil, nil},
	{"C3b", "empty", awsManaged, ingress(""), nil, []string{"C3b " + cp + ".loadBalancerController.ingressClassName"}},
	{"K1", "zones", awsManaged, nil, nil, nil},
	{"K1", "no zones", awsManaged, func(c *awsCluster) { c.workers = append(c.workers, corev1beta1.Worker{Name: "more"}) }, nil, []string{"K1 spec.provider.workers[1].zones"}},
	{"K2", "zones with subnets", awsManaged, nil, nil, nil},
	{"K2", "a zone without subnets", awsManaged, func(c *awsCluster) { c.workers[0].Zones = []string{"eu-central-1a", "eu-central-1c"} }, nil, []string{"K2 spec.provider.workers[0].zones[1]"}},
	{"K3", "unchanged", awsManaged, nil, awsSame, nil},
	{"K3", "a zone removed", awsManaged, nil, func(c *awsCluster) { c.workers[0].Zones = c.workers[0].Zones[1:] }, []string{"K3 spec.provider.workers[0].zones"}},
}

func awsPlugin(config string) func(*awsCluster) {
	return func(c *awsCluster) { c.networking.ProviderConfig = &runtime.RawExtension{Raw: []byte(config)} }
}

func ingress(class string) func(*awsCluster) {
	return func(c *awsCluster) {
		c.control = &v1alpha1.ControlPlaneConfig{LoadBalancerController: &v1alpha1.LoadBalancerControllerConfig{Enabled: true, IngressClassName: &class}}
		c.control.APIVersion, c.control.Kind = v1alpha1.SchemeGroupVersion.String(), "ControlPlaneConfig"
	}
}
