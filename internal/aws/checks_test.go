// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/aws"
)

// A deviation is one thing that is not as the recipe has it.
type deviation struct {
	name   string
	change func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster)
	codes  string // of the findings, in their order
	says   string // part of the first message
}

func prefixes(cidrs ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, c := range cidrs {
		out = append(out, netip.MustParsePrefix(c))
	}
	return out
}

// only leaves zone a: most deviations are about one subnet.
func only(c *v1alpha1.InfrastructureConfig) *v1alpha1.Zone {
	c.Networks.Zones = c.Networks.Zones[:1]
	return &c.Networks.Zones[0]
}

var givenDeviations = []deviation{
	{"the VPC does not exist", func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.VPC.ID = aws.String("vpc-0nowhere")
	}, "EGEN106 EAWS101 EAWS112 EAWS112 EAWS112 EAWS112 EAWS112 EAWS112", ""},
	{"DNS names are off", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		_, err := w.ec2.ModifyVpcAttribute(w.t.Context(), &ec2.ModifyVpcAttributeInput{VpcId: &w.vpc, EnableDnsHostnames: &types.AttributeBooleanValue{Value: aws.Bool(false)}})
		w.must(err)
	}, "EAWS102", "enableDnsHostnames of vpc: false"},
	{"a subnet does not exist", func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		only(c).WorkersSubnetID = aws.String("subnet-0nowhere")
	}, "EAWS111 EAWS163", "subnet-0nowhere"},
	{"a subnet is in another VPC", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		v, err := w.ec2.CreateVpc(w.t.Context(), &ec2.CreateVpcInput{CidrBlock: aws.String("10.1.0.0/16")})
		w.must(err)
		s, err := w.ec2.CreateSubnet(w.t.Context(), &ec2.CreateSubnetInput{VpcId: v.Vpc.VpcId, CidrBlock: aws.String("10.1.0.0/24"), AvailabilityZone: aws.String(region + "a")})
		w.must(err)
		z := only(c)
		z.PublicSubnetID = s.Subnet.SubnetId
	}, "EAWS112 EAWS144 EAWS163", "not in vpc"},
	{"a subnet is in another zone", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		only(c).WorkersSubnetID = aws.String(w.workers["b"])
	}, "EAWS113 EAWS144 EAWS163", "subnet workers-b is in zone eu-central-1b, not in eu-central-1a"},
	{"the subnet is not inside the node range", func(_ *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		only(c)
		k.Nodes = prefixes("10.250.0.0/16")
	}, "EAWS117 EAWS144 EAWS163", "not inside spec.networking.nodes (10.250.0.0/16)"},
	{"the security group does not exist", func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.NodesSecurityGroupID = aws.String("sg-0nowhere")
	}, "EAWS120", "sg-0nowhere"},
	{"the security group is in another VPC", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		v, err := w.ec2.CreateVpc(w.t.Context(), &ec2.CreateVpcInput{CidrBlock: aws.String("10.1.0.0/16")})
		w.must(err)
		g, err := w.ec2.CreateSecurityGroup(w.t.Context(), &ec2.CreateSecurityGroupInput{GroupName: aws.String("far"), Description: aws.String("far"), VpcId: v.Vpc.VpcId})
		w.must(err)
		c.Networks.NodesSecurityGroupID = g.GroupId
		_, err = w.ec2.AuthorizeSecurityGroupIngress(w.t.Context(), &ec2.AuthorizeSecurityGroupIngressInput{GroupId: g.GroupId, IpPermissions: toPermissions(engine.ID(*g.GroupId), []Rule{{"ingress", "-1", 0, 0, "self"}})})
		w.must(err)
	}, "EAWS121 EAWS165", "not in vpc"},
	{"pods overlap the VPC", func(_ *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.Pods = prefixes("10.0.128.0/17")
	}, "EAWS122", "10.0.0.0/16 of vpc overlaps 10.0.128.0/17"},
	{"a route of the user's is inside the pod network", func(w *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.Pods = prefixes("100.64.0.0/11")
		w.route(w.private, "100.64.7.0/24", w.nat)
	}, "EAWS123", "100.64.7.0/24 to nat"},
	{"a route of the user's is inside the pod network, and pods are tunnelled", func(w *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.Pods, k.Overlay = prefixes("100.64.0.0/11"), true
		w.route(w.private, "100.64.7.0/24", w.nat)
	}, "", ""},
	{"another cluster has had the name", func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		w.must(w.run(*c, *k).apply())
		k.UID = "another"
	}, "EGEN104 EGEN104 EAWS125", "exists and is not ours"},
	{"another cluster has had the name, and the group is the user's", func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		c.Networks.NodesSecurityGroupID = &w.group
		w.must(w.run(*c, *k).apply())
		k.UID = "another"
	}, "EGEN104 EGEN104 EAWS125 EAWS165", "exists and is not ours"},
	{"a group has the name of ours", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		_, err := w.ec2.CreateSecurityGroup(w.t.Context(), &ec2.CreateSecurityGroupInput{GroupName: aws.String(cluster + "-nodes"), Description: aws.String("x"), VpcId: &w.vpc})
		w.must(err)
	}, "EAWS126", "is called shoot--garden--rose-nodes, too"},
	{"two subnets have the tags for one zone", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		only(c).PublicSubnetID = nil
		second := w.subnet("public-a2", "a", "10.0.30.0/24")
		w.associate(w.public, second)
		w.tag(clusterTag+cluster, "shared", w.publics["a"], second)
		w.tag(elbTag, "1", w.publics["a"], second)
	}, "EAWS119 EAWS144 EAWS148 EAWS163", "bear the tag kubernetes.io/role/elb for zone eu-central-1a"},
}

// lend makes the VPC of the recipe again in another account, which shares it.
func (w *world) lend(c *v1alpha1.InfrastructureConfig) {
	subnet := func(name, cidr string) sim.WorldSubnet {
		return sim.WorldSubnet{WorldThing: sim.WorldThing{ID: "subnet-0" + name}, Zone: region + "a", CIDR: cidr, SharedWith: []string{"a"}}
	}
	leads := func(to string, subnets ...string) sim.WorldRouteTable {
		return sim.WorldRouteTable{Subnets: subnets, Routes: []sim.WorldRoute{{Destination: "0.0.0.0/0", Target: to}}}
	}
	w.must(w.Plant(sim.World{Accounts: map[string]sim.WorldAccount{"owner": {Regions: map[string]sim.WorldRegion{region: {VPCs: []sim.WorldVPC{{
		WorldThing:  sim.WorldThing{ID: "vpc-0lent"},
		CIDRs:       []string{"10.7.0.0/16"},
		Gateway:     &sim.WorldThing{},
		Subnets:     []sim.WorldSubnet{subnet("workers", "10.7.0.0/24"), subnet("public", "10.7.1.0/24"), subnet("internal", "10.7.2.0/24")},
		NATs:        []sim.WorldNAT{{WorldThing: sim.WorldThing{Name: "nat"}, Subnet: "subnet-0public"}},
		RouteTables: []sim.WorldRouteTable{leads("nat", "subnet-0workers", "subnet-0internal"), leads("igw", "subnet-0public")},
	}}}}}}}))
	z := only(c)
	c.Networks.VPC.ID = aws.String("vpc-0lent")
	z.WorkersSubnetID, z.PublicSubnetID, z.InternalSubnetID = aws.String("subnet-0workers"), aws.String("subnet-0public"), aws.String("subnet-0internal")
}

var adviceDeviations = []deviation{
	{"a VPC that another account shares", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.lend(c)
	}, "EAWS155 EAWS155 EAWS155 EAWS124 EAWS163", "subnet-0workers belongs to account"},
	{"a VPC that another account shares, and pods are tunnelled", func(w *world, c *v1alpha1.InfrastructureConfig, k *Cluster) {
		w.lend(c)
		k.Overlay = true
	}, "EAWS155 EAWS155 EAWS155 EAWS163", "subnet-0workers belongs to account"},
	{"DHCP options with another domain", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		o, err := w.ec2.CreateDhcpOptions(w.t.Context(), &ec2.CreateDhcpOptionsInput{DhcpConfigurations: []types.NewDhcpConfiguration{{Key: aws.String("domain-name"), Values: []string{"corp.example"}}}})
		w.must(err)
		_, err = w.ec2.AssociateDhcpOptions(w.t.Context(), &ec2.AssociateDhcpOptionsInput{DhcpOptionsId: o.DhcpOptions.DhcpOptionsId, VpcId: &w.vpc})
		w.must(err)
	}, "EAWS140", `domain-name is "corp.example", not eu-central-1.compute.internal`},
	{"no way out of the worker subnets", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		_, err := w.ec2.DeleteRoute(w.t.Context(), &ec2.DeleteRouteInput{RouteTableId: &w.private, DestinationCidrBlock: aws.String("0.0.0.0/0")})
		w.must(err)
	}, "EAWS141", "rtb-private, the table of the workers of eu-central-1a, eu-central-1b has no route to 0.0.0.0/0"},
	{"a default route that leads nowhere", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		_, err := w.ec2.DeleteNatGateway(w.t.Context(), &ec2.DeleteNatGatewayInput{NatGatewayId: &w.nat})
		w.must(err)
		for range 5 { // until it is gone
			_, err = w.ec2.DescribeNatGateways(w.t.Context(), &ec2.DescribeNatGatewaysInput{})
			w.must(err)
		}
	}, "EAWS142", "which is gone"},
	{"the main table", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		z := only(c)
		s := w.subnet("loose", "a", "10.0.40.0/24")
		z.WorkersSubnetID = &s
	}, "EAWS141 EAWS143 EAWS163", ""},
	{"a table that is shared", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		only(c) // that of zone b uses it, too
	}, "EAWS144 EAWS163", "is also the table of"},
	{"another cluster on the table", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.tag(clusterTag+"shoot--garden--tulip", "shared", w.private)
	}, "EAWS146", "bears the tags of shoot--garden--tulip"},
	{"more nodes than routes", func(_ *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.MaxNodes = 499
	}, "EAWS145", "499 nodes are to come, the quota is 500"},
	{"more nodes than routes, and nobody may read the quota", func(w *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.MaxNodes = 499
		w.Deny("a", "servicequotas:GetServiceQuota")
	}, "EAWS145", "the quota could not be read, by default it is 500"},
	{"the quota of routes was lowered", func(w *world, _ *v1alpha1.InfrastructureConfig, k *Cluster) {
		k.MaxNodes = 49
		w.SetQuota("a", region, routeQuota, 50)
	}, "EAWS145", "49 nodes are to come, the quota is 50"},
	{"no load balancer subnets", func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		for i := range c.Networks.Zones {
			c.Networks.Zones[i].PublicSubnetID, c.Networks.Zones[i].InternalSubnetID = nil, nil
		}
	}, "EAWS144 EAWS147", ""},
	{"only public load balancer subnets", func(_ *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		for i := range c.Networks.Zones {
			c.Networks.Zones[i].InternalSubnetID = nil
		}
	}, "EAWS144 EAWS148", ""},
	{"public and internal subnets the wrong way round", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		z := only(c)
		z.PublicSubnetID, z.InternalSubnetID = z.InternalSubnetID, z.PublicSubnetID
	}, "EAWS144 EAWS149 EAWS150 EAWS163", ""},
	{"a load balancer subnet without addresses", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		z := only(c)
		s := w.subnet("tiny", "a", "10.0.50.0/28")
		w.associate(w.public, s)
		z.PublicSubnetID = &s
		w.fill(s, 4)
	}, "EAWS151 EAWS144 EAWS163", "7 free addresses"},
	{"the group of the user's lets nothing in", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		g, err := w.ec2.CreateSecurityGroup(w.t.Context(), &ec2.CreateSecurityGroupInput{GroupName: aws.String("empty"), Description: aws.String("x"), VpcId: &w.vpc})
		w.must(err)
		c.Networks.NodesSecurityGroupID = g.GroupId
	}, "EAWS152 EAWS165", "missing: ingress all traffic from the group itself"},
	{"the group of the user's lets load balancers in", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.NodesSecurityGroupID = &w.group
		_, err := w.ec2.AuthorizeSecurityGroupIngress(w.t.Context(), &ec2.AuthorizeSecurityGroupIngressInput{GroupId: &w.group, IpPermissions: toPermissions("", []Rule{
			{"ingress", "tcp", 30000, 32767, "10.0.0.0/8"}, {"ingress", "udp", 1, 65535, "0.0.0.0/0"},
		})})
		w.must(err)
	}, "", ""},
	{"the group of the user's lets load balancers reach some NodePorts", func(w *world, c *v1alpha1.InfrastructureConfig, _ *Cluster) {
		c.Networks.NodesSecurityGroupID = &w.group
		_, err := w.ec2.AuthorizeSecurityGroupIngress(w.t.Context(), &ec2.AuthorizeSecurityGroupIngressInput{GroupId: &w.group, IpPermissions: toPermissions("", []Rule{
			{"ingress", "tcp", 30000, 32000, "10.0.0.0/8"}, {"ingress", "udp", 30000, 32767, "10.0.0.0/8"},
		})})
		w.must(err)
	}, "EAWS165", "missing: ingress tcp 30000-32767 from 10.0.10.0/24; ingress tcp 30000-32767 from 10.0.20.0/24"},
	{"no room for tags", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		for i := range 49 {
			w.tag(fmt.Sprint("tag-", i), "x", w.publics["a"])
		}
	}, "EAWS153", "has 49 tags, 3 are to be added, 50 are allowed"},
	{"a tag with white space", func(w *world, _ *v1alpha1.InfrastructureConfig, _ *Cluster) {
		w.tag(" "+elbTag, "1", w.publics["a"])
	}, "EAWS154", `has the tag " kubernetes.io/role/elb"="1"`},
}

func (w *world) route(table, dest, nat string) {
	_, err := w.ec2.CreateRoute(w.t.Context(), &ec2.CreateRouteInput{RouteTableId: &table, DestinationCidrBlock: &dest, NatGatewayId: &nat})
	w.must(err)
}

func (w *world) unroute(table, dest string) {
	_, err := w.ec2.DeleteRoute(w.t.Context(), &ec2.DeleteRouteInput{RouteTableId: &table, DestinationCidrBlock: &dest})
	w.must(err)
}

func TestTheRecipeHasNoFindings(t *testing.T) {
	w := newWorld(t)
	k := rose()
	k.Nodes, k.Pods, k.Services = prefixes("10.0.0.0/16"), prefixes("100.64.0.0/11"), prefixes("100.104.0.0/13")
	for _, f := range w.run(w.infra("a", "b"), k).look(Preflight).Check() {
		t.Error(w.readable(f.String()))
	}
}

func TestEachDeviationIsFound(t *testing.T) {
	for _, tt := range allDeviations() {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			infra, k := w.infra("a", "b"), rose()
			tt.change(w, &infra, &k)
			before := w.everything()
			var codes []string
			all := w.run(infra, k).look(Preflight).Check()
			for _, f := range all {
				codes = append(codes, f.Code)
			}
			if got := strings.Join(codes, " "); got != tt.codes {
				t.Fatalf("codes %q, want %q: %s", got, tt.codes, w.readable(fmt.Sprint(all)))
			}
			if len(all) > 0 && !strings.Contains(w.readable(all[0].Message), tt.says) {
				t.Errorf("says %q, want %q", w.readable(all[0].Message), tt.says)
			}
			if w.everything() != before {
				t.Error("a look has changed something")
			}
		})
	}
}

// fill takes addresses of a subnet, one with each NAT gateway.
func (w *world) fill(subnet string, n int) {
	for range n {
		a, err := w.ec2.AllocateAddress(w.t.Context(), &ec2.AllocateAddressInput{Domain: types.DomainTypeVpc})
		w.must(err)
		_, err = w.ec2.CreateNatGateway(w.t.Context(), &ec2.CreateNatGatewayInput{SubnetId: &subnet, AllocationId: a.AllocationId})
		w.must(err)
	}
}
