// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"strings"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

const cp = "spec.provider.controlPlaneConfig"

var shootRows = []row{
	{"H1", "there", managed, nil, nil, nil},
	{"H1", "missing", managed, func(c *cluster) { c.config = nil }, nil, []string{"H1"}},
	{"H1", "a cluster without workers needs none", managed, func(c *cluster) { c.config, c.control, c.workers, c.networking = nil, nil, nil, nil }, nil, nil},
	{"H1", "a Shoot that is being deleted is left in peace", managed, func(c *cluster) { c.config, c.deleted = nil, true }, nil, nil},
	{"H2", "there", managed, nil, nil, nil},
	{"H2", "missing", managed, func(c *cluster) { c.control = nil }, nil, []string{"H2 " + cp}},
	{"H3", "read", managed, nil, nil, nil},
	{"H3", "an unknown field", managed, func(c *cluster) { c.rawConfig = with(`"subnetid":"x"`, "InfrastructureConfig") }, nil, []string{"H3"}},
	{"H3", "another cloud", managed, func(c *cluster) {
		c.rawConfig = strings.Replace(with(`"x":1`, "InfrastructureConfig"), "openstack", "aws", 1)
	}, nil, []string{"H3"}},
	{"H3", "an old one may have unknown fields", managed, func(c *cluster) {
		c.rawConfig = with(`"floatingPoolName":"public","networks":{"workers":"10.250.0.0/19","gone":1}`, "InfrastructureConfig")
	}, same, nil},
	{"H4", "read", managed, nil, nil, nil},
	{"H4", "no object", managed, func(c *cluster) { c.rawControl = `[]` }, nil, []string{"H4 " + cp}},
	{"H4", "a value of the wrong type", managed, func(c *cluster) { c.rawControl = with(`"loadBalancerProvider":1`, "ControlPlaneConfig") }, nil, []string{"H4 " + cp}},
	{"C11", "nothing unknown", managed, nil, nil, nil},
	{"C11", "an unknown field", managed, func(c *cluster) {
		c.rawControl = with(`"loadBalancerProvider":"amphora","new":1`, "ControlPlaneConfig")
	}, nil, []string{"C11 " + cp}},

	{"H5", "there", managed, nil, nil, nil},
	{"H5", "missing", managed, func(c *cluster) { c.networking.Nodes = nil }, nil, []string{"H5 spec.networking.nodes"}},
	{"H5", "missing with a subnet of the user", existing, func(c *cluster) { c.networking.Nodes = nil }, nil, nil},
	{"H5", "missing with a pool", managed, func(c *cluster) { withPool(c); c.networking.Nodes = nil }, nil, []string{"H5 spec.networking.nodes"}},
	{"H6", "IPv4", managed, nil, nil, nil},
	{"H6", "no families are IPv4", managed, func(c *cluster) { c.networking.IPFamilies = nil }, nil, nil},
	{"H6", "both", dual, nil, nil, nil},
	{"H6", "IPv6 alone", managed, func(c *cluster) {
		c.networking.IPFamilies = []corev1beta1.IPFamily{corev1beta1.IPFamilyIPv6}
	}, nil, []string{"H6 spec.networking.ipFamilies"}},
	{"H7", "ranges", dualManaged, nil, nil, nil},
	{"H7", "a subnet of the user", dual, nil, nil, nil},
	{"H7", "the order of the families does not matter", dual, func(c *cluster) { c.networking.IPFamilies = []corev1beta1.IPFamily{"IPv6", "IPv4"} }, nil, nil},
	{"H7", "no block", dual, func(c *cluster) { c.config.Networks.IPv6 = nil }, nil, []string{"H7"}},
	{"H7", "no block in a bare document", dual, func(c *cluster) { c.bare, c.config.Networks.IPv6 = true, nil }, nil, []string{"H7 networks.ipv6"}},
	{"H7", "pods and services alone", dualManaged, func(c *cluster) { c.config.Networks.IPv6.NodeCIDR = "" }, nil, []string{"S14 networks.ipv6.nodeCIDR", "H7"}},
	{"H8", "no configuration of the plugin", managed, nil, nil, nil},
	{"H8", "overlay off", managed, plugin(`{"overlay":{"enabled":false}}`), nil, nil},
	{"H8", "overlay without a word", managed, plugin(`{"overlay":{}}`), nil, nil},
	{"H8", "no configuration but null", managed, plugin(`null`), nil, nil},
	{"H8", "a text for true or false", managed, plugin(`{"overlay":{"enabled":"yes"}}`), nil, []string{"H8 spec.networking.providerConfig"}},
	{"H8", "a list", managed, plugin(`[1]`), nil, []string{"H8 spec.networking.providerConfig"}},

	{"K1", "zones", managed, nil, nil, nil},
	{"K1", "no zones", managed, func(c *cluster) { c.workers = append(c.workers, corev1beta1.Worker{Name: "more"}) }, nil, []string{"K1 spec.provider.workers[1].zones"}},
	{"K2", "unchanged", managed, nil, same, nil},
	{"K2", "zone added at the end", managed, nil, zones("a", "b", "c"), nil},
	{"K2", "zone added in front", managed, nil, zones("c", "a", "b"), []string{"K2 spec.provider.workers[0].zones"}},
	{"K2", "zone removed", managed, nil, zones("a"), []string{"K2 spec.provider.workers[0].zones"}},
	{"K2", "another pool is another list", managed, nil, func(c *cluster) { c.workers[0].Name, c.workers[0].Zones = "new", []string{"z"} }, nil},
}

func zones(names ...string) func(*cluster) {
	return func(c *cluster) { c.workers[0].Zones = names }
}

func plugin(config string) func(*cluster) {
	return func(c *cluster) { c.networking.ProviderConfig = &runtime.RawExtension{Raw: []byte(config)} }
}

// with is a document in one line.
func with(fields, kind string) string {
	return `{"apiVersion":"openstack.provider.extensions.gardener.cloud/v1alpha1","kind":"` + kind + `",` + fields + `}`
}

var controlRows = []row{
	{"C1", "a provider", managed, nil, nil, nil},
	{"C1", "no provider", managed, func(c *cluster) { c.control.LoadBalancerProvider = "" }, nil, []string{"C1 " + cp + ".loadBalancerProvider"}},
	{"C2", "allowed for all regions", managed, nil, nil, nil},
	{"C2", "not allowed", managed, func(c *cluster) { c.control.LoadBalancerProvider = "ovn" }, nil, []string{"C2 " + cp + ".loadBalancerProvider"}},
	{"C2", "entries of the region hide those for all", managed, func(c *cluster) { c.providers("RegionOne:ovn") }, nil, []string{"C2 " + cp + ".loadBalancerProvider"}},
	{"C2", "entries of another region do not", managed, func(c *cluster) { c.providers("RegionTwo:ovn") }, nil, nil},
	{"C2", "several for one region", managed, func(c *cluster) { c.providers("RegionOne:ovn", "RegionOne:amphora") }, nil, nil},
	{"C2", "several for all regions", managed, func(c *cluster) { c.control.LoadBalancerProvider = "ovn"; c.providers(":ovn") }, nil, nil},
	{"C2", "a running cluster keeps what is not allowed any more", managed, ovn, ovn, nil},
	{"C2", "a running cluster may not change to it", managed, nil, ovn, []string{"C2 " + cp + ".loadBalancerProvider"}},
	{"C10", "off", managed, func(c *cluster) { c.control.Storage = &v1alpha1.Storage{CSIManila: &v1alpha1.CSIManila{}} }, nil, nil},
	{"C10", "on without a share network", existing, manila, nil, []string{"C10 " + cp + ".storage.csiManila.enabled"}},
	{"C10", "on with a share network that is switched off", existing, func(c *cluster) { manila(c); shareOff(c) }, nil, []string{"C10 " + cp + ".storage.csiManila.enabled"}},
	{"C10", "on with a managed share network", existing, func(c *cluster) { manila(c); shareOn(c) }, nil, nil},
	{"C10", "on with a share network of the user", existing, func(c *cluster) { manila(c); shareID(c) }, nil, nil},
	{"C12", "no zone", managed, nil, nil, nil},
	{"C12", "a zone", managed, func(c *cluster) { c.control.Zone = to("nova") }, nil, []string{"C12 " + cp + ".zone"}},
}

func ovn(c *cluster) { c.control.LoadBalancerProvider = "ovn" }
func manila(c *cluster) {
	c.control.Storage = &v1alpha1.Storage{CSIManila: &v1alpha1.CSIManila{Enabled: true}}
}

// providers adds entries "region:name" to the CloudProfile.
func (c *cluster) providers(entries ...string) {
	for _, entry := range entries {
		region, name, _ := strings.Cut(entry, ":")
		provider := v1alpha1.LoadBalancerProvider{Name: name}
		if region != "" {
			provider.Region = &region
		}
		c.profile.Constraints.LoadBalancerProviders = append(c.profile.Constraints.LoadBalancerProviders, provider)
	}
}
