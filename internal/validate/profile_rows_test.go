// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import "github.com/espalier-io/espalier/api/openstack/v1alpha1"

const lb = cp + ".loadBalancerClasses"

func classes(list ...v1alpha1.LoadBalancerClass) func(*cluster) {
	return func(c *cluster) { c.control.LoadBalancerClasses = list }
}

type class = v1alpha1.LoadBalancerClass

var classRows = []row{
	{"C3", "a name", managed, classes(class{Name: "fast"}), nil, nil},
	{"C3", "no name", managed, classes(class{}), nil, []string{"C3 " + lb + "[0].name"}},
	{"C3b", "a plain name", managed, classes(class{Name: "fast"}), nil, nil},
	{"C3b", "a bracket", managed, classes(class{Name: "fast"}, class{Name: "[x]"}), nil, []string{"C3b " + lb + "[1].name"}},
	{"C4", "two names", managed, classes(class{Name: "fast"}, class{Name: "slow"}), nil, nil},
	{"C4", "one name twice", managed, classes(class{Name: "fast"}, class{Name: "fast"}), nil, []string{"C4 " + lb + "[1].name"}},
	{"C5", "one default by name, one private by purpose", managed, classes(class{Name: "default"}, class{Name: "slow", Purpose: to("private")}), nil, nil},
	{"C5", "the default by name and purpose is one", managed, classes(class{Name: "default", Purpose: to("default")}), nil, nil},
	{"C5", "two defaults", managed, classes(class{Name: "default"}, class{Name: "slow", Purpose: to("default")}), nil, []string{"C5 " + lb}},
	{"C5", "two private ones", managed, classes(class{Name: "a", Purpose: to("private")}, class{Name: "b", Purpose: to("private")}), nil, []string{"C5 " + lb}},
	{"C6", "private", managed, classes(class{Name: "a", Purpose: to("private")}), nil, nil},
	{"C6", "vpn", managed, classes(class{Name: "a", Purpose: to("vpn")}), nil, []string{"C6 " + lb + "[0]"}},
	{"C6", "something else", managed, classes(class{Name: "a", Purpose: to("")}), nil, []string{"C6 " + lb + "[0]"}},
	{"C7", "UUIDs", managed, classes(class{Name: "a", FloatingNetworkID: to(network), FloatingSubnetID: to(subnet)}), nil, nil},
	{"C7", "names", managed, classes(class{Name: "a", FloatingNetworkID: to("public"), FloatingSubnetID: to("public-1")}), nil,
		[]string{"C7 " + lb + "[0].floatingNetworkID", "C7 " + lb + "[0].floatingSubnetID"}},
	{"C8", "by ID", managed, classes(class{Name: "a", FloatingSubnetID: to(subnet)}), nil, nil},
	{"C8", "by name and tags", managed, classes(class{Name: "a", FloatingSubnetName: to("public-1"), FloatingSubnetTags: to("fast")}), nil, []string{"C8 " + lb + "[0]"}},
	{"C8", "by all three is one fault", managed, classes(class{Name: "a", FloatingSubnetID: to(subnet), FloatingSubnetName: to("x"), FloatingSubnetTags: to("y")}), nil, []string{"C8 " + lb + "[0]"}},
	{"C9", "the CloudProfile lists none", managed, classes(class{Name: "a", FloatingSubnetID: to(subnet)}), nil, nil},
	{"C9", "the networks of a listed one", managed, func(c *cluster) {
		c.profile.Constraints.FloatingPools[0].LoadBalancerClasses = []class{{Name: "x"}, {Name: "y", Purpose: to("vpn"), FloatingSubnetID: to(subnet)}}
		classes(class{Name: "a", Purpose: to("private"), FloatingSubnetID: to("{" + subnet + "}")})(c)
	}, nil, nil},
	{"C9", "other networks", managed, otherClass, nil, []string{"C9 " + lb + "[0]"}},
	{"C9", "a running cluster keeps them", managed, otherClass, otherClass, nil},
}

func otherClass(c *cluster) {
	c.profile.Constraints.FloatingPools[0].LoadBalancerClasses = []class{{Name: "y", FloatingSubnetID: to(subnet)}}
	classes(class{Name: "y", FloatingSubnetID: to(other)})(c)
}

// pools replaces the floating pools of the CloudProfile.
func pools(domain string, list ...v1alpha1.FloatingPool) func(*cluster) {
	return func(c *cluster) { c.domain, c.profile.Constraints.FloatingPools = domain, list }
}

type fp = v1alpha1.FloatingPool

var (
	here  = to("RegionOne")
	there = to("RegionTwo")
	mine  = to("mine")
)

var profileRows = []row{
	{"P1", "by name", managed, nil, nil, nil},
	{"P1", "by a pattern", managed, pools("", fp{Name: "pub*"}), nil, nil},
	{"P1", "by a pattern that ends alike", managed, pools("", fp{Name: "*lic"}), nil, nil},
	{"P1", "by a star", managed, pools("", fp{Name: "*"}), nil, nil},
	{"P1", "not listed", managed, pools("", fp{Name: "dmz"}), nil, []string{"P1 floatingPoolName"}},
	{"P1", "nothing listed", managed, pools(""), nil, []string{"P1 floatingPoolName"}},
	{"P1", "listed for another region", managed, pools("", fp{Name: "public", Region: there}), nil, []string{"P1 floatingPoolName"}},
	{"P1", "the region has its own list", managed, pools("", fp{Name: "public"}, fp{Name: "dmz", Region: here}), nil, []string{"P1 floatingPoolName"}},
	{"P1", "the region's own list adds only", managed, pools("", fp{Name: "public"}, fp{Name: "dmz", Region: here, NonConstraining: to(true)}), nil, nil},
	{"P1", "an addition for the region", managed, pools("", fp{Name: "dmz"}, fp{Name: "public", Region: here, NonConstraining: to(true)}), nil, nil},
	{"P1", "an addition for all beside the region's own list", managed, pools("", fp{Name: "public", NonConstraining: to(true)}, fp{Name: "dmz", Region: here}), nil, nil},
	{"P1", "domain and region come first", managed, pools("mine", fp{Name: "public", Region: here}, fp{Name: "dmz", Region: here, Domain: mine}), nil, []string{"P1 floatingPoolName"}},
	{"P1", "listed for domain and region", managed, pools("mine", fp{Name: "dmz"}, fp{Name: "public", Region: here, Domain: mine}), nil, nil},
	{"P1", "listed for the region, but the domain has its own list", managed, pools("mine", fp{Name: "public", Region: here}, fp{Name: "dmz", Domain: mine}), nil, []string{"P1 floatingPoolName"}},
	{"P1", "listed for the domain, but the region has its own list", managed, pools("mine", fp{Name: "public", Domain: mine}, fp{Name: "dmz", Region: here}), nil, []string{"P1 floatingPoolName"}},
	{"P1", "listed for both apart", managed, pools("mine", fp{Name: "public", Region: here}, fp{Name: "pub*", Domain: mine}), nil, nil},
	{"P1", "listed for the domain alone", managed, pools("mine", fp{Name: "public", Domain: mine}), nil, nil},
	{"P1", "a domain that is not known is not judged", managed, pools("", fp{Name: "dmz", Domain: mine}), nil, nil},
	{"P1", "a running cluster keeps what is not listed any more", managed, pools("", fp{Name: "dmz"}), pools("", fp{Name: "dmz"}), nil},
	{"P1", "a change is checked", managed, nil, func(c *cluster) { c.config.FloatingPoolName = "dmz" }, []string{"U6 floatingPoolName", "P1 floatingPoolName"}},
}
